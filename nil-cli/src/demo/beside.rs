//! What happens beside the deals of the demonstration's year: services, subscriptions, support,
//! announcements, fans.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use chrono::{Days, TimeDelta};
use nil_core::auth::Principal;
use nil_core::kernel::utc_day;
use serde_json::{Value, json};

use super::people::pick;
use super::player::{PASSWORD, Person, Player};
use super::world::World;
use crate::failure::Failure;

/// Services that athletes sell: title, kind, price in cents, description.
const SERVICES: [(&str, &str, i64, &str); 4] = [
    ("Private lesson", "lesson", 8_000, "An hour on the court or the field, for any age."),
    ("Autographs for your team", "autograph", 12_000, "I sign what you bring, up to forty pieces."),
    (
        "A talk at your school",
        "speaking",
        30_000,
        "How to train, study and sleep at the same time.",
    ),
    ("Appearance at your opening", "appearance", 45_000, "Two hours, photos with your guests."),
];

/// How far an order comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// It waits for the athlete, and expires if nobody answers.
    Ordered,
    /// The athlete has accepted it.
    Accepted,
    /// It is delivered: if the brand says nothing, silence approves it.
    Delivered,
    /// The brand had it changed first.
    Returned,
    Completed,
    Declined,
    Cancelled,
}

/// Orders: the week, and how far they come.
const ORDERS: [(usize, Order); 15] = [
    (3, Order::Completed),
    (7, Order::Declined),
    (11, Order::Cancelled),
    (15, Order::Completed),
    (19, Order::Delivered),
    (23, Order::Ordered),
    (27, Order::Completed),
    (31, Order::Declined),
    (35, Order::Returned),
    (39, Order::Completed),
    (43, Order::Delivered),
    (47, Order::Completed),
    (51, Order::Accepted),
    (52, Order::Delivered),
    (52, Order::Ordered),
];

impl World {
    /// What begins in this week.
    pub(crate) async fn go_on(&self, player: &Player, week: usize) -> Result<(), Failure> {
        for (number, (_, order)) in ORDERS.iter().enumerate().filter(|(_, (at, _))| *at == week) {
            self.order(player, number, *order).await?;
        }
        self.subscriptions(player, week).await?;
        self.ask_support(player, week).await?;
        self.publish(player, week).await?;
        match week {
            36 => self.note_records_request(player).await,
            45 => self.leave(player).await,
            _ => Ok(()),
        }
    }

    async fn subscriptions(&self, player: &Player, week: usize) -> Result<(), Failure> {
        match week {
            0 => {
                for (name, price, fee, features) in [
                    ("Growth", 4_900, 500, ["Half the fee", "Reports"]),
                    ("Scale", 9_900, 250, ["A quarter of the fee", "Reports and priority support"]),
                ] {
                    let plan = json!({
                        "name": name, "price_cents": price, "interval": "month",
                        "fee_basis_points": fee, "features": features
                    });
                    let save = "admin.subscription_plan.save";
                    player.call(save, &self.operator, plan).await?;
                }
                Ok(())
            }
            6 => self.subscribe(player, 6).await,
            19 => self.subscribe(player, 9).await,
            // One grows into the larger plan, one is refunded and leaves, one does not renew.
            25 => self.change_plan(player, 6).await,
            35 => self.subscribe(player, 4).await,
            42 => self.refund_subscription(player, 9).await,
            30 => self.subscribe(player, 1).await,
            52 => {
                let brand = self.brand(4)?;
                player.call("core.subscription.cancel", &brand.principal, json!({})).await?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The plan of this name.
    async fn plan(&self, player: &Player, who: &Person, name: &str) -> Result<Value, Failure> {
        let plans = player.call("core.subscription.plans", &who.principal, json!({})).await?;
        let mut plans = plans.as_array().into_iter().flatten();
        let plan = plans.find(|plan| plan["name"] == name);
        Ok(plan.map(|plan| plan["id"].clone()).unwrap_or_default())
    }

    async fn subscribe(&self, player: &Player, brand: usize) -> Result<(), Failure> {
        let brand = self.brand(brand)?;
        let plan = json!({ "plan_id": self.plan(player, &brand, "Growth").await? });
        player.call("core.subscription.subscribe", &brand.principal, plan).await?;
        Ok(())
    }

    async fn change_plan(&self, player: &Player, brand: usize) -> Result<(), Failure> {
        let brand = self.brand(brand)?;
        let plan = self.plan(player, &brand, "Scale").await?;
        let preview = json!({ "plan_id": plan });
        let shown =
            player.call("core.subscription.preview_change", &brand.principal, preview).await?;
        let total = shown["total_cents"].clone();
        let change = json!({ "plan_id": plan, "expected_total_cents": total });
        player.call("core.subscription.change", &brand.principal, change).await?;
        Ok(())
    }

    async fn refund_subscription(&self, player: &Player, brand: usize) -> Result<(), Failure> {
        let brand = self.brand(brand)?;
        let invoices = player.call("core.partner.invoices", &brand.principal, json!({})).await?;
        let mut invoices = invoices.as_array().into_iter().flatten();
        let latest = invoices.find(|invoice| invoice["kind"] == "subscription");
        let refund = json!({
            "invoice_id": latest.map(|invoice| invoice["id"].clone()), "rule": "unused",
            "reason": "The brand has closed its campus office.", "end_subscription": true
        });
        player.call("admin.subscription.refund", &self.operator, refund).await?;
        Ok(())
    }

    /// A brand orders a service.
    async fn order(&self, player: &Player, number: usize, until: Order) -> Result<(), Failure> {
        let (brand, athlete) =
            (self.brand(number + 3)?, self.athlete(player, 0, number * 29 + 20).await?);
        let (title, kind, price, description) = pick(&SERVICES, number).unwrap_or_default();
        let offer = json!({
            "title": title, "description": description, "kind": kind, "price_cents": price,
            "delivery_days": 10
        });
        let offer = player.call("core.service_offer.save", &athlete.principal, offer).await?;
        let place = json!({ "offer_id": offer["id"] });
        let order = player.call("core.service_order.place", &brand.principal, place).await?;
        let id = json!({ "id": order["id"] });
        let said = |field: &str, text: &str| json!({ "id": order["id"], field: text });
        let (of_athlete, of_brand) = (&athlete.principal, &brand.principal);
        let steps: Vec<(&str, &Principal, Value)> = match until {
            Order::Ordered => Vec::new(),
            Order::Declined => {
                let no = said("reason", "It is the week of my exams.");
                vec![("core.service_order.decline", of_athlete, no)]
            }
            Order::Cancelled => {
                let no = said("reason", "Our opening has moved.");
                vec![("core.service_order.cancel", of_brand, no)]
            }
            Order::Accepted | Order::Delivered | Order::Returned | Order::Completed => {
                let mut steps = vec![("core.service_order.accept", of_athlete, id.clone())];
                if until == Order::Returned {
                    steps.push(("core.service_order.deliver", of_athlete, id.clone()));
                    let note =
                        said("note", "We had agreed on two hours. Could you come once more?");
                    steps.push(("core.service_order.return", of_brand, note));
                }
                if until != Order::Accepted {
                    steps.push(("core.service_order.deliver", of_athlete, id.clone()));
                }
                if matches!(until, Order::Returned | Order::Completed) {
                    steps.push(("core.service_order.complete", of_brand, id));
                }
                steps
            }
        };
        for (name, who, input) in steps {
            player.call(name, who, input).await?;
        }
        Ok(())
    }

    /// Users ask the operators; the last question waits for an answer.
    async fn ask_support(&self, player: &Player, week: usize) -> Result<(), Failure> {
        let (who, question, answer) = match week {
            20 => (
                self.athlete(player, 0, 3).await?,
                "My bank has changed. How do I get my next payout to the new account?",
                Some("Open “Payout account” and connect the new one; the next payout goes there."),
            ),
            33 => (
                self.brand(5)?,
                "Can we have one invoice for all campuses?",
                Some("Yes: the invoice of each month lists every deal, whatever the campus."),
            ),
            52 => (
                self.athlete(player, 0, 1).await?,
                "The tax form asks for my number. Who gets to see it?",
                None,
            ),
            _ => return Ok(()),
        };
        let open = "core.chat.open_support";
        let conversation = player.call(open, &who.principal, json!({})).await?;
        let ask = json!({ "conversation_id": conversation["id"], "text": question });
        player.call("core.chat.send", &who.principal, ask).await?;
        if let (Some(text), Principal::User { user_id, .. }) = (answer, &who.principal) {
            let reply = json!({ "user_id": user_id, "text": text });
            player.call("admin.support.reply", &self.operator, reply).await?;
        }
        Ok(())
    }

    /// Announcements and a public list of athletes.
    async fn publish(&self, player: &Player, week: usize) -> Result<(), Failure> {
        let now = player.platform.now();
        match week {
            0 => {
                for (question, answer) in [
                    (
                        "Who pays the platform's fee?",
                        "The brand, on top of what the athlete is paid.",
                    ),
                    (
                        "When does my money arrive?",
                        "Once the brand has approved and paid the work: a few days after the payout.",
                    ),
                ] {
                    let faq = json!({ "question": question, "answer": answer, "published": true });
                    player.call("admin.editorial.save_faq", &self.operator, faq).await?;
                }
            }
            30 => {
                let roster = json!({
                    "title": "Lakeshore State women in sport", "slug": "lakeshore-women",
                    "college_id": self.colleges.first()
                });
                let roster = player.call("admin.roster.save", &self.operator, roster).await?;
                let women = [0, 2, 4, 6];
                let mut ids = Vec::new();
                for number in women {
                    ids.push(self.athlete(player, 0, number).await?.id);
                }
                let add = json!({ "roster_id": roster["id"], "athlete_ids": ids });
                player.call("admin.roster.add_athletes", &self.operator, add).await?;
                let publish = json!({ "roster_id": roster["id"], "published": true });
                player.call("admin.roster.set_published", &self.operator, publish).await?;
            }
            48 => {
                let announcement = json!({
                    "title": "Support is closed on Friday",
                    "body": "<p>We move to a new office and answer again on Monday.</p>",
                    "starts_at": now
                });
                player.call("admin.announcement.save", &self.operator, announcement).await?;
            }
            52 => {
                let group = json!({ "name": "Athletes", "kinds": ["athlete"] });
                let save = "admin.announcement.save_group";
                let group = player.call(save, &self.operator, group).await?;
                let announcement = json!({
                    "title": "Tax forms for this year",
                    "body": "<p>Please hand in your W-9 before the end of the year.</p>",
                    "group_id": group["id"], "starts_at": now + TimeDelta::days(5)
                });
                player.call("admin.announcement.save", &self.operator, announcement).await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The institution has been asked for public records.
    async fn note_records_request(&self, player: &Player) -> Result<(), Failure> {
        let today = utc_day(player.platform.now());
        let ago = |days: u64| today.checked_sub_days(Days::new(days)).unwrap_or(today).to_string();
        let request = json!({
            "requester": "Elaine Foster, Lakeshore Daily",
            "legal_basis": "The state's public records act: the institution is a public body.",
            "received_on": ago(2), "from": ago(182), "to": ago(2)
        });
        let officer = &self.owner(0)?.principal;
        player.call("compliance.records_request.note", officer, request).await?;
        Ok(())
    }

    /// A fan closes the account.
    async fn leave(&self, player: &Player) -> Result<(), Failure> {
        if let Some(fan) = self.fans.last() {
            let password = json!({ "password": PASSWORD });
            player.call("core.account.close", &fan.principal, password).await?;
        }
        Ok(())
    }

    /// A fan follows the athletes that registered first.
    pub(super) async fn follow(&self, player: &Player) -> Result<(), Failure> {
        let Some(fan) = self.fans.first() else {
            return Ok(());
        };
        for number in 0..5 {
            let athlete = self.athlete(player, 0, number).await?;
            let follow = json!({ "athlete_id": athlete.id });
            player.call("core.fan.follow_athlete", &fan.principal, follow).await?;
        }
        Ok(())
    }
}
