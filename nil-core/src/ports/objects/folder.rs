//! The built-in store: a folder inside the data folder.
//!
//! `ab/abcdef…` is an object, `new/…` one that is being written, `aside/…` one without a file,
//! `parts/…` a folder with the parts of an upload (`staging`). A path consists only of a key's
//! digits, so it cannot lead out of the folder.

mod staging;

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures::stream;

use super::{Incoming, Later, ObjectKey, Objects, PartAddress, Parted, Pieces};
use crate::kernel::{Time, private_file, private_folder};

/// The number of bytes read at once.
const PIECE: u64 = 64 * 1024;
/// The time limit for writing an object.
const BEGUN: Duration = Duration::from_hours(1);
/// How long an object stays set aside.
const ASIDE: Duration = Duration::from_hours(30 * 24);

/// Objects as files of a folder.
#[derive(Clone, Debug)]
pub struct Folder(Arc<PathBuf>);

impl Folder {
    /// A store in this folder, which is created at the first write.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self(Arc::new(root.into()))
    }

    fn place(&self, key: &ObjectKey) -> PathBuf {
        self.0.join(key.shelf()).join(key.as_str())
    }

    fn within(&self, folder: &str, key: &ObjectKey) -> PathBuf {
        self.0.join(folder).join(key.as_str())
    }
}

/// Runs blocking disk access outside the threads that answer requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|lost| Err(io::Error::other(lost)))
}

/// Turns a missing file into `None`.
fn absent<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn write(folder: &Folder, key: &ObjectKey, bytes: &[u8]) -> io::Result<()> {
    let (begun, place) = (folder.within("new", key), folder.place(key));
    for path in [&begun, &place] {
        path.parent().map(private_folder).transpose()?;
    }
    let written = private_file(&begun).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(error) = written.and_then(|()| fs::rename(&begun, &place)) {
        // An incomplete object is useless.
        let _ = fs::remove_file(&begun);
        return Err(error);
    }
    // The rename itself must survive a power failure.
    place.parent().map_or(Ok(()), |shelf| File::open(shelf)?.sync_all())
}

fn remove(path: &Path) -> io::Result<()> {
    absent(fs::remove_file(path)).map(|_| ())
}

fn names(folder: &Path) -> io::Result<Vec<ObjectKey>> {
    let mut keys = Vec::new();
    for entry in absent(fs::read_dir(folder))?.into_iter().flatten() {
        keys.extend(entry?.file_name().to_str().and_then(ObjectKey::parse));
    }
    Ok(keys)
}

fn remove_older(folder: &Path, age: Duration, now: SystemTime) -> io::Result<()> {
    each_older(folder, age, now, remove)
}

/// Does something with everything in a folder that was not changed for so long.
fn each_older(
    folder: &Path,
    age: Duration,
    now: SystemTime,
    each: fn(&Path) -> io::Result<()>,
) -> io::Result<()> {
    for entry in absent(fs::read_dir(folder))?.into_iter().flatten() {
        let entry = entry?;
        let Some(about) = absent(entry.metadata())? else {
            continue;
        };
        let since = now.duration_since(about.modified()?);
        if since.is_ok_and(|since| since > age) {
            each(&entry.path())?;
        }
    }
    Ok(())
}

/// A file that is being read, and how many bytes of it are still wanted.
struct Reading {
    file: File,
    left: u64,
}

fn read_on(mut reading: Reading) -> io::Result<Option<(Vec<u8>, Reading)>> {
    let mut piece = Vec::new();
    (&reading.file).take(PIECE.min(reading.left)).read_to_end(&mut piece)?;
    let read = u64::try_from(piece.len()).map_err(io::Error::other)?;
    reading.left = reading.left.saturating_sub(read);
    Ok((!piece.is_empty()).then_some((piece, reading)))
}

/// Opens a file at a byte.
fn open_at(place: &Path, from: u64) -> io::Result<Option<File>> {
    let Some(mut file) = absent(File::open(place))? else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(from))?;
    Ok(Some(file))
}

impl Objects for Folder {
    fn put<'a>(&'a self, key: &'a ObjectKey, bytes: Bytes) -> Later<'a, ()> {
        let (folder, key) = (self.clone(), key.clone());
        Box::pin(blocking(move || write(&folder, &key, &bytes)))
    }

    fn get<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, Option<Pieces>> {
        self.get_part(key, 0, u64::MAX)
    }

    fn get_part<'a>(
        &'a self,
        key: &'a ObjectKey,
        from: u64,
        length: u64,
    ) -> Later<'a, Option<Pieces>> {
        let place = self.place(key);
        Box::pin(async move {
            let Some(file) = blocking(move || open_at(&place, from)).await? else {
                return Ok(None);
            };
            let reading = Reading { file, left: length };
            let pieces = stream::try_unfold(reading, |on| blocking(move || read_on(on)));
            let pieces: Pieces = Box::pin(pieces);
            Ok(Some(pieces))
        })
    }

    fn begin<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, String> {
        let (root, key) = (self.0.clone(), key.clone());
        Box::pin(blocking(move || staging::begin(&root, &key)))
    }

    fn put_part<'a>(
        &'a self,
        of: &'a Parted,
        number: u16,
        length: u64,
        bytes: Incoming,
    ) -> Later<'a, String> {
        Box::pin(async move { staging::put(&self.0, of, number, length, bytes).await })
    }

    fn part_address<'a>(
        &'a self,
        _: &'a Parted,
        _: u16,
        _: Duration,
    ) -> Later<'a, Option<PartAddress>> {
        Box::pin(async { Ok(None) })
    }

    fn join<'a>(&'a self, of: &'a Parted, tags: &'a [String]) -> Later<'a, ()> {
        let (root, place) = (self.0.clone(), self.place(&of.key));
        let (of, tags) = (of.clone(), tags.to_vec());
        Box::pin(blocking(move || staging::join(&root, &of, &tags, &place)))
    }

    fn abort<'a>(&'a self, of: &'a Parted) -> Later<'a, ()> {
        let (root, of) = (self.0.clone(), of.clone());
        Box::pin(blocking(move || staging::abort(&root, &of)))
    }

    fn remove<'a>(&'a self, key: &'a ObjectKey) -> Later<'a, ()> {
        let place = self.place(key);
        Box::pin(blocking(move || remove(&place)))
    }

    fn shelf(&self, number: u8) -> Later<'_, Vec<ObjectKey>> {
        let place = self.0.join(hex::encode([number]));
        Box::pin(blocking(move || names(&place)))
    }

    fn set_aside<'a>(&'a self, key: &'a ObjectKey, now: Time) -> Later<'a, ()> {
        let (place, aside) = (self.place(key), self.within("aside", key));
        Box::pin(blocking(move || {
            aside.parent().map(private_folder).transpose()?;
            if absent(fs::rename(&place, &aside))?.is_some() {
                // Its month starts now, regardless of its age.
                File::options().append(true).open(&aside)?.set_modified(now.into())?;
            }
            Ok(())
        }))
    }

    fn tidy(&self, now: Time) -> Later<'_, ()> {
        let root = self.0.clone();
        Box::pin(blocking(move || {
            remove_older(&root.join("new"), BEGUN, now.into())?;
            staging::tidy(&root, now.into())?;
            remove_older(&root.join("aside"), ASIDE, now.into())
        }))
    }
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt as _;

    use super::*;
    use crate::kernel::{Clock as _, SystemClock, SystemRandom};

    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Self {
            let name = ObjectKey::draw(&SystemRandom);
            Self(std::env::temp_dir().join(format!("nil-objects-{}", name.as_str())))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    async fn bytes(folder: &Folder, key: &ObjectKey) -> Option<Vec<u8>> {
        let pieces = folder.get(key).await.unwrap()?;
        Some(pieces.try_concat().await.unwrap())
    }

    #[tokio::test]
    async fn what_is_put_is_there_until_it_is_removed() {
        let scratch = Scratch::new();
        let folder = Folder::new(&scratch.0);
        let key = ObjectKey::draw(&SystemRandom);
        assert_eq!(bytes(&folder, &key).await, None);
        let long: Bytes = (0..200_000_u32).flat_map(u32::to_be_bytes).collect();
        folder.put(&key, long.clone()).await.unwrap();
        assert_eq!(bytes(&folder, &key).await.as_deref(), Some(&*long));
        let shelf = u8::from_str_radix(key.shelf(), 16).unwrap();
        assert_eq!(folder.shelf(shelf).await.unwrap(), std::slice::from_ref(&key));
        assert!(folder.shelf(shelf.wrapping_add(1)).await.unwrap().is_empty());
        assert!(names(&scratch.0.join("new")).unwrap().is_empty());
        folder.remove(&key).await.unwrap();
        folder.remove(&key).await.unwrap();
        assert_eq!(bytes(&folder, &key).await, None);
    }

    #[tokio::test]
    async fn what_is_set_aside_goes_after_a_month() {
        let scratch = Scratch::new();
        let folder = Folder::new(&scratch.0);
        let key = ObjectKey::draw(&SystemRandom);
        folder.put(&key, Bytes::from_static(b"relic")).await.unwrap();
        let now = SystemClock.now();
        folder.set_aside(&key, now).await.unwrap();
        folder.set_aside(&key, now).await.unwrap();
        assert_eq!(bytes(&folder, &key).await, None);
        let aside = folder.within("aside", &key);
        let begun = folder.within("new", &key);
        fs::write(&begun, b"half").unwrap();
        folder.tidy(now).await.unwrap();
        assert!(aside.exists() && begun.exists());
        let long_ago = SystemTime::from(now) - ASIDE - BEGUN;
        for path in [&aside, &begun] {
            let file = File::options().append(true).open(path).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        folder.tidy(now).await.unwrap();
        assert!(!aside.exists() && !begun.exists());
    }
}
