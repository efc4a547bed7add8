//! Kept totals: whatever happens to transactions, figures of whole months are those of a recount.

use std::fmt::Write as _;
use std::panic::Location;

use nil_core::kernel::SeededRandom;
use nil_core::worker;
use nil_tests::{Draw as _, Engine, World, both};
use serde_json::{Value, json};

use crate::figures::{SUMMARY, asks, officer};

const ZONES: [&str; 4] =
    ["America/Chicago", "America/New_York", "Pacific/Honolulu", "America/Phoenix"];

/// Random changes of the transactions of two institutions, written by somebody else.
struct Walk {
    world: World,
    random: SeededRandom,
    colleges: [i64; 2],
    /// The records ever written.
    records: i64,
}

impl Walk {
    async fn new(engine: Engine, seed: u64) -> Self {
        let world = World::unthrottled(engine).await;
        let colleges = [world.college().await, world.college().await];
        Self { world, random: SeededRandom::new(seed), colleges, records: 0 }
    }

    fn one_of<T: Copy>(&self, all: &[T]) -> T {
        *self.random.one_of(all)
    }

    /// An instant within ten months, often where a month begins in one of the zones.
    fn moment(&self) -> String {
        let month = 1 + self.random.below(10);
        if self.random.below(2) == 0 {
            let hour = self.one_of(&[4, 5, 6, 7, 9, 10]);
            let (minute, second) = self.one_of(&[("00", "00"), ("59", "59")]);
            return format!("2026-{month:02}-01T{hour:02}:{minute}:{second}+00:00");
        }
        format!("2026-{month:02}-{:02}T12:00:00.25+00:00", 1 + self.random.below(28))
    }

    fn amount(&self) -> i64 {
        match self.random.below(8) {
            0 => -1 - self.random.below(5_000),
            1 => 1_000_000_000_000_000 + self.random.below(3),
            2 | 3 => 50_000,
            4 => self.random.below(5) * 2_048 - self.random.below(2),
            _ => self.random.below(100_000),
        }
    }

    /// A column with a random value.
    fn value(&self, column: &str) -> String {
        match column {
            "college_id" => self.one_of(&self.colleges).to_string(),
            "occurred_at" => format!("'{}'", self.moment()),
            "athlete_id" => (1 + self.random.below(5)).to_string(),
            "sport_id" => self.one_of(&["NULL", "1", "2", "3"]).to_owned(),
            "category_id" => (1 + self.random.below(4)).to_string(),
            "payment_type" => self.one_of(&["'cash'", "'mixed'", "'product'"]).to_owned(),
            "counted" => self.one_of(&["(1 = 1)", "(1 = 1)", "(1 = 0)"]).to_owned(),
            _ => self.amount().to_string(),
        }
    }

    /// A change, as SQL that both engines take.
    fn change(&mut self) -> String {
        let record = 1 + self.random.below(self.records + 1);
        match self.random.below(10) {
            0..5 => {
                self.records += 1;
                let [college, at, athlete, sport, category, kind, counted, gross, net, refunded] =
                    [
                        "college_id",
                        "occurred_at",
                        "athlete_id",
                        "sport_id",
                        "category_id",
                        "payment_type",
                        "counted",
                        "gross_cents",
                        "net_cents",
                        "refunded_cents",
                    ]
                    .map(|column| self.value(column));
                let source = self.one_of(&["platform", "disclosed"]);
                format!(
                    "INSERT INTO college_transaction VALUES ({college}, {at}, '{source}', {record}, \
                     {athlete}, {sport}, 'female', {category}, {kind}, 'succeeded', {counted}, {gross}, 7, \
                     {net}, {refunded}, NULL, (1 = 0), (1 = 0), (1 = 0), (1 = 0), (1 = 0), NULL) \
                     ON CONFLICT (source, record_id) DO UPDATE SET gross_cents = excluded.gross_cents, \
                     occurred_at = excluded.occurred_at, counted = excluded.counted",
                    record = self.records + 1 - self.random.below(2),
                )
            }
            5..8 => {
                let column = self.one_of(&[
                    "college_id",
                    "occurred_at",
                    "athlete_id",
                    "sport_id",
                    "category_id",
                    "payment_type",
                    "counted",
                    "gross_cents",
                    "refunded_cents",
                ]);
                let value = self.value(column);
                format!(
                    "UPDATE college_transaction SET {column} = {value} WHERE record_id = {record}"
                )
            }
            8 => format!("DELETE FROM college_transaction WHERE record_id = {record}"),
            _ => {
                let athlete = self.value("athlete_id");
                let sport = self.value("sport_id");
                format!(
                    "UPDATE college_transaction SET sport_id = {sport} WHERE athlete_id = {athlete}"
                )
            }
        }
    }

    fn period(&self) -> Value {
        let first = 1 + self.random.below(10);
        let last = first + self.random.below(11 - first);
        let from = format!("2026-{first:02}-01");
        let end =
            chrono::NaiveDate::from_ymd_opt(2026, u32::try_from(last).unwrap() + 1, 1).unwrap();
        let to = end.pred_opt().unwrap();
        match self.random.below(8) {
            // No whole month; the period before is one.
            6 | 7 => json!({ "from": "2026-03-01", "to": "2026-03-28" }),
            0 => json!({ "from": from }),
            1 => json!({ "to": to }),
            2 => json!({ "from": from, "to": end }),
            3 => json!({ "preset": self.one_of(&["this_year", "last_month", "academic_year"]) }),
            _ => json!({ "from": from, "to": to }),
        }
    }

    async fn go(&mut self, steps: usize) {
        for _ in 0..steps {
            let mut script = String::new();
            for _ in 0..1 + self.random.below(30) {
                writeln!(script, "{};", self.change()).unwrap();
            }
            if self.random.below(4) == 0 {
                let (zone, college) = (self.one_of(&ZONES), self.one_of(&self.colleges));
                writeln!(script, "UPDATE college SET time_zone = '{zone}' WHERE id = {college};")
                    .unwrap();
            }
            self.world.script(&script).await;
            if self.random.below(3) == 0 {
                worker::round(&self.world.platform).await.unwrap();
            }
            self.hold().await;
        }
    }

    async fn hold(&self) {
        for college in self.colleges {
            for input in [self.period(), json!({}), self.period()] {
                self.world.totals_are_kept(college, &input, Location::caller()).await;
            }
            let noted = "SELECT COUNT(*) FROM college_transaction_change WHERE college_id = ";
            assert_eq!(self.world.id(&format!("{noted}{college}")).await, 0, "all is added");
        }
        let wrong = "SELECT COUNT(*) FROM college_total WHERE count < 0 OR athletes < 0";
        assert_eq!(self.world.id(wrong).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn totals_follow_every_change_sqlite() {
    for seed in 0..3 {
        Walk::new(Engine::Sqlite, seed).await.go(12).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn totals_follow_every_change_postgres() {
    for seed in 0..2 {
        Walk::new(Engine::Postgres, seed).await.go(12).await;
    }
}

/// An institution with transactions and without totals, such as one whose time zone has changed.
async fn totals_are_made_of_what_is_there(world: World) {
    let mut walk = Walk {
        colleges: [world.college().await; 2],
        world,
        random: SeededRandom::new(9),
        records: 0,
    };
    let script: String = (0..200).map(|_| walk.change() + ";\n").collect();
    let world = &walk.world;
    let count = "SELECT COUNT(*) FROM college_transaction_change";
    for by_the_worker in [true, false] {
        world.script("DELETE FROM college_transaction").await;
        world.script(&script).await;
        for table in [
            "college_transaction_change",
            "college_kept",
            "college_total",
            "college_athletes",
            "college_amount",
        ] {
            world.script(&format!("DELETE FROM {table}")).await;
        }
        // What a trigger does for a new institution.
        world.script("INSERT INTO college_kept SELECT id, '' FROM college").await;
        if by_the_worker {
            worker::round(&world.platform).await.unwrap();
            let kept = "SELECT COUNT(*) FROM college_total WHERE dimension = 'all'";
            assert!(world.id(kept).await > 5);
        }
        world.totals_are_kept(walk.colleges[0], &json!({}), Location::caller()).await;
        assert_eq!(world.id(count).await, 0);
    }
}
both!(totals_are_made_of_what_is_there);

/// Too much to wait for: the figure is right at once, and the worker adds up later.
async fn a_figure_does_not_wait_for_many_changes(world: World) {
    let college = world.college().await;
    let who = officer(college, &[]);
    asks(&world, SUMMARY, &who, json!({})).await;
    let one = |record: i64| {
        format!(
            "({college}, '2026-03-04T12:00:00+00:00', 'platform', {record}, {}, 1, 'female', 1, 'cash', \
             'succeeded', (1 = 1), {record}, 0, 0, 0, NULL, (1 = 0), (1 = 0), (1 = 0), (1 = 0), (1 = 0), \
             NULL)",
            record % 97
        )
    };
    let rows: Vec<_> = (1..=1_001).map(one).collect();
    world.script(&format!("INSERT INTO college_transaction VALUES {}", rows.join(", "))).await;
    let noted = "SELECT COUNT(*) FROM college_transaction_change";
    for left in [1_001, 0] {
        let summary = asks(&world, SUMMARY, &who, json!({})).await;
        assert_eq!(world.id(noted).await, left);
        assert_eq!(summary["totals"]["count"], 1_001);
        assert_eq!(summary["totals"]["athletes"], 97);
        assert_eq!(summary["totals"]["median_cents"], 501);
        worker::round(&world.platform).await.unwrap();
    }
    world.totals_are_kept(college, &json!({}), Location::caller()).await;
}
both!(a_figure_does_not_wait_for_many_changes);

/// Only figures of whole months without filters, or of more than everything, read kept totals.
async fn filters_read_the_transactions(world: World) {
    let college = world.college().await;
    let who = officer(college, &[]);
    world
        .script(&format!(
            "INSERT INTO college_transaction VALUES ({college}, '2026-03-04T12:00:00+00:00', 'platform', 1, 7, \
             1, 'female', 1, 'cash', 'succeeded', (1 = 1), 500, 0, 0, 0, NULL, (1 = 0), (1 = 0), (1 = 0), \
             (1 = 0), (1 = 0), NULL)"
        ))
        .await;
    asks(&world, SUMMARY, &who, json!({})).await;
    world.script("UPDATE college_total SET gross_cents = 9 WHERE dimension = 'source'").await;
    let limited = officer(college, &[1]);
    for (who, input, gross) in [
        (&who, json!({}), 9),
        (&who, json!({ "from": "2026-03-01", "to": "2026-03-31" }), 9),
        (&who, json!({ "from": "2026-03-04" }), 9),
        (&who, json!({ "from": "2020-01-01", "to": "2026-03-04" }), 9),
        (&limited, json!({}), 500),
        (&who, json!({ "sport_ids": [1] }), 500),
        (&who, json!({ "genders": ["female"] }), 500),
        (&who, json!({ "athlete_ids": [7] }), 500),
        (&who, json!({ "category_ids": [1] }), 500),
        (&who, json!({ "sources": ["platform"] }), 500),
        (&who, json!({ "statuses": ["succeeded"] }), 500),
        (&who, json!({ "min_cents": 1 }), 500),
        (&who, json!({ "max_cents": 1_000 }), 500),
        (&who, json!({ "flags": ["minor"] }), 0),
    ] {
        let summary = asks(&world, SUMMARY, who, input.clone()).await;
        assert_eq!(summary["totals"]["gross_cents"], gross, "{input}");
    }
}
both!(filters_read_the_transactions);
