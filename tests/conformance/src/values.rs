//! Values that a table leaves open: ids of records that scenes make, facts of accounts, days.
//!
//! | text | value |
//! |---|---|
//! | `@athlete.id` | a fact of an account: its record's `id`, its `user_id`, `email`, `password` or any field |
//! | `@day+10`, `@now-1` | a day or a moment so many days from the server's |
//! | `@null` | null, which TOML does not have |
//! | `$job.id` | a value of a scene that all rows share |
//! | `+job.id` | a value of a scene that is made for this row alone |
//! | `$id` | inside a scene, a value that it has kept |
//! | `{n}` | inside a text, a mark that nobody has used |

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _};

use chrono::{Days, NaiveDate};
use serde_json::{Map, Value, json};

/// What can be filled in.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// What the scene at hand has kept.
    pub local: Map<String, Value>,
    /// The scenes of this row.
    pub own: BTreeMap<String, Map<String, Value>>,
    /// The scenes of all rows.
    pub shared: BTreeMap<String, Map<String, Value>>,
    /// What accounts are.
    pub accounts: BTreeMap<String, Value>,
    /// The server's day.
    pub today: NaiveDate,
    /// The mark.
    pub mark: String,
}

/// A number that nobody can guess.
#[must_use]
pub fn random() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// The scenes that a value refers to, with the sign before them.
pub fn scenes(value: &Value, into: &mut Vec<(char, String)>) {
    match value {
        Value::String(text) => {
            let reference = text.strip_prefix('$').map(|rest| ('$', rest));
            let reference = reference.or_else(|| text.strip_prefix('+').map(|rest| ('+', rest)));
            if let Some((sign, rest)) = reference
                && let Some((scene, _)) = rest.split_once('.')
            {
                into.push((sign, scene.to_owned()));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| scenes(item, into)),
        Value::Object(fields) => fields.values().for_each(|item| scenes(item, into)),
        _ => {}
    }
}

impl Values {
    /// Fills a value.
    pub fn fill(&self, value: &Value) -> Result<Value, String> {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(fields) => self.fields(fields).map(Value::Object),
            other => Ok(other.clone()),
        }
    }

    /// Fills all fields.
    pub fn fields(&self, fields: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        fields.iter().map(|(name, value)| Ok((name.clone(), self.fill(value)?))).collect()
    }

    fn text(&self, text: &str) -> Result<Value, String> {
        let unknown = || format!("the table knows no `{text}`");
        let of = |scenes: &BTreeMap<String, Map<String, Value>>, rest: &str| {
            let (scene, name) = rest.split_once('.')?;
            scenes.get(scene)?.get(name).cloned()
        };
        if let Some(rest) = text.strip_prefix('@') {
            return self.fact(rest).ok_or_else(unknown);
        }
        if let Some(rest) = text.strip_prefix('+').filter(|rest| rest.contains('.')) {
            return of(&self.own, rest).ok_or_else(unknown);
        }
        if let Some(rest) = text.strip_prefix('$') {
            let shared = || of(&self.shared, rest);
            return self.local.get(rest).cloned().or_else(shared).ok_or_else(unknown);
        }
        Ok(Value::String(text.replace("{n}", &self.mark)))
    }

    fn fact(&self, name: &str) -> Option<Value> {
        if name == "null" {
            return Some(Value::Null);
        }
        if let Some(days) = name.strip_prefix("day") {
            return Some(json!(self.day(days)?));
        }
        if let Some(days) = name.strip_prefix("now") {
            return Some(json!(format!("{}T12:00:00Z", self.day(days)?)));
        }
        let (account, field) = name.split_once('.')?;
        let user = self.accounts.get(account)?;
        let profile = user.get("profile").filter(|profile| profile.is_object()).unwrap_or(user);
        match field {
            "user_id" => user.get("id").cloned(),
            "id" => profile.get("id").cloned(),
            field => profile.get(field).or_else(|| user.get(field)).cloned(),
        }
    }

    fn day(&self, signed: &str) -> Option<NaiveDate> {
        if signed.is_empty() {
            return Some(self.today);
        }
        let days = signed.strip_prefix('+').map(|days| (true, days));
        let (later, days) = days.or_else(|| signed.strip_prefix('-').map(|days| (false, days)))?;
        let days = Days::new(days.parse().ok()?);
        if later { self.today.checked_add_days(days) } else { self.today.checked_sub_days(days) }
    }
}
