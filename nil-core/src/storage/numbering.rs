//! The numbers that people know documents by: `NIL-2026-000123`.

use super::{Session, sql};
use crate::error::{Error, Result};
use crate::kernel::Time;

/// A series of numbers, which begins anew each year.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// Its name in the table `numbering`.
    pub name: &'static str,
    /// What its numbers begin with.
    pub prefix: &'static str,
}

impl Series {
    /// Draws the next number of the year. On PostgreSQL others wait for theirs until this
    /// transaction has ended: no number is left out.
    pub async fn draw(self, session: &mut Session, now: Time) -> Result<String> {
        self.draw_many(session, now, 1).await?.next().ok_or_else(|| Error::internal("no number"))
    }

    /// Draws so many consecutive numbers of the year.
    pub async fn draw_many(
        self,
        session: &mut Session,
        now: Time,
        count: usize,
    ) -> Result<impl Iterator<Item = String> + use<>> {
        let count = i64::try_from(count).map_err(Error::internal)?;
        let year = now.format("%Y");
        let last: i64 = session
            .value(
                sql("INSERT INTO numbering (series, last) VALUES ($1, $2) \
                     ON CONFLICT (series) DO UPDATE SET last = numbering.last + excluded.last \
                     RETURNING last")
                .bind(format!("{}:{year}", self.name))
                .bind(count),
            )
            .await?;
        let stem = format!("{}-{year}", self.prefix);
        Ok((last - count + 1..=last).map(move |number| format!("{stem}-{number:06}")))
    }
}
