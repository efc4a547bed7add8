//! Copies the processor's statement of a span, page by page.

use crate::error::{Error, Result};
use crate::kernel::{Time, fitting};
use crate::payments::methods::unavailable;
use crate::payments::store::statement::{self as store, Span};
use crate::platform::Platform;
use crate::ports::processor::{Outage, StatementLine};

/// The most pages of one span: ten million lines.
const PAGES: usize = 100_000;

/// Copies the lines of a span, and removes those that the processor no longer has.
pub(super) async fn read(platform: &Platform, (from, until): Span, now: Time) -> Result<()> {
    let mut after: Option<String> = None;
    for _ in 0..PAGES {
        let page = platform.processor().statement(from, until, after.as_deref()).await;
        let page = page.map_err(unavailable)?;
        let within = |line: &StatementLine| line.at >= from && line.at < until;
        let lines: Vec<_> = page.lines.into_iter().filter(within).map(fitted).collect();
        let mut session = platform.db().begin().await?;
        store::write(&mut session, &lines, now).await?;
        if page.next.is_none() {
            store::remove_unread(&mut session, (from, until), now).await?;
        }
        session.commit().await?;
        if page.next.is_none() {
            return Ok(());
        }
        if page.next == after {
            break;
        }
        after = page.next;
    }
    Err(nonsense("the statement does not end"))
}

/// The line with texts that fit into columns. A key of ours always fits, so a line whose key does
/// not is found as one that was not requested here.
fn fitted(line: StatementLine) -> StatementLine {
    let short = |text: String| fitting(&text).into_owned();
    StatementLine {
        id: short(line.id),
        key: line.key.map(short),
        source: line.source.map(short),
        currency: short(line.currency),
        ..line
    }
}

fn nonsense(why: &str) -> Error {
    unavailable(Outage::silent(why))
}
