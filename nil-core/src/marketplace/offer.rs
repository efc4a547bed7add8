//! What an offer of a service says, and what a search for offers asks for.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::{Error, Result, codes};
use crate::jobs::MediaPlatform;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    Amount, AthleteId, Cents, CollegeId, Many, ServiceOfferId, SportId, Text, Title,
};
use crate::orders::{Offer, ServiceKind};

/// The maximum delivery time, in days.
const LONGEST: i64 = 180;

/// An offer to create (without `id`) or to change; fields left out of a change stay as they are.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveOffer {
    /// The offer to change; leave out to create a new one.
    pub id: Option<ServiceOfferId>,
    /// Its title (required for a new offer).
    pub title: Option<Title<200>>,
    /// Its description (required for a new offer).
    pub description: Option<Text<1, 4000>>,
    /// The kind of service (required for a new offer).
    pub kind: Option<ServiceKind>,
    /// The platform: a social network for posts, stories and reels (required for these); otherwise
    /// the usual one for the kind.
    pub platform: Option<MediaPlatform>,
    /// The athlete's price, in cents (required for a new offer). Existing orders keep their price.
    pub price_cents: Option<Amount>,
    /// The number of days from acceptance to delivery, 1 to 180 (default 7).
    pub delivery_days: Option<i64>,
    /// Whether it can be ordered (default true).
    pub active: Option<bool>,
}

/// An offer to be stored.
pub(super) struct Content {
    pub(super) kind: ServiceKind,
    pub(super) platform: MediaPlatform,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) price: Cents,
    pub(super) delivery_days: i64,
    pub(super) active: bool,
}

impl Content {
    /// The input merged with the stored offer; 422 naming what is missing or does not fit.
    pub(super) fn new(input: &SaveOffer, before: Option<&Offer>) -> Result<Self> {
        let given = |text: &str| text.trim().to_owned();
        let title = input.title.as_deref().map(given);
        let title = title.or_else(|| before.map(|offer| offer.title.clone()));
        let description = input.description.as_deref().map(given);
        let description = description.or_else(|| before.map(|offer| offer.description.clone()));
        let kind = input.kind.or_else(|| before.map(|offer| offer.kind));
        let price = input.price_cents.map(Amount::cents);
        let price = price.or_else(|| before.map(|offer| offer.price_cents));
        let missing = [
            ("title", title.is_none()),
            ("description", description.is_none()),
            ("kind", kind.is_none()),
            ("price_cents", price.is_none()),
        ];
        let mut problems: Vec<(&str, String)> = missing
            .iter()
            .filter(|(_, is)| *is)
            .map(|(field, _)| (*field, "is required".to_owned()))
            .collect();
        let delivery_days =
            input.delivery_days.or_else(|| before.map(|offer| offer.delivery_days)).unwrap_or(7);
        if !(1..=LONGEST).contains(&delivery_days) {
            problems.push(("delivery_days", format!("must be between 1 and {LONGEST}")));
        }
        let platform = kind.and_then(|kind| place(kind, input.platform, before));
        if kind.is_some() && platform.is_none() {
            let why = "must be the social network that this kind is published on";
            problems.push(("platform", why.to_owned()));
        }
        let refusal = (!problems.is_empty()).then(|| Error::invalid_fields(problems));
        match (refusal, kind, platform, title.zip(description), price) {
            (None, Some(kind), Some(platform), Some((title, description)), Some(price)) => {
                Ok(Self {
                    kind,
                    platform,
                    title,
                    description,
                    price,
                    delivery_days,
                    active: input
                        .active
                        .or_else(|| before.map(|offer| offer.active))
                        .unwrap_or(true),
                })
            }
            (refusal, ..) => Err(refusal.unwrap_or_else(|| codes::VALIDATION_FAILED.into())),
        }
    }
}

vocabulary! {
    /// The order of offers.
    OfferSort {
        /// Best match first; without words the newest first.
        Relevance = "relevance",
        /// Newest first.
        Newest = "newest",
        /// Cheapest first.
        PriceUp = "price",
        /// Most expensive first.
        PriceDown = "-price",
    }
}

/// The offers to search. An offer must meet all conditions; for a list, one value is enough.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct SearchOffers {
    /// The order (default `relevance` with `q`, else `newest`).
    pub sort: Option<OfferSort>,
    /// Words of the title and description. An offer must contain all of them; the last one may be
    /// the beginning of a word. Accents and case do not count.
    pub q: Option<Text<0, 200>>,
    /// Of this athlete.
    pub athlete_id: Option<AthleteId>,
    /// Of these kinds.
    pub kinds: Option<Many<ServiceKind, 1, 13>>,
    /// Of athletes of these sports.
    pub sport_ids: Option<Many<SportId, 1, 100>>,
    /// Of athletes of these universities.
    pub university_ids: Option<Many<CollegeId, 1, 100>>,
    /// At this price or a higher one, in cents.
    pub min_price_cents: Option<Cents>,
    /// At this price or a lower one, in cents.
    pub max_price_cents: Option<Cents>,
}

/// The platform of a service of this kind: the requested one, the stored one for the same kind, or
/// the default. None if a post is not on a social network.
fn place(
    kind: ServiceKind,
    asked: Option<MediaPlatform>,
    before: Option<&Offer>,
) -> Option<MediaPlatform> {
    let was = before.filter(|offer| offer.kind == kind);
    let platform =
        asked.or_else(|| was.map(|offer| offer.platform)).or_else(|| kind.usual_platform())?;
    let posted = kind.usual_platform().is_none();
    (!posted || platform.needs_account()).then_some(platform)
}
