//! A closed account, and what stands in the way of closing one.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::{UserKind, UserStatus};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AgentId, AthleteId, Cents, PartnerId, Time, UserId};
use crate::payments::ledger::Owner;
use crate::storage::FromRow;

/// A closed account.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Departure {
    /// The account.
    pub user_id: UserId,
    /// What kind of user it was.
    pub kind: UserKind,
    /// Always `deactivated`.
    pub status: UserStatus,
    /// When it was closed, and its personal data erased.
    pub left_at: Time,
}

vocabulary! {
    /// What must be settled before an account can be closed.
    Unsettled {
        /// Contracts that wait for confirmation or are active.
        Contracts = "contracts",
        /// Orders of services that are not answered, or not completed.
        Orders = "orders",
        /// Approved work and commission that are not paid: owed to an athlete or an agent, or by a
        /// brand.
        Owed = "owed",
        /// Payments or charges that are being processed.
        Payments = "payments",
        /// Refunds that are being processed.
        Refunds = "refunds",
        /// Charges that a cardholder's bank asks about or has taken back, until it has decided: of
        /// the user's own card, or of payments to the user.
        Disputes = "disputes",
        /// A subscription whose charge is being processed.
        Subscription = "subscription",
        /// Payouts that are on hold or on their way.
        Payouts = "payouts",
        /// Money in the wallet.
        Wallet = "wallet",
        /// Money that is owed back after a refund.
        OwedBack = "owed_back",
    }
}

/// One thing that is left to settle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Left {
    /// What it is.
    pub what: Unsettled,
    /// How many there are; null for an amount.
    pub count: Option<i64>,
    /// How much it is; null for a number.
    pub amount_cents: Option<Cents>,
}

/// The person behind an account.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Leaving {
    pub(super) id: UserId,
    pub(super) kind: UserKind,
    pub(super) profile_id: i64,
    pub(super) first_name: Option<String>,
    pub(super) last_name: Option<String>,
    /// The name of the profile that others see.
    pub(super) shown_name: Option<String>,
    pub(super) email: Option<String>,
}

/// The record of the person's kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Profile {
    Athlete(AthleteId),
    Partner(PartnerId),
    Agent(AgentId),
    Fan,
}

impl Leaving {
    pub(super) fn profile(&self) -> Option<Profile> {
        let id = self.profile_id;
        match self.kind {
            UserKind::Athlete => AthleteId::new(id).map(Profile::Athlete),
            UserKind::Partner => PartnerId::new(id).map(Profile::Partner),
            UserKind::Agent => AgentId::new(id).map(Profile::Agent),
            UserKind::Fan => Some(Profile::Fan),
        }
    }

    /// The names under which other people's notifications mention the person. Those of a brand are
    /// its company's, which stays.
    pub(super) fn names(&self) -> Vec<String> {
        let part = |part: &Option<String>| part.as_deref().unwrap_or_default().trim().to_owned();
        let full = format!("{} {}", part(&self.first_name), part(&self.last_name));
        let mut names = vec![full.trim().to_owned()];
        if self.kind != UserKind::Partner {
            names.extend(self.shown_name.clone());
        }
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What stands in the place of the name that others see.
    pub(super) fn nameless(&self) -> &'static str {
        match self.kind {
            UserKind::Athlete => "Former athlete",
            UserKind::Partner => "Former brand",
            UserKind::Agent => "Former agent",
            UserKind::Fan => "Former user",
        }
    }

    /// The person as an owner of money; a fan has none.
    pub(super) fn owner(&self) -> Option<Owner> {
        match self.profile()? {
            Profile::Athlete(id) => Some(Owner::Athlete(id)),
            Profile::Partner(id) => Some(Owner::Partner(id)),
            Profile::Agent(id) => Some(Owner::Agent(id)),
            Profile::Fan => None,
        }
    }
}
