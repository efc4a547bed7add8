//! What a form sent, as the input of an operation: dollars become cents, percent basis points,
//! times of the zone UTC. What was left empty is left out, and unknown fields never get further.

use chrono::{LocalResult, NaiveDateTime, TimeZone as _, Utc};
use chrono_tz::Tz;
use nil_core::kernel::Time;
use serde_json::{Map, Value};

use super::describe::{Field, Kind};
use super::form::Refusals;
use super::part::Part as _;
use super::query::Query;
use super::texts::say;
use super::words;
use nil_core::Error;

/// The most groups of a list.
const MOST_GROUPS: usize = 500;

/// Reads the fields of a form; the refusals name every one that cannot be read.
pub(super) fn read(
    fields: &[Field],
    sent: &Query,
    zone: Tz,
) -> Result<Map<String, Value>, Refusals> {
    let mut reader = Reader { sent, zone, refusals: Refusals::new() };
    let read = reader.group(fields, "");
    if reader.refusals.is_empty() { Ok(read) } else { Err(reader.refusals) }
}

/// The refusal of what cannot be read.
pub(super) fn invalid(refusals: &Refusals) -> Error {
    let told = refusals.iter().filter_map(|(name, reasons)| Some((name, reasons.first()?)));
    Error::invalid_fields(told.map(|(name, reason)| (name.clone(), reason.clone())))
}

struct Reader<'s> {
    sent: &'s Query,
    zone: Tz,
    refusals: Refusals,
}

impl Reader<'_> {
    fn group(&mut self, fields: &[Field], under: &str) -> Map<String, Value> {
        let mut read = Map::new();
        for field in fields {
            let path = format!("{under}{}", field.name);
            if let Some(value) = self.field(&field.kind, &path) {
                read.insert(field.name.clone(), value);
            }
        }
        read
    }

    fn field(&mut self, kind: &Kind, path: &str) -> Option<Value> {
        match kind {
            Kind::Group(inner) => {
                let read = self.group(inner, &format!("{path}."));
                (!read.is_empty()).then_some(Value::Object(read))
            }
            Kind::Groups(inner) => {
                let all: Vec<Value> = self
                    .indexes(path)
                    .into_iter()
                    .map(|at| self.group(inner, &format!("{path}.{at}.")))
                    .filter(|group| !group.is_empty())
                    .map(Value::Object)
                    .collect();
                self.list(path, all)
            }
            Kind::Several(one) => {
                let split = !matches!(**one, Kind::Choice(_));
                let texts: Vec<String> = self
                    .sent
                    .all(path)
                    .flat_map(
                        |text| if split { text.split([',', '\n']).collect() } else { vec![text] },
                    )
                    .map(|text| text.trim().to_owned())
                    .filter(|text| !text.is_empty())
                    .collect();
                let all: Vec<Value> =
                    texts.iter().filter_map(|text| self.single(one, path, text)).collect();
                self.list(path, all)
            }
            Kind::Password => Some(self.sent.get(path)?.into()),
            _ => {
                let text = self.sent.get(path)?.trim().to_owned();
                if text.is_empty() { None } else { self.single(kind, path, &text) }
            }
        }
    }

    /// A list; none if it is empty and the form was shown without anything in it.
    fn list(&self, path: &str, all: Vec<Value>) -> Option<Value> {
        let was_emptied = || self.sent.all("had").any(|had| had == path);
        (!all.is_empty() || was_emptied()).then_some(Value::Array(all))
    }

    /// The numbers of the groups that were sent, in order.
    fn indexes(&self, path: &str) -> Vec<usize> {
        let start = format!("{path}.");
        let index = |name: &str| name.strip_prefix(&start)?.split('.').next()?.parse().ok();
        let mut all: Vec<usize> = self.sent.0.iter().filter_map(|(name, _)| index(name)).collect();
        all.sort_unstable();
        all.dedup();
        all.truncate(MOST_GROUPS);
        all
    }

    fn single(&mut self, kind: &Kind, path: &str, text: &str) -> Option<Value> {
        let read = match kind {
            Kind::Whole { .. } => text
                .replace(',', "")
                .parse::<i64>()
                .map(Value::from)
                .map_err(|_| say!("must-be-whole")),
            Kind::Record(_) => {
                super::picks::number(text).map(Value::from).ok_or_else(|| say!("must-be-record"))
            }
            Kind::Cents => hundredths(text).map(Value::from).ok_or_else(|| say!("must-be-amount")),
            Kind::Rate => hundredths(text).map(Value::from).ok_or_else(|| say!("must-be-share")),
            Kind::Truth => match text {
                "true" => Ok(true.into()),
                "false" => Ok(false.into()),
                _ => Err(say!("must-be-yes-or-no")),
            },
            Kind::Moment => moment(text, self.zone).map(Value::from),
            Kind::Other | Kind::Group(_) | Kind::Groups(_) => {
                serde_json::from_str(text).map_err(|_| say!("must-be-json"))
            }
            _ => Ok(text.into()),
        };
        match read {
            Ok(value) => Some(value),
            Err(reason) => {
                self.refusals.entry(path.to_owned()).or_default().push(reason);
                None
            }
        }
    }
}

/// A decimal number with at most two decimals, in hundredths.
fn hundredths(text: &str) -> Option<i64> {
    let bare = text.trim().trim_start_matches('$').trim_end_matches('%').replace([',', ' '], "");
    let (sign, bare) = match bare.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (-1, rest),
        None => (1, bare.as_str()),
    };
    let (whole, part) = bare.split_once('.').unwrap_or((bare, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || part.len() > 2 || !digits(whole) || !digits(part) {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: i64 = format!("{part:0<2}").parse().ok()?;
    whole.checked_mul(100)?.checked_add(part)?.checked_mul(sign)
}

/// A time of the zone's clock as an instant. An hour that comes twice in autumn is the first one.
fn moment(text: &str, zone: Tz) -> Result<String, String> {
    let forms = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];
    let Some(local) = forms.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok())
    else {
        return text.parse::<Time>().map(written).map_err(|_| say!("must-be-moment"));
    };
    match zone.from_local_datetime(&local) {
        LocalResult::Single(at) | LocalResult::Ambiguous(at, _) => {
            Ok(written(at.with_timezone(&Utc)))
        }
        LocalResult::None => Err(say!("skipped-hour")),
    }
}

fn written(at: Time) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The reverse: a record's fields as the form shows them, so that it can be changed.
pub(super) fn filled(fields: &[Field], record: &Value, zone: Tz) -> Query {
    let mut pairs = Vec::new();
    group(fields, &with_profile(record), "", zone, &mut pairs);
    Query(pairs)
}

/// A record with what its profile says beside it: an account is saved together with its profile,
/// and shown with it inside.
fn with_profile(record: &Value) -> Value {
    let mut whole = record.clone();
    if let (Some(own), Some(profile)) = (whole.as_object_mut(), record.part("profile").as_object())
    {
        for (name, value) in profile {
            own.entry(name).or_insert_with(|| value.clone());
        }
    }
    whole
}

fn group(
    fields: &[Field],
    record: &Value,
    under: &str,
    zone: Tz,
    pairs: &mut Vec<(String, String)>,
) {
    for field in fields {
        let (path, value) = (format!("{under}{}", field.name), &record.part(&field.name));
        match (&field.kind, value) {
            (_, Value::Null) | (Kind::Password, _) => {}
            (Kind::Group(inner), value) => group(inner, value, &format!("{path}."), zone, pairs),
            (Kind::Groups(inner), Value::Array(all)) => {
                for (at, value) in all.iter().enumerate() {
                    group(inner, value, &format!("{path}.{at}."), zone, pairs);
                }
            }
            (Kind::Several(one), Value::Array(all)) => {
                pairs.extend(all.iter().map(|value| (path.clone(), text(one, value, zone))));
            }
            (kind, value) => pairs.push((path, text(kind, value, zone))),
        }
    }
}

fn text(kind: &Kind, value: &Value, zone: Tz) -> String {
    match (kind, value) {
        (Kind::Cents | Kind::Rate, Value::Number(_)) => {
            words::fraction(value.as_i64().unwrap_or_default())
        }
        (Kind::Moment, Value::String(at)) => at.parse::<Time>().map_or_else(
            |_| at.clone(),
            |at| at.with_timezone(&zone).format("%Y-%m-%dT%H:%M").to_string(),
        ),
        (_, Value::String(text)) => text.clone(),
        (_, other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(name: &str, kind: Kind) -> Field {
        Field { name: name.into(), label: name.into(), hint: String::new(), kind, required: false }
    }

    fn inputs() -> Vec<Field> {
        let text = || Kind::Text { most: None, long: false, format: "text" };
        vec![
            field("amount_cents", Kind::Cents),
            field("share_bp", Kind::Rate),
            field("at", Kind::Moment),
            field("done", Kind::Truth),
            field("ids", Kind::Several(Box::new(Kind::Record("athlete".into())))),
            field(
                "terms",
                Kind::Group(vec![field("days", Kind::Whole { least: None, most: None })]),
            ),
            field("steps", Kind::Groups(vec![field("title", text()), field("cents", Kind::Cents)])),
        ]
    }

    #[test]
    fn a_form_becomes_the_input_and_back() {
        let sent = Query::read(
            "amount_cents=$1,250.5&share_bp=12.5&at=2026-12-18T10:00&done=true&ids=7,+9&terms.days=90\
             &steps.0.title=Post&steps.2.title=Visit&steps.2.cents=10&unknown=x&steps.1.title=",
        );
        let zone = chrono_tz::America::Chicago;
        let read = Value::Object(read(&inputs(), &sent, zone).unwrap());
        let wanted = json!({
            "amount_cents": 125_050, "share_bp": 1_250, "at": "2026-12-18T16:00:00Z", "done": true,
            "ids": [7, 9], "terms": { "days": 90 },
            "steps": [{ "title": "Post" }, { "title": "Visit", "cents": 1_000 }],
        });
        assert_eq!(read, wanted);
        let again = filled(&inputs(), &read, zone);
        assert_eq!(Value::Object(super::read(&inputs(), &again, zone).unwrap()), wanted);
    }

    #[test]
    fn a_list_that_was_emptied_is_an_empty_list() {
        let read =
            |sent| Value::Object(read(&inputs(), &Query::read(sent), chrono_tz::UTC).unwrap());
        assert_eq!(read("ids=&steps.0.title="), json!({}));
        assert_eq!(
            read("ids=&had=ids&steps.0.title=&had=steps"),
            json!({ "ids": [], "steps": [] })
        );
        assert_eq!(read("ids=7&had=ids"), json!({ "ids": [7] }));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let sent = Query::read("amount_cents=1.234&at=2026-03-08T02:30&ids=7,Nora&terms.days=x");
        let refused = read(&inputs(), &sent, chrono_tz::America::Chicago).unwrap_err();
        let names: Vec<&str> = refused.keys().map(String::as_str).collect();
        assert_eq!(names, ["amount_cents", "at", "ids", "terms.days"]);
    }

    /// The example of an operation's input: that of its body, and of its parameters.
    fn example(entry: &nil_core::catalog::Entry) -> Value {
        let document = nil_core::catalog::openapi::excerpt(entry, "https://nil.example");
        let paths = document["paths"].as_object().unwrap().values();
        let operation = paths.flat_map(|path| path.as_object().unwrap().values()).next().unwrap();
        let mut all = Map::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let example = &parameter["schema"]["examples"][0];
            if !example.is_null() && parameter["in"] != "header" {
                all.insert(parameter["name"].as_str().unwrap().to_owned(), example.clone());
            }
        }
        let body = &operation["requestBody"]["content"]["application/json"]["example"];
        all.extend(body.as_object().cloned().unwrap_or_default());
        Value::Object(all)
    }

    #[test]
    fn every_form_filled_with_its_example_is_taken() {
        use nil_core::catalog::{Interface, catalog};
        use nil_core::operation::Fields;
        let zone = chrono_tz::America::Chicago;
        let mut refused = Vec::new();
        for interface in [Interface::Compliance, Interface::Admin] {
            for entry in catalog().of(interface) {
                let described = super::super::describe::of(entry);
                let fields = &described.fields;
                let mut form = filled(fields, &example(entry), zone);
                for field in fields.iter().filter(|field| matches!(field.kind, Kind::Password)) {
                    let given = example(entry)[&field.name].as_str().unwrap_or("").to_owned();
                    form = form.with(&field.name, Some(&given));
                }
                let read = match read(fields, &form, zone) {
                    Ok(read) => read,
                    Err(refusals) => {
                        refused.push(format!("{}: {refusals:?}", entry.name));
                        continue;
                    }
                };
                let from_example =
                    entry.check(&Fields::from_object(example(entry).as_object().unwrap().clone()));
                let mut from_form = Fields::from_object(read);
                if described.file.is_some() {
                    from_form.put_file("content", b"x".to_vec());
                }
                let from_form = entry.check(&from_form);
                if let (Ok(_), Err(error)) = (from_example, from_form) {
                    refused.push(format!("{}: {:?}", entry.name, error.fields()));
                }
            }
        }
        assert!(refused.is_empty(), "{refused:#?}");
    }

    #[test]
    fn hundredths_are_exact() {
        for (text, read) in [
            ("0.29", Some(29)),
            (".5", Some(50)),
            ("5.", Some(500)),
            ("-1.05", Some(-105)),
            ("", None),
            (".", None),
            ("1e3", None),
            ("1.005", None),
            ("92233720368547758.07", Some(i64::MAX)),
            ("92233720368547758.08", None),
        ] {
            assert_eq!(hundredths(text), read, "{text}");
        }
    }
}
