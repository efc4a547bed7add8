//! `nil seed`: a large invented world, written by set-based statements without the operations.
//!
//! Every value is computed from the number of its row, the seed and the day: the same numbers on
//! the same day give the same rows, on either engine. Transactions are deals that athletes made
//! elsewhere and disclosed; the world holds no payments of the platform, so that its books are
//! empty and balance.

mod tables;
pub mod teams;

use crate::error::{Result, codes};
use crate::figures::rollup::keeping::keep_totals_of;
use crate::kernel::{Password, midnight, utc_day};
use crate::keys::Presence;
use crate::platform::Platform;
use crate::storage::{Session, Sql, bulk, sql};
use tables::{FIRST, Frame, Span};

/// Transactions are signed on the days of this many days, the last of them yesterday.
const DAYS: i64 = 365;

/// A statement writes at most this many rows, well within the time limit of statements.
const AT_ONCE: i64 = 5_000;

/// A commit covers at least this many rows: each one writes every page that has changed, and those
/// of indexes change everywhere.
const COMMIT: i64 = 100_000;

/// About so many transactions are added to the totals of their institution at a time. The worker
/// takes far fewer, because others wait for it to write.
const ADDED_AT_ONCE: i64 = 100_000;

/// The transactions of at most so many athletes are added at a time: a statement names them all.
const ATHLETES_AT_ONCE: i64 = 5_000;

/// The tables of a world whose rows have numbers.
const NUMBERED: &[&str] = &[
    "college",
    "portal_user",
    "app_user",
    "athlete",
    "partner",
    "job",
    "milestone",
    "application",
    "operator",
    "disclosed_job",
    "clearance",
];

/// The tables that totals are added to, and the queue that is empty then.
const TOTALS: &[&str] =
    &["college_total", "college_athletes", "college_amount", "college_transaction_change"];

/// How much a world holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Athletes, at least one.
    pub athletes: u32,
    /// Brands, at least one.
    pub brands: u32,
    /// Jobs; each has one milestone and one application.
    pub jobs: u32,
    /// Institutions, at most 130, each with one officer.
    pub institutions: u32,
    /// Deals made elsewhere and disclosed, over the past year.
    pub transactions: u32,
    /// What the values are drawn from.
    pub seed: u32,
}

impl Size {
    /// The usual world, this many times as large. The number of institutions stays.
    #[must_use]
    pub fn scaled(scale: u32, seed: u32) -> Self {
        Self {
            athletes: scale.saturating_mul(10_000),
            brands: scale.saturating_mul(2_000),
            jobs: scale.saturating_mul(2_000),
            institutions: 130,
            transactions: scale.saturating_mul(50_000),
            seed,
        }
    }

    /// The number of rows that [`fill`] reports in total.
    #[must_use]
    pub fn rows(&self) -> u64 {
        let standing = tables::standing(self);
        let standing: u64 = standing.iter().map(|(_, rows, _)| u64::from(*rows)).sum();
        standing + u64::from(self.transactions)
    }

    /// The number of athletes whose transactions are added to totals at a time.
    fn athletes_at_once(&self) -> i64 {
        let each = i64::from(self.transactions) / i64::from(self.athletes.max(1));
        (ADDED_AT_ONCE / each.max(1)).clamp(1, ATHLETES_AT_ONCE)
    }
}

/// One account of each kind to log in with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogIn {
    /// The kind: `athlete`, `partner`, `portal`, `operator`.
    pub kind: &'static str,
    /// The e-mail.
    pub email: String,
}

/// Hears what is being written, and the number of rows written since it last heard.
pub type Listener<'a> = &'a mut (dyn FnMut(&'static str, u64) + Send);

/// Fills a database that holds no accounts; all accounts get `password`. 409 `duplicate` for any
/// other. At the end the totals of institutions are right, so that no figure has to be recounted.
pub async fn fill(
    platform: &Platform,
    size: Size,
    password: &Password<15>,
    listener: Listener<'_>,
) -> Result<Vec<LogIn>> {
    must_be_empty(platform).await?;
    let random = platform.random();
    let hash = platform.hasher().hash(password.expose(), random, Presence::default()).await?;
    write(platform, size, hash, listener).await?;
    listener("totals", 0);
    keep_totals_of(platform, size.athletes_at_once()).await?;
    let mut session = platform.db().begin().await?;
    bulk::gather_statistics(&mut session, TOTALS).await?;
    session.commit().await?;
    let email = |word| format!("{word}{FIRST}@seed.example");
    Ok(["athlete", "partner", "portal", "operator"]
        .map(|kind| LogIn { kind, email: email(if kind == "portal" { "officer" } else { kind }) })
        .to_vec())
}

/// 409 `duplicate` for a database that holds accounts or institutions already.
pub async fn must_be_empty(platform: &Platform) -> Result<()> {
    let mut session = platform.db().read().await?;
    let found: i64 = session
        .value(sql("SELECT (SELECT COUNT(*) FROM app_user) + (SELECT COUNT(*) FROM college) \
             + (SELECT COUNT(*) FROM operator)"))
        .await?;
    if found == 0 {
        return Ok(());
    }
    Err(codes::DUPLICATE.saying(
        "The database is not empty: it holds accounts or institutions. Only an empty one can be filled.",
    ))
}

/// Writes the rows, whatever else the database holds, with `hash` as the stored password of all
/// accounts. Numbers begin at 1,000,001 in each table.
pub async fn write(
    platform: &Platform,
    size: Size,
    hash: String,
    listener: Listener<'_>,
) -> Result<()> {
    let frame = Frame { size, hash, now: midnight(utc_day(platform.now())) };
    let mut session = platform.db().begin().await?;
    bulk::begin(&mut session).await?;
    let mut writer = Writer { platform, session: Some(session), rows: 0, listener };
    for (name, rows, write) in tables::standing(&size) {
        for span in spans(0, i64::from(rows), AT_ONCE) {
            writer.run(name, span, [write(&frame, span)]).await?;
        }
    }
    let all = i64::from(size.transactions);
    for day in 0..DAYS {
        // The numbers grow with time, as those of real rows do.
        let (from, to) = (all * day / DAYS, all * (day + 1) / DAYS);
        for span in spans(from, to, AT_ONCE) {
            let statements = tables::transactions(&frame, span, DAYS - day);
            writer.run("transactions", span, statements).await?;
        }
    }
    let mut session = writer.session().await?;
    bulk::end(&mut session, NUMBERED).await?;
    session.commit().await
}

/// The rows from `from` to before `to`, counted from 0, at most `most` at a time.
fn spans(from: i64, to: i64, most: i64) -> impl Iterator<Item = Span> {
    let mut next = from;
    std::iter::from_fn(move || {
        let begin = next;
        next = to.min(begin + most);
        (begin < next).then_some(Span { first: FIRST + begin, last: FIRST + next - 1 })
    })
}

/// The transaction under way.
struct Writer<'a> {
    platform: &'a Platform,
    session: Option<Session>,
    /// The rows written since the last commit.
    rows: i64,
    listener: Listener<'a>,
}

impl Writer<'_> {
    async fn session(&mut self) -> Result<Session> {
        match self.session.take() {
            Some(session) => Ok(session),
            None => self.platform.db().begin().await,
        }
    }

    async fn run<const N: usize>(
        &mut self,
        name: &'static str,
        span: Span,
        statements: [Sql; N],
    ) -> Result<()> {
        let mut session = self.session().await?;
        for statement in statements {
            session.run(statement).await?;
        }
        let rows = span.last - span.first + 1;
        self.rows += rows;
        if self.rows < COMMIT {
            self.session = Some(session);
        } else {
            session.commit().await?;
            self.rows = 0;
        }
        (self.listener)(name, rows.unsigned_abs());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    #[test]
    fn a_statement_names_so_many_athletes_at_most_as_both_engines_take() {
        for (athletes, transactions) in [(1, 0), (1, u32::MAX), (u32::MAX, 1), (10_000, 50_000)] {
            let size = Size { athletes, transactions, ..Size::scaled(1, 1) };
            // Each is named twice; SQLite takes 32,766 values.
            assert!((1..16_000).contains(&size.athletes_at_once()), "{size:?}");
        }
    }
}
