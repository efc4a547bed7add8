//! Which payments and payouts a list or an export has, and in which order.

use schemars::JsonSchema;
use sea_query::{Expr, Order};
use serde::Serialize;

use crate::error::Result;
use crate::kernel::combined::shared;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AthleteId, ChargeId, ContractId, Date, PartnerId, PaymentId, Text, Time, days,
};
use crate::payments::charges::payment::PaymentStatus;
use crate::payments::payouts::payout::PayoutStatus;
use crate::storage::Key;

vocabulary! {
    /// The order of payments.
    PaymentSort {
        /// Oldest first.
        Oldest = "created_at",
        /// Newest first.
        Newest = "-created_at",
        /// Smallest amount first.
        Smallest = "amount_cents",
        /// Largest amount first.
        Largest = "-amount_cents",
    }
}

impl PaymentSort {
    /// What rows with an amount are sorted by; `column` refers to a column of theirs.
    pub(crate) fn keys(self, column: impl Fn(&'static str) -> Expr) -> impl Iterator<Item = Key> {
        let (amount, order) = match self {
            Self::Oldest => (None, Order::Asc),
            Self::Newest => (None, Order::Desc),
            Self::Smallest => (Some("amount_cents"), Order::Asc),
            Self::Largest => (Some("amount_cents"), Order::Desc),
        };
        amount.into_iter().chain(["id"]).map(move |name| Key::of(column(name), order.clone()))
    }
}

/// What narrows a list or an export of payments.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct PaymentFilter {
    /// Part of a number, of a name or of a job's title.
    pub q: Option<Text<0, 100>>,
    /// Only this brand's payments.
    pub partner_id: Option<PartnerId>,
    /// Only this athlete's payments.
    pub athlete_id: Option<AthleteId>,
    /// Only payments under this contract.
    pub contract_id: Option<ContractId>,
    /// The first day, by UTC.
    pub from: Option<Date>,
    /// The last day, by UTC.
    pub to: Option<Date>,
}

shared!(PaymentFilter { q, partner_id, athlete_id, contract_id, from, to });

impl PaymentFilter {
    /// The payments it selects. 422 for days in the wrong order.
    pub(crate) fn wanted(
        self,
        id: Option<PaymentId>,
        status: Option<PaymentStatus>,
        sort: Option<PaymentSort>,
    ) -> Result<Wanted> {
        let (from, until) = days(self.from, self.to)?;
        Ok(Wanted {
            id,
            charge: None,
            partner: self.partner_id,
            athlete: self.athlete_id,
            contract: self.contract_id,
            statuses: status.into_iter().collect(),
            from,
            until,
            unconfirmed: None,
            q: self.q.map(|q| q.to_string()),
            sort,
        })
    }
}

/// Filters for payments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub id: Option<PaymentId>,
    pub charge: Option<ChargeId>,
    pub partner: Option<PartnerId>,
    pub athlete: Option<AthleteId>,
    pub contract: Option<ContractId>,
    pub statuses: Vec<PaymentStatus>,
    pub from: Option<Time>,
    pub until: Option<Time>,
    /// Whether a refund of it has been pending since before an instant.
    pub unconfirmed: Option<(bool, Time)>,
    /// Part of the number, the athlete's, the brand's or the job's name.
    pub q: Option<String>,
    /// The order; newest first without one.
    pub sort: Option<PaymentSort>,
}

/// Which payouts an export has.
#[derive(Clone, Debug, Default)]
pub struct ExportedPayouts {
    /// Only payouts with this status.
    pub status: Option<PayoutStatus>,
    /// Only payouts to this athlete.
    pub athlete: Option<AthleteId>,
    /// Only payouts made from this instant on.
    pub from: Option<Time>,
    /// Only payouts made before this instant.
    pub until: Option<Time>,
}
