//! Services that athletes offer, and orders of them.

use serde_json::{Value, json};

use crate::people::Person;
use crate::world::World;

impl World {
    /// An offer of a lesson for 80 dollars; `over` replaces fields.
    pub async fn offer(&self, athlete: &Person, over: Value) -> Value {
        let mut offer = json!({
            "title": "Shooting lesson", "description": "An hour on the court.", "kind": "lesson",
            "price_cents": 8_000, "delivery_days": 10,
        });
        if let (Some(offer), Value::Object(over)) = (offer.as_object_mut(), over) {
            offer.extend(over);
        }
        let saved = self.call("core.service_offer.save", &athlete.principal, offer);
        saved.await.data()
    }

    /// The brand orders a new offer of the athlete; returns the order's id.
    pub async fn order(&self, partner: &Person, athlete: &Person) -> i64 {
        let offer = self.offer(athlete, json!({})).await;
        let place = json!({ "offer_id": offer["id"] });
        let order = self.call("core.service_order.place", &partner.principal, place);
        order.await.data()["id"].as_i64().expect("an id")
    }

    /// The brand orders a new offer of the athlete, who accepts the order; returns the order's id.
    pub async fn accepted_order(&self, partner: &Person, athlete: &Person) -> i64 {
        let id = self.order(partner, athlete).await;
        let accept = "core.service_order.accept";
        let accepted = self.call(accept, &athlete.principal, json!({ "id": id }));
        accepted.await.data();
        id
    }

    /// The brand orders a new offer of the athlete, who accepts the order and delivers; returns the
    /// order's id.
    pub async fn delivered_order(&self, partner: &Person, athlete: &Person) -> i64 {
        let id = self.accepted_order(partner, athlete).await;
        let deliver = "core.service_order.deliver";
        let delivered = self.call(deliver, &athlete.principal, json!({ "id": id }));
        delivered.await.data();
        id
    }

    /// An order as one of its sides sees it.
    pub async fn order_as(&self, side: &Person, id: i64) -> Value {
        let orders = self.call("core.service_order.list", &side.principal, json!({}));
        let orders = orders.await.data();
        let mut orders = orders.as_array().expect("a list").iter();
        let order = orders.find(|order| order["id"] == id);
        order.expect("the order").clone()
    }
}
