//! Two hundred texts that have broken programs before, in every field of every operation that takes
//! text: both databases answer alike, and never with a 5xx.

use std::collections::BTreeSet;

use nil_core::auth::Principal;
use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, catalog};
use nil_tests::{Engine, World, hostile_texts, or_long, trust};
use serde_json::{Value, json};

use crate::examples::{admitted, callers, example};

/// How many of the texts each field gets; `NIL_LONG` sends all of them. The next field gets the
/// next ones.
const EACH: usize = 4;

/// The fields of an operation's input that take a text.
fn text_fields(entry: &Entry) -> Vec<String> {
    let mut generator = Generator::default();
    let schema = (entry.input)(&mut generator).to_value();
    let takes = |property: &Value| {
        let named = property["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        let own = named.map_or(property, |name| &generator.definitions()[name]);
        let kind = &own["type"];
        *kind == json!("string")
            || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
    };
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields.filter(|(_, property)| takes(property)).map(|(name, _)| name.clone()).collect()
}

struct Side {
    world: World,
    callers: Vec<Principal>,
}

impl Side {
    async fn on(engine: Engine) -> Self {
        let world = World::unthrottled(engine).await;
        let callers = callers(&world).await;
        Self { world, callers }
    }

    /// The status, the code, and the fields that are wrong.
    async fn answer(&self, entry: &Entry, input: &Value) -> (u16, String, Vec<String>) {
        let caller = admitted(entry, &self.callers);
        let answer = self.world.call(entry.name, caller, input.clone()).await;
        let code = answer.body["code"].as_str().unwrap_or_default().to_owned();
        let errors = answer.body["errors"].as_object();
        let wrong = errors.into_iter().flatten().map(|(field, _)| field.clone()).collect();
        (answer.status, code, wrong)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_field_takes_hostile_texts_alike_on_sqlite_and_postgres() {
    let (embedded, served) = tokio::join!(Side::on(Engine::Sqlite), Side::on(Engine::Postgres));
    let texts = hostile_texts();
    let each = or_long(EACH, texts.len());
    let (mut fields, mut sent, mut wrong) = (0, 0, Vec::new());
    let mut used = BTreeSet::new();
    for entry in catalog().iter() {
        let Some(input) = example(entry) else { continue };
        for field in text_fields(entry) {
            for number in (0..each).map(|more| (fields * each + more) % texts.len()) {
                let mut input = input.clone();
                input[&field] = json!(texts[number]);
                let (one, other) =
                    tokio::join!(embedded.answer(entry, &input), served.answer(entry, &input));
                sent += 1;
                used.insert(number);
                if one != other || one.0 >= 500 {
                    wrong.push(format!(
                        "{}.{field} with text {number}: {one:?} on SQLite, {other:?} on PostgreSQL",
                        entry.name
                    ));
                }
            }
            fields += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {sent}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(fields > 300, "only {fields} fields");
    assert_eq!(used.len(), texts.len());
    trust::tried("R14", "texts", used.len());
    trust::tried("R14", "fields", fields);
}
