//! Leases: many servers may run a worker on one database, and each task is run by one of them.
//!
//! A lease only avoids duplicate work; every task may run concurrently with itself. When a server
//! dies, other servers take its tasks after its leases expire; a server that stops releases them. A
//! lease that ends later than any can was taken before the clock was set back, and is over.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use chrono::TimeDelta;
use sea_query::{Expr, ExprTrait as _, OnConflict, Query};

use super::Task;
use crate::error::Result;
use crate::kernel::{Time, Wait};
use crate::platform::Platform;
use crate::storage::sql;

/// The duration of a lease. It is renewed when less than half of it is left.
const LEASE: TimeDelta = TimeDelta::seconds(30);
/// The wait for somebody else's lease.
const LEASED: Wait = Wait::of(LEASE);

/// The leases of one worker.
#[derive(Debug)]
pub(super) struct Leases {
    holder: String,
    held: Mutex<BTreeMap<Task, Time>>,
}

impl Leases {
    pub(super) fn new(platform: &Platform) -> Self {
        Self {
            holder: format!("{}:{}", std::process::id(), platform.new_request_id()),
            held: Mutex::default(),
        }
    }

    /// Whether this worker should run the task now.
    pub(super) fn hold(&self, task: Task, now: Time) -> bool {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        !task.is_leased() || held.get(&task).is_some_and(|until| *until > now)
    }

    /// Takes free leases and renews those that are half over, in one statement. Reads first, and
    /// writes nothing if there is nothing to take or renew.
    pub(super) async fn claim(&self, platform: &Platform) -> Result<()> {
        let now = platform.now();
        let mut session = platform.db().read().await?;
        let known: Vec<(String, String, Time)> =
            session.all(sql("SELECT task, holder, until FROM worker_lease")).await?;
        drop(session);
        let of = |task: Task| known.iter().find(|(name, ..)| name == task.as_str());
        let is_ours = |holder: &str| holder == self.holder;
        let half_over = known.iter().any(|(_, holder, until)| {
            is_ours(holder) && (*until - now < LEASE / 2 || LEASED.is_over(*until, now))
        });
        let mut held = BTreeMap::new();
        let mut wanted = Vec::new();
        for task in Task::ALL.iter().filter(|task| task.is_leased()) {
            match of(*task) {
                Some((_, holder, until)) if is_ours(holder) && !half_over => {
                    held.insert(*task, *until);
                }
                Some((_, holder, until)) if !is_ours(holder) && !LEASED.is_over(*until, now) => {}
                _ => wanted.push(*task),
            }
        }
        if !wanted.is_empty() {
            for task in self.take(platform, &wanted, now).await? {
                held.insert(task, LEASED.end(now));
            }
        }
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = held;
        Ok(())
    }

    /// Takes the leases of these tasks unless another server was faster; returns the tasks it got.
    async fn take(&self, platform: &Platform, tasks: &[Task], now: Time) -> Result<Vec<Task>> {
        let mut names: Vec<&str> = tasks.iter().map(|task| task.as_str()).collect();
        // All servers lock the rows in the same order.
        names.sort_unstable();
        let own = || Expr::col(("worker_lease", "holder")).eq(self.holder.as_str());
        let until = || Expr::col(("worker_lease", "until"));
        let over = until().lte(now).or(until().gt(LEASED.latest_end(now)));
        let mut rows = Query::insert();
        rows.into_table("worker_lease").columns(["task", "holder", "until"]);
        for name in names {
            rows.values_panic([
                Expr::val(name),
                Expr::val(self.holder.as_str()),
                Expr::val(LEASED.end(now)),
            ]);
        }
        rows.on_conflict(
            OnConflict::column("task")
                .update_columns(["holder", "until"])
                .action_and_where(own().or(over))
                .to_owned(),
        )
        .returning(Query::returning().columns(["task"]));
        let mut session = platform.db().begin().await?;
        let got: Vec<(Task,)> = session.all(rows).await?;
        session.commit().await?;
        Ok(got.into_iter().map(|(task,)| task).collect())
    }

    /// Releases all leases, so that other servers need not wait.
    pub(super) async fn release(&self, platform: &Platform) -> Result<()> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let mut session = platform.db().begin().await?;
        session
            .run(sql("DELETE FROM worker_lease WHERE holder = $1").bind(self.holder.as_str()))
            .await?;
        session.commit().await
    }
}
