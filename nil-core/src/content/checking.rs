//! Checks that the objects are there that records name.

use super::store::object as objects;
use crate::error::{Error, Result, codes};
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;
use crate::storage::Session;

/// The most problems that are named; all are counted.
const NAMED: usize = 100;

/// The result of the check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedObjects {
    /// How many records name an object.
    pub examined: i64,
    /// How many of these objects are not in the store.
    pub missing: i64,
    /// The records of the first hundred of them, such as "file 7".
    pub records: Vec<String>,
}

/// Looks every object up that a record says is there. Reads the store shelf by shelf, and changes
/// nothing.
pub async fn check_objects(platform: &Platform) -> Result<CheckedObjects> {
    let mut checked = CheckedObjects::default();
    for shelf in 0..=u8::MAX {
        // The records first: their objects were written before them.
        let named = named(platform, shelf).await?;
        if named.is_empty() {
            continue;
        }
        checked.examined += i64::try_from(named.len()).unwrap_or(i64::MAX);
        let mut there = platform.objects().shelf(shelf).await.map_err(away)?;
        there.sort_unstable();
        let absent = |(_, key): &(String, String)| {
            ObjectKey::parse(key).is_none_or(|key| there.binary_search(&key).is_err())
        };
        if !named.iter().any(absent) {
            continue;
        }
        // Files are deleted meanwhile: only what is still named is missing.
        let again = self::named(platform, shelf).await?;
        for (record, _) in again.iter().filter(|row| named.contains(row)).filter(|row| absent(row))
        {
            checked.missing += 1;
            if checked.records.len() < NAMED {
                checked.records.push(record.clone());
            }
        }
    }
    Ok(checked)
}

/// The keys of all objects that records say are there, each with its record, shelf by shelf.
pub async fn written_objects(session: &mut Session) -> Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    for shelf in 0..=u8::MAX {
        all.extend(objects::written_on(session, shelf).await?);
    }
    Ok(all)
}

async fn named(platform: &Platform, shelf: u8) -> Result<Vec<(String, String)>> {
    let mut session = platform.db().read().await?;
    objects::written_on(&mut session, shelf).await
}

fn away(error: std::io::Error) -> Error {
    codes::UNAVAILABLE.saying(format!("The files cannot be listed: {error}.")).because(error)
}
