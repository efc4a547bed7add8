//! What happens beside the deals of the demonstration's year: agents, services, subscriptions, an announcement.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use serde_json::json;

use super::people::pick;
use super::player::Player;
use super::world::World;
use crate::failure::Failure;

/// Services that athletes sell: title, kind, price in cents.
const SERVICES: [(&str, &str, i64); 4] = [
    ("Private lesson", "lesson", 8_000),
    ("Autographs for your team", "autograph", 12_000),
    ("A talk at your school", "speaking", 30_000),
    ("Appearance at your opening", "appearance", 45_000),
];

impl World {
    /// What begins in this week.
    pub(crate) async fn go_on(&self, player: &Player, week: usize) -> Result<(), Failure> {
        if week == 0 {
            self.offer_plan(player).await?;
        }
        if week % 5 == 2 {
            self.represent(player, week / 5).await?;
        }
        if week == 6 || week == 19 {
            self.subscribe(player, week).await?;
        }
        if week % 4 == 3 {
            self.order(player, week / 4).await?;
        }
        if week == 48 {
            let announcement = json!({
                "title": "Support is closed on Friday",
                "body": "<p>We move to a new office and answer again on Monday.</p>",
                "starts_at": player.platform.now()
            });
            player.call("admin.announcement.save", &self.operator, announcement).await?;
        }
        Ok(())
    }

    /// An agent invites an athlete, who accepts; every fourth declines, and one later ends it.
    async fn represent(&self, player: &Player, number: usize) -> Result<(), Failure> {
        let (Some(agent), athlete) = (
            self.agents.get(number % self.agents.len().max(1)),
            self.athlete(player, 0, number).await?,
        ) else {
            return Ok(());
        };
        let commission = 500 + 250 * i64::try_from(number % 4).unwrap_or_default();
        let invite = json!({ "email": athlete.email, "commission_basis_points": commission });
        let invited = player.call("core.agent.invite_athlete", &agent.principal, invite).await?;
        let answer = json!({ "representation_id": invited["id"], "accept": number % 4 != 3 });
        player.call("core.athlete.respond_agent_invitation", &athlete.principal, answer).await?;
        if number == 5 {
            let end = json!({ "representation_id": invited["id"] });
            player.call("core.athlete.end_representation", &athlete.principal, end).await?;
        }
        Ok(())
    }

    async fn offer_plan(&self, player: &Player) -> Result<(), Failure> {
        let plan = json!({
            "name": "Growth", "price_cents": 4_900, "interval": "month", "fee_basis_points": 500,
            "features": ["Half the fee", "Reports"]
        });
        player.call("admin.subscription_plan.save", &self.operator, plan).await?;
        Ok(())
    }

    async fn subscribe(&self, player: &Player, week: usize) -> Result<(), Failure> {
        let brand = self.brand(week)?;
        let plans = player.call("core.subscription.plans", &brand.principal, json!({})).await?;
        let plan = json!({ "plan_id": plans[0]["id"] });
        player.call("core.subscription.subscribe", &brand.principal, plan).await?;
        Ok(())
    }

    /// A brand orders a service; how the order ends depends on its number.
    async fn order(&self, player: &Player, number: usize) -> Result<(), Failure> {
        let (brand, athlete) =
            (self.brand(number + 3)?, self.athlete(player, 0, number * 29 + 20).await?);
        let (title, kind, price) = pick(&SERVICES, number).unwrap_or_default();
        let offer = json!({
            "title": title, "description": "We agree on day and place together.", "kind": kind,
            "price_cents": price, "delivery_days": 10
        });
        let offer = player.call("core.service_offer.save", &athlete.principal, offer).await?;
        let place = json!({ "offer_id": offer["id"] });
        let order = player.call("core.service_order.place", &brand.principal, place).await?;
        let id = json!({ "id": order["id"] });
        let (of_athlete, of_brand) = (&athlete.principal, &brand.principal);
        match number % 6 {
            0 | 3 => {
                player.call("core.service_order.accept", of_athlete, id.clone()).await?;
                player.call("core.service_order.deliver", of_athlete, id.clone()).await?;
                player.call("core.service_order.complete", of_brand, id).await?;
            }
            1 => {
                let no = json!({ "id": order["id"], "reason": "It is the week of my exams." });
                player.call("core.service_order.decline", of_athlete, no).await?;
            }
            2 => {
                let no = json!({ "id": order["id"], "reason": "Our opening has moved." });
                player.call("core.service_order.cancel", of_brand, no).await?;
            }
            4 => {
                // The brand never reviews it: silence approves it.
                player.call("core.service_order.accept", of_athlete, id.clone()).await?;
                player.call("core.service_order.deliver", of_athlete, id).await?;
            }
            _ => {} // The athlete does not answer: it expires.
        }
        Ok(())
    }
}
