//! The platform's deals of the demonstration's year: posted, agreed, delivered, paid, refunded.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::collections::HashSet;

use chrono::{Days, NaiveDate};
use nil_core::auth::Principal;
use nil_core::payments;
use serde_json::{Value, json};

use super::people::{drawn, pick};
use super::player::{Person, Player};
use super::world::World;
use crate::failure::Failure;

/// Campaigns: title, category of jobs, amount in cents, the form of the post.
const CAMPAIGNS: [(&str, i64, i64, &str); 8] = [
    ("Season opener posts", 1, 80_000, "post"),
    ("Morning coffee story", 2, 25_000, "story"),
    ("Gym session reel", 3, 60_000, "reel"),
    ("Smile campaign", 1, 45_000, "post"),
    ("Autumn jacket launch", 23, 125_000, "reel"),
    ("Test drive weekend", 5, 150_000, "reel"),
    ("What I read this month", 1, 30_000, "post"),
    ("Lunch on campus", 22, 18_000, "story"),
];

/// How far a deal has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The contract is in force.
    Agreed,
    /// The work is approved.
    Delivered,
    /// Nothing more happens.
    Over,
}

/// A deal under way.
#[derive(Debug)]
struct Running {
    number: usize,
    brand: Person,
    athlete: Person,
    job: Value,
    stage: Stage,
}

/// The deals of the year so far.
#[derive(Debug, Default)]
pub(crate) struct Deals {
    running: Vec<Running>,
    begun: usize,
    /// Athletes with a bank account.
    connected: HashSet<i64>,
}

/// A job as a brand posts it, with two places; amounts in cents.
fn posting(number: usize, today: NaiveDate) -> Value {
    let (title, category, amount, kind) = pick(&CAMPAIGNS, number).unwrap_or_default();
    let more = i64::try_from(drawn(u64::try_from(number).unwrap_or_default()) % 40)
        .unwrap_or_default()
        * 500;
    let day = |days: u64| today.checked_add_days(Days::new(days)).unwrap_or(today).to_string();
    json!({
        "title": title,
        "description": "Show what we make in your own words, and say that it is an ad.",
        "category_id": category, "compensation": "cash", "amount_cents": amount + more, "slots": 2,
        "business_purpose": "Introduce our products to students of the region.",
        "milestones": [{
            "title": title, "platform": "instagram", "media_kind": kind, "due_on": day(12),
            "hashtags": ["#ad"]
        }]
    })
}

impl Deals {
    /// A week: what was agreed is delivered, what was delivered is paid, and new deals begin.
    pub(crate) async fn week(
        &mut self,
        player: &Player,
        world: &World,
        week: usize,
        last: bool,
    ) -> Result<(), Failure> {
        let mut running = std::mem::take(&mut self.running);
        for deal in &mut running {
            deal.stage = match deal.stage {
                Stage::Agreed => Self::deliver(player, deal, last).await?,
                Stage::Delivered => {
                    self.pay(player, world, deal).await?;
                    Stage::Over
                }
                Stage::Over => Stage::Over,
            };
        }
        running.retain(|deal| deal.stage != Stage::Over);
        self.running = running;
        let mut at = vec![0, 0];
        if week.is_multiple_of(2) {
            at.push(1);
        }
        if week % 3 == 1 || last {
            at.push(2);
        }
        for (place, college) in at.into_iter().enumerate() {
            // What begins last is still waiting for somebody.
            let waits = if last { Some(place) } else { None };
            self.begin(player, world, college, waits).await?;
        }
        Ok(())
    }

    async fn begin(
        &mut self,
        player: &Player,
        world: &World,
        college: usize,
        waits: Option<usize>,
    ) -> Result<(), Failure> {
        let number = self.begun;
        self.begun += 1;
        let brand = world.brand(number)?;
        let athlete = world.athlete(player, college, number * 37).await?;
        let second = world.athlete(player, college, number * 37 + 11).await?;
        let today = player.platform.now().date_naive();
        let posted = player.call("core.job.save", &brand.principal, posting(number, today)).await?;
        if waits == Some(0) {
            return Ok(()); // waiting for an operator's approval
        }
        let job = posted["id"].clone();
        let open = json!({ "job_id": job, "status": "open" });
        player.call("admin.job.decide_pending", &world.operator, open).await?;
        let apply = json!({ "job_id": job, "pitch": "I would love to: I use it every day." });
        let application =
            player.call("core.application.apply", &athlete.principal, apply.clone()).await?;
        if number.is_multiple_of(2) || waits.is_some() {
            player.call("core.application.apply", &second.principal, apply).await?;
        }
        if waits == Some(1) {
            return Ok(()); // waiting for the brand
        }
        if number.is_multiple_of(3) {
            Self::talk(player, &brand, &athlete).await?;
        }
        let hire = json!({ "id": application["id"] });
        player.call("core.application.hire", &brand.principal, hire).await?;
        if waits.is_some() {
            return Ok(()); // waiting for the athlete
        }
        let confirm = json!({ "job_id": job });
        player.call("core.contract.confirm_availability", &athlete.principal, confirm).await?;
        if number % 5 == 1 {
            Self::share(player, &brand, &athlete, &job).await?;
        }
        if number % 29 == 13 {
            let contract = player
                .call("core.deal.list", &athlete.principal, json!({ "job_id": job }))
                .await?[0]["contract"]["id"]
                .clone();
            let reason = "The shoot fell through, and both sides agree to end it.";
            let cancel = json!({ "contract_id": contract, "reason": reason });
            player.call("admin.job.cancel_contract", &world.operator, cancel).await?;
            return Ok(());
        }
        self.running.push(Running { number, brand, athlete, job, stage: Stage::Agreed });
        Ok(())
    }

    /// The brand asks, the athlete answers.
    async fn talk(player: &Player, brand: &Person, athlete: &Person) -> Result<(), Failure> {
        for (from, to, text) in [
            (brand, athlete, "Could you post before the weekend?"),
            (athlete, brand, "Yes, Thursday after practice works."),
        ] {
            let Principal::User { user_id, .. } = to.principal else {
                continue;
            };
            let send = json!({ "user_id": user_id, "text": text });
            player.call("core.chat.send", &from.principal, send).await?;
        }
        Ok(())
    }

    /// The brand shares a brief in the deal's folder; the athlete has it changed, then approves it.
    async fn share(
        player: &Player,
        brand: &Person,
        athlete: &Person,
        job: &Value,
    ) -> Result<(), Failure> {
        // "Brief: one post, our product in the first picture.\n" and the same with a day.
        let first = "QnJpZWY6IG9uZSBwb3N0LCBvdXIgcHJvZHVjdCBpbiB0aGUgZmlyc3QgcGljdHVyZS4K";
        let second =
            "QnJpZWY6IG9uZSBwb3N0IG9uIFRodXJzZGF5LCBvdXIgcHJvZHVjdCBpbiB0aGUgZmlyc3QgcGljdHVyZS4K";
        let file = json!({
            "job_id": job, "athlete_id": athlete.id, "name": "brief.txt", "content": first
        });
        let added = player.call("core.deal_folder.add", &brand.principal, file).await?;
        let edits = json!({ "id": added["id"], "note": "Please name the day." });
        player.call("core.deal_folder.request_edits", &athlete.principal, edits).await?;
        let file = json!({ "id": added["id"], "name": "brief.txt", "content": second });
        let added = player.call("core.deal_folder.replace", &brand.principal, file).await?;
        let approved = json!({ "id": added["id"] });
        player.call("core.deal_folder.approve", &athlete.principal, approved).await?;
        Ok(())
    }

    /// The athlete submits, the brand approves; the last ones still wait for a review.
    async fn deliver(player: &Player, deal: &Running, last: bool) -> Result<Stage, Failure> {
        let job = json!({ "job_id": deal.job });
        let athlete = &deal.athlete.principal;
        let outstanding = player.call("core.deliverable.outstanding", athlete, job).await?;
        for deliverable in outstanding.as_array().into_iter().flatten() {
            let (number, id) = (deal.number, &deliverable["id"]);
            let post = json!({
                "deliverable_id": id,
                "post_url": format!("https://www.instagram.com/p/nil{number}x{id}/"),
                "caption": "Proud to be part of it #ad"
            });
            player.call("core.deliverable.submit", athlete, post).await?;
            if !last {
                let fine = json!({ "deliverable_id": id, "status": "approved" });
                let brand = &deal.brand.principal;
                player.call("core.deliverable.change_status", brand, fine).await?;
            }
        }
        if deal.number % 31 == 9 {
            // Approved, and never paid: it stays owed.
            return Ok(Stage::Over);
        }
        Ok(Stage::Delivered)
    }

    /// The brand pays with its card; some athletes are paid out, and some payments are refunded.
    async fn pay(&mut self, player: &Player, world: &World, deal: &Running) -> Result<(), Failure> {
        let pay = json!({ "athlete_id": deal.athlete.id, "job_id": deal.job });
        let card = "core.payment.pay_with_saved_card";
        let payment = player.call(card, &deal.brand.principal, pay).await?;
        match deal.number % 17 {
            8 => return Self::refund(player, world, &payment, None).await,
            15 => {
                let half = payment["amount_cents"].as_i64().unwrap_or_default() / 2;
                return Self::refund(player, world, &payment, Some(half)).await;
            }
            _ => {}
        }
        if deal.number % 3 == 2 {
            return Ok(()); // the money stays in the wallet
        }
        let (who, id) = (&deal.athlete.principal, deal.athlete.id);
        if self.connected.insert(id) {
            let connect = "core.payout_account.create_express";
            let account = player.call(connect, who, json!({})).await?;
            let url = account["onboarding_url"].as_str().unwrap_or_default();
            payments::sandbox::open_onboarding(&player.platform, url).await?;
            player.call("core.payout_account.status", who, json!({})).await?;
        }
        player.call("admin.payout.trigger", &world.operator, json!({ "id": id })).await?;
        Ok(())
    }

    async fn refund(
        player: &Player,
        world: &World,
        payment: &Value,
        amount: Option<i64>,
    ) -> Result<(), Failure> {
        let refund = json!({
            "payment_id": payment["id"], "amount_cents": amount,
            "reason": "The post was taken down before its time.", "refund_fee": "proportional"
        });
        player.call("admin.payment.refund", &world.operator, refund).await?;
        Ok(())
    }
}
