//! Values are stored in both databases and read back unchanged.

use chrono::{DateTime, NaiveDate, Utc};
use nil_core::auth::{Anyone, Principal};
use nil_core::storage::{FromRow, insert, sql};
use nil_core::{Cx, Done, Result};
use nil_tests::{World, both};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

/// One of every kind that a struct is read from.
#[derive(Clone, Debug, PartialEq, FromRow)]
#[row(root = nil_core)]
struct Kinds {
    whole: i64,
    small: i32,
    truth: bool,
    fraction: f64,
    text: String,
    bytes: Vec<u8>,
    instant: DateTime<Utc>,
    day: NaiveDate,
    #[row(json)]
    list: Vec<Value>,
    #[row(json(nullable))]
    maybe_list: Option<Vec<String>>,
    maybe_whole: Option<i64>,
    maybe_truth: Option<bool>,
    maybe_fraction: Option<f64>,
    maybe_text: Option<String>,
    maybe_bytes: Option<Vec<u8>>,
    maybe_instant: Option<DateTime<Utc>>,
    maybe_day: Option<NaiveDate>,
}

async fn table(world: &World) {
    let [real, bytes, instant, day, json] = if world.is_sqlite() {
        ["REAL", "BLOB", "TEXT", "TEXT", "TEXT"]
    } else {
        ["DOUBLE PRECISION", "BYTEA", "TIMESTAMPTZ", "DATE", "JSONB"]
    };
    let small = if world.is_sqlite() { "INTEGER" } else { "INT4" };
    let text = format!(
        "CREATE TABLE kinds (id BIGINT PRIMARY KEY, whole BIGINT NOT NULL, small {small} NOT NULL, \
         truth BOOLEAN NOT NULL, fraction {real} NOT NULL, text TEXT NOT NULL, bytes {bytes} NOT NULL, \
         instant {instant} NOT NULL, day {day} NOT NULL, list {json} NOT NULL, maybe_list {json}, \
         maybe_whole BIGINT, maybe_truth BOOLEAN, maybe_fraction {real}, maybe_text TEXT, \
         maybe_bytes {bytes}, maybe_instant {instant}, maybe_day {day})"
    );
    world.script(&text).await;
}

async fn keep(cx: Cx<Anyone>, rows: Vec<Kinds>) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    for (id, row) in (0_i64..).zip(rows) {
        let maybe_list = row.maybe_list.map(|list| json!(list));
        let statement = insert("kinds")
            .set("id", id)
            .set("whole", row.whole)
            .set("small", row.small)
            .set("truth", row.truth)
            .set("fraction", row.fraction)
            .set("text", row.text)
            .set("bytes", row.bytes)
            .set("instant", row.instant)
            .set("day", row.day)
            .set("list", json!(row.list))
            .set("maybe_list", maybe_list)
            .set("maybe_whole", row.maybe_whole)
            .set("maybe_truth", row.maybe_truth)
            .set("maybe_fraction", row.maybe_fraction)
            .set("maybe_text", row.maybe_text)
            .set("maybe_bytes", row.maybe_bytes)
            .set("maybe_instant", row.maybe_instant)
            .set("maybe_day", row.maybe_day);
        work.run(statement).await?;
    }
    work.done(()).await
}

fn day() -> impl Strategy<Value = NaiveDate> {
    (1_i32..=9_999, 1_u32..=365).prop_map(|(year, day)| NaiveDate::from_yo_opt(year, day).unwrap())
}

/// With PostgreSQL's precision.
fn instant() -> impl Strategy<Value = DateTime<Utc>> {
    (-62_135_596_800_i64..253_402_300_800, 0_u32..1_000_000)
        .prop_map(|(second, micro)| DateTime::from_timestamp(second, micro * 1_000).unwrap())
}

fn text() -> impl Strategy<Value = String> {
    // PostgreSQL cannot store NUL in a text.
    prop_oneof![Just(String::new()), "\\PC{0,40}", "[\\n\\t'\"$?;:% -]{1,10}"]
}

fn number() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0), Just(i64::MIN), Just(i64::MAX), any::<i64>()]
}

fn fraction() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), Just(f64::MIN), Just(f64::MAX), -1e9..1e9]
}

fn kinds() -> impl Strategy<Value = Kinds> {
    let bytes = || proptest::collection::vec(any::<u8>(), 0..40);
    let firm =
        (number(), any::<i32>(), any::<bool>(), fraction(), text(), bytes(), instant(), day());
    let lists = (
        proptest::collection::vec(number().prop_map(Value::from), 0..3),
        proptest::option::of(proptest::collection::vec(text(), 0..3)),
    );
    let loose = (
        proptest::option::of(number()),
        proptest::option::of(any::<bool>()),
        proptest::option::of(fraction()),
        proptest::option::of(text()),
        proptest::option::of(bytes()),
        proptest::option::of(instant()),
        proptest::option::of(day()),
    );
    (firm, lists, loose).prop_map(|(firm, lists, loose)| Kinds {
        whole: firm.0,
        small: firm.1,
        truth: firm.2,
        fraction: firm.3,
        text: firm.4,
        bytes: firm.5,
        instant: firm.6,
        day: firm.7,
        list: lists.0,
        maybe_list: lists.1,
        maybe_whole: loose.0,
        maybe_truth: loose.1,
        maybe_fraction: loose.2,
        maybe_text: loose.3,
        maybe_bytes: loose.4,
        maybe_instant: loose.5,
        maybe_day: loose.6,
    })
}

/// Two hundred rows, from a seed that is printed on failure.
fn rows() -> Vec<Kinds> {
    let mut runner = TestRunner::new(Config::default());
    let strategy = proptest::collection::vec(kinds(), 200);
    strategy.new_tree(&mut runner).unwrap().current()
}

async fn every_kind_of_value_comes_back_as_it_was(world: World) {
    table(&world).await;
    let rows = rows();
    let anyone = Anyone(Principal::Anonymous);
    world.platform.call(anyone, keep, rows.clone()).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    let kept: Vec<Kinds> = session.all(sql("SELECT * FROM kinds ORDER BY id")).await.unwrap();
    assert_eq!(kept.len(), rows.len());
    for (row, kept) in rows.iter().zip(&kept) {
        assert_eq!(row, kept);
    }
    // Instants sort correctly in both databases.
    let sorted = sql("SELECT instant FROM kinds ORDER BY instant");
    let sorted: Vec<(DateTime<Utc>,)> = session.all(sorted).await.unwrap();
    assert!(sorted.is_sorted());
}
both!(every_kind_of_value_comes_back_as_it_was);

/// Those kinds that PostgreSQL writes as JSON without loss.
#[derive(Debug, PartialEq, FromRow)]
#[row(root = nil_core)]
struct Written {
    whole: i64,
    small: i32,
    truth: bool,
    text: String,
    instant: DateTime<Utc>,
    day: NaiveDate,
    #[row(json)]
    list: Vec<Value>,
    #[row(json(nullable))]
    maybe_list: Option<Vec<String>>,
    maybe_whole: Option<i64>,
    maybe_truth: Option<bool>,
    maybe_text: Option<String>,
    maybe_instant: Option<DateTime<Utc>>,
    maybe_day: Option<NaiveDate>,
}

async fn what_is_asked_together_comes_back_as_it_was(world: World) {
    table(&world).await;
    let anyone = Anyone(Principal::Anonymous);
    world.platform.call(anyone, keep, rows()).await.unwrap();
    let mut session = world.platform.db().read().await.unwrap();
    let all = "SELECT * FROM kinds ORDER BY id";
    let alone: Vec<Written> = session.all(sql(all)).await.unwrap();
    let mut asked = session.together();
    let every = asked.ask(sql(all), Ok::<Vec<Written>, _>);
    // Each has its own numbers, and a mark in quotes is none.
    let some = "SELECT * FROM kinds WHERE id < $1 AND '$1' <> $2 ORDER BY id DESC";
    let some = sql(some).bind(3_i64).bind("x");
    let some = asked.ask(some, |rows: Vec<Written>| Ok(rows.len()));
    let none = sql("SELECT * FROM kinds WHERE id = $1").bind(-1_i64);
    let none = asked.ask(none, |rows: Vec<Written>| Ok(rows.is_empty()));
    let mut answers = session.answers(asked).await.unwrap();
    assert_eq!((answers.of(some).unwrap(), answers.of(none).unwrap()), (3, true));
    assert_eq!(answers.of(every).unwrap(), alone);
    assert_eq!(alone.len(), 200);
}
both!(what_is_asked_together_comes_back_as_it_was);

async fn parameters_are_bound_by_their_numbers(world: World) {
    let mut session = world.platform.db().read().await.unwrap();
    let crossed = sql("SELECT CAST($2 AS BIGINT), CAST($1 AS TEXT), CAST($2 AS BIGINT) + 1");
    let crossed: (i64, String, i64) = session.one(crossed.bind("one").bind(2_i64)).await.unwrap();
    assert_eq!(crossed, (2, "one".into(), 3));
    let missing = sql("SELECT CAST($2 AS BIGINT)").bind(1_i64);
    assert!(session.value::<i64>(missing).await.is_err(), "a value is missing");
}
both!(parameters_are_bound_by_their_numbers);

async fn a_value_is_read_as_what_it_is_or_not_at_all(world: World) {
    for (text, why) in [
        ("SELECT CAST(NULL AS BIGINT)", "NULL is not 0"),
        ("SELECT CAST('1' AS TEXT)", "text is no number"),
        ("SELECT 1.5", "a fraction is no whole number"),
    ] {
        let mut session = world.platform.db().read().await.unwrap();
        assert!(session.value::<i64>(sql(text)).await.is_err(), "{why}");
        assert!(session.value::<i64>(sql("SELECT 1")).await.is_err(), "the session is spent");
    }
    let mut session = world.platform.db().read().await.unwrap();
    let nothing: Option<i64> = session.value(sql("SELECT CAST(NULL AS BIGINT)")).await.unwrap();
    assert_eq!(nothing, None);
    assert!(session.value::<String>(sql("SELECT CAST(1 AS BIGINT)")).await.is_err());
}
both!(a_value_is_read_as_what_it_is_or_not_at_all);
