//! Brands whose endpoints want every event, so that what they are told can be compared with what
//! is published.

use std::collections::BTreeMap;

use nil_core::feed::{Event, HookOwner, Reader};
use nil_core::storage::sql;
use serde_json::json;

use crate::people::Person;
use crate::world::World;

/// A brand that does this is answered at once, and only told of what is known later: its endpoint
/// hears both.
const AT_ONCE: [Event; 1] = [Event::PaymentSucceeded];

/// The events that brands are told of, and can hear.
fn for_brands() -> impl Iterator<Item = Event> {
    let all = Event::ALL.iter().copied();
    all.filter(|event| {
        event.is_heard_by(HookOwner::Brand) && event.row().to.contains(&Reader::Brand)
    })
}

impl World {
    /// Gives a brand an endpoint for all of them. Nothing listens there.
    pub async fn hears_everything(&self, brand: &Person) {
        let events: Vec<&str> = for_brands().map(|event| event.as_str()).collect();
        let endpoint = json!({ "url": "https://hooks.example/nil", "events": events });
        self.call("core.webhook.save", &brand.principal, endpoint).await.data();
    }

    /// Panics unless as many deliveries to the brand's endpoint were written as messages to the
    /// brand, of each event. No worker may have run. Returns how many there were.
    pub async fn heard_what_it_was_told(&self, brand: &Person) -> i64 {
        let mut session = self.platform.db().read().await.expect("a reader");
        let told = sql("SELECT event, COUNT(*) FROM outbox WHERE channel = 'event' \
                        AND recipient = $1 GROUP BY event")
        .bind(format!("user:{}", brand.user_id));
        let told: Vec<(String, i64)> = session.all(told).await.expect("messages");
        let heard = sql("SELECT d.event, COUNT(*) FROM webhook_delivery d \
                         JOIN webhook_endpoint e ON e.id = d.endpoint_id \
                         WHERE e.partner_id = $1 GROUP BY d.event")
        .bind(brand.id);
        let heard: Vec<(String, i64)> = session.all(heard).await.expect("deliveries");
        let counted = |rows: Vec<(String, i64)>| {
            let mut rows: BTreeMap<String, i64> = rows.into_iter().collect();
            rows.retain(|name, _| for_brands().any(|event| event.as_str() == name));
            rows
        };
        let (told, mut heard) = (counted(told), counted(heard));
        let all = heard.values().sum();
        for event in AT_ONCE {
            let later = told.get(event.as_str()).copied().unwrap_or_default();
            if let Some(heard) = heard.get_mut(event.as_str()) {
                *heard = later.min(*heard);
            }
        }
        heard.retain(|_, count| *count > 0);
        assert_eq!(told, heard, "the brand was told, and its endpoint heard");
        all
    }
}
