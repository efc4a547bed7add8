//! The functions of the fuzz targets, with what proptest makes: bytes, texts, and JSON that looks
//! like an input. `NIL_LONG` makes a hundred times as many.

#[path = "../../fuzz/readers.rs"]
mod readers;

use nil_tests::{or_long, trust};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::examples::example;

/// How often each function is called in every run.
const CASES: u32 = 200;
const SEED: [u8; 32] = [225; 32];

fn thrown<S: Strategy>(what: &S, at: impl Fn(S::Value)) -> usize {
    let cases = or_long(CASES, CASES * 100);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &SEED);
    let thrown = TestRunner::new_with_rng(config, random).run(what, |value| {
        at(value);
        Ok(())
    });
    thrown.unwrap_or_else(|wrong| panic!("{wrong}"));
    cases.try_into().unwrap()
}

/// The bodies of the documented examples.
fn bodies() -> Vec<Value> {
    nil_core::catalog::catalog().iter().filter_map(example).collect()
}

/// A body with some of its bytes changed, doubled or missing.
fn spoilt() -> impl Strategy<Value = Vec<u8>> {
    let places = vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6);
    (prop::sample::select(bodies()), places).prop_map(|(body, places)| {
        let mut bytes = body.to_string().into_bytes();
        for (place, byte, how) in places {
            if bytes.is_empty() {
                break;
            }
            let place = place.index(bytes.len());
            match how {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => drop(bytes.remove(place)),
            }
        }
        bytes
    })
}

/// A JSON value under names that inputs have.
fn alike() -> impl Strategy<Value = Vec<u8>> {
    let names: Vec<String> = {
        let all = bodies();
        let objects = all.iter().filter_map(Value::as_object);
        objects.flat_map(|fields| fields.keys().cloned()).collect()
    };
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let name = prop::sample::select(names);
    let value = leaf.prop_recursive(6, 60, 8, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::from),
            vec((name.clone(), inner), 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    value.prop_map(|value| value.to_string().into_bytes())
}

#[test]
fn no_body_makes_a_reader_panic() {
    let bytes = vec(any::<u8>(), 0..400);
    let sent = thrown(&spoilt(), |body| readers::json_input(&body))
        + thrown(&alike(), |body| readers::json_input(&body))
        + thrown(&bytes, |body| readers::json_input(&body));
    trust::tried("R3", "executions", sent);
}

#[test]
fn no_query_and_no_form_makes_a_reader_panic() {
    let form = "[a-z_\\[\\]%0-9=&+.]{0,300}";
    let sent = thrown(&form, |text: String| readers::text_input(text.as_bytes()))
        + thrown(&vec(any::<u8>(), 0..400), |text| readers::text_input(&text))
        + thrown(&"([a-z_\\[\\]0-9]{0,40}=.{0,40}\\n){0,20}", |text: String| readers::pairs(&text));
    trust::tried("R3", "executions", sent);
}

#[test]
fn what_a_small_language_takes_it_takes_again() {
    let sent = thrown(&any::<String>(), |text| readers::values(&text))
        + thrown(&"[a-z.+@-]{1,30}", |text: String| readers::values(&text))
        + thrown(&"[0-9 +()-]{1,20}", |text: String| readers::values(&text))
        + thrown(&"(https?://)?[a-z0-9./:%?#@-]{1,40}", |text: String| readers::values(&text));
    trust::tried("R3", "executions", sent);
}

#[test]
fn no_token_and_no_signature_opens_anything() {
    readers::token(&readers::OWN_TOKEN);
    let places = vec((any::<prop::sample::Index>(), any::<char>()), 0..4);
    let spoilt = places.prop_map(|places| {
        let mut token: Vec<char> = readers::OWN_TOKEN.chars().collect();
        for (place, letter) in places {
            let place = place.index(token.len());
            token[place] = letter;
        }
        token.into_iter().collect::<String>()
    });
    let dotted = "[A-Za-z0-9_-]{0,60}\\.[A-Za-z0-9_-]{0,80}\\.[A-Za-z0-9_-]{0,60}";
    let headers = "1795176000\n[A-Za-z0-9_-]{10,70}\n.{0,40}\n(v1,)?[A-Za-z0-9+/=]{0,90}";
    let sent = thrown(&spoilt, |text| readers::token(&text))
        + thrown(&dotted, |text: String| readers::token(&text))
        + thrown(&any::<String>(), |text| readers::token(&text))
        + thrown(&headers, |text: String| readers::signatures(&text))
        + thrown(&"whsec_[A-Za-z0-9+/=]{0,100}", |text: String| readers::signatures(&text))
        + thrown(&any::<String>(), |text| readers::signatures(&text));
    trust::tried("R3", "executions", sent);
}

/// A text of pieces that mean something to its reader.
fn of_pieces(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(pieces).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

#[test]
fn no_template_and_no_markup_makes_a_reader_panic() {
    const TEMPLATE: &[&str] = &[
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "if ",
        "else",
        "endif",
        "for x in ",
        "endfor",
        "code",
        "url",
        "amount",
        "first_name",
        "|",
        "(",
        ")",
        "not ",
        " and ",
        "\"",
        "'",
        " ",
        "\n",
        ".",
        "9",
        "[0]",
    ];
    const MARKUP: &[&str] = &[
        "<",
        ">",
        "</",
        "/>",
        "p",
        "a",
        " href=",
        "javascript:",
        "https://x.example",
        "\"",
        "'",
        "<b>",
        "</b>",
        "<table>",
        "<td>",
        "<svg>",
        "<math>",
        "<mtext>",
        "<style>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<template>",
        "&lt;",
        "&#x",
        "&amp;",
        "<noscript>",
        "<title>",
        "<textarea>",
        " onerror=",
        "<select>",
        "<h1>",
        "\0",
        "=",
    ];
    let sent = thrown(&of_pieces(TEMPLATE), |text| readers::template(&text))
        + thrown(&any::<String>(), |text| readers::template(&text))
        + thrown(&of_pieces(MARKUP), |text| readers::rich_text(&text))
        + thrown(&any::<String>(), |text| readers::rich_text(&text));
    trust::tried("R3", "executions", sent);
}
