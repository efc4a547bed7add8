//! The platform's deals of the demonstration's year: posted, agreed, delivered, paid, refunded.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use chrono::{Days, NaiveDate};
use nil_core::auth::Principal;
use nil_core::kernel::{PayoutId, utc_day};
use nil_core::payments;
use serde_json::{Value, json};

use super::agency;
use super::banks;
use super::campaigns::{self, Campaign};
use super::people::{drawn, pick};
use super::player::{Person, Player};
use super::taxes;
use super::world::{WEEKS, World};
use crate::failure::Failure;

/// How many days a post stays up.
const LIVE_DAYS: i64 = 21;
/// Every so many deals, one is with an athlete who has an agent.
const WITH_AGENT: usize = 3;

/// What a brand asks in the chat, and what the athlete answers.
const TALKS: [(&str, &str); 7] = [
    ("Could you post before the weekend?", "Yes, Thursday after practice works."),
    ("Which size do you wear? We would like to send you something.", "Medium, thank you!"),
    ("Can the team be in the picture?", "Not in team clothes, my school asks. In our own: sure."),
    ("Are you at home on Saturday?", "We play away. I could do it on Sunday morning."),
    ("Would you say a sentence about how you train?", "Gladly. I will send you a draft first."),
    ("May we show the post in our shop?", "For the three weeks of the contract, yes."),
    ("Our photographer is free on Tuesday.", "Tuesday at four, by the east gate?"),
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
    /// Athletes who were paid, and whether they have a bank account.
    paid: HashMap<i64, bool>,
    /// Athletes whose money stays in their wallets, in the order in which they were paid.
    saving: Vec<i64>,
    /// The payouts of the last week.
    newest: Vec<Value>,
    /// The payments of the week that were not refunded.
    charged: Vec<i64>,
}

/// A job as a brand posts it, with two places; amounts in cents.
fn posting(number: usize, campaign: Campaign, today: NaiveDate) -> Value {
    let Campaign { title, category, amount, kind, description, .. } = campaign;
    let more = i64::try_from(drawn(u64::try_from(number).unwrap_or_default()) % 40)
        .unwrap_or_default()
        * 500;
    let day = |days: u64| today.checked_add_days(Days::new(days)).unwrap_or(today).to_string();
    json!({
        "title": title, "description": description, "category_id": category,
        "compensation": "cash", "amount_cents": amount + more, "slots": 2,
        "business_purpose": "Introduce our products to students of the region.",
        "usage_rights": { "days": LIVE_DAYS },
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
                Stage::Agreed => Self::deliver(player, world, deal, last).await?,
                Stage::Delivered => {
                    self.pay(player, world, deal, last).await?;
                    Stage::Over
                }
                Stage::Over => Stage::Over,
            };
        }
        let charged = std::mem::take(&mut self.charged);
        if let left @ 0..=3 = WEEKS - week {
            banks::week(player, &world.operator, &charged, left).await?;
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
        if last {
            at.extend([1, 0]);
        }
        for (place, college) in at.into_iter().enumerate() {
            // What begins last is still waiting for somebody.
            let waits = if last { Some(place) } else { None };
            self.begin(player, world, (week, college), waits).await?;
        }
        if last {
            self.leave_queues(player, world).await?;
        }
        Ok(())
    }

    /// The bank sends a payout of the last week back, and one waits for its athlete's bank account.
    async fn leave_queues(&self, player: &Player, world: &World) -> Result<(), Failure> {
        let sent = self.newest.iter().filter(|payout| payout["status"] == "in_transit");
        if let Some(id) = sent.filter_map(|payout| payout["id"].as_i64()).find_map(PayoutId::new) {
            payments::sandbox::return_payout(&player.platform, id).await?;
        }
        if let Some(id) = self.saving.iter().find(|id| self.paid.get(id) == Some(&false)) {
            player.call("admin.payout.trigger", &world.operator, json!({ "id": id })).await?;
        }
        Ok(())
    }

    async fn begin(
        &mut self,
        player: &Player,
        world: &World,
        (week, college): (usize, usize),
        waits: Option<usize>,
    ) -> Result<(), Failure> {
        let number = self.begun;
        self.begun += 1;
        let (brand, campaign) = (world.brand(number)?, campaigns::of(number));
        let athlete = chosen(number, week, &agency::clients(week, college));
        let athlete = world.athlete(player, college, athlete).await?;
        let second = world.athlete(player, college, number * 37 + 11).await?;
        let today = utc_day(player.platform.now());
        let posted = player
            .call("core.job.save", &brand.principal, posting(number, campaign, today))
            .await?;
        if matches!(waits, Some(0 | 4..)) {
            return Ok(()); // waiting for an operator's approval
        }
        let job = posted["id"].clone();
        let open = json!({ "job_id": job, "status": "open" });
        player.call("admin.job.decide_pending", &world.operator, open).await?;
        let apply = json!({ "job_id": job, "pitch": campaign.pitch });
        let application =
            player.call("core.application.apply", &athlete.principal, apply.clone()).await?;
        if number.is_multiple_of(2) || waits.is_some() {
            player.call("core.application.apply", &second.principal, apply).await?;
        }
        if waits == Some(1) {
            return Ok(()); // waiting for the brand
        }
        if number.is_multiple_of(3) {
            Self::talk(player, &brand, &athlete, number).await?;
        }
        let hire = json!({ "id": application["id"] });
        player.call("core.application.hire", &brand.principal, hire).await?;
        if waits.is_some() {
            return Ok(()); // waiting for the athlete
        }
        let confirm = json!({ "job_id": job });
        player.call("core.contract.confirm_availability", &athlete.principal, confirm).await?;
        if number % 7 == 1 {
            Self::share(player, &brand, &athlete, &job).await?;
        }
        if number % 13 == 5 {
            Self::put_off(player, &brand, &athlete, &job).await?;
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
    async fn talk(
        player: &Player,
        brand: &Person,
        athlete: &Person,
        number: usize,
    ) -> Result<(), Failure> {
        let (question, answer) = pick(&TALKS, number / 3).unwrap_or_default();
        for (from, to, text) in [(brand, athlete, question), (athlete, brand, answer)] {
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
        let comment =
            json!({ "id": added["id"], "text": "Thursday suits me: we have no practice." });
        player.call("core.deal_folder.comment", &athlete.principal, comment).await?;
        let edits = json!({ "id": added["id"], "note": "Please name the day." });
        player.call("core.deal_folder.request_edits", &athlete.principal, edits).await?;
        let file = json!({ "id": added["id"], "name": "brief.txt", "content": second });
        let added = player.call("core.deal_folder.replace", &brand.principal, file).await?;
        let comment = json!({ "id": added["id"], "text": "Done: Thursday it is." });
        player.call("core.deal_folder.comment", &brand.principal, comment).await?;
        let approved = json!({ "id": added["id"] });
        player.call("core.deal_folder.approve", &athlete.principal, approved).await?;
        Ok(())
    }

    /// The athlete asks for a later day, and the brand agrees.
    async fn put_off(
        player: &Player,
        brand: &Person,
        athlete: &Person,
        job: &Value,
    ) -> Result<(), Failure> {
        let which = json!({ "job_id": job });
        let list = "core.deliverable.outstanding";
        let outstanding = player.call(list, &athlete.principal, which).await?;
        let today = utc_day(player.platform.now());
        let later = today.checked_add_days(Days::new(16)).unwrap_or(today);
        let ask = json!({
            "job_id": job, "deliverable_id": outstanding[0]["id"],
            "proposed_due_on": later.to_string(),
            "reason": "We play away that week. Could it be four days later?"
        });
        let request = "core.contract.request_new_due_date";
        player.call(request, &athlete.principal, ask).await?;
        let accept = json!({ "job_id": job, "athlete_id": athlete.id, "kind": "EDD" });
        player.call("core.contract.accept_request", &brand.principal, accept).await?;
        Ok(())
    }

    /// The athlete submits, the brand approves; the last ones still wait for a review, one by the
    /// operators. A brand that does not answer is reported to the operators, who approve in its
    /// place.
    async fn deliver(
        player: &Player,
        world: &World,
        deal: &Running,
        last: bool,
    ) -> Result<Stage, Failure> {
        let job = json!({ "job_id": deal.job });
        let athlete = &deal.athlete.principal;
        let outstanding = player.call("core.deliverable.outstanding", athlete, job).await?;
        for deliverable in outstanding.as_array().into_iter().flatten() {
            let (number, id) = (deal.number, &deliverable["id"]);
            let post = json!({
                "deliverable_id": id, "post_url": post_url(number, id),
                "caption": campaigns::of(number).caption
            });
            player.call("core.deliverable.submit", athlete, post).await?;
            let silent = number % 53 == 20;
            if silent {
                let reason = "The brand has not answered for a week.";
                let ask = json!({ "job_id": deal.job, "reason": reason });
                player.call("core.job.request_manual_review_of_deal", athlete, ask).await?;
            }
            match (last, silent) {
                (true, _) if number.is_multiple_of(2) => {}
                (true, _) => {
                    let reason = "The post tags another company as well. Please have a look.";
                    let ask = json!({ "job_id": deal.job, "reason": reason });
                    let brand = &deal.brand.principal;
                    player.call("core.job.request_manual_review", brand, ask).await?;
                }
                (false, true) => {
                    let resolve = json!({
                        "job_id": deal.job, "approve_deliverable_id": id,
                        "note": "The post is as agreed."
                    });
                    let name = "admin.job.resolve_manual_review";
                    player.call(name, &world.operator, resolve).await?;
                }
                (false, false) => {
                    let fine = json!({ "deliverable_id": id, "status": "approved" });
                    let brand = &deal.brand.principal;
                    player.call("core.deliverable.change_status", brand, fine).await?;
                }
            }
        }
        if deal.number % 31 == 9 {
            // Approved, and never paid: it stays owed.
            return Ok(Stage::Over);
        }
        Ok(Stage::Delivered)
    }

    /// The brand pays with its card; some athletes are paid out, and some payments are refunded.
    async fn pay(
        &mut self,
        player: &Player,
        world: &World,
        deal: &Running,
        last: bool,
    ) -> Result<(), Failure> {
        let pay = json!({ "athlete_id": deal.athlete.id, "job_id": deal.job });
        let card = "core.payment.pay_with_saved_card";
        let payment = player.call(card, &deal.brand.principal, pay).await?;
        let (who, id) = (&deal.athlete.principal, deal.athlete.id);
        if let Entry::Vacant(first) = self.paid.entry(id) {
            first.insert(false);
            if !world.lacks_tax_form(&deal.athlete) {
                taxes::hand_in(player, &deal.athlete).await?;
            }
        }
        match deal.number % 17 {
            8 => {
                let why = "The post was taken down before its time.";
                return Self::refund(player, world, &payment, (None, why)).await;
            }
            15 => {
                let half = payment["amount_cents"].as_i64().unwrap_or_default() / 2;
                let why = "The post came late; both sides agreed on half.";
                return Self::refund(player, world, &payment, (Some(half), why)).await;
            }
            _ => self.charged.extend(payment["id"].as_i64()),
        }
        if deal.number % 3 == 2 {
            self.saving.push(id);
            return Ok(()); // the money stays in the wallet
        }
        if self.paid.insert(id, true) == Some(false) {
            connect(player, who).await?;
        }
        let payout =
            player.call("admin.payout.trigger", &world.operator, json!({ "id": id })).await?;
        if last {
            self.newest.push(payout);
        }
        Ok(())
    }

    async fn refund(
        player: &Player,
        world: &World,
        payment: &Value,
        (amount, why): (Option<i64>, &str),
    ) -> Result<(), Failure> {
        let refund = json!({
            "payment_id": payment["id"], "amount_cents": amount, "reason": why,
            "refund_fee": "proportional"
        });
        player.call("admin.payment.refund", &world.operator, refund).await?;
        Ok(())
    }
}

/// Opens a payout account with the processor's short form.
pub(crate) async fn connect(player: &Player, who: &Principal) -> Result<(), Failure> {
    let account = player.call("core.payout_account.create_express", who, json!({})).await?;
    let url = account["onboarding_url"].as_str().unwrap_or_default();
    payments::sandbox::open_onboarding(&player.platform, url).await?;
    player.call("core.payout_account.status", who, json!({})).await?;
    Ok(())
}

/// The athlete that a deal is with, by the number in the institution: some have an agent. One of
/// the newest deals is with the first athlete, whom everybody looks at.
fn chosen(number: usize, week: usize, clients: &[usize]) -> usize {
    let turn = number / WITH_AGENT;
    let client = turn.checked_rem(clients.len()).and_then(|at| clients.get(at));
    match client {
        _ if week + 1 == WEEKS && number.is_multiple_of(2) => 0,
        Some(client) if number % WITH_AGENT == 1 => *client,
        _ => number * 37,
    }
}

/// The address of a post. The sandbox of social networks says of some that they are gone, or that
/// nobody can see them.
fn post_url(number: usize, id: &Value) -> String {
    let fate = match number % 40 {
        24 => "gone/",
        29 => "undisclosed/",
        32 => "walled/",
        _ => "",
    };
    format!("https://www.instagram.com/p/{fate}nil{number}x{id}/")
}
