//! An oracle of taxes: books that this test keeps by itself, from what callers did, over random
//! walks across New Year. They give each payee's gross, withheld tax and returns, by year and
//! payer, and must agree with what the platform says.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, TimeDelta, Utc};
use chrono_tz::Tz;
use nil_core::kernel::{PayoutId, SeededRandom};
use nil_core::payments::{self, sandbox};
use nil_tests::{Deal, Draw as _, Engine, Person, World, both, usual_or_long};
use serde_json::json;

use crate::tax_forms::{hand_in, w9};
use crate::tax_returns::{exported, lines};
use crate::tax_years::{call, stated_payer};

/// The states of the payers, with their zones.
const PAYERS: [(&str, &str, Tz); 3] = [
    ("Cedar Coffee", "NY", Tz::America__New_York),
    ("Harbor Books", "HI", Tz::Pacific__Honolulu),
    ("Corner Bakery", "GU", Tz::Pacific__Guam),
];
const LINE: i64 = 200_000;

/// What a payee got by a payment, as the test knows it.
#[derive(Clone, Debug)]
struct Got {
    payment: i64,
    payer: usize,
    payee: String,
    at: DateTime<Utc>,
    gross: i64,
    withheld: i64,
    /// What went back in the payment's own year.
    refunded: i64,
    unwithheld: i64,
    /// What went back at all.
    back: i64,
}

impl Got {
    fn year(&self) -> i64 {
        year(self.at, self.payer)
    }
}

fn year(at: DateTime<Utc>, payer: usize) -> i64 {
    i64::from(at.with_timezone(&PAYERS[payer].2).year())
}

/// `amount × part ÷ whole`, rounded half to even.
fn part(amount: i64, part: i64, whole: i64) -> i64 {
    let (amount, part, whole) = (i128::from(amount), i128::from(part), i128::from(whole));
    let (down, rest) = (amount * part / whole, amount * part % whole);
    let up = rest * 2 > whole || (rest * 2 == whole && down % 2 == 1);
    i64::try_from(down).unwrap() + i64::from(up)
}

struct Walk {
    world: World,
    random: SeededRandom,
    payers: Vec<Person>,
    /// The payees by name, such as `athlete:1`; the last one is the second athlete's agent.
    payees: Vec<(String, Person)>,
    /// Deals that are not paid whole, with payer and athlete.
    deals: Vec<(usize, usize, Deal)>,
    /// Whose payments tax is withheld from now.
    noticed: Vec<String>,
    books: Vec<Got>,
    /// What was filed: payer, payee, box 1 and withheld tax, by year.
    filed: BTreeMap<i64, Vec<Line>>,
    /// Wallets and debts, as one sum.
    holds: BTreeMap<String, i64>,
    payments: i64,
}

type Line = (String, String, i64, i64);

impl Walk {
    async fn new(engine: Engine, seed: u64) -> Self {
        let world = World::on(engine).await;
        let mut payers = Vec::new();
        for (name, state, _) in PAYERS {
            payers.push(stated_payer(&world, name, state).await);
        }
        let mut payees = Vec::new();
        for (at, tin) in ["219-09-9999", "457-55-5462"].into_iter().enumerate() {
            let athlete = world.athlete("Jordan Lake").await;
            world.can_receive(&athlete).await;
            let mut form = w9(tin);
            form["last_name"] = json!(format!("Payee {at}"));
            hand_in(&world, &athlete, form).await.data();
            payees.push((format!("athlete:{}", athlete.id), athlete));
        }
        let agent = world.agent("North Agency").await;
        let mut form = w9("219-10-9998");
        form["last_name"] = json!("Payee 2");
        hand_in(&world, &agent, form).await.data();
        world.represent(&agent, &payees[1].1, 2_000).await;
        payees.push((format!("agent:{}", agent.id), agent));
        let mut walk = Self {
            world,
            random: SeededRandom::new(seed),
            payers,
            payees,
            deals: Vec::new(),
            noticed: Vec::new(),
            books: Vec::new(),
            filed: BTreeMap::new(),
            holds: BTreeMap::new(),
            payments: 0,
        };
        for _ in 0..5 {
            walk.deal().await;
        }
        walk
    }

    async fn deal(&mut self) {
        let (payer, athlete) = (self.random.below(3_usize), self.random.below(2_usize));
        let cents = || {
            let most = *self.random.one_of(&[50, 60_000, 400_000]);
            1 + self.random.below::<i64>(most)
        };
        let amounts = [cents(), cents(), 200_000 - cents().min(199_999), 7];
        let who = &self.payees[athlete].1;
        let deal = self.world.approved_deal(&self.payers[payer], who, &amounts).await;
        self.deals.push((payer, athlete, deal));
    }

    fn sums(&self, payer: usize, payee: &str, of: i64) -> (i64, i64) {
        let ours = self.books.iter();
        let ours = ours.filter(|got| got.payer == payer && got.payee == payee && got.year() == of);
        ours.fold((0, 0), |(gross, withheld), got| {
            (gross + got.gross - got.refunded, withheld + got.withheld - got.unwithheld)
        })
    }

    /// Books what a payee got: tax is due from whoever has a notice, from the payment that reaches
    /// the line on, and in the year after one that was reported.
    fn book(&mut self, payer: usize, payee: &str, gross: i64) {
        if gross == 0 {
            return;
        }
        let at = self.world.platform.now();
        let now = year(at, payer);
        let last = self.sums(payer, payee, now - 1);
        let line = self.sums(payer, payee, now).0 + gross >= LINE;
        let due =
            self.noticed.iter().any(|one| one == payee) && (line || last.0 >= LINE || last.1 > 0);
        let withheld = if due { part(gross, 24, 100) } else { 0 };
        let payee = payee.to_owned();
        let payment = self.payments;
        self.books.push(Got {
            payment,
            payer,
            payee,
            at,
            gross,
            withheld,
            refunded: 0,
            unwithheld: 0,
            back: 0,
        });
    }

    async fn pay(&mut self) {
        let at = self.random.below(self.deals.len());
        let (payer, athlete, deal) = self.deals.swap_remove(at);
        let mut input =
            json!({ "athlete_id": self.payees[athlete].1.id, "contract_id": deal.contract_id });
        let whole = self.random.below(2) == 0;
        if !whole {
            input["deliverable_ids"] = json!([deal.deliverable_ids[0]]);
        }
        let name = "core.payment.pay_with_saved_card";
        let answer = self.world.call(name, &self.payers[payer].principal, input).await;
        let is_paid = answer.status == 200;
        if is_paid {
            let payment = answer.data();
            self.payments = payment["id"].as_i64().unwrap();
            let amount = payment["amount_cents"].as_i64().unwrap();
            let commission = payment["agent_commission_cents"].as_i64().unwrap();
            let [whom, agent] = [athlete, 2].map(|at| self.payees[at].0.clone());
            *self.holds.entry(whom.clone()).or_default() += amount - commission;
            *self.holds.entry(agent.clone()).or_default() += commission;
            self.book(payer, &whom, amount);
            self.book(payer, &agent, commission);
        }
        if !whole && is_paid {
            self.deals.push((payer, athlete, deal));
        } else {
            self.deal().await;
        }
    }

    async fn refund(&mut self) {
        if self.payments == 0 {
            return;
        }
        let id = 1 + self.random.below::<i64>(self.payments);
        let mut input =
            json!({ "payment_id": id, "reason": "Agreed.", "allow_negative_balance": true });
        if self.random.below(3) > 0 {
            input["amount_cents"] = json!(1 + self.random.below::<i64>(40_000));
        }
        let now = self.world.platform.now();
        let answer = call(&self.world, "admin.payment.refund", input).await;
        if answer.status != 200 {
            return;
        }
        let refund = answer.data();
        assert_eq!(refund["status"], "succeeded");
        let [amount, commission] =
            ["amount_cents", "commission_cents"].map(|cents| refund[cents].as_i64().unwrap());
        for got in self.books.iter_mut().filter(|got| got.payment == id) {
            let agent = got.payee.starts_with("agent");
            let cents = if agent { commission } else { amount };
            *self.holds.entry(got.payee.clone()).or_default() -=
                if agent { commission } else { amount - commission };
            if got.year() == year(now, got.payer) && cents > 0 {
                got.unwithheld += part(got.withheld - got.unwithheld, cents, got.gross - got.back);
                got.refunded += cents;
            }
            got.back += cents;
        }
    }

    async fn notice(&mut self) {
        let at = self.random.below(self.payees.len());
        let (name, person) = &self.payees[at];
        let (name, id) = (name.clone(), person.id);
        let known = self.noticed.iter().position(|one| *one == name);
        let field = if name.starts_with("agent") { "agent_id" } else { "athlete_id" };
        let input =
            json!({ field: id, "active": known.is_none(), "notice": "b_notice", "reason": "x" });
        call(&self.world, "admin.tax.set_withholding", input).await.data();
        match known {
            Some(at) => drop(self.noticed.remove(at)),
            None => self.noticed.push(name),
        }
    }

    /// Payouts move money, and no tax.
    async fn pay_out(&self) {
        let athlete = &self.payees[self.random.below(2_usize)].1;
        call(&self.world, "admin.payout.trigger", json!({ "id": athlete.id })).await;
        let last = "SELECT COALESCE(MAX(id), 0) FROM payout";
        let last = self.world.id(last).await;
        for id in 1..=last {
            let id = PayoutId::new(id).unwrap();
            match self.random.below(6) {
                0 => drop(sandbox::return_payout(&self.world.platform, id).await),
                1..=3 => drop(sandbox::let_arrive(&self.world.platform, id).await),
                _ => {}
            }
        }
    }

    /// The year is filed, if it is over; the books note what stood on the returns that were not
    /// filed yet. Nothing that follows is a reason for a corrected one.
    async fn file(&mut self, of: i64) {
        let answer = call(&self.world, "admin.tax.file_returns", json!({ "year": of })).await;
        let over = self.world.platform.now()
            >= format!("{}-01-01T14:00:00Z", of + 1).parse::<DateTime<Utc>>().unwrap();
        assert_eq!(answer.status, if over { 200 } else { 422 });
        if over {
            assert_eq!(answer.data()["corrected"], 0);
            let due = self.due(of);
            self.filed.entry(of).or_insert(due);
        }
    }

    /// The returns that are due for a year, by these books.
    fn due(&self, of: i64) -> Vec<Line> {
        let mut due = Vec::new();
        for (payer, (company, ..)) in PAYERS.iter().enumerate() {
            for (at, (payee, _)) in self.payees.iter().enumerate() {
                let (gross, withheld) = self.sums(payer, payee, of);
                if gross >= LINE || withheld > 0 {
                    due.push(((*company).to_owned(), format!("Payee {at}"), gross, withheld));
                }
            }
        }
        due
    }

    async fn step(&mut self) {
        match self.random.below(12) {
            0..=4 => self.pay().await,
            5 | 6 => self.refund().await,
            7 => self.notice().await,
            8 | 9 => self.pay_out().await,
            10 => self.world.pass(TimeDelta::hours(self.random.below::<i64>(60))),
            _ => self.file(2026).await,
        }
    }

    async fn compare(&self) {
        for of in [2026, 2027] {
            let expected = self.filed.get(&of).cloned().unwrap_or_else(|| self.due(of));
            let files = exported(&self.world, of).await;
            let file = files.get(&format!("1099-nec-{of}-001.csv"));
            let said: Vec<Line> = file.map_or_else(Vec::new, |file| {
                let cents = |text: &str| text.replace('.', "").parse().unwrap();
                let line = |line: &BTreeMap<String, String>| {
                    (
                        line["Payer Business or Entity Name Line 1"].clone(),
                        line["Recipient Last Name (Surname)"].clone(),
                        cents(&line["Box 1 - Nonemployee Compensation"]),
                        cents(&line["Box 4 - Federal income tax withheld"]),
                    )
                };
                lines(file).iter().map(line).collect()
            });
            assert_eq!(said, expected, "{of}");
            assert!(!files.keys().any(|name| name.contains("corrected")));
            for (name, person) in self.payees.iter().take(2) {
                let summary = self.world.call(
                    "core.payment.tax_summary",
                    &person.principal,
                    json!({ "year": of }),
                );
                let summary = summary.await.data();
                let payers = summary["payers"].as_array().unwrap();
                for (payer, (company, ..)) in PAYERS.iter().enumerate() {
                    let row = payers.iter().find(|row| row["company_name"] == *company);
                    let cents = |field: &str| row.map_or(0, |row| row[field].as_i64().unwrap());
                    let sums = (cents("net_cents"), cents("withheld_cents"));
                    assert_eq!(sums, self.sums(payer, name, of), "{name} {company} {of}");
                }
            }
        }
        for (name, person) in &self.payees {
            let wallet =
                self.world.call("core.wallet.show", &person.principal, json!({})).await.data();
            let cents = |field: &str| wallet[field].as_i64().unwrap();
            let ours = self.books.iter().filter(|got| got.payee == *name);
            let withheld: i64 = ours.map(|got| got.withheld - got.unwithheld).sum();
            assert_eq!(cents("withheld_cents"), withheld, "{name}");
            let all: i64 = ["balance_cents", "under_way_cents", "paid_out_cents", "withheld_cents"]
                .map(cents)
                .iter()
                .sum();
            let holds = self.holds.get(name).copied().unwrap_or_default();
            assert_eq!(all - cents("owed_back_cents"), holds, "{name}");
        }
    }
}

async fn returns_are_what_the_payments_of_the_year_were(engine: Engine) {
    let walks = usual_or_long(engine, (5, 2), 200);
    for seed in 0..walks {
        println!("seed {seed}");
        let mut walk = Walk::new(engine, seed).await;
        walk.world.pass_until("2026-12-20T12:00:00Z");
        for _ in 0..9 {
            walk.step().await;
        }
        // Around New Year, which comes to Guam, New York and Honolulu at three times.
        for at in [
            "2026-12-31T13:30:00Z",
            "2026-12-31T14:30:00Z",
            "2027-01-01T04:59:00Z",
            "2027-01-01T05:01:00Z",
            "2027-01-01T09:59:00Z",
            "2027-01-01T10:00:00Z",
        ] {
            if walk.world.platform.now() < at.parse::<DateTime<Utc>>().unwrap() {
                walk.world.pass_until(at);
            }
            walk.pay().await;
            walk.step().await;
        }
        walk.compare().await;
        for _ in 0..10 {
            walk.step().await;
        }
        if walk.world.platform.now() < "2027-01-20T12:00:00Z".parse::<DateTime<Utc>>().unwrap() {
            walk.world.pass_until("2027-01-20T12:00:00Z");
        }
        walk.file(2026).await;
        for _ in 0..8 {
            walk.step().await;
        }
        payments::reconcile(&walk.world.platform).await.unwrap();
        walk.compare().await;
        walk.world.books_are_right().await;
    }
}

both!(returns_are_what_the_payments_of_the_year_were);
