//! Names of forms and query strings that nest: `a[b]=c`, `ids[]=1`, `a[0][b]=c`.

use serde_json::{Map, Value};

use crate::error::Error;

/// The maximum length of a pair's name in bytes.
const LONGEST_NAME: usize = 256;
/// The maximum depth of a pair's name: `a[b][]` is three.
pub(super) const DEEPEST_NAME: usize = 8;
/// The maximum number of objects created by the names of all pairs.
pub(super) const MOST_OBJECTS: usize = 64;
/// The number of characters of a name that error messages show.
const NAME_SHOWN: usize = 64;

/// The keys in a name.
pub(super) fn keys(name: &str) -> Result<Vec<&str>, Error> {
    if name.len() > LONGEST_NAME {
        return Err(Error::invalid(shown(name), "has a name that is too long"));
    }
    let keys: Vec<&str> = name.split('[').map(|part| part.trim_end_matches(']')).collect();
    if keys.len() > DEEPEST_NAME {
        return Err(Error::invalid(shown(name), "is nested too deeply"));
    }
    Ok(keys)
}

/// The start of a name, for error messages.
pub(super) fn shown(name: &str) -> String {
    name.chars().take(NAME_SHOWN).collect()
}

/// Puts `value` at the position of the bracketed keys. A repeated name makes a list; of a text or
/// list and an object at the same position the later one counts. `None` if that takes more new
/// objects than are left.
pub(super) fn nest(
    slot: &mut Value,
    keys: &[&str],
    value: String,
    objects: &mut usize,
) -> Option<()> {
    match keys.split_first() {
        None => match slot {
            Value::Array(items) => items.push(Value::String(value)),
            Value::String(first) => {
                let first = std::mem::take(first);
                *slot = Value::Array(vec![Value::String(first), Value::String(value)]);
            }
            other => *other = Value::String(value),
        },
        // The next object of a list begins with a field that the one before has already.
        Some((&"", [first, rest @ ..])) if !first.is_empty() => {
            if !slot.is_array() {
                *slot = Value::Array(Vec::new());
            }
            let Value::Array(items) = slot else { return None };
            let begins = items.last().is_none_or(|last| match last.get(*first) {
                Some(_) => rest.is_empty(),
                None => !last.is_object(),
            });
            if begins {
                *objects = objects.checked_sub(1)?;
                items.push(Value::Object(Map::new()));
            }
            if let Some(Value::Object(map)) = items.last_mut() {
                let slot = map.entry(*first).or_insert(Value::Null);
                return nest(slot, rest, value, objects);
            }
        }
        Some((&"", _)) => match slot {
            Value::Array(items) => items.push(Value::String(value)),
            other => *other = Value::Array(vec![Value::String(value)]),
        },
        Some((key, rest)) => {
            if !slot.is_object() {
                *objects = objects.checked_sub(1)?;
                *slot = Value::Object(Map::new());
            }
            if let Value::Object(map) = slot {
                let slot = map.entry(*key).or_insert(Value::Null);
                return nest(slot, rest, value, objects);
            }
        }
    }
    Some(())
}

/// Makes a list of an object whose keys are all numbers, in their order: forms count the items of
/// lists.
pub(super) fn number(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(number),
        Value::Object(map) => {
            map.values_mut().for_each(number);
            // A key such as `01` is a name.
            let place =
                |key: &String| key.parse::<u16>().ok().filter(|place| place.to_string() == *key);
            let places: Option<Vec<u16>> = map.keys().map(place).collect();
            let Some(mut places) = places.filter(|places| !places.is_empty()) else { return };
            places.sort_unstable();
            let items = places.iter().filter_map(|place| map.remove(&place.to_string()));
            *value = Value::Array(items.collect());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::operation::Fields;

    fn laid(name: String) -> Result<Fields, Error> {
        Fields::from_pairs([(name, "1".to_owned())])
    }

    #[test]
    fn names_are_short_and_shallow() {
        assert!(laid("a".repeat(LONGEST_NAME)).is_ok());
        assert!(laid("a".repeat(LONGEST_NAME + 1)).is_err());
        assert!(laid("a[b]".to_owned() + &"[b]".repeat(DEEPEST_NAME - 2)).is_ok());
        for bracket in ["[b]", "[b", "[", "[]"] {
            let deep = laid("a".to_owned() + &bracket.repeat(DEEPEST_NAME));
            assert!(deep.is_err(), "{bracket}");
        }
    }

    #[test]
    fn of_a_text_and_an_object_at_one_place_the_later_counts() {
        let laid = |names: &[&str]| {
            let pairs = names.iter().enumerate().map(|(at, name)| (*name, at.to_string()));
            let pairs: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value)).collect();
            Value::Object(Fields::from_pairs(pairs).unwrap().values)
        };
        assert_eq!(laid(&["a[b]", "a"]), json!({ "a": "1" }));
        assert_eq!(laid(&["a[b]", "a", "a"]), json!({ "a": ["1", "2"] }));
        assert_eq!(laid(&["a", "a[b]"]), json!({ "a": { "b": "1" } }));
        assert_eq!(laid(&["a[b][c]", "a[b][]"]), json!({ "a": { "b": ["1"] } }));
    }

    #[test]
    fn forms_carry_lists_of_objects() {
        let laid = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Value::Object(Fields::from_pairs(pairs).unwrap().values)
        };
        let counted = [
            ("milestones[10][title]", "Story"),
            ("milestones[2][title]", "Reel"),
            ("milestones[2][hashtags][]", "a"),
            ("milestones[2][hashtags][]", "b"),
            ("milestones[2][terms][0][days]", "7"),
        ];
        let reel = json!({ "title": "Reel", "hashtags": ["a", "b"], "terms": [{ "days": "7" }] });
        assert_eq!(laid(&counted), json!({ "milestones": [reel, { "title": "Story" }] }));
        let uncounted = [
            ("milestones[][title]", "Reel"),
            ("milestones[][hashtags][]", "a"),
            ("milestones[][hashtags][]", "b"),
            ("milestones[][title]", "Story"),
            ("milestones[][hashtags][]", "c"),
        ];
        assert_eq!(
            laid(&uncounted),
            json!({ "milestones": [
                { "title": "Reel", "hashtags": ["a", "b"] }, { "title": "Story", "hashtags": ["c"] }
            ] })
        );
        // Names that only look like numbers stay names; lists of plain values stay as they were.
        assert_eq!(laid(&[("a[01]", "x"), ("a[2]", "y")]), json!({ "a": { "01": "x", "2": "y" } }));
        assert_eq!(laid(&[("a[1x]", "x")]), json!({ "a": { "1x": "x" } }));
        assert_eq!(laid(&[("a[1]", "y"), ("a[0]", "x")]), json!({ "a": ["x", "y"] }));
    }

    #[test]
    fn lists_of_objects_are_bounded_too() {
        let pairs = |count: usize| (0..count).map(|at| ("a[][b]".to_owned(), at.to_string()));
        assert!(Fields::from_pairs(pairs(MOST_OBJECTS)).is_ok());
        assert!(Fields::from_pairs(pairs(MOST_OBJECTS + 1)).is_err());
    }
}
