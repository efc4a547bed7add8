//! Plans and who subscribes to them, for the suites about subscriptions.

use nil_core::auth::Permission;
use nil_core::kernel::Time;
use serde_json::{Value, json};

use crate::people::Person;
use crate::world::{Answer, World};

impl World {
    /// An operator's plan for brands: 49 dollars a month and a fee of five percent; `over` replaces
    /// fields.
    pub async fn plan(&self, over: Value) -> Value {
        let mut plan = json!({
            "name": "Growth", "price_cents": 4_900, "interval": "month", "fee_basis_points": 500,
            "features": ["Half the fee", "Reports"],
        });
        if let (Some(plan), Value::Object(over)) = (plan.as_object_mut(), over) {
            plan.extend(over);
        }
        let operator = self.operator(&[Permission::Finance]);
        self.call("admin.subscription_plan.save", &operator, plan).await.data()
    }

    /// Subscribes a caller to a plan.
    pub async fn subscribe(&self, who: &Person, plan: &Value) -> Answer {
        let input = json!({ "plan_id": plan["id"] });
        self.call("core.subscription.subscribe", &who.principal, input).await
    }

    /// Makes the change of plan that its preview shows.
    pub async fn change_plan(&self, who: &Person, plan: &Value) -> Answer {
        let preview = self.preview_change(who, plan).await.data();
        let input =
            json!({ "plan_id": plan["id"], "expected_total_cents": preview["total_cents"] });
        self.call("core.subscription.change", &who.principal, input).await
    }

    /// What a change of plan would cost.
    pub async fn preview_change(&self, who: &Person, plan: &Value) -> Answer {
        let input = json!({ "plan_id": plan["id"] });
        self.call("core.subscription.preview_change", &who.principal, input).await
    }

    /// The caller's subscription; null if there is none that continues.
    pub async fn subscription(&self, who: &Person) -> Value {
        self.call("core.subscription.current", &who.principal, json!({})).await.data()
    }

    /// Every invoice of a brand, newest first.
    pub async fn invoices(&self, partner: &Person) -> Vec<Value> {
        let all = json!({ "per_page": 100 });
        let all = self.call("core.partner.invoices", &partner.principal, all).await;
        all.data().as_array().cloned().expect("a list")
    }

    /// The amounts and number of charges at the processor.
    pub async fn charged(&self) -> (i64, usize) {
        let log = self.processor.sandbox().log().await.expect("the log");
        let good: Vec<i64> = log
            .iter()
            .filter(|entry| entry.kind == "charge" && entry.status == "succeeded")
            .map(|entry| entry.amount_cents.get())
            .collect();
        (good.iter().sum(), good.len())
    }

    /// Moves the clock to an instant.
    pub fn pass_until(&self, at: &str) {
        let at: Time = at.parse().expect("an instant");
        self.pass(at - self.platform.now());
    }
}
