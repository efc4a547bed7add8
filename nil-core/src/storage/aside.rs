//! Runs slow statements aside: on a thread that may block, and from then on directly there.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;

use super::embedded::{Answer, Asked, Embedded, Limit, is_busy, is_over};
use super::long::{Long, Place};
use crate::error::{Error, Result, codes};

/// How long a statement may block the caller's thread.
pub(super) const QUICK: Duration = Duration::from_millis(2);
/// The time limit of a statement, as on PostgreSQL.
pub(super) const LONG: Duration = Duration::from_mins(1);

/// Whether a statement must run where threads may block: it is slow, or another process holds a
/// lock.
pub(super) fn gives_way(error: &rusqlite::Error) -> bool {
    is_over(error) || is_busy(error)
}

/// Runs a statement on a thread that may block, and returns the connection. Dropping the future
/// stops a statement that reads.
pub(super) async fn aside<C>(
    on: C,
    mut asked: Asked,
    reading: Option<Duration>,
) -> Result<(C, Result<Answer>)>
where
    C: AsRef<Embedded> + Send + 'static,
{
    let stage = Arc::new(Mutex::new(Stage::Waiting));
    let stop = Stop(stage.clone());
    let ran = spawn_blocking(move || {
        if !enter(&stage, on.as_ref().limit()) {
            return (on, Err(codes::UNAVAILABLE.into()));
        }
        let begun = Instant::now();
        let mut answer = on.as_ref().waiting(|on| on.run_renewed(&mut asked, reading));
        if let Ok(answer) = &mut answer {
            answer.long = begun.elapsed() > QUICK;
        }
        // Before the connection goes to another caller, whose statement would be stopped instead.
        set(&stage, Stage::Over);
        (on, answer.map_err(Into::into))
    });
    let ran = ran.await.map_err(Error::internal);
    drop(stop);
    ran
}

/// Runs a statement on the connection of a transaction: in place, or aside if it is slow. If the
/// statement fails, the connection is released.
pub(super) async fn held<C>(
    on: C,
    long: &Long,
    mut asked: Asked,
    reading: Option<Duration>,
) -> Result<(C, Answer)>
where
    C: AsRef<Embedded> + Send + 'static,
{
    // Nothing here waits: without this, a caller with a hundred statements would starve other
    // tasks.
    tokio::task::coop::consume_budget().await;
    let place = Place::of(&asked);
    if !long.is_set(place) {
        let quick = on.as_ref().run(&mut asked, Some(QUICK));
        if !quick.as_ref().is_err_and(gives_way) {
            let answer = quick?;
            still_open(on.as_ref())?;
            long.set(place, answer.long);
            return Ok((on, answer));
        }
        still_open(on.as_ref())?;
    }
    let (on, answer) = aside(on, asked, reading).await?;
    let answer = answer?;
    still_open(on.as_ref())?;
    long.set(place, answer.long);
    Ok((on, answer))
}

/// If SQLite cannot undo a single statement, it undoes the whole transaction, as on a full disk;
/// every further statement would then be a transaction of its own.
fn still_open(on: &Embedded) -> Result<()> {
    if on.is_idle() { Err(codes::AGAIN.into()) } else { Ok(()) }
}

/// The progress of a statement in a lane.
enum Stage {
    Waiting,
    Running(Limit),
    Over,
}

fn set(stage: &Mutex<Stage>, next: Stage) -> Stage {
    std::mem::replace(&mut *stage.lock().unwrap_or_else(PoisonError::into_inner), next)
}

/// Starts the statement, unless its caller has gone away.
fn enter(stage: &Mutex<Stage>, limit: &Limit) -> bool {
    let mut stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = matches!(*stage, Stage::Waiting);
    if wanted {
        limit.renew();
        *stage = Stage::Running(limit.clone());
    }
    wanted
}

/// Stops a statement in a lane, at any stage.
struct Stop(Arc<Mutex<Stage>>);

impl Drop for Stop {
    fn drop(&mut self) {
        if let Stage::Running(limit) = set(&self.0, Stage::Over) {
            limit.stop();
        }
    }
}
