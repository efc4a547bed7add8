//! The memory that large uploads cost a server process.

use std::time::Instant;

use nil_tests::bucket::Bucket;
use nil_tests::{Engine, PASSWORD, World, is_long};
use serde_json::{Value, json};

use crate::nil::Nil;
use crate::served::Served;

const MIB: usize = 1024 * 1024;
const PART: usize = 8 * MIB;

/// An operator at a server.
struct Desk<'a> {
    served: &'a Served,
    cookie: String,
    csrf: String,
}

impl Desk<'_> {
    async fn post(&self, path: &str, body: &Value) -> Value {
        let session = (self.cookie.as_str(), self.csrf.as_str());
        let (status, answer) = self.served.post_as_operator(path, session, body).await;
        assert_eq!(status, 200, "{path}: {answer:#}");
        answer["data"].clone()
    }

    /// Sends a part to its signed address.
    async fn send(&self, upload: &Value, number: usize, part: Vec<u8>) -> Value {
        let wanted = json!({ "upload_id": upload, "part_number": number });
        let signed = self.post("/admin/content/multipart/sign", &wanted).await;
        let put = self.served.client.put(signed["url"].as_str().unwrap()).body(part);
        let answer = put.send().await.unwrap();
        assert_eq!(answer.status(), 200);
        json!({ "part_number": number, "etag": answer.headers()["etag"].to_str().unwrap() })
    }
}

/// The bytes of a part; the first one begins like a video.
fn part(number: usize, size: usize) -> Vec<u8> {
    let mut part = vec![u8::try_from(number % 256).unwrap(); size];
    if number == 1 {
        part[..16].copy_from_slice(b"\0\0\0\x18ftypmp42\0\0\0\0");
    }
    part
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_upload_leaves_the_memory_flat() {
    stays_flat(|nil| nil).await;
}

/// The parts go straight to the bucket; the server reads the joined object once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_upload_to_a_bucket_leaves_the_memory_flat() {
    let bucket = Bucket::open().await;
    let settings = bucket.environment();
    stays_flat(|nil| settings.iter().fold(nil, |nil, (name, value)| nil.with(name, value))).await;
}

/// A gigabyte in the long run. The limit is the same for less, so a body that is kept in memory
/// shows.
async fn stays_flat(store: impl FnOnce(Nil) -> Nil) {
    let long = is_long();
    let size = if long { 1024 * MIB } else { 64 * MIB };
    let world = World::in_real_time(Engine::Sqlite).await;
    let email = world.chief_operator().await;
    let nil = store(Nil::beside(&world).with("NIL_THROTTLE", "off"));
    let served = &Served::start(&nil, &[]);
    let (_, answer, cookie) = served.visit_as_operator(email, PASSWORD).await;
    let csrf = answer["data"]["csrf_token"].as_str().unwrap().to_owned();
    let desk = Desk { served, cookie, csrf };
    // What every upload needs once is not what is measured.
    upload(&desk, "first.mp4", PART + MIB).await;
    let (before, started) = (served.memory("VmHWM:"), Instant::now());
    upload(&desk, "large.mp4", size).await;
    let (grown, took) = (served.memory("VmHWM:").saturating_sub(before), started.elapsed());
    println!("{} MiB in {took:.1?}: {grown} KiB more than {before} KiB", size / MIB);
    assert!(grown <= 32 * 1024, "{grown} KiB beyond {before} KiB");
}

async fn upload(desk: &Desk<'_>, name: &str, size: usize) {
    let announced = json!({ "name": name, "size": size, "mime": "video/mp4" });
    let created = desk.post("/admin/content/multipart/create", &announced).await;
    let upload = &created["upload_id"];
    let mut parts = Vec::new();
    let sizes = (0..size).step_by(PART).map(|from| PART.min(size - from));
    for (number, size) in (1..).zip(sizes) {
        parts.push(desk.send(upload, number, part(number, size)).await);
    }
    let done = json!({ "upload_id": upload, "parts": parts });
    let item = desk.post("/admin/content/multipart/complete", &done).await;
    assert_eq!(item["file"]["size"], size);
}
