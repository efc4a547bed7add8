//! Three servers that count requests together in a Redis, and what they do while it has troubles.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use nil_core::Config;
use nil_core::auth::Principal;
use nil_core::auth::throttle::Limits;
use nil_core::kernel::Secret;
use nil_core::throttle::Redis;
use nil_tests::{Frontend, RedisServer, Server, World, both};
use reqwest::Method;
use serde_json::json;

const LIMITS: Limits = Limits {
    off: false,
    login: 10,
    registration: 15,
    recovery: 4,
    public: 30,
    dashboard: 5,
    standard: 300,
};

/// How long until something that must happen has happened.
const SOON: Duration = Duration::from_mins(1);

/// Three servers, and callers behind a proxy that they trust.
struct Three {
    servers: [Server; 3],
    callers: AtomicU32,
}

impl Three {
    async fn start(world: World, redis: Redis) -> Self {
        let mut world = world;
        let change = |config: &mut Config| {
            config.redis = Some(redis);
            config.throttle = LIMITS;
            config.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
        };
        world.reopen(change).await;
        let others = [world.replica().await, world.replica().await];
        let [second, third] = others;
        let servers = [
            Server::start(world, Frontend::Warp).await,
            Server::start(second, Frontend::Poem).await,
            Server::start(third, Frontend::Warp).await,
        ];
        Self { servers, callers: AtomicU32::new(1) }
    }

    /// An address that nobody has called from.
    fn caller(&self) -> String {
        let number = self.callers.fetch_add(1, Ordering::Relaxed);
        format!("198.18.{}.{}", number / 250, number % 250 + 1)
    }

    /// The status of a call of a public operation at one of the servers.
    async fn asked(&self, server: usize, caller: &str) -> u16 {
        let server = &self.servers[server % 3];
        let request = server.request(Method::POST, "/api/listColleges").json(&json!({}));
        server.send(request.header("x-forwarded-for", caller)).await.status
    }

    /// The status of a guess at a password at one of the servers. Each is for another account.
    async fn guessed(&self, server: usize, caller: &str) -> u16 {
        let email = format!("nobody{}@example.com", self.callers.fetch_add(1, Ordering::Relaxed));
        let input = json!({ "email": email, "password": "long enough" });
        let server = &self.servers[server % 3];
        let request = server.request(Method::POST, "/api/login").json(&input);
        server.send(request.header("x-forwarded-for", caller)).await.status
    }

    /// Asks from ever new addresses until every server counts in the Redis.
    async fn counts_together(&self, redis: &RedisServer) {
        let deadline = Instant::now() + SOON;
        for server in 0..3 {
            loop {
                let before = redis.calls("evalsha");
                assert_eq!(self.asked(server, &self.caller()).await, 200);
                if redis.calls("evalsha") > before {
                    break;
                }
                assert!(Instant::now() < deadline, "server {server} counts alone");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

/// Tries until a try begins and ends in the same minute of this clock.
async fn in_one_minute<T>(minute: impl Fn() -> u64, attempt: impl AsyncFn() -> T) -> T {
    loop {
        let begun = minute();
        let result = attempt().await;
        if minute() == begun {
            return result;
        }
    }
}

fn allowed(statuses: &[u16]) -> usize {
    assert!(statuses.iter().all(|status| [200, 401, 429].contains(status)), "{statuses:?}");
    statuses.iter().filter(|status| **status != 429).count()
}

async fn three_servers_have_one_limit(world: World) {
    let redis = RedisServer::start();
    let three = Three::start(world, redis.setting()).await;
    // On a busy machine the first connection may take longer than a request waits for it.
    three.counts_together(&redis).await;
    let all = in_one_minute(
        || redis.minute(),
        async || {
            let caller = three.caller();
            join_all((0..90).map(|number| three.asked(number, &caller))).await
        },
    )
    .await;
    assert_eq!(allowed(&all), 30);
    let told = three.servers[1].request(Method::POST, "/api/listColleges").json(&json!({}));
    let told = three.servers[1].send(told.header("x-forwarded-for", three.caller())).await;
    assert_eq!((told.header("ratelimit-limit"), told.header("ratelimit-remaining")), ("30", "29"));
    // Redis learns of nobody's address and of no operation, and forgets within the minute.
    let keys = redis.keys();
    assert!(keys.len() >= 2, "{keys:?}");
    for key in keys {
        let name = key.strip_prefix("nil:throttle:").expect("our prefix");
        assert!(name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
        let left = redis.ask(&["TTL", &key]);
        let left: i64 = left.trim_start_matches(':').split("\r\n").next().unwrap().parse().unwrap();
        // -2 if it is gone already.
        assert!((0..=60).contains(&left) || left == -2, "{left}");
    }
}
both!(three_servers_have_one_limit);

async fn two_counts_of_a_request_are_one_call(world: World) {
    let redis = RedisServer::start();
    let three = Three::start(world, redis.setting()).await;
    let start = "core.registration.fan_start";
    let begun = three.servers[0].world.call(start, &Principal::Anonymous, json!({})).await.data();
    let name = json!({ "registration_token": begun["registration_token"],
        "first_name": "Casey", "last_name": "Field" });
    // The first call brings the script.
    three.counts_together(&redis).await;
    let before = redis.calls("evalsha");
    let answer = three.servers[0].post("/api/fan/update-registration-step3", &name).await;
    assert_eq!(answer.status, 200);
    assert_eq!(redis.calls("evalsha"), before + 1);
}
both!(two_counts_of_a_request_are_one_call);

async fn without_redis_each_server_counts_alone(world: World) {
    let mut redis = RedisServer::absent();
    let three = Three::start(world, redis.setting()).await;
    for server in &three.servers {
        assert_eq!(server.get("/readyz").await.status, 200);
    }
    // The platform's own clock stands still.
    let caller = three.caller();
    let (mut asked, mut guessed) = (Vec::new(), Vec::new());
    for number in 0..96 {
        asked.push(three.asked(number, &caller).await);
    }
    for number in 0..18 {
        guessed.push(three.guessed(number, &caller).await);
    }
    assert_eq!(allowed(&asked), 90, "each has the whole limit");
    assert_eq!(allowed(&guessed), 9, "each has a third of it");
    redis.again();
    three.counts_together(&redis).await;
}
both!(without_redis_each_server_counts_alone);

/// What can happen to a Redis, and what ends it.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    Killed,
    Stopped,
    Full,
    ReadOnly,
}

impl Trouble {
    fn begin(self, redis: &mut RedisServer) {
        match self {
            Self::Killed => redis.kill(),
            Self::Stopped => redis.stop(),
            Self::Full => redis.fill(),
            Self::ReadOnly => drop(redis.ask(&["REPLICAOF", "127.0.0.1", "1"])),
        }
    }

    fn end(self, redis: &mut RedisServer) {
        match self {
            Self::Killed => redis.again(),
            Self::Stopped => redis.go_on(),
            Self::Full => redis.empty(),
            Self::ReadOnly => drop(redis.ask(&["REPLICAOF", "NO", "ONE"])),
        }
    }
}

/// Guesses within a minute, which a trouble interrupts, come to the limit and a tenth at most.
async fn guesses_during(world: World, trouble: Trouble) {
    let mut redis = RedisServer::start();
    let three = Three::start(world, redis.setting()).await;
    three.counts_together(&redis).await;
    for before in [0, 1, 4, 8] {
        loop {
            let begun = redis.minute();
            let caller = three.caller();
            let mut all = Vec::new();
            for number in 0..before {
                all.push(three.guessed(number, &caller).await);
            }
            trouble.begin(&mut redis);
            let first = Instant::now();
            all.push(three.guessed(before, &caller).await);
            assert!(first.elapsed() < Duration::from_secs(2), "{:?}", first.elapsed());
            for number in before + 1..before + 13 {
                all.push(three.guessed(number, &caller).await);
            }
            for server in &three.servers {
                assert_eq!(server.get("/readyz").await.status, 200);
            }
            trouble.end(&mut redis);
            three.counts_together(&redis).await;
            for number in 0..12 {
                all.push(three.guessed(number, &caller).await);
            }
            if redis.minute() == begun {
                let allowed = allowed(&all);
                // Who was refused is counted as well, so it may be fewer than the limit.
                let least = before.max(3);
                assert!((least..=11).contains(&allowed), "{before} {trouble:?}: {all:?}");
                break;
            }
        }
    }
}

async fn a_killed_redis_lets_nobody_guess_more(world: World) {
    guesses_during(world, Trouble::Killed).await;
}
both!(a_killed_redis_lets_nobody_guess_more);

async fn a_stopped_redis_lets_nobody_guess_more(world: World) {
    guesses_during(world, Trouble::Stopped).await;
}
both!(a_stopped_redis_lets_nobody_guess_more);

async fn a_full_redis_lets_nobody_guess_more(world: World) {
    guesses_during(world, Trouble::Full).await;
}
both!(a_full_redis_lets_nobody_guess_more);

async fn a_read_only_redis_lets_nobody_guess_more(world: World) {
    guesses_during(world, Trouble::ReadOnly).await;
}
both!(a_read_only_redis_lets_nobody_guess_more);

async fn a_password_is_sent_and_a_wrong_one_counts_as_down(world: World) {
    let redis = RedisServer::guarded(Some("walk along the lake"));
    let wrong = redis.url().replace("walk along the lake", "another");
    let right = redis.url().replace(' ', "%20");
    let three = Three::start(world, Redis::at(&Secret::new(right)).unwrap()).await;
    three.counts_together(&redis).await;
    let other = three.servers[0].world.replica().await;
    let three = Three::start(other, Redis::at(&Secret::new(wrong)).unwrap()).await;
    let before = redis.calls("evalsha");
    assert_eq!(three.asked(0, &three.caller()).await, 200);
    assert_eq!(redis.calls("evalsha"), before);
    // It is mended without a restart.
    redis.ask(&["CONFIG", "SET", "requirepass", "another"]);
    let redis = redis.with_password("another");
    three.counts_together(&redis).await;
}
both!(a_password_is_sent_and_a_wrong_one_counts_as_down);

async fn a_redis_without_tls_is_none_for_an_address_with_it(world: World) {
    let redis = RedisServer::start();
    let address = redis.url().replace("redis://", "rediss://");
    let three = Three::start(world, Redis::at(&Secret::new(address)).unwrap()).await;
    assert_eq!(three.asked(0, &three.caller()).await, 200);
    assert_eq!(redis.calls("evalsha"), 0);
}
both!(a_redis_without_tls_is_none_for_an_address_with_it);
