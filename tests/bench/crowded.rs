//! One account's heavy work beside everybody else's requests: what others wait while 40 accounts
//! ask for takeouts and fetch them, and one asks for 60 large pictures at a time, relative to what
//! they wait without.

use std::io::Cursor;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use image::{ImageFormat, RgbImage};
use nil_tests::{Engine, Person, World, a_file};
use reqwest::header::RETRY_AFTER;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::asked::Asked;
use crate::deals;
use crate::open_loop::{Latency, Requests};
use crate::report::millis;
use crate::served::Served;

const DEALS: usize = 40;
const TAKEOUTS: usize = 40;
const PICTURES: usize = 60;
/// 25 megapixels.
const SIDE: u32 = 5_000;
/// What others ask for, per second.
const RATE: f64 = 50.0;
/// Pauses of a caller who asks whether the takeout is made. Who is told when to come back
/// (`Retry-After`) waits as long.
const LATER: Duration = Duration::from_millis(200);

pub async fn measure(asked: &Asked) {
    for (name, engine) in asked.engines() {
        let crowd = Crowd::gather(asked, engine).await;
        let alone = crowd.others(asked.time).await;
        let picture_alone = crowd.picture_of(&crowd.athletes[1]).await;
        let heavy = crowd.begin();
        let beside = crowd.others(asked.time).await;
        let picture_beside = crowd.picture_of(&crowd.athletes[1]).await;
        let still = heavy.len();
        drop(heavy);
        println!("{name}: {TAKEOUTS} takeouts and {PICTURES} pictures at a time ({still} callers)");
        for (what, alone, beside) in [
            ("p50 of others' reads", alone.p50, beside.p50),
            ("p99 of others' reads", alone.p99, beside.p99),
            ("another's picture", picture_alone, picture_beside),
        ] {
            println!(
                "  {what}: {:.2} ms alone, {:.2} ms beside them, {:.2} x",
                millis(alone),
                millis(beside),
                beside.as_secs_f64() / alone.as_secs_f64()
            );
        }
        drop(crowd.served);
        crowd.world.platform.close().await;
    }
}

struct Crowd {
    world: World,
    served: Served,
    client: Client,
    athletes: Vec<Person>,
    /// A large picture of each of the first two athletes.
    pictures: Vec<Value>,
}

impl Crowd {
    async fn gather(asked: &Asked, engine: Engine) -> Self {
        let folder = tempfile::Builder::new().prefix("nil-bench-").tempdir_in(".").unwrap();
        let world = World::in_folder(engine, folder).await;
        let brand = world.paying_partner("Ridge Outfitters").await;
        let mut athletes = Vec::new();
        for number in 0..DEALS {
            athletes.push(world.athlete(&format!("Zoe Number{number}")).await);
        }
        let job = world.open_job(&brand, deals::terms(&world, DEALS)).await;
        for athlete in &athletes {
            world.hire(&brand, athlete, job).await;
            let confirm = json!({ "job_id": job });
            let name = "core.contract.confirm_availability";
            world.call(name, &athlete.principal, confirm).await.data();
        }
        let served = Served::start(&asked.nil, &world).await.0;
        let client = Client::builder().no_proxy().build().unwrap();
        let mut crowd = Self { world, served, client, athletes, pictures: Vec::new() };
        let bytes = a_large_picture();
        for at in 0..2 {
            let file = a_file("large.jpg", &bytes);
            let upload = crowd.post(&crowd.athletes[at], "/api/files").json(&file);
            let answer: Value = upload.send().await.unwrap().json().await.unwrap();
            assert!(answer["data"]["id"].is_i64(), "{answer:#}");
            crowd.pictures.push(answer["data"]["id"].clone());
        }
        crowd
    }

    fn post(&self, who: &Person, path: &str) -> RequestBuilder {
        let address = format!("http://{}{path}", self.served.core);
        self.client.post(address).bearer_auth(who.token.as_deref().unwrap())
    }

    /// Reads of an athlete at a fixed rate.
    async fn others(&self, time: Duration) -> Latency {
        let reader = &self.athletes[DEALS - 1];
        let text = "POST /api/searchJobV2 HTTP/1.1";
        let body = "{}";
        let request = format!(
            "{text}\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            reader.token.as_deref().unwrap(),
            body.len()
        );
        let servers: [SocketAddr; 1] = [self.served.core];
        Requests::same(request.into_bytes()).latency(&servers, RATE, time).await
    }

    /// How long an athlete waits for a picture of theirs to be drawn.
    async fn picture_of(&self, who: &Person) -> Duration {
        let started = Instant::now();
        let request = self.edit(who, &self.pictures[1]);
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
        started.elapsed()
    }

    fn edit(&self, who: &Person, picture: &Value) -> RequestBuilder {
        self.post(who, "/api/editAthleteWebsite").json(&json!({ "photo_file_id": picture }))
    }

    /// Athletes who take all their data along again and again, and callers of one athlete that
    /// change their picture. They end when the set is dropped.
    fn begin(&self) -> JoinSet<()> {
        let mut heavy = JoinSet::new();
        for who in self.athletes.iter().cycle().take(TAKEOUTS) {
            let address = format!("http://{}/api/takeout", self.served.core);
            let token = who.token.clone().unwrap();
            let ask = self.post(who, "/api/takeout");
            let fetch = self.client.get(address).bearer_auth(token);
            heavy.spawn(again_and_again(vec![ask, fetch]));
        }
        for _ in 0..PICTURES {
            let request = self.edit(&self.athletes[0], &self.pictures[0]);
            heavy.spawn(again_and_again(vec![request]));
        }
        heavy
    }
}

/// Sends these requests in turn; each again until it is answered.
async fn again_and_again(requests: Vec<RequestBuilder>) {
    for request in requests.iter().cycle() {
        loop {
            let answer = request.try_clone().expect("no stream").send().await.unwrap();
            let status = answer.status();
            let told = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
            let later =
                told.and_then(|value| value.parse().ok()).map_or(LATER, Duration::from_secs);
            let _ = answer.bytes().await;
            if status.is_success() {
                break;
            }
            // Too much waits, or the takeout is not made yet.
            assert!(matches!(status.as_u16(), 409 | 503), "{status}");
            tokio::time::sleep(later).await;
        }
    }
}

fn a_large_picture() -> Vec<u8> {
    let picture = RgbImage::from_fn(SIDE, SIDE, |x, y| {
        let byte = |value: u32| u8::try_from(value / 32 % 256).unwrap();
        image::Rgb([byte(x), byte(y), byte(x + y)])
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}
