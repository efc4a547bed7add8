//! Calendars, opened by a library that calendar programs are made with.

use nil_tests::python::asked;
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::calendars::{made, read};
use crate::disclosing::disclose;

/// The version that `tests/run` installs.
const VERSION: &str = "7.3.2";

/// What a calendar cannot say as it is.
const TITLES: [&str; 5] = [
    "Reading, signing; and a \\ between",
    "Two posts 🏈🏀 for Café Über, and after that a third one 🎓🎉 with many more words than fit",
    "حملة التخرج الكبرى في جامعة ليكشور مع صور ومقاطع قصيرة للجمهور",
    "BEGIN:VEVENT",
    "קמפיין: שלושה סרטונים, ועוד אחד",
];

async fn a_calendar_program_reads_every_title(world: World) {
    let athlete = world.athlete("Zoe Okafor").await;
    for (number, title) in TITLES.iter().enumerate() {
        let over = json!({
            "title": title, "payer_name": format!("Payer {number}"), "draft": true,
        });
        disclose(&world, &athlete, over).await;
    }
    let feed = made(&world, "core", &athlete.principal).await;
    let text = String::from_utf8(read(&world, &feed).await.bytes).unwrap();
    let opened =
        asked(&format!("icalendar-{VERSION}"), "domain/calendars_opened.py", &json!([text]));
    assert_eq!(opened[0]["name"], "Deadlines of your deals");
    assert_eq!(opened[0]["refresh"], "6:00:00");
    let events = opened[0]["events"].as_array().unwrap();
    let summaries: Vec<&str> =
        events.iter().map(|event| event["summary"].as_str().unwrap()).collect();
    let expected: Vec<String> =
        TITLES.iter().map(|title| format!("Disclosure due: {title}")).collect();
    assert_eq!(summaries, expected);
    for event in events {
        assert_eq!(event["status"], "CONFIRMED");
        assert_eq!(event["start"].as_str().unwrap().len(), "2026-12-01".len(), "{event}");
        assert_ne!(event["stamp"], Value::Null);
    }
}
both!(a_calendar_program_reads_every_title);
