//! Exclusivity between contracts with different brands: checked at every hire, and again by
//! `nil verify`.

use super::contract::ContractStatus;
use super::drafting::exclusive_until;
use super::store::exclusivity::{self as store, Pair};
use super::terms::Terms;
use crate::error::{Result, codes};
use crate::jobs::{Exclusivity, Job};
use crate::kernel::{AthleteId, CategoryId, Date};
use crate::storage::{Asked, Session, Together};

pub(crate) use super::store::exclusivity::Promise;

/// The exclusivity of an earlier contract.
struct Earlier {
    category: CategoryId,
    promise: Option<Exclusivity>,
    first: Date,
    /// The last day of the term.
    last: Option<Date>,
    /// Whether its work was done before the later contract was made.
    done: bool,
}

impl Earlier {
    /// Whether it excludes a contract with another brand that begins on that day: because of its
    /// own exclusivity, or because it would violate the other contract's exclusivity.
    fn excludes(&self, category: CategoryId, promise: Option<Exclusivity>, begins: Date) -> bool {
        let promised = self
            .promise
            .filter(|promise| promise.category_id == category)
            .is_some_and(|promise| begins <= exclusive_until(self.first, promise.days));
        let runs = !self.done && self.last.is_none_or(|last| last >= begins);
        let would_break = promise.is_some_and(|other| runs && other.category_id == self.category);
        promised || would_break
    }
}

/// Asks for what other brands have been promised. Lock the athlete before.
pub(crate) fn ask(asked: &mut Together, athlete: AthleteId, job: &Job) -> Asked<Vec<Promise>> {
    store::promises(asked, athlete, job.partner_id)
}

/// Refuses (409 `exclusivity_conflict`) if a contract with another brand excludes the job, or if
/// the job's exclusivity would conflict with a contract with another brand.
pub(crate) fn check(promises: Vec<Promise>, job: &Job, today: Date) -> Result<()> {
    let begins = job.starts_on.unwrap_or(today).max(today);
    for other in promises {
        let Ok(terms) = serde_json::from_value::<Terms>(other.terms) else {
            continue;
        };
        let earlier = Earlier {
            category: other.category_id,
            promise: other.exclusivity,
            first: terms.dates.effective_on.unwrap_or(terms.dates.signed_on),
            last: terms.dates.term_ends_on,
            done: other.status == ContractStatus::Completed,
        };
        if earlier.excludes(job.category_id, job.exclusivity, begins) {
            return Err(codes::EXCLUSIVITY_CONFLICT.saying(format!(
                "Contract {} with another brand excludes this one.",
                other.number
            )));
        }
    }
    Ok(())
}

/// Checks that no athlete has two contracts that exclude each other and have not ended early.
/// Returns the number of contracts examined and the first hundred conflicts.
pub(crate) async fn verify(session: &mut Session) -> Result<(i64, Vec<String>)> {
    let examined = store::count(session).await?;
    let pairs = store::pairs(session).await?;
    let broken = pairs.into_iter().filter(conflicts).take(100);
    let told = broken.map(|pair| {
        format!(
            "contracts {} and {} of athlete {}",
            pair.number, pair.later_number, pair.athlete_id
        )
    });
    Ok((examined, told.collect()))
}

fn conflicts(pair: &Pair) -> bool {
    let day = |day: &Option<String>| day.as_ref().and_then(|day| day.parse::<Date>().ok());
    let (Some(first), Some(begins)) = (day(&pair.first), day(&pair.later_first)) else {
        return false;
    };
    let earlier = Earlier {
        category: pair.category_id,
        promise: pair.exclusivity,
        first,
        last: day(&pair.last),
        done: pair.completed_at.is_some_and(|done| done <= pair.later_generated_at),
    };
    earlier.excludes(pair.later_category_id, pair.later_exclusivity, begins)
}
