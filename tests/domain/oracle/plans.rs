//! The steps of a walk that change a plan and give days of it back.

use nil_tests::Draw as _;
use serde_json::json;

use super::books::{Fate, Layer};
use super::{Open, Walk};

impl Walk<'_> {
    pub(super) async fn change_plan(&mut self) -> &'static str {
        let now = self.period.layers.iter().map(|layer| layer.price).max().unwrap();
        let dearer: Vec<usize> =
            (0..self.plans.len()).filter(|at| self.plans[*at].1 > now).collect();
        let left = self.days_left();
        if dearer.is_empty() || left <= 0 || matches!(self.open, Some(Open::Change)) {
            return "no dearer plan";
        }
        let (plan, price) = self.plans[*self.random.one_of(&dearer)].clone();
        let (total, credited) = self.period.change(price, left);
        let shown = self.world.preview_change(&self.brand, &plan).await.data();
        assert_eq!(shown["total_cents"], total, "{:?} {shown}", self.period);
        let lost = total > 0 && self.is_lost();
        self.world.change_plan(&self.brand, &plan).await.data();
        let invoice = if total > 0 { self.newest_invoice().await } else { 0 };
        let layer = Layer { invoice, charged: total, credited, price, given_back: 0 };
        if lost {
            (self.open, self.wanted) = (Some(Open::Change), Some(layer));
        } else {
            self.changed(layer);
        }
        "change the plan"
    }

    pub(super) fn changed(&mut self, layer: Layer) {
        self.books.subscriptions += layer.charged;
        self.books.charged(layer.charged);
        self.period.layers.push(layer);
    }

    pub(super) async fn give_back(&mut self) -> &'static str {
        let left = self.days_left();
        let at =
            usize::try_from(self.random.below(u64::try_from(self.period.layers.len()).unwrap()));
        let at = at.unwrap();
        if left <= 0 || self.period.layers[at].charged == 0 {
            return "nothing to give back";
        }
        let rule = *self.random.one_of(&["full", "unused", "unused"]);
        let cents = self.period.refund(at, rule, left);
        let lost = cents.is_some() && self.is_lost();
        let invoice = self.period.layers[at].invoice;
        let input = json!({ "invoice_id": invoice, "rule": rule, "reason": "Walk." });
        let answer = self.operator("admin.subscription.refund", input).await;
        let Some(cents) = cents else {
            let none = ["not_refundable", "refund_period_over"];
            assert!(none.contains(&answer.code()), "{:?}: {}", self.period, answer.body);
            return "given back before";
        };
        if answer.status == 409 {
            assert_eq!((rule, answer.code()), ("full", "refund_period_over"));
            self.world.processor.next(&[]);
            return "too late for all of it";
        }
        let shown = answer.data();
        assert_eq!(shown["amount_cents"], cents, "{:?}", self.period);
        self.period.layers[at].given_back += cents;
        self.books.subscriptions -= cents;
        self.books.refunding += cents;
        if lost {
            self.open = Some(Open::GivenBack(at, cents));
        } else {
            self.given_back(at, cents, Fate::Done);
        }
        "give days back"
    }

    pub(super) fn given_back(&mut self, at: usize, cents: i64, fate: Fate) {
        self.books.refunding -= cents;
        if fate == Fate::Done {
            self.books.cards -= cents;
        } else {
            self.books.subscriptions += cents;
            self.period.layers[at].given_back -= cents;
        }
    }
}
