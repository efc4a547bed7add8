//! Three processes on one database that count requests together in a Redis, and a Redis with TLS.

use std::time::{Duration, Instant};

use nil_tests::{RedisServer, World, trust};

use crate::nil::Nil;
use crate::served::{SOON, Served};

const FALLBACK: &str = "nil_throttle_fallback";
const ERRORS: &str = "nil_throttle_store_errors_total";
/// What a request may take while the Redis says nothing, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_processes_share_a_limit_and_tell_when_they_do_not_postgres() {
    const LIMIT: usize = 30;
    let mut redis = RedisServer::guarded(Some("hunter2"));
    let world = World::in_real_time(nil_tests::Engine::Postgres).await;
    let limit = LIMIT.to_string();
    let nil = || {
        Nil::beside(&world)
            .with("NIL_REDIS_URL", &redis.url())
            .with("NIL_THROTTLE_PUBLIC", &limit)
            .with("NIL_THROTTLE_LOGIN", "1000")
    };
    let folders = [nil(), nil(), nil()];
    let mut servers = folders.each_ref().map(|nil| Served::start(nil, &[]));
    loop {
        let begun = redis.minute();
        let mut good = 0;
        for number in 0..LIMIT * 2 {
            let status = servers[number % 3].status("/api/listColleges", "").await;
            assert!(status == 200 || status == 429, "{status}");
            good += usize::from(status == 200);
        }
        if redis.minute() == begun {
            assert_eq!(good, LIMIT);
            break;
        }
    }
    let nil = &folders[0];
    assert_eq!(nil.doctor("redis").0, "good");
    for served in &servers {
        assert!(served.printed.contains("Requests are counted in Redis, 127.0.0.1:"));
        served.none_of(FALLBACK, &[]).await;
        served.none_of(ERRORS, &[]).await;
    }
    // It listens and says nothing.
    redis.stop();
    count_alone(&mut servers).await;
    assert_eq!(nil.doctor("redis").0, "bad");
    redis.go_on();
    count_together(&mut servers).await;
    redis.kill();
    count_alone(&mut servers).await;
    let (state, says) = nil.doctor("redis");
    assert_eq!(state, "bad", "{says}");
    redis.again();
    count_together(&mut servers).await;
    assert_eq!(nil.doctor("redis").0, "good");
    for served in &mut servers {
        assert!(served.log().contains("requests are counted by all servers together again"));
        served.logged("requests are counted by each server alone").await;
        assert!(!served.log().contains("hunter2") && !served.printed.contains("hunter2"));
    }
    trust::tried("R9", "servers", 3);
}

/// Each server notices that it counts alone, and answers all the same.
async fn count_alone(servers: &mut [Served]) {
    for served in servers {
        let errors = served.figure(ERRORS, &[]).await;
        let begun = Instant::now();
        assert_eq!(served.status("/api/brand-directory", "").await, 200);
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
        served.above(FALLBACK, &[], 0.0).await;
        served.above(ERRORS, &[], errors).await;
        let ready = served.client.get(format!("{}/readyz", served.core)).send().await.unwrap();
        assert_eq!(ready.status(), 200);
    }
}

/// Each server notices by a request that they count together again.
async fn count_together(servers: &mut [Served]) {
    for served in servers {
        let deadline = Instant::now() + SOON;
        while served.figure(FALLBACK, &[]).await > 0.0 {
            assert!(Instant::now() < deadline, "{}", served.log());
            served.status("/api/brand-directory", "").await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_with_tls_is_asked_only_if_its_certificate_is_trusted() {
    let redis = RedisServer::with_tls();
    let at = || Nil::alone().with("NIL_REDIS_URL", &redis.url());
    let authority = redis.authority().display().to_string();
    let nil = at().with("NIL_REDIS_CA_FILE", &authority);
    let mut served = [Served::start(&nil, &[])];
    assert_eq!(served[0].status("/api/listColleges", "").await, 200);
    // The first connection may take longer than a request waits.
    count_together(&mut served).await;
    let [served] = served;
    let errors = served.figure(ERRORS, &[]).await;
    for _ in 0..20 {
        assert_eq!(served.status("/api/listColleges", "").await, 200);
    }
    served.none_of(FALLBACK, &[]).await;
    assert!(served.figure(ERRORS, &[]).await <= errors);
    let (state, says) = nil.doctor("redis");
    assert_eq!((state.as_str(), says.starts_with("localhost:")), ("good", true), "{says}");
    drop(served);

    let stranger = at();
    let served = Served::start(&stranger, &[]);
    for _ in 0..3 {
        assert_eq!(served.status("/api/listColleges", "").await, 200);
    }
    assert!(served.figure(FALLBACK, &[]).await > 0.0);
    let (state, says) = stranger.doctor("redis");
    assert!(state == "bad" && says.contains("UnknownIssuer"), "{says}");

    let plain = Nil::alone().with("NIL_REDIS_URL", "redis://127.0.0.1");
    let refused = plain.with("NIL_REDIS_CA_FILE", &authority).run(&["config", "show"]);
    refused.misused("redis_ca_file: ");
    let missing = at().with("NIL_REDIS_CA_FILE", "nowhere.pem").run(&["config", "show"]);
    missing.misused("redis_ca_file: nowhere.pem: ");
}
