//! The names behind the notation of the audit trail, such as `portal_user:7`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::console::call::{Page, one};
use crate::console::part::Part as _;
use crate::console::table::rows_of;
use crate::console::words;

/// The most people of a team whose names are known.
const MOST: i64 = 100;

/// The names of those who acted.
#[derive(Debug, Default)]
pub(super) struct People(BTreeMap<String, String>);

impl People {
    /// The institution's own people.
    pub(super) async fn of(page: &Page<'_>) -> Self {
        let asked = one("per_page", MOST);
        let team = page.part("portal_user.list", asked).await.unwrap_or_default();
        let named = |row: &Value| {
            let id = row.part("id").as_i64()?;
            Some((format!("portal_user:{id}"), row.text("name").to_owned()))
        };
        Self(rows_of(&team).iter().filter_map(named).collect())
    }

    /// The same with somebody else.
    pub(super) fn with(mut self, kind: &str, id: &Value, name: &str) -> Self {
        if let Some(id) = id.as_i64().filter(|_| !name.is_empty()) {
            self.0.insert(format!("{kind}:{id}"), name.to_owned());
        }
        self
    }

    /// The name of whoever acted.
    pub(super) fn name(&self, actor: &str) -> String {
        match (self.0.get(actor), actor) {
            (Some(name), _) => name.clone(),
            (None, "") => String::new(),
            (None, actor) => words::word(&actor.replace(':', " ")),
        }
    }
}
