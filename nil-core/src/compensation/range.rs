//! The range of compensation.

use schemars::JsonSchema;
use serde::Serialize;

use super::asker::Asker;
use super::deal::{Person, Work};
use super::store;
use super::widening::{
    BRANDS, Chosen, Criterion, DEALS, FollowerBand, LONG, Quarter, RECENT, SizeBand, Sought,
    choose, since,
};
use crate::error::Result;
use crate::institutions::Division;
use crate::jobs::MediaPlatform;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, CategoryId, Cents, SportId, Time};
use crate::storage::Session;
use crate::wording;

vocabulary! {
    /// Where an amount stands among comparable deals.
    Standing {
        /// Below the first quartile.
        Below = "below_p25",
        /// Between the first quartile and the median.
        LowerMiddle = "p25_to_p50",
        /// Between the median and the third quartile.
        UpperMiddle = "p50_to_p75",
        /// Above the third quartile.
        Above = "above_p75",
    }
}

/// What makes the deals comparable. A null field is not compared: it is unknown, or was dropped.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Comparison {
    /// The category of the job; never dropped.
    pub category_id: CategoryId,
    /// Made in so many months before today.
    pub months: u32,
    /// The division of the athlete's institution.
    pub division: Option<Division>,
    /// The athlete's sport.
    pub sport_id: Option<SportId>,
    /// The athlete's followers on all platforms together.
    pub followers: Option<FollowerBand>,
    /// The number of pieces.
    pub deliverables: Option<SizeBand>,
    /// The platform of all deliverables.
    pub platform: Option<MediaPlatform>,
}

/// The quartiles of comparable deals, rounded to two digits and whole five dollars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Quartiles {
    /// A quarter of the deals paid this much or less.
    pub p25_cents: Cents,
    /// The median: half of the deals paid this much or less.
    pub p50_cents: Cents,
    /// Three quarters of the deals paid this much or less.
    pub p75_cents: Cents,
}

/// What comparable deals paid. It describes; it does not say what an athlete is worth or whether a
/// deal is allowed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CompensationRange {
    /// What makes the deals comparable.
    pub compared: Comparison,
    /// The criteria that were dropped, in this order, because fewer deals met them than figures
    /// need.
    pub dropped: Vec<Criterion>,
    /// The number of comparable deals; null if there are not enough for figures.
    pub n: Option<u32>,
    /// Their quartiles; null if there are not enough.
    pub quartiles: Option<Quartiles>,
    /// The amount that is compared.
    pub amount_cents: Option<Cents>,
    /// Where the amount stands; null without an amount or figures.
    pub standing: Option<Standing>,
    /// All this in words.
    pub explanation: String,
}

/// A question about a range.
#[derive(Clone, Debug)]
pub struct Question {
    /// The work.
    pub work: Work,
    /// The athlete who does it.
    pub person: Person,
    /// The amount to place in the range.
    pub amount: Option<Cents>,
    /// Who asks.
    pub asker: Asker,
}

/// What comparable deals paid. It reads the newest paid contracts of the category, a bounded number
/// of them.
pub async fn of(
    session: &mut Session,
    question: &Question,
    now: Time,
) -> Result<CompensationRange> {
    let category = question.work.category;
    let deals = store::newest(session, category, since(now, LONG)).await?;
    let name = store::category(session, category).await?;
    let sought = Sought { work: question.work, person: question.person, now };
    let chosen = choose(&deals, &sought, &question.asker);
    Ok(told(&chosen, &sought, question.amount, &name))
}

fn told(
    chosen: &Chosen<'_>,
    sought: &Sought,
    amount: Option<Cents>,
    category: &str,
) -> CompensationRange {
    let compared = comparison(sought, &chosen.dropped);
    let mut amounts: Vec<Cents> = chosen.deals.iter().map(|deal| deal.amount_cents).collect();
    amounts.sort_unstable();
    let quartiles = quartiles(&amounts);
    let n = quartiles.and_then(|_| u32::try_from(amounts.len()).ok());
    let standing = amount.zip(quartiles).map(|(amount, quartiles)| standing(amount, quartiles));
    let mut said = vec![about(&compared, category, n)];
    if let Some(told) = quartiles {
        said.push(format!(
            "Half of them paid {} to {}; the median is {}. Amounts are what was paid for the whole deal, rounded.",
            told.p25_cents, told.p75_cents, told.p50_cents
        ));
    }
    if let Some((amount, standing)) = amount.zip(standing) {
        said.push(format!("{amount} is {}.", words(standing)));
    }
    if !chosen.dropped.is_empty() && quartiles.is_some() {
        let dropped = chosen.dropped.iter().map(|one| reason(*one).to_owned());
        let dropped = wording::listing(dropped);
        said.push(format!("Too few deals were as close, so these were not compared: {dropped}."));
    }
    said.push(
        "Every deal is different: this describes what others agreed on and is no verdict on a deal."
            .to_owned(),
    );
    CompensationRange {
        compared,
        dropped: chosen.dropped.clone(),
        n,
        quartiles,
        amount_cents: amount,
        standing,
        explanation: said.join(" "),
    }
}

fn comparison(sought: &Sought, dropped: &[Criterion]) -> Comparison {
    let held = |criterion: Criterion| !dropped.contains(&criterion);
    let Sought { work, person, .. } = sought;
    Comparison {
        category_id: work.category,
        months: if held(Criterion::Period) { RECENT } else { LONG },
        division: person.division.filter(|_| held(Criterion::Division)),
        sport_id: person.sport_id.filter(|_| held(Criterion::Sport)),
        followers: person.followers.filter(|_| held(Criterion::Followers)).map(FollowerBand::of),
        deliverables: work.pieces.filter(|_| held(Criterion::Deliverables)).map(SizeBand::of),
        platform: work.platform.filter(|_| held(Criterion::Platform)),
    }
}

fn about(compared: &Comparison, category: &str, n: Option<u32>) -> String {
    let months = compared.months;
    let Some(n) = n else {
        return format!(
            "There are not enough comparable deals in the category {category} in the last {months} months: figures \
             need at least {DEALS} paid deals of {BRANDS} brands, none of which made most of them or most on one side \
             of a quartile."
        );
    };
    let mut alike = Vec::new();
    if let Some(platform) = compared.platform {
        alike.push(format!("on {platform}"));
    }
    if let Some(size) = compared.deliverables {
        alike.push(format!("with {}", size.words()));
    }
    if let Some(followers) = compared.followers {
        alike.push(format!("by athletes with {}", followers.words()));
    }
    if compared.sport_id.is_some() {
        alike.push("in the same sport".to_owned());
    }
    if let Some(division) = compared.division {
        alike.push(format!("in division {division}"));
    }
    let alike = if alike.is_empty() { String::new() } else { format!(", {}", alike.join(", ")) };
    format!("{n} deals of others in the category {category} in the last {months} months{alike}.")
}

const fn reason(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Period => "the last 12 months",
        Criterion::Division => "the division",
        Criterion::Sport => "the sport",
        Criterion::Followers => "the number of followers",
        Criterion::Deliverables => "the number of pieces",
        Criterion::Platform => "the platform",
    }
}

const fn words(standing: Standing) -> &'static str {
    match standing {
        Standing::Below => "lower than three quarters of these deals or more",
        Standing::LowerMiddle => "between the lowest quarter and the median",
        Standing::UpperMiddle => "between the median and the highest quarter",
        Standing::Above => "higher than three quarters of these deals or more",
    }
}

/// The quartiles of sorted amounts; `None` without any.
fn quartiles(sorted: &[Cents]) -> Option<Quartiles> {
    let at = |quarter: Quarter| {
        let (low, high) = quarter.places(sorted.len())?;
        // Exact quartiles can be the amounts of single deals.
        let (low, high) = (sorted.get(low)?.get(), sorted.get(high)?.get());
        Some(Cents(low + (high - low) / 2).rounded())
    };
    Some(Quartiles {
        p25_cents: at(Quarter::First)?,
        p50_cents: at(Quarter::Median)?,
        p75_cents: at(Quarter::Third)?,
    })
}

/// Compares with the rounded quartiles only: by asking about many amounts nobody learns more than
/// they say.
fn standing(amount: Cents, quartiles: Quartiles) -> Standing {
    if amount < quartiles.p25_cents {
        Standing::Below
    } else if amount <= quartiles.p50_cents {
        Standing::LowerMiddle
    } else if amount <= quartiles.p75_cents {
        Standing::UpperMiddle
    } else {
        Standing::Above
    }
}

impl Person {
    /// An athlete as they are today.
    pub async fn of(session: &mut Session, athlete: AthleteId) -> Result<Self> {
        store::person(session, athlete).await
    }
}

#[cfg(test)]
#[path = "range_tests.rs"]
mod tests;
