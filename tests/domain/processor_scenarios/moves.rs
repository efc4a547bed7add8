//! What happens in a scenario: what brands and operators do, and what the processor, banks and
//! owners of accounts do.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::payments;
use nil_core::storage::sql;
use nil_tests::ledgered::Trouble;
use nil_tests::{Answer, Draw as _};
use serde_json::{Value, json};

use super::Scenario;

impl Scenario<'_> {
    /// Some troubles of the next calls; often none. One that stalls takes a while.
    fn troubles(&self, most: usize) -> Vec<Trouble> {
        if self.one_in(2) {
            return Vec::new();
        }
        let trouble = || match Trouble::ALL[self.draw.below(8_usize)] {
            Trouble::Stalls if !self.one_in(6) => Trouble::Resets,
            trouble => trouble,
        };
        (0..=self.draw.below(most)).map(|_| trouble()).collect()
    }

    /// Calls an operation while calls of the processor fail, and events come before its answers.
    async fn call(&self, name: &str, who: &Principal, input: Value) -> Answer {
        self.keyed(name, who, input, None).await
    }

    async fn keyed(&self, name: &str, who: &Principal, input: Value, key: Option<&str>) -> Answer {
        let here = self.here;
        let (writes, reads) = (self.troubles(3), self.troubles(2));
        let early = self.one_in(3);
        self.say(format!("{name} {input}, troubles {writes:?}, of reads {reads:?}"));
        here.ledgered.next(&writes);
        here.ledgered.next_reads(&reads);
        let call = here.world.call_with_key(name, who, input, key);
        let answer = if early { self.with_early_events(call).await } else { call.await };
        let what = answer.body.get("code").unwrap_or(&answer.body["data"]["status"]);
        self.say(format!("{name}: {} {what}", answer.status));
        assert!(answer.status < 500 || answer.status == 503, "{name}: {}", answer.body);
        answer
    }

    async fn value(&self, text: &'static str) -> i64 {
        let mut session = self.here.world.platform.db().read().await.unwrap();
        session.value(sql(text)).await.unwrap()
    }

    /// The one charge.
    pub(super) async fn pay(&mut self) {
        let here = self.here;
        self.ways.refunds_after = if self.one_in(4) { 3 * 86_400 } else { 0 };
        here.ledgered.behaves(self.ways);
        self.say(format!("{:?}", self.ways));
        if self.subscribes {
            return self.subscribe().await;
        }
        let before = self.value("SELECT COUNT(*) FROM charge").await;
        let declined = !self.asks && self.one_in(10);
        let alone = declined || self.asks;
        let many = if alone || self.one_in(2) { 1 } else { 1 + self.draw.below(3_usize) };
        let (brand, mut lines) = match (declined, self.asks) {
            (true, _) => (&here.poor.0, vec![(here.payees[0].person.id, here.poor.1)]),
            (_, true) => (&here.careful.0, vec![(here.payees[0].person.id, here.careful.1)]),
            _ => (&here.brand, Vec::new()),
        };
        let first = self.draw.below(3_usize);
        for payee in here.payees.iter().cycle().skip(first).take(many).filter(|_| !alone) {
            lines.push((payee.person.id, payee.contract));
        }
        let lines: Vec<Value> = lines
            .into_iter()
            .map(|(athlete, contract)| {
                json!({ "athlete_id": athlete, "contract_id": contract,
                    "amount_cents": 1_000 + self.draw.below(30_000_i64) })
            })
            .collect();
        let who = &brand.principal;
        let (name, input) = if many == 1 && self.one_in(2) {
            ("core.payment.pay_with_saved_card", lines[0].clone())
        } else {
            let preview = json!({ "payments": lines });
            let summary = here.world.call("core.payment.bulk_summary", who, preview).await.data();
            let total = &summary["total_cents"];
            ("core.payment.pay_bulk", json!({ "payments": lines, "expected_total_cents": total }))
        };
        let key = here.world.number().to_string();
        for _ in 0..1 + self.draw.below(2_u32) {
            self.keyed(name, who, input.clone(), Some(&key)).await;
        }
        let after = self.value("SELECT COUNT(*) FROM charge").await;
        assert_eq!(after, before + 1, "one charge under one key");
        self.charge = self.value("SELECT MAX(id) FROM charge").await;
        let mut session = here.world.platform.db().read().await.unwrap();
        let made = sql("SELECT id FROM payment WHERE charge_id = $1 ORDER BY id");
        let made: Vec<(i64,)> = session.all(made.bind(self.charge)).await.unwrap();
        self.payments = made.into_iter().map(|(id,)| id).collect();
        assert_eq!(self.payments.len(), many);
        if many > 1 {
            self.meet("several payees");
        }
        if self.asks {
            self.ask_the_cardholder(who).await;
        }
    }

    /// A brand subscribes: the one charge is that of its subscription.
    async fn subscribe(&mut self) {
        const CHARGES: &str = "SELECT COUNT(*) FROM subscription_charge";
        let here = self.here;
        let brand = here.world.paying_partner(&format!("Brand {}", here.world.number())).await;
        let who = if self.one_in(10) { &here.poor.0.principal } else { &brand.principal };
        let before = self.value(CHARGES).await;
        let input = json!({ "plan_id": here.plan["id"] });
        let key = here.world.number().to_string();
        for _ in 0..1 + self.draw.below(2_u32) {
            let subscribe = "core.subscription.subscribe";
            self.keyed(subscribe, who, input.clone(), Some(&key)).await;
        }
        assert_eq!(self.value(CHARGES).await, before + 1, "one charge under one key");
        self.charge = self.value("SELECT MAX(id) FROM subscription_charge").await;
        let invoice = "SELECT invoice_id FROM subscription_period ORDER BY id DESC LIMIT 1";
        self.invoice = Some(self.value(invoice).await);
    }

    /// The cardholder is led to the bank, and confirms the charge or not.
    async fn ask_the_cardholder(&self, brand: &Principal) {
        let payment = self.payments[0];
        let fate = self.draw.below(6_u32);
        match fate {
            0 => self.say("nobody confirms it"),
            1 => drop(
                self.call("core.payment.give_up", brand, json!({ "payment_id": payment })).await,
            ),
            _ => {
                let back = "https://brand.example/back";
                let input = json!({ "payment_id": payment, "return_url": back });
                for _ in 0..1 + self.draw.below(2_u32) {
                    self.call("core.payment.confirm", brand, input.clone()).await;
                }
            }
        }
        let ours = format!(":charge:{}:", self.charge);
        let asked = self.here.ledgered.all("pi").into_iter().rfind(|intent| {
            let key = intent["metadata"]["nil_key"].as_str();
            key.is_some_and(|key| key.contains(&ours)) && intent["status"] == "requires_action"
        });
        let confirmed = fate > 2;
        let Some(asked) = asked else { return self.meet("not confirmed") };
        self.here.ledgered.confirm(asked["id"].as_str().unwrap(), confirmed);
        self.meet(if confirmed { "confirmed" } else { "not confirmed" });
        self.say(format!("the cardholder confirms: {confirmed}"));
    }

    /// Time passes, events arrive, and the worker looks after what is open.
    pub(super) async fn tick(&mut self) {
        let minutes = [0, 1, 20, 120, 500][self.draw.below(5_usize)];
        self.here.world.pass(TimeDelta::minutes(minutes));
        let (writes, reads) = (self.troubles(2), self.troubles(2));
        self.say(format!("{minutes} minutes, troubles {writes:?}, of reads {reads:?}"));
        self.here.ledgered.next(&writes);
        self.here.ledgered.next_reads(&reads);
        self.deliver_events(false).await;
        if self.one_in(2) {
            self.reconcile().await;
        }
        self.here.ledgered.next(&[]);
        self.here.ledgered.next_reads(&[]);
    }

    pub(super) async fn reconcile(&self) {
        let platform = &self.here.world.platform;
        let work = payments::reconcile(platform);
        let settled = if self.one_in(4) { self.with_early_events(work).await } else { work.await };
        self.say(format!("{:?}", settled.expect("a round")));
    }

    /// Something happens.
    pub(super) async fn go_on(&mut self) {
        match self.draw.below(18_u32) {
            0..=2 => self.pay_out().await,
            3 | 4 => self.refund().await,
            5 => self.dispute(),
            6 | 7 => self.turn_dispute(),
            8 => self.answer_dispute().await,
            9 | 10 => self.fail_refund(),
            11 | 12 => self.fail_payout(),
            13 => self.restrict(),
            14 => self.keep_back(),
            15 => self.outage().await,
            _ => self.pass_a_day().await,
        }
    }

    async fn pay_out(&self) {
        let finance = &self.here.finance;
        if self.one_in(4) {
            let failed = "SELECT COALESCE(MAX(id), 0) FROM payout WHERE status = 'failed'";
            let failed = self.value(failed).await;
            if failed > 0 {
                self.call("admin.payout.retry", finance, json!({ "id": failed })).await;
                return;
            }
        }
        let payee = self.draw.one_of(&self.here.payees);
        let said = self.call("admin.payout.trigger", finance, json!({ "id": payee.person.id }));
        if said.await.status == 200 {
            self.meet("payout");
        }
    }

    async fn refund(&self) {
        if let Some(invoice) = self.invoice {
            let rule = if self.one_in(2) { "full" } else { "unused" };
            let input = json!({ "invoice_id": invoice, "rule": rule, "reason": "Late.",
                "end_subscription": self.one_in(4) });
            let refund = "admin.subscription.refund";
            if self.call(refund, &self.here.finance, input).await.status == 200 {
                self.meet("subscription refunded");
            }
            return;
        }
        let payment = self.draw.one_of(&self.payments);
        let fee = ["none", "proportional", "all"][self.draw.below(3_usize)];
        let mut input = json!({ "payment_id": payment, "reason": "Late.", "refund_fee": fee,
            "allow_negative_balance": self.one_in(2) });
        if !self.one_in(3) {
            input["amount_cents"] = json!(1 + self.draw.below(9_000_i64));
        }
        if self.call("admin.payment.refund", &self.here.finance, input).await.status == 200 {
            self.meet("refund");
        }
    }

    /// The intent of our charge that succeeded, once there is one.
    pub(super) fn intent(&mut self) -> Option<String> {
        if self.intent.is_none() {
            let ours = format!(":{}:{}:", self.kind(), self.charge);
            let made = self.here.ledgered.all("pi").into_iter().rfind(|intent| {
                let key = intent["metadata"]["nil_key"].as_str();
                intent["status"] == "succeeded" && key.is_some_and(|key| key.contains(&ours))
            });
            self.intent = made.and_then(|made| made["id"].as_str().map(str::to_owned));
        }
        self.intent.clone()
    }

    /// The ids of objects about our charge.
    pub(super) fn about(&mut self, prefix: &str) -> Vec<(String, Value)> {
        let Some(intent) = self.intent() else { return Vec::new() };
        let all = self.here.ledgered.all(prefix).into_iter();
        let ours = all.filter(|object| object["payment_intent"] == intent.as_str());
        ours.map(|object| (object["id"].as_str().unwrap().to_owned(), object)).collect()
    }

    fn dispute(&mut self) {
        let Some(intent) = self.intent() else { return };
        let kinds = ["needs_response", "needs_response", "warning_needs_response", "warning"];
        let kind = kinds[self.draw.below(4_usize)];
        let most = if self.one_in(3) { 1 + self.draw.below(9_000_i64) } else { i64::MAX };
        let sent = self.here.ledgered.all("po");
        let sent = sent.get(self.sent_before..).unwrap_or_default();
        let any = |status: &str| sent.iter().any(|payout| payout["status"] == status);
        if let Some(id) = self.here.ledgered.dispute_part(&intent, kind, most) {
            self.meet(if self.subscribes {
                "subscription disputed"
            } else if any("paid") {
                "disputed after a payout"
            } else if any("in_transit") {
                "disputed during a payout"
            } else {
                "disputed before a payout"
            });
            self.say(format!("disputed as {kind}: {id}"));
            if kind == "warning_needs_response" && self.one_in(2) {
                self.turn(&id, "needs_response");
            }
        }
    }

    fn turn_dispute(&mut self) {
        let mut all = self.about("du");
        all.extend(self.about("issfr"));
        if all.is_empty() {
            return self.dispute();
        }
        let (id, dispute) = &all[self.draw.below(all.len())];
        let to = match dispute["status"].as_str().unwrap() {
            "warning" => "warning_closed",
            "warning_needs_response" => *self.draw.one_of(&["needs_response", "warning_closed"]),
            "lost" => "won",
            _ => *self.draw.one_of(&["won", "lost", "lost", "prevented"]),
        };
        self.turn(id, to);
        if to == "lost" && self.one_in(3) {
            self.turn(id, "won");
        }
    }

    pub(super) fn turn(&self, id: &str, to: &str) {
        let was = self.here.ledgered.all("du").into_iter().find(|dispute| dispute["id"] == id);
        if self.here.ledgered.turn_dispute(id, to, self.one_in(2)) {
            let was_lost = was.is_some_and(|was| was["status"] == "lost");
            self.meet(match to {
                "won" if was_lost => "decided anew",
                "needs_response" => "escalated",
                to => to,
            });
            self.say(format!("{id} is {to}"));
        }
    }

    async fn answer_dispute(&self) {
        let waits = "SELECT COALESCE(MAX(id), 0) FROM dispute WHERE status = 'needs_response'";
        let id = self.value(waits).await;
        if id == 0 {
            return;
        }
        let finance = &self.here.finance;
        if self.one_in(3) {
            let answer = json!({ "id": id, "statement": "The work was done." });
            self.call("admin.dispute.answer", finance, answer).await;
        } else {
            self.call("admin.dispute.accept", finance, json!({ "id": id })).await;
        }
    }

    fn fail_refund(&mut self) {
        let refunds = self.about("re");
        let Some((id, refund)) = refunds.last() else { return };
        if self.here.ledgered.fail_refund(id) {
            self.say(format!("refund {id} fails, which was {}", refund["status"]));
            if refund["status"] == "succeeded" {
                self.meet(if self.subscribes {
                    "refund of a subscription failed late"
                } else {
                    "refund failed late"
                });
            }
        }
    }

    fn fail_payout(&mut self) {
        let sent = self.here.ledgered.all("po");
        let Some(payout) = sent.get(self.sent_before..).and_then(<[Value]>::last) else { return };
        let id = payout["id"].as_str().unwrap();
        if !self.one_in(3) {
            self.say("two days");
            self.here.world.pass(TimeDelta::days(2));
            self.here.ledgered.grow_older();
        }
        let payout = self.here.ledgered.all("po").into_iter().find(|it| it["id"] == id).unwrap();
        if self.here.ledgered.fail_payout(id) {
            self.say(format!("payout {id} fails, which was {}", payout["status"]));
            if payout["status"] == "paid" {
                self.meet("payout failed late");
            }
        }
    }

    fn restrict(&self) {
        let account = &self.draw.one_of(&self.here.payees).account;
        if self.one_in(3) {
            self.here.ledgered.onboard(account);
            self.say(format!("{account} is restored"));
        } else {
            self.meet("restricted");
            let transfers_too = self.one_in(2);
            self.here.ledgered.restrict(account, transfers_too);
            self.say(format!("{account} is restricted, its transfers as well: {transfers_too}"));
        }
    }

    /// The processor keeps the whole balance back, or lets it go again.
    fn keep_back(&mut self) {
        let all = 1_000_000_000_000;
        self.ways.reserve = if self.ways.reserve == 0 { all } else { 0 };
        self.here.ledgered.behaves(self.ways);
        self.meet("reserve");
        self.say(format!("{:?}", self.ways));
    }

    /// Every call fails for some time, which may be more than a day.
    async fn outage(&mut self) {
        self.meet("outage");
        let kinds = [Trouble::FailsBefore, Trouble::Resets, Trouble::Busy, Trouble::Denied];
        let trouble = kinds[self.draw.below(4_usize)];
        let hours = [1, 3, 9, 26][self.draw.below(4_usize)];
        self.say(format!("{trouble:?} of every call for {hours} hours"));
        self.here.ledgered.lasting(Some(trouble));
        for part in [1, 2] {
            self.here.world.pass(TimeDelta::minutes(hours * 20 * part));
            self.deliver_events(false).await;
            self.reconcile().await;
        }
        self.here.ledgered.lasting(None);
    }

    /// A day passes: keys are forgotten, payouts arrive, and failed ones are attempted again.
    async fn pass_a_day(&self) {
        self.meet("day");
        let hours = if self.one_in(2) { 25 } else { 49 };
        self.here.world.pass(TimeDelta::hours(hours));
        self.here.ledgered.grow_older();
        let platform = &self.here.world.platform;
        let retried = payments::retry_payouts(platform).await.expect("a round");
        let swept = payments::sweep_payouts(platform).await.expect("a round");
        self.say(format!("{hours} hours, {retried:?}, {swept:?}"));
    }
}
