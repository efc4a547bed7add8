//! Compliance officers see the payments of their institution's athletes.

use chrono::NaiveTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::payment::PaymentStatus;
use super::store;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, CategoryId, Cents, ContractId, Date, Listing, Many, PageNumber, Paging, PartnerId,
    PaymentId, PerPage, SportId, Text, Time, end_of_day,
};
use crate::operation::Cx;

vocabulary! {
    /// Where a deal was made.
    TransactionSource {
        /// On this platform.
        Platform = "platform",
        /// Elsewhere, and disclosed here.
        Disclosed = "disclosed",
    }
}

vocabulary! {
    /// What is remarkable about a transaction.
    TransactionFlag {
        /// The athlete was under 18.
        Minor = "minor",
    }
}

/// Which transactions.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListTransactions {
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// The first day, in the institution's time zone.
    pub from: Option<Date>,
    /// The last day, in the institution's time zone.
    pub to: Option<Date>,
    /// Only athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// Only athletes of these genders.
    pub genders: Option<Many<Text<1, 40>, 0, 10>>,
    /// Only these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// Only jobs of these categories.
    pub category_ids: Option<Many<CategoryId, 0, 100>>,
    /// Only deals made there.
    pub sources: Option<Many<TransactionSource, 0, 2>>,
    /// Only payments in these states.
    pub statuses: Option<Many<PaymentStatus, 0, 10>>,
    /// The least gross amount, in cents.
    pub min_cents: Option<Cents>,
    /// The greatest gross amount, in cents.
    pub max_cents: Option<Cents>,
    /// Part of the number, the athlete's or the payer's name.
    pub q: Option<Text<0, 100>>,
}

/// A transaction of an institution's athlete.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Transaction {
    /// The payment's id.
    pub id: PaymentId,
    /// Its number.
    pub number: String,
    /// Where the deal was made.
    pub source: TransactionSource,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete: String,
    /// The athlete's sport.
    pub sport: Option<String>,
    /// The athlete's gender.
    pub gender: Option<String>,
    /// The brand.
    pub partner_id: PartnerId,
    /// The brand's name.
    pub payer: String,
    /// The category of the job.
    pub category: String,
    /// What the job pays in: `cash`, `mixed`, …
    pub payment_type: String,
    /// What the athlete is paid, an agent's commission included.
    pub gross_cents: Cents,
    /// The platform's fee, paid by the brand on top.
    pub fee_cents: Cents,
    /// Gross less the agent's commission.
    pub net_cents: Cents,
    /// How much of the gross was given back.
    pub refunded_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The payment's state.
    pub status: PaymentStatus,
    /// When the card was charged; until then, when the payment was asked for.
    pub occurred_at: Time,
    /// The contract.
    pub contract_id: ContractId,
    /// What is remarkable about it.
    #[sqlx(skip)]
    pub flags: Vec<TransactionFlag>,
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) date_of_birth: Option<Date>,
    /// When the payment was asked for.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// What a page of transactions is narrowed by, beside the request's own filters.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) college: crate::kernel::CollegeId,
    pub(super) sports: Vec<SportId>,
    pub(super) from: Option<Time>,
    pub(super) until: Option<Time>,
}

/// Lists the platform's payments to athletes of the caller's institution, newest first; a caller who is
/// limited to certain sports sees those.
pub async fn list(cx: Cx<PortalUser>, input: ListTransactions) -> Result<Listing<Transaction>> {
    if input.from.zip(input.to).is_some_and(|(from, to)| to < from) {
        return Err(Error::invalid("to", "must not be before `from`"));
    }
    let paging = Paging::new(input.page, input.per_page);
    let mut session = cx.read().await?;
    let zone = store::transactions::time_zone(&mut session, cx.caller.college_id).await?;
    let zone: chrono_tz::Tz = zone.parse().unwrap_or(chrono_tz::UTC);
    let scope = Scope {
        college: cx.caller.college_id,
        sports: cx.caller.sports.clone(),
        from: input
            .from
            .and_then(|day| day.pred_opt())
            .map(|before| end_of_day(before, zone) + chrono::TimeDelta::seconds(1)),
        until: input
            .to
            .map(|day| end_of_day(day, zone) + chrono::TimeDelta::seconds(1)),
    };
    let (mut rows, total) = store::transactions::page(&mut session, &scope, &input, paging).await?;
    for row in &mut rows {
        row.flags = flags(row.date_of_birth, row.occurred_at);
    }
    Ok(Listing::new(rows, paging, total))
}

fn flags(born: Option<Date>, at: Time) -> Vec<TransactionFlag> {
    let of_age = born.and_then(|born| born.checked_add_months(chrono::Months::new(18 * 12)));
    let minor = of_age.is_some_and(|day| at < day.and_time(NaiveTime::MIN).and_utc());
    minor
        .then_some(TransactionFlag::Minor)
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minors_are_flagged_until_their_eighteenth_birthday() {
        let born: Date = "2008-11-21".parse().unwrap();
        let at = |text: &str| text.parse::<Time>().unwrap();
        let minor = flags(Some(born), at("2026-11-20T23:59:59Z"));
        assert_eq!(minor, [TransactionFlag::Minor]);
        assert!(flags(Some(born), at("2026-11-21T00:00:00Z")).is_empty());
        assert!(flags(None, at("2026-11-21T00:00:00Z")).is_empty());
    }
}
