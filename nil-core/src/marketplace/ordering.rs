//! Brands order services, and cancel orders that are not yet answered.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{answering, store};
use crate::accounts::UserStatus;
use crate::auth::Partner;
use crate::deals::engaging;
use crate::error::{Error, Result, codes};
use crate::institutions::checking::{self, Prospect};
use crate::institutions::{self, Moment};
use crate::kernel::{
    Amount, CategoryId, Date, ServiceOfferId, ServiceOrderId, Text, Time, day_in, end_of_day,
};
use crate::notifications::outbox::{Message, Recipient};
use crate::notifications::{Event, FeedKind};
use crate::operation::{Cx, Done};
use crate::orders::store::{self as orders, NewOrder, Whose};
use crate::orders::{Order, OrderEvent};
use crate::payments::methods;
use crate::{people, wording};

/// The time to answer.
const OPEN_FOR: TimeDelta = TimeDelta::days(7);

/// How far ahead a brand can order, in days.
const FURTHEST: i64 = 365;

/// The service to order.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PlaceOrder {
    /// The offer.
    pub offer_id: ServiceOfferId,
    /// A note for the athlete: the person to greet, the place.
    pub note: Option<Text<1, 2000>>,
    /// The last day on which the brand can use it, today or later. If left out, the offer's
    /// delivery days count from the athlete's answer.
    pub wanted_by: Option<Date>,
    /// The brand's purpose; the contract states it (default: the service's title).
    pub business_purpose: Option<Text<1, 1000>>,
    /// The category of jobs, if the promoted product has its own category (default: the category of
    /// the service's kind).
    pub category_id: Option<CategoryId>,
    /// The price that was shown, in cents: 409 `price_changed` if it has changed.
    pub expected_price_cents: Option<Amount>,
}

/// One of the caller's orders.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct TakeBack {
    /// The order.
    pub id: ServiceOrderId,
    /// The reason; the athlete sees it.
    pub reason: Option<Text<1, 1000>>,
}

/// Orders a service at its price; nothing is charged before it is completed (extension). Price and
/// fee rate are frozen here. 404 for an offer that a search would not find; 409 `order_pending`
/// while the brand's last order of it is not answered, `price_changed`, `no_payment_method` without
/// a saved card, and the refusals of a hire: `athlete_unavailable`, `athlete_not_ready`,
/// `guardian_consent_missing`, or a rule of the athlete's institution, with its name and date.
pub async fn place(cx: Cx<Partner>, input: PlaceOrder) -> Result<Done<Order>> {
    let now = cx.now();
    let mut work = cx.begin().await?;
    let offer = store::offer::on_sale(&mut work, input.offer_id).await?;
    let athlete = people::facts(&mut work, offer.athlete_id)
        .await?
        .filter(|athlete| athlete.listed && athlete.account == UserStatus::Active)
        .ok_or(codes::NOT_FOUND)?;
    let today = day_in(now, athlete.zone());
    let in_time = |day: &Date| (0..=FURTHEST).contains(&(*day - today).num_days());
    if input.wanted_by.as_ref().is_some_and(|day| !in_time(day)) {
        let why = format!("must be between today and {FURTHEST} days from now");
        return Err(Error::invalid("wanted_by", why));
    }
    let slug = offer.kind.category_slug();
    let category = engaging::category(&mut work, input.category_id, slug).await?;
    if input.expected_price_cents.is_some_and(|shown| shown.cents() != offer.price_cents) {
        return Err(codes::PRICE_CHANGED.into());
    }
    if !athlete.available {
        return Err(codes::ATHLETE_UNAVAILABLE.into());
    }
    engaging::check(&athlete, offer.platform, today)?;
    let prospect = Prospect {
        partner: cx.caller.id,
        category,
        activity: offer.kind.activity(),
        due_on: input.wanted_by.unwrap_or(today + TimeDelta::days(offer.delivery_days)),
    };
    let moment = Moment::Hire;
    let breaches = checking::of_prospect(&mut work, &athlete, &prospect, moment, now).await?;
    institutions::refuse(&breaches)?;
    if !methods::can_pay(&mut work, cx.caller.id).await? {
        return Err(codes::NO_PAYMENT_METHOD.into());
    }
    let brand = people::dealing_partner(&mut work, cx.caller.id, (None, None), now).await?;
    let (partner, fee) = (&brand.facts, brand.rates.usual(&brand.facts));
    let text = |given: Option<&str>| given.map(|text| text.trim().to_owned());
    let purpose = text(input.business_purpose.as_deref());
    let new = NewOrder {
        offer: &offer,
        partner: partner.id,
        category,
        fee,
        note: text(input.note.as_deref()),
        business_purpose: purpose.unwrap_or_else(|| offer.title.clone()),
        wanted_by: input.wanted_by,
        expires_at: open_until(now, input.wanted_by, athlete.zone()),
    };
    let order = orders::add(&mut work, new, now).await?;
    work.note(order.id, "ordered");
    let mut message = Message::new(Event::InvitationReceived, Recipient::User(athlete.user_id))
        .with("job_title", order.title.clone())
        .with("company_name", order.company_name.clone())
        .with("amount", order.price_cents.to_string())
        .with("deadline", wording::moment(order.expires_at, athlete.zone()))
        .with("order_id", order.id.get());
    if let Some(note) = &order.note {
        message =
            message.with("message", note.clone()).with("message_excerpt", wording::excerpt(note));
    }
    work.send(message);
    work.touch(partner.user_id, FeedKind::Jobs);
    work.done(order).await
}

/// The end of the time to answer: after seven days, but not after the day it is wanted by.
fn open_until(now: Time, wanted_by: Option<Date>, zone: chrono_tz::Tz) -> Time {
    let usual = now + OPEN_FOR;
    wanted_by.map_or(usual, |day| usual.min(end_of_day(day, zone)))
}

/// Cancels an order that the athlete has not answered (extension). 404 for another brand's order,
/// 409 `illegal_transition` if it was answered; then the contract's rules decide how it can end.
pub async fn cancel(cx: Cx<Partner>, input: TakeBack) -> Result<Done<Order>> {
    let mut work = cx.begin().await?;
    let order = orders::lock(&mut work, input.id, Whose::Partner(cx.caller.id)).await?;
    let reason = input.reason.as_deref().map(|why| why.trim().to_owned());
    let order = answering::end(&mut work, &order, OrderEvent::Cancel, reason).await?;
    work.done(order).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_open_for_a_week_and_never_beyond_its_day() {
        let now: Time = "2026-11-20T12:00:00Z".parse().unwrap();
        let zone = chrono_tz::America::Chicago;
        let until = |day: Option<&str>| open_until(now, day.map(|day| day.parse().unwrap()), zone);
        let at = |text: &str| text.parse::<Time>().unwrap();
        assert_eq!(until(None), at("2026-11-27T12:00:00Z"));
        assert_eq!(until(Some("2026-12-20")), at("2026-11-27T12:00:00Z"));
        assert_eq!(until(Some("2026-11-21")), at("2026-11-22T05:59:59Z"));
    }
}
