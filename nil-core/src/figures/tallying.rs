//! Reads an institution's athletes together with their transaction totals.

use super::athlete::CollegeAthlete;
use super::filter::Wanted;
use super::store::athlete as store;
use crate::error::Result;
use crate::kernel::AthleteId;
use crate::storage::Session;

/// Adds the transaction totals to athletes.
pub(super) async fn tallied(
    session: &mut Session,
    wanted: &Wanted,
    found: Vec<CollegeAthlete>,
) -> Result<Vec<CollegeAthlete>> {
    let ids: Vec<AthleteId> = found.iter().map(|athlete| athlete.id).collect();
    let tallies = store::tallies(session, wanted, &ids).await?;
    let today = wanted.today();
    let rows = found.into_iter().map(|athlete| {
        let tally = tallies.get(&athlete.id);
        athlete.with(tally, today)
    });
    Ok(rows.collect())
}

/// The next athletes in the order of their ids, after `last`; empty after the last one.
pub(super) async fn after(
    session: &mut Session,
    wanted: &Wanted,
    last: Option<AthleteId>,
    most: u64,
) -> Result<Vec<CollegeAthlete>> {
    let found = store::after(session, wanted, last, most).await?;
    tallied(session, wanted, found).await
}
