//! Runs the worker beside a server: each task at its own pace.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use tokio::task::JoinSet;

use super::lease::Leases;
use super::{Round, Task, task};
use crate::metering::WORKER_AGE;
use crate::notifications::worker as messages;
use crate::platform::Platform;
use crate::schedule::Shutdown;

/// The interval between two checks of the leases.
const LOOK: Duration = Duration::from_secs(10);
/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// When each task last succeeded here or was held by another server.
type Ages = Mutex<BTreeMap<Task, Instant>>;

/// Runs until the shutdown signal: messages at once when some were written here, everything else at
/// its own pace. Finishes work under way.
#[must_use]
pub fn run(platform: Platform, shutdown: Shutdown) -> BoxFuture<'static, ()> {
    Box::pin(keep_running(platform, shutdown))
}

async fn keep_running(platform: Platform, shutdown: Shutdown) {
    let leases = Arc::new(Leases::new(&platform));
    let ages = Arc::new(Ages::default());
    let begun = Instant::now();
    ages.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend(Task::ALL.iter().map(|task| (*task, begun)));
    look(&platform, &leases).await;
    let mut tasks = JoinSet::new();
    for task in Task::ALL {
        let (platform, leases) = (platform.clone(), leases.clone());
        let (ages, shutdown) = (ages.clone(), shutdown.clone());
        tasks.spawn(keep_doing(platform, *task, leases, ages, shutdown));
    }
    tasks.spawn(keep_leases(platform.clone(), leases.clone(), ages, shutdown));
    while tasks.join_next().await.is_some() {}
    if let Err(error) = leases.release(&platform).await {
        tracing::debug!(%error, "the leases could not be released and will expire");
    }
}

async fn look(platform: &Platform, leases: &Leases) {
    if let Err(error) = leases.claim(platform).await {
        tracing::warn!(%error, "the worker's leases cannot be read; trying again");
    }
}

async fn keep_leases(
    platform: Platform,
    leases: Arc<Leases>,
    ages: Arc<Ages>,
    mut shutdown: Shutdown,
) {
    loop {
        tokio::select! {
            () = shutdown.said() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        look(&platform, &leases).await;
        let ages = ages.lock().unwrap_or_else(PoisonError::into_inner);
        for (task, last) in ages.iter() {
            metrics::gauge!(WORKER_AGE, "task" => task.as_str()).set(last.elapsed().as_secs_f64());
        }
    }
}

async fn keep_doing(
    platform: Platform,
    task: Task,
    leases: Arc<Leases>,
    ages: Arc<Ages>,
    mut shutdown: Shutdown,
) {
    let mut failures = 0;
    loop {
        let mut in_order = true;
        if leases.hold(task, platform.now()) && is_due(&platform, task).await {
            in_order = task::attempt(task, &platform, &mut Round::default()).await.is_ok();
        }
        if in_order {
            failures = 0;
            ages.lock().unwrap_or_else(PoisonError::into_inner).insert(task, Instant::now());
        } else {
            failures += 1;
            platform.chores().is_left(task);
        }
        let bell = async {
            match task.bell(platform.bells()) {
                // A failing task is not woken: it would fail again with every write.
                Some(bell) if failures == 0 => bell.notified().await,
                _ => std::future::pending().await,
            }
        };
        tokio::select! {
            () = shutdown.said() => return,
            () = bell => {}
            () = tokio::time::sleep(pause_after(failures, task.pause(), platform.draw())) => {}
        }
    }
}

/// Announcements are sent in steps, and other messages are processed between two steps, so that an
/// urgent code never waits behind ten thousand announcements.
async fn is_due(platform: &Platform, task: Task) -> bool {
    if task != Task::Announcements {
        return true;
    }
    match messages::is_behind(platform).await {
        Ok(false) => platform.chores().is_due(task, platform.now()),
        // The database is unavailable: the task will find out itself.
        Ok(true) | Err(_) => false,
    }
}

/// Doubled after each failure, plus up to a quarter at random, so that servers that failed together
/// do not retry together.
fn pause_after(failures: u32, pause: Duration, chance: u64) -> Duration {
    if failures == 0 {
        return pause;
    }
    let longer = pause.saturating_mul(2_u32.saturating_pow(failures.min(16)));
    let longer = longer.min(LONGEST_PAUSE.max(pause));
    let quarter = u64::try_from(longer.as_millis() / 4).unwrap_or(0);
    longer + Duration::from_millis(chance % (quarter + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_with_failures_to_a_limit() {
        let two = Duration::from_secs(2);
        let pause = |failures| pause_after(failures, two, 0);
        assert_eq!((pause(0), pause(1), pause(2)), (two, two * 2, two * 4));
        assert_eq!((pause(12), pause(u32::MAX)), (LONGEST_PAUSE, LONGEST_PAUSE));
        let hour = Duration::from_hours(1);
        assert_eq!(pause_after(3, hour, 0), hour, "never sooner than it is due");
        assert!(pause_after(1, two, u64::MAX) <= two * 5 / 2);
    }
}
