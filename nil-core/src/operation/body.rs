//! Reads a JSON body and keeps only the fields of its operation.
//!
//! A tree of all values that fit into a megabyte of JSON can take a hundred megabytes. So the body
//! is read according to the shape of the input: an unknown field is kept only as its name and a
//! fingerprint of its value, and the memory of everything kept is limited by the maximum of the
//! input.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::base64::decoded;
use super::shape::{COST_OF_A_VALUE, COST_OF_AN_OBJECT, Part, Shape};
use crate::error::{Error, codes};

/// A file in the input, or why it is invalid.
pub(super) type Carried = Result<Bytes, String>;
/// The placeholder of a file among the values.
pub(super) const A_FILE: &str = "file";
/// Tokens that can be sent along with any input.
pub const BESIDE: [&str; 3] = ["registration_token", "_token", "csrf_token"];
/// The maximum number of unknown fields kept by name.
pub(super) const UNKNOWN_NAMED: usize = 64;
/// The maximum length of such a name in bytes; a longer one is cut.
pub(super) const LONGEST_UNKNOWN: usize = 128;

/// The kept parts of a body.
#[derive(Debug)]
pub(super) struct Kept {
    /// The value. An unknown field holds the fingerprint of its value.
    pub value: Value,
    /// The files in it, by their dotted paths.
    pub files: HashMap<String, Carried>,
    /// The fingerprint of fields whose names are not kept either.
    pub beyond: Vec<u8>,
    /// The approximate memory of the value and the files, in bytes.
    pub cost: usize,
}

/// Reads a body: 400 if it is not JSON, 422 if it contains more than such an input can.
pub(super) fn keep(body: &[u8], shape: &Shape) -> Result<Kept, Error> {
    let purse = Purse {
        left: Cell::new(shape.cost()),
        broke: Cell::new(false),
        named: Cell::new(0),
        beyond: RefCell::new(None),
        texts: Cell::new(0),
        files: RefCell::default(),
    };
    let seed = Keep { part: &shape.root, purse: &purse, at: None };
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    let value = value.map_err(|error| {
        if purse.broke.get() {
            codes::VALIDATION_FAILED.saying("The body contains more values than are accepted here.")
        } else {
            codes::MALFORMED_JSON.saying(format!("The body is not valid JSON: {error}."))
        }
    })?;
    let beyond = purse.beyond.into_inner();
    Ok(Kept {
        value,
        files: purse.files.into_inner(),
        beyond: beyond.map_or_else(Vec::new, |print| print.finish().as_ref().to_vec()),
        cost: shape.cost().saturating_sub(purse.left.get()) + purse.texts.get(),
    })
}

/// The budget for values to keep.
struct Purse {
    left: Cell<usize>,
    broke: Cell<bool>,
    named: Cell<usize>,
    beyond: RefCell<Option<Context>>,
    /// The bytes of all kept texts and files. They are limited by the body's length.
    texts: Cell<usize>,
    files: RefCell<HashMap<String, Carried>>,
}

/// The position of a value.
#[derive(Clone, Copy)]
struct Spot<'a> {
    above: Option<&'a Spot<'a>>,
    key: Key<'a>,
}

#[derive(Clone, Copy)]
enum Key<'a> {
    Name(&'a str),
    Index(usize),
}

impl fmt::Display for Spot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            write!(f, "{above}.")?;
        }
        match self.key {
            Key::Name(name) => f.write_str(name),
            Key::Index(index) => write!(f, "{index}"),
        }
    }
}

impl Purse {
    fn note(&self, bytes: usize) {
        self.texts.set(self.texts.get().saturating_add(bytes));
    }

    fn pay<E: serde::de::Error>(&self, cost: usize) -> Result<(), E> {
        let Some(left) = self.left.get().checked_sub(cost) else {
            self.broke.set(true);
            return Err(E::custom("too much"));
        };
        self.left.set(left);
        Ok(())
    }
}

/// Keeps one value.
struct Keep<'a> {
    part: &'a Part,
    purse: &'a Purse,
    /// None for the outermost value.
    at: Option<&'a Spot<'a>>,
}

impl Keep<'_> {
    /// Records an unknown field.
    fn unknown<'de, A: MapAccess<'de>>(
        &self,
        name: &str,
        map: &mut A,
        kept: &mut Map<String, Value>,
    ) -> Result<(), A::Error> {
        let named = self.purse.named.get();
        if named < UNKNOWN_NAMED && name.len() <= LONGEST_UNKNOWN {
            let mut print = Context::new(&SHA256);
            map.next_value_seed(Print(&mut print))?;
            self.purse.named.set(named + 1);
            kept.insert(name.to_owned(), hex::encode(print.finish()).into());
            return Ok(());
        }
        let mut beyond = self.purse.beyond.borrow_mut();
        let print = beyond.get_or_insert_with(|| Context::new(&SHA256));
        write(print, b'k', name.as_bytes());
        map.next_value_seed(Print(print))?;
        if named < UNKNOWN_NAMED {
            self.purse.named.set(named + 1);
            let start: String = name.chars().take(LONGEST_UNKNOWN / 4).collect();
            kept.insert(start + "…", Value::Null);
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Keep<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keep<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        if let (Part::File, Some(at)) = (self.part, self.at) {
            // Decoded at once, so that its text is never in memory beside the body.
            let file = decoded(text);
            self.purse.note(file.as_ref().map_or(0, Bytes::len));
            self.purse.files.borrow_mut().insert(at.to_string(), file);
            return Ok(A_FILE.into());
        }
        self.purse.note(text.len());
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let part = match self.part {
            Part::List(part) => part,
            _ => &Part::Any,
        };
        let mut kept = Vec::new();
        loop {
            let at = Spot { above: self.at, key: Key::Index(kept.len()) };
            let item = Keep { part, purse: self.purse, at: Some(&at) };
            let Some(item) = items.next_element_seed(item)? else {
                return Ok(Value::Array(kept));
            };
            // A list allocates four places with its first item.
            let first = if kept.is_empty() { 2 } else { 1 };
            self.purse.pay(first * COST_OF_A_VALUE)?;
            kept.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        static NONE: BTreeMap<String, Part> = BTreeMap::new();
        let (fields, closed) = match self.part {
            Part::Object(fields) => (fields, true),
            _ => (&NONE, false),
        };
        let mut kept = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if kept.is_empty() {
                self.purse.pay(COST_OF_AN_OBJECT)?;
            }
            let beside = self.at.is_none() && BESIDE.contains(&name.as_str());
            let part = match fields.get(&name) {
                Some(part) => part,
                None if closed && !beside => {
                    self.unknown(&name, &mut map, &mut kept)?;
                    continue;
                }
                None => &Part::Any,
            };
            self.purse.pay(name.len() + 2 * COST_OF_A_VALUE)?;
            let at = Spot { above: self.at, key: Key::Name(&name) };
            let value = map.next_value_seed(Keep { part, purse: self.purse, at: Some(&at) })?;
            kept.insert(name, value);
        }
        Ok(Value::Object(kept))
    }
}

/// Reads a value for its fingerprint only.
struct Print<'a>(&'a mut Context);

fn write(print: &mut Context, kind: u8, bytes: &[u8]) {
    print.update(&[kind]);
    print.update(&bytes.len().to_le_bytes());
    print.update(bytes);
}

impl<'de> DeserializeSeed<'de> for Print<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Print<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<(), E> {
        write(self.0, b'b', &[u8::from(yes)]);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        write(self.0, b'i', &number.to_le_bytes());
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        write(self.0, b'u', &number.to_le_bytes());
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        write(self.0, b'f', &number.to_le_bytes());
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.update(b"n");
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        write(self.0, b's', text.as_bytes());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.update(b"[");
        while items.next_element_seed(Print(&mut *self.0))?.is_some() {}
        self.0.update(b"]");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.update(b"{");
        while map.next_key_seed(Print(&mut *self.0))?.is_some() {
            map.next_value_seed(Print(&mut *self.0))?;
        }
        self.0.update(b"}");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::json;

    use super::*;
    use crate::operation::Fields;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Sample {
        id: i64,
        tags: Vec<i64>,
        inner: Inner,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Inner {
        note: Option<bool>,
    }

    fn shape() -> Shape {
        Shape::of(Sample::json_schema)
    }

    fn kept(body: &str) -> Result<Kept, Error> {
        keep(body.as_bytes(), &shape())
    }

    fn print(body: &str) -> Vec<u8> {
        let fields = Fields::from_json_of(&shape(), body.as_bytes());
        fields.unwrap().canonical()
    }

    #[test]
    fn what_has_a_place_is_kept_as_it_came() {
        let body = json!({ "id": -7, "tags": [1.5, "x", null], "inner": { "note": true } });
        assert_eq!(kept(&body.to_string()).unwrap().value, body);
        // Values of the wrong type are reported by the operation.
        let body = json!({ "id": { "a": [1] }, "inner": [{}], "_token": "t" });
        assert_eq!(kept(&body.to_string()).unwrap().value, body);
    }

    #[test]
    fn of_anything_else_the_name_is_kept() {
        let value = kept(r#"{"x":{"y":[1]},"inner":{"z":[[]]}}"#).unwrap().value;
        assert!(value["x"].is_string() && value["inner"]["z"].is_string(), "{value}");
        let many: Vec<String> = (0..500).map(|n| format!("\"x{n}\":{n},")).collect();
        let many = many.concat();
        let value = kept(&format!("{{{many}\"id\":1}}")).unwrap().value;
        assert_eq!(value.as_object().unwrap().len(), UNKNOWN_NAMED + 1);
        let long = "y".repeat(10_000);
        let value = kept(&format!("{{\"{long}\":1}}")).unwrap().value;
        assert!(value.to_string().len() < 100);
    }

    #[test]
    fn the_print_tells_bodies_apart_by_everything_in_them() {
        let body = r#"{"id":1,"x":{"y":[1,"2"]},"z":1.5}"#;
        assert_eq!(print(body), print(r#"{ "z": 1.5, "x": {"y": [1, "2"]}, "id": 1 }"#));
        for other in [
            r#"{"id":2,"x":{"y":[1,"2"]},"z":1.5}"#,
            r#"{"id":1,"x":{"y":["1","2"]},"z":1.5}"#,
            r#"{"id":1,"x":{"y":[1],"2":[]},"z":1.5}"#,
            r#"{"id":1,"x":{"y":[1,"2"]}}"#,
            r#"{"id":1,"x":{"y":[1,"2"]},"z":true}"#,
        ] {
            assert_ne!(print(body), print(other), "{other}");
        }
        let long = "y".repeat(500);
        let [one, two] = [1, 2].map(|n| print(&format!("{{\"{long}\":{n}}}")));
        assert_ne!(one, two);
    }

    #[test]
    fn what_swells_is_refused() {
        let many = |piece: &str| piece.repeat(200_000);
        for body in [
            format!("{{\"id\":[{}0]}}", many("{\"\":0},")),
            format!("{{\"tags\":[{}0]}}", many("0,")),
            format!("{{{}\"id\":0}}", many("\"id\":0,")),
        ] {
            let refused = keep(body.as_bytes(), &Shape::any()).unwrap_err();
            assert!(refused.is(codes::VALIDATION_FAILED), "{refused}");
        }
        for deep in ["[", "{\"x\":", "{\"id\":"] {
            let refused = kept(&deep.repeat(100_000)).unwrap_err();
            assert!(refused.is(codes::MALFORMED_JSON), "{refused}");
        }
    }
}
