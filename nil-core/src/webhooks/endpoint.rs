//! An endpoint of webhooks, and its owner.

use schemars::JsonSchema;
use serde::Serialize;

use crate::auth::{Partner, PortalUser};
use crate::error::{Result, codes};
use crate::feed::{Event, HookOwner};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, PartnerId, Secret, Time, WebhookEndpointId};
use crate::storage::FromRow;

vocabulary! {
    /// Why the platform switched an endpoint off.
    DisabledWhy {
        /// Its receiver answered 410: it wants no more.
        Gone = "gone",
        /// No delivery arrived for five days, although some were tried.
        Failing = "failing",
        /// A thousand deliveries waited, and another one came.
        Overflow = "overflow",
    }
}

impl DisabledWhy {
    /// The reason in words, as the middle of a sentence.
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Self::Gone => "its receiver answered that it is gone",
            Self::Failing => "no delivery arrived for five days",
            Self::Overflow => "more than a thousand deliveries waited for it",
        }
    }
}

/// An address where events are heard.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct WebhookEndpoint {
    /// Its id.
    pub id: WebhookEndpointId,
    /// The address that deliveries are sent to.
    pub url: String,
    /// What its owner says about it.
    pub description: Option<String>,
    /// The events that it hears.
    #[row(json)]
    pub events: Vec<Event>,
    /// Whether it hears them now.
    pub enabled: bool,
    /// Why the platform switched it off; null if its owner did, or if it is on.
    pub disabled_why: Option<DisabledWhy>,
    /// Since when no delivery has arrived, though some were tried; null if the last one did.
    pub failing_since: Option<Time>,
    /// Until when the secret before the last rotation signs as well; null without one.
    pub old_secret_until: Option<Time>,
    /// The secret, `whsec_…`: shown when the endpoint is made and when the secret is replaced, and
    /// null ever after.
    #[row(skip)]
    pub secret: Option<Secret>,
    /// When it was made.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

/// Who owns endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Brand(PartnerId),
    Institution(CollegeId),
}

impl From<Partner> for Owner {
    fn from(partner: Partner) -> Self {
        Self::Brand(partner.id)
    }
}

impl Owner {
    /// The institution of a portal user. Its endpoints hear of every sport: 403 for a user who is
    /// limited to some.
    pub(super) fn of_portal(user: &PortalUser) -> Result<Self> {
        if user.sports.is_empty() {
            return Ok(Self::Institution(user.college_id));
        }
        Err(codes::FORBIDDEN.saying("Webhooks are for owners with access to every sport."))
    }

    /// The kind of owner.
    pub(super) const fn kind(self) -> HookOwner {
        match self {
            Self::Brand(_) => HookOwner::Brand,
            Self::Institution(_) => HookOwner::Institution,
        }
    }

    /// The column of its endpoints that names it, with its id.
    pub(super) const fn column(self) -> (&'static str, i64) {
        match self {
            Self::Brand(id) => ("partner_id", id.get()),
            Self::Institution(id) => ("college_id", id.get()),
        }
    }

    /// Its own table.
    pub(super) const fn table(self) -> &'static str {
        match self {
            Self::Brand(_) => "partner",
            Self::Institution(_) => "college",
        }
    }

    /// The context that seals of its secrets are bound to.
    pub(super) fn context(self) -> String {
        let (column, id) = self.column();
        format!("webhook_secret:{column}:{id}")
    }
}
