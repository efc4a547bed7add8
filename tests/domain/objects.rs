//! One contract for stores of objects, kept by the folder and by a bucket of a real server.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::{TryStreamExt as _, stream};
use nil_core::kernel::{Clock as _, SystemClock, SystemRandom};
use nil_core::ports::objects::{Folder, Incoming, ObjectKey, Objects, Parted, Pieces};
use nil_tests::bucket::Bucket;

/// The smallest part that a bucket takes, apart from the last one.
const LEAST: usize = 5 * 1024 * 1024;

fn key() -> ObjectKey {
    ObjectKey::draw(&SystemRandom)
}

/// Bytes that differ by their seed and their position.
fn content(seed: u8, size: usize) -> Bytes {
    (0..size)
        .map(|at| seed.wrapping_add(u8::try_from(at % 251).unwrap()))
        .collect::<Vec<u8>>()
        .into()
}

fn arriving(bytes: &Bytes) -> Incoming {
    let pieces: Vec<_> =
        bytes.chunks(100_000).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    Box::pin(stream::iter(pieces))
}

async fn read(pieces: Option<Pieces>) -> Option<Vec<u8>> {
    Some(pieces?.try_concat().await.unwrap())
}

async fn whole(store: &dyn Objects, key: &ObjectKey) -> Option<Vec<u8>> {
    read(store.get(key).await.unwrap()).await
}

async fn begun(store: &dyn Objects) -> Parted {
    let key = key();
    let upload = store.begin(&key).await.unwrap();
    Parted { key, upload }
}

/// Sends a part as a client would: to the store's own address without credentials, or through the
/// server.
async fn send(store: &dyn Objects, of: &Parted, number: u16, bytes: &Bytes) -> String {
    let address = store.part_address(of, number, Duration::from_mins(5)).await.unwrap();
    let Some(address) = address else {
        return put(store, of, number, bytes).await.unwrap();
    };
    let mut request = reqwest::Client::new().put(address.url).body(bytes.clone());
    for (name, value) in address.headers {
        request = request.header(name, value);
    }
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    answer.headers()["etag"].to_str().unwrap().trim_matches('"').to_owned()
}

async fn put(store: &dyn Objects, of: &Parted, number: u16, bytes: &Bytes) -> io::Result<String> {
    let length = u64::try_from(bytes.len()).unwrap();
    store.put_part(of, number, length, arriving(bytes)).await
}

#[track_caller]
fn kind<T: std::fmt::Debug>(outcome: io::Result<T>) -> io::ErrorKind {
    outcome.unwrap_err().kind()
}

/// How exactly a store tells what is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// Every error is the one that the contract requires.
    Exactly,
    /// The errors are those of the server of the tests: 500 where Amazon's says 404, and no look at
    /// the key of an upload.
    Roughly,
}

/// An upload that is not there is refused.
#[track_caller]
fn is_gone<T: std::fmt::Debug>(outcome: io::Result<T>, telling: Telling) {
    let kind = kind(outcome);
    let roughly = telling == Telling::Roughly && kind == io::ErrorKind::Other;
    assert!(roughly || kind == io::ErrorKind::NotFound, "{kind}");
}

async fn objects_are_whole_or_not_there(store: &dyn Objects) {
    let (one, other) = (key(), key());
    assert_eq!(whole(store, &one).await, None);
    let bytes = content(1, 200_000);
    store.put(&one, bytes.clone()).await.unwrap();
    assert_eq!(whole(store, &one).await.as_deref(), Some(&*bytes));
    let part = async |from, length| read(store.get_part(&one, from, length).await.unwrap()).await;
    assert_eq!(part(0, 1).await.as_deref(), Some(&bytes[..1]));
    assert_eq!(part(70_000, 70_000).await.as_deref(), Some(&bytes[70_000..140_000]));
    assert_eq!(part(199_999, 10).await.as_deref(), Some(&bytes[199_999..]));
    assert!(store.get_part(&other, 0, 1).await.unwrap().is_none());
    let shelf = u8::from_str_radix(&one.as_str()[..2], 16).unwrap();
    assert!(store.shelf(shelf).await.unwrap().contains(&one));
    store.remove(&one).await.unwrap();
    store.remove(&one).await.unwrap();
    assert_eq!(whole(store, &one).await, None);
    assert!(!store.shelf(shelf).await.unwrap().contains(&one));
    // What is set aside is out of sight; tidying keeps it for a month.
    store.put(&other, bytes).await.unwrap();
    let now = SystemClock.now();
    store.set_aside(&other, now).await.unwrap();
    store.set_aside(&other, now).await.unwrap();
    assert_eq!(whole(store, &other).await, None);
    store.tidy(now).await.unwrap();
}

async fn parts_become_one_object(store: &dyn Objects, telling: Telling) {
    let of = begun(store).await;
    let parts = [content(1, LEAST), content(2, LEAST), content(3, 70_001)];
    // In any order, and once more with other bytes.
    let third = send(store, &of, 3, &parts[2]).await;
    let first = send(store, &of, 1, &parts[0]).await;
    let old = send(store, &of, 2, &content(9, LEAST)).await;
    let second = send(store, &of, 2, &parts[1]).await;
    assert_ne!(old, second);
    assert_eq!(whole(store, &of.key).await, None);
    let shelf = u8::from_str_radix(&of.key.as_str()[..2], 16).unwrap();
    assert!(!store.shelf(shelf).await.unwrap().contains(&of.key));
    let tags = [first, second, third];
    store.join(&of, &tags).await.unwrap();
    assert_eq!(whole(store, &of.key).await.unwrap(), parts.concat());
    assert!(store.shelf(shelf).await.unwrap().contains(&of.key));
    // The upload is over; the object stays as it is.
    let late = put(store, &of, 1, &content(7, LEAST)).await;
    is_gone(late, telling);
    let again = store.join(&of, &tags).await;
    assert!(again.is_ok() || kind(again) == io::ErrorKind::NotFound);
    store.abort(&of).await.unwrap();
    assert_eq!(whole(store, &of.key).await.unwrap(), parts.concat());
}

async fn parts_that_are_not_right_become_nothing(store: &dyn Objects, telling: Telling) {
    let of = begun(store).await;
    let bytes = content(1, LEAST);
    let length = u64::try_from(bytes.len()).unwrap();
    for wrong in [length - 1, length + 1] {
        let put = store.put_part(&of, 1, wrong, arriving(&bytes)).await;
        assert_eq!(kind(put), io::ErrorKind::InvalidInput, "{wrong}");
    }
    let cut: Incoming =
        Box::pin(stream::iter([Ok(bytes.slice(..9)), Err(io::ErrorKind::ConnectionReset.into())]));
    let cut = store.put_part(&of, 1, length, cut).await;
    assert_eq!(kind(cut), io::ErrorKind::ConnectionReset);
    // Nothing of that is a part.
    let tag = "0".repeat(32);
    assert_eq!(
        kind(store.join(&of, std::slice::from_ref(&tag)).await),
        io::ErrorKind::InvalidInput
    );
    let first = put(store, &of, 1, &bytes).await.unwrap();
    let second = put(store, &of, 2, &content(2, 1_000)).await.unwrap();
    for wrong in [
        vec![first.clone(), tag.clone()],
        vec![second.clone(), first.clone()],
        vec![first.clone(), second.clone(), second.clone()],
    ] {
        let joined = store.join(&of, &wrong).await;
        assert_eq!(kind(joined), io::ErrorKind::InvalidInput, "{wrong:?}");
        assert_eq!(whole(store, &of.key).await, None);
    }
    // An upload is that of its key, and nobody else's.
    let other = begun(store).await;
    let foreign = Parted { key: key(), upload: of.upload.clone() };
    let invented = Parted { key: of.key.clone(), upload: "../../etc".into() };
    let swapped = Parted { key: other.key.clone(), upload: of.upload.clone() };
    let not_ours = match telling {
        Telling::Exactly => &[&foreign, &invented, &swapped][..],
        Telling::Roughly => &[&invented],
    };
    for not_ours in not_ours.iter().copied() {
        is_gone(put(store, not_ours, 1, &bytes).await, telling);
        let joined = store.join(not_ours, std::slice::from_ref(&first)).await;
        is_gone(joined, telling);
        let aborted = store.abort(not_ours).await;
        assert!(telling == Telling::Roughly || aborted.is_ok(), "{not_ours:?}");
        assert_eq!(whole(store, &not_ours.key).await, None);
    }
    // None of this hurt it.
    store.join(&of, &[first, second]).await.unwrap();
    assert_eq!(whole(store, &of.key).await.unwrap().len(), LEAST + 1_000);
    store.abort(&other).await.unwrap();
    store.abort(&other).await.unwrap();
    is_gone(put(store, &other, 1, &bytes).await, telling);
}

async fn keeps_the_contract(store: &dyn Objects, telling: Telling) {
    objects_are_whole_or_not_there(store).await;
    parts_become_one_object(store, telling).await;
    parts_that_are_not_right_become_nothing(store, telling).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_folder_keeps_the_contract() {
    let folder = nil_tests::database::scratch();
    let store = Folder::new(folder.path());
    keeps_the_contract(&store, Telling::Exactly).await;
    // Only whole objects are left.
    let left = |name: &str| std::fs::read_dir(folder.path().join(name)).map_or(0, Iterator::count);
    assert_eq!((left("new"), left("parts")), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bucket_keeps_the_contract() {
    let bucket = Bucket::open().await;
    keeps_the_contract(&bucket.store(), Telling::Roughly).await;
}

/// Who forgets an upload loses its parts after two days, and nothing else.
#[tokio::test]
async fn parts_that_nobody_joins_go_after_two_days() {
    let folder = nil_tests::database::scratch();
    let store = Folder::new(folder.path());
    let of = begun(&store).await;
    put(&store, &of, 1, &content(1, 9)).await.unwrap();
    let now = SystemClock.now();
    store.tidy(now + chrono::TimeDelta::hours(47)).await.unwrap();
    put(&store, &of, 2, &content(1, 9)).await.unwrap();
    store.tidy(now + chrono::TimeDelta::hours(49)).await.unwrap();
    assert_eq!(kind(put(&store, &of, 3, &content(1, 9)).await), io::ErrorKind::NotFound);
}
