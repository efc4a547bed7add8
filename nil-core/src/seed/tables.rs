//! The statements of each table. A statement writes the rows between two numbers.

use chrono::{Days, Months};
use serde_json::json;

use super::Size;
use crate::kernel::{Date, Time, utc_day};
use crate::storage::{Sql, sql};

/// The number of the first row of each table. The rows of real use keep their small numbers.
pub(super) const FIRST: i64 = 1_000_001;

/// The text of a statement: the numbers and what is drawn from them, lists of words, the insert.
macro_rules! text {
    ($($file:literal),+) => {
        concat!(include_str!("drawn.sql"), $(include_str!($file)),+)
    };
}

/// What all statements have in common.
#[derive(Debug)]
pub(super) struct Frame {
    pub size: Size,
    /// The hash of the password of all accounts.
    pub hash: String,
    /// The first instant of the day on which the world is made.
    pub now: Time,
}

/// The numbers of the rows that a statement writes, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub first: i64,
    pub last: i64,
}

type Write = fn(&Frame, Span) -> Sql;

/// The tables of people and jobs in the order of their references, with the number of their rows.
pub(super) fn standing(size: &Size) -> [(&'static str, u32, Write); 12] {
    [
        ("institutions", size.institutions, colleges),
        ("officers", size.institutions, officers),
        ("athletes' accounts", size.athletes, athlete_accounts),
        ("athletes", size.athletes, athletes),
        ("athletes' followers", size.athletes, socials),
        ("brands' accounts", size.brands, brand_accounts),
        ("brands", size.brands, brands),
        ("jobs", size.jobs, jobs),
        ("jobs' milestones", size.jobs, milestones),
        ("jobs' conditions", size.jobs, conditions),
        ("applications", size.jobs, applications),
        ("operators", 1, operators),
    ]
}

fn begin(text: &'static str, frame: &Frame, span: Span) -> Sql {
    sql(text).bind(span.first).bind(span.last).bind(i64::from(frame.size.seed))
}

fn colleges(frame: &Frame, span: Span) -> Sql {
    begin(text!("college.sql"), frame, span).bind(frame.now).bind(json!([]))
}

fn officers(frame: &Frame, span: Span) -> Sql {
    begin(text!("names.sql", "officer.sql"), frame, span).bind(frame.now).bind(frame.hash.clone())
}

fn operators(frame: &Frame, span: Span) -> Sql {
    begin(text!("names.sql", "operator.sql"), frame, span)
        .bind(frame.now)
        .bind(frame.hash.clone())
        .bind(json!(["*"]))
}

fn athlete_accounts(frame: &Frame, span: Span) -> Sql {
    accounts(frame, span, "athlete", 0)
}

fn brand_accounts(frame: &Frame, span: Span) -> Sql {
    accounts(frame, span, "partner", frame.size.athletes)
}

/// The accounts of brands have the numbers that follow those of athletes.
fn accounts(frame: &Frame, span: Span, kind: &'static str, shift: u32) -> Sql {
    begin(text!("names.sql", "account.sql"), frame, span)
        .bind(frame.now)
        .bind(frame.hash.clone())
        .bind(kind)
        .bind(i64::from(shift))
}

fn athletes(frame: &Frame, span: Span) -> Sql {
    let institutions = i64::from(frame.size.institutions);
    let mut statement = begin(text!("names.sql", "topics.sql", "athlete.sql"), frame, span)
        .bind(frame.now)
        .bind(institutions);
    // All of age, born on days of four different years.
    for years in [19, 20, 21, 22] {
        let age = Months::new(years * 12 + years % 5);
        statement = statement.bind(frame.today().checked_sub_months(age).unwrap_or(Date::MIN));
    }
    for tags in [json!([]), json!(["music"]), json!(["food", "travel"]), json!(["gaming"])] {
        statement = statement.bind(tags);
    }
    statement
}

fn socials(frame: &Frame, span: Span) -> Sql {
    begin(text!("social.sql"), frame, span).bind(frame.now)
}

fn brands(frame: &Frame, span: Span) -> Sql {
    begin(text!("names.sql", "topics.sql", "brand.sql"), frame, span)
        .bind(frame.now)
        .bind(i64::from(frame.size.athletes))
}

fn jobs(frame: &Frame, span: Span) -> Sql {
    let (soon, later) = (frame.at(10, 12), frame.at(15, 12));
    let rights = json!({ "media": [], "territory": "US", "days": 90, "perpetual": false });
    begin(text!("topics.sql", "job.sql"), frame, span)
        .bind(frame.now)
        .bind(i64::from(frame.size.brands))
        .bind(soon)
        .bind(later)
        // When the last due date has ended everywhere in the United States.
        .bind(frame.at(21, 10) - chrono::TimeDelta::seconds(1))
        .bind(json!({}))
        .bind(rights)
}

fn milestones(frame: &Frame, span: Span) -> Sql {
    begin(text!("milestone.sql"), frame, span).bind(frame.day(20)).bind(json!([]))
}

fn conditions(frame: &Frame, span: Span) -> Sql {
    begin(text!("condition.sql"), frame, span)
}

fn applications(frame: &Frame, span: Span) -> Sql {
    begin(text!("application.sql"), frame, span)
        .bind(frame.now)
        .bind(i64::from(frame.size.athletes))
}

/// The statements for transactions: deals made elsewhere, signed `ago` days ago and handed in on
/// the same day. The rows of the figures come from the view that says what they are; triggers write
/// them only when a draft is handed in.
pub(super) fn transactions(frame: &Frame, span: Span, ago: i64) -> [Sql; 3] {
    let attested = json!([
        "not_for_performance",
        "not_an_inducement",
        "business_purpose",
        "complete_and_true"
    ]);
    let deals = begin(text!("topics.sql", "deal.sql"), frame, span)
        .bind(frame.day(-ago))
        .bind(frame.at(-ago, 16))
        .bind(frame.at(1 - ago, 15))
        .bind(frame.at(7 - ago, 5))
        .bind(json!([]))
        .bind(attested)
        .bind(json!(["over_threshold"]))
        .bind(i64::from(frame.size.athletes));
    let alone = |text| sql(text).bind(span.first).bind(span.last);
    [deals, alone(include_str!("clearance.sql")), alone(include_str!("figure.sql"))]
}

impl Frame {
    fn today(&self) -> Date {
        utc_day(self.now)
    }

    /// The day so many days from today.
    fn day(&self, from_today: i64) -> Date {
        let days = Days::new(from_today.unsigned_abs());
        let day = if from_today < 0 {
            self.today().checked_sub_days(days)
        } else {
            self.today().checked_add_days(days)
        };
        day.unwrap_or(self.today())
    }

    fn at(&self, from_today: i64, hour: i64) -> Time {
        self.now + chrono::TimeDelta::days(from_today) + chrono::TimeDelta::hours(hour)
    }
}
