//! Makes queued exports. Any number of servers may do this concurrently.

use std::pin::Pin;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt as _;
use schemars::JsonSchema;
use serde::Serialize;

use super::report::{ExportEvent, ExportStatus, ReportRow};
use super::sending::remove;
use super::sink::Sink;
use super::store::{self, ExportCounts, Written};
use super::tables::{self, Asked};
use super::takeouts;
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::export::Counter;
use crate::feed::{Message, Recipient};
use crate::kernel::{
    ExportReportId, Interface, Machine as _, Nothing, OperatorId, Time, UserId, utc_day,
};
use crate::notifications::{Event, operators_address};
use crate::operation::{Cx, Done, Download, Work};
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;

/// The operation in whose name exports are made.
const OPERATION: &str = "admin.export.process";
/// How long a server holds an export without a sign of life.
const HELD: TimeDelta = TimeDelta::minutes(1);
/// The time between two signs of life, which also carry the progress.
const SIGN: TimeDelta = TimeDelta::seconds(2);
/// The most attempts.
const ATTEMPTS: i64 = 3;
/// The pause after a failed attempt.
const PAUSE: TimeDelta = TimeDelta::seconds(30);
/// How long a file is kept, and how long a failed export is shown.
const KEPT: TimeDelta = TimeDelta::days(7);
/// How long a call waits for exports to be made.
const PATIENCE: Duration = Duration::from_secs(10);

/// The queue after a call worked on it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ProcessedExports {
    /// How many exports this call made.
    pub made: usize,
    /// The number of exports in each state.
    #[serde(flatten)]
    pub counts: ExportCounts,
}

/// Makes the exports that wait, as the worker does by itself, and answers how many there are in
/// each state (payloads: *exports*). For operators with the permission `reports`. It waits ten
/// seconds at most; what takes longer continues without it, and counts as `processing`.
pub async fn process(cx: Cx<Operator>, _: Nothing) -> Result<Done<ProcessedExports>> {
    let platform = cx.platform().clone();
    // A caller who leaves does not stop it.
    let working = tokio::spawn(async move { work_off(&platform, None).await });
    let made = match tokio::time::timeout(PATIENCE, working).await {
        Ok(made) => made.map_err(Error::internal)??,
        Err(_) => 0,
    };
    let mut work = cx.begin().await?;
    let counts = store::counts(&mut work, cx.now()).await?;
    work.done(ProcessedExports { made, counts }).await
}

/// The file of an account's takeout, whose making belongs to a higher folder.
pub type TakeoutFile = Pin<Box<dyn Future<Output = Result<Download>> + Send>>;

/// Makes the file of an account's takeout.
pub type MakeTakeout = fn(Platform, UserId) -> TakeoutFile;

/// Makes every export that is due, one after the other; returns how many became ready. Takeouts
/// wait for a call that can make them.
pub async fn work_off(platform: &Platform, takeouts: Option<MakeTakeout>) -> Result<usize> {
    let mut made = 0;
    while let Some(row) = begin(platform, takeouts.is_some()).await? {
        made += usize::from(make(platform, takeouts, row).await?);
    }
    Ok(made)
}

/// Begins the next attempt; none if no export is due.
async fn begin(platform: &Platform, with_takeouts: bool) -> Result<Option<ReportRow>> {
    loop {
        let mut session = platform.db().read().await?;
        let next = store::next(&mut session, with_takeouts, platform.now()).await?;
        drop(session);
        let Some(id) = next else { return Ok(None) };
        if let Some(row) = take(platform, id).await? {
            return Ok(Some(row));
        }
    }
}

/// Begins an attempt at this export; none if another server was faster, or if the last attempt has
/// died.
async fn take(platform: &Platform, id: ExportReportId) -> Result<Option<ReportRow>> {
    let mut work = Work::resume(platform, OPERATION, None).await?;
    let now = work.now();
    let Some(row) = store::lock(&mut work, id).await?.filter(|row| row.is_free(now)) else {
        return Ok(None);
    };
    let left_behind = row.key()?;
    let taken = if row.attempt < ATTEMPTS {
        let moved = row.status.on(ExportEvent::Begin)?;
        let key = ObjectKey::draw(platform.random());
        Some(store::begin(&mut work, &row, moved, (&key, now + HELD), now).await?)
    } else {
        end(&mut work, &row).await?;
        None
    };
    work.done(()).await?;
    if let Some(key) = left_behind {
        remove(platform, &key).await;
    }
    Ok(taken)
}

/// Makes the file of an attempt; returns whether the export became ready. A failure is logged and
/// puts it back.
async fn make(platform: &Platform, takeouts: Option<MakeTakeout>, row: ReportRow) -> Result<bool> {
    let key = row.key()?.ok_or_else(|| Error::internal("an attempt has no object"))?;
    let mut sink = Sink::new(platform, &key);
    match write(platform, takeouts, &row, &mut sink).await {
        Ok(Some(written)) => {
            let is_ready = finish(platform, &row, &written).await?;
            if !is_ready {
                remove(platform, &key).await;
            }
            Ok(is_ready)
        }
        Ok(None) => {
            // Another server has begun it anew.
            sink.abort().await;
            Ok(false)
        }
        Err(error) => {
            sink.abort().await;
            let cause = std::error::Error::source(&error).map(ToString::to_string);
            tracing::warn!(%error, cause, export = %row.id, attempt = row.attempt, "an export failed");
            put_back(platform, &row).await?;
            remove(platform, &key).await;
            Ok(false)
        }
    }
}

/// Writes the file; none if the export is no longer this attempt's.
async fn write(
    platform: &Platform,
    takeouts: Option<MakeTakeout>,
    row: &ReportRow,
    sink: &mut Sink<'_>,
) -> Result<Option<Written>> {
    let counter = Counter::default();
    let Download { name, mut bytes, .. } = match (row.kind, row.format, row.user_id, takeouts) {
        (Some(kind), Some(format), ..) => {
            let filters = serde_json::from_str(&row.filters).map_err(Error::internal)?;
            let asked = Asked { format, counter: counter.clone(), day: row.created_at };
            tables::file(platform, kind, filters, asked)?
        }
        (.., Some(user), Some(make)) => make(platform.clone(), user).await?,
        _ => return Err(Error::internal("an export of nothing")),
    };
    let mut signed = platform.now();
    while let Some(piece) = bytes.next().await {
        sink.add(&piece?).await?;
        let now = platform.now();
        if now - signed >= SIGN {
            signed = now;
            let mut session = platform.db().begin().await?;
            let held = store::renew(&mut session, row, counter.rows(), now + HELD, now).await?;
            session.commit().await?;
            if !held {
                return Ok(None);
            }
        }
    }
    let size = sink.close().await?;
    Ok(Some(Written { name, size, rows: counter.rows() }))
}

/// The export, locked, if it is still this attempt's.
async fn held(work: &mut Work, row: &ReportRow) -> Result<Option<ReportRow>> {
    let now = store::lock(work, row.id).await?;
    // Each attempt has an object of its own; its number may be given anew.
    let same = |now: &ReportRow| {
        now.status == ExportStatus::Processing && now.object_key == row.object_key
    };
    Ok(now.filter(same))
}

/// Makes the export ready and tells whoever asked for it; returns whether it did: the attempt may
/// have been overtaken, and the account of a takeout closed.
async fn finish(platform: &Platform, row: &ReportRow, written: &Written) -> Result<bool> {
    let mut work = Work::resume(platform, OPERATION, None).await?;
    let owner = match row.user_id {
        Some(user) => Some((user, takeouts::lock_owner(&mut work, user).await?)),
        None => None,
    };
    let Some(row) = held(&mut work, row).await? else { return Ok(false) };
    if let Some((_, None)) = owner {
        end(&mut work, &row).await?;
        work.done(()).await?;
        return Ok(false);
    }
    let (moved, now) = (row.status.on(ExportEvent::Finish)?, work.now());
    let expires_at = now + KEPT;
    store::finish(&mut work, row.id, moved, (written, expires_at), now).await?;
    work.note(row.id, "export_ready");
    if let Some((user, Some(zone))) = owner {
        takeouts::tell(&mut work, row.id, (user, zone), expires_at);
    }
    if let Some(operator) = row.operator_id {
        tell(&mut work, (operator, &row), written, expires_at).await?;
    }
    work.done(()).await?;
    Ok(true)
}

/// Tells an operator that the export is ready.
async fn tell(
    work: &mut Work,
    (operator, row): (OperatorId, &ReportRow),
    written: &Written,
    expires_at: Time,
) -> Result<()> {
    match operators_address(work, operator).await {
        Ok(address) => {
            let server = work.platform().config().server_url(true);
            let url = format!("{server}{}/export-report/{}", Interface::Admin.base(), row.code);
            work.send(
                Message::new(Event::ExportReady, Recipient::Email(address))
                    .with("export_title", written.name.as_str())
                    .with("row_count", written.rows)
                    .with("expires_on", utc_day(expires_at).to_string())
                    .with("url", url),
            );
        }
        // A service asked for it, and has no mailbox.
        Err(error) if error.is(codes::NOT_FOUND) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Lets a failed attempt be repeated, or gives the export up after the last one.
async fn put_back(platform: &Platform, row: &ReportRow) -> Result<()> {
    let mut work = Work::resume(platform, OPERATION, None).await?;
    let Some(row) = held(&mut work, row).await? else { return Ok(()) };
    if row.attempt < ATTEMPTS {
        let (moved, now) = (row.status.on(ExportEvent::PutBack)?, work.now());
        store::fail(&mut work, row.id, moved, (now + PAUSE, None), now).await?;
    } else {
        end(&mut work, &row).await?;
    }
    work.done(()).await.map(|_| ())
}

/// Gives an export up.
async fn end(work: &mut Work, row: &ReportRow) -> Result<()> {
    let (moved, now) = (row.status.on(ExportEvent::GiveUp)?, work.now());
    store::fail(work, row.id, moved, (row.due_at, Some(now + KEPT)), now).await?;
    work.note(row.id, "export_failed");
    Ok(())
}
