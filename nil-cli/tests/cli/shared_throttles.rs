//! Three processes on one database that count requests together in a Redis.

use nil_tests::{RedisServer, World};

use crate::nil::Nil;
use crate::served::Served;

/// The value of a figure.
async fn figure(served: &Served, name: &str) -> String {
    let page = served.client.get(format!("{}/metrics", served.core)).send().await.unwrap();
    let page = page.text().await.unwrap();
    let line = page.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in {page}")).trim().to_owned()
}

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
    for served in &servers {
        assert!(served.printed.contains("Requests are counted in Redis, 127.0.0.1:"));
        assert_eq!(figure(served, "nil_throttle_fallback").await, "0");
        assert_eq!(figure(served, "nil_throttle_store_errors_total").await, "0");
    }
    redis.kill();
    for served in &mut servers {
        served.status("/api/brand-directory", "").await;
        assert_eq!(figure(served, "nil_throttle_fallback").await, "1");
        assert_ne!(figure(served, "nil_throttle_store_errors_total").await, "0");
        served.logged("requests are counted by each server alone").await;
    }
    redis.again();
    for served in &mut servers {
        while figure(served, "nil_throttle_fallback").await == "1" {
            served.status("/api/brand-directory", "").await;
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        served.logged("requests are counted by all servers together again").await;
        assert_eq!(served.log().matches("counted by each server alone").count(), 1);
        assert!(!served.log().contains("hunter2") && !served.printed.contains("hunter2"));
    }
}
