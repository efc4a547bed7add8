//! The results, as a table and as JSON.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

/// One measured line.
#[derive(Clone, Debug)]
pub struct Line {
    pub engine: &'static str,
    pub scale: u32,
    pub work: &'static str,
    pub unit: &'static str,
    /// The median, and what 99 of 100 stay below where there are that many.
    pub p50: f64,
    pub p99: Option<f64>,
    /// Requests per second: at which latency was measured, and at most.
    pub rate: Option<(f64, f64)>,
    /// Microseconds of processor for a request: of the servers, and of PostgreSQL.
    pub processor: Option<(f64, Option<f64>)>,
    /// The most requests per second relative to a bare handler or a bare commit, or the time
    /// relative to one.
    pub of_bare: Option<f64>,
}

impl Line {
    /// A single number without a distribution.
    pub fn plain(work: &'static str, unit: &'static str, value: f64) -> Self {
        Self {
            engine: "",
            scale: 0,
            work,
            unit,
            p50: value,
            p99: None,
            rate: None,
            processor: None,
            of_bare: None,
        }
    }
}

pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// How many times as much a line is as the same line at the smallest size.
fn slowdown(lines: &[Line], line: &Line) -> Option<f64> {
    let same = |other: &&Line| other.engine == line.engine && other.work == line.work;
    let first = lines.iter().filter(same).min_by_key(|other| other.scale)?;
    (first.scale < line.scale).then(|| line.p50 / first.p50)
}

pub fn print(lines: &[Line]) {
    println!(
        "{:<11} {:>6}  {:<34} {:>10} {:>10}  {:<3} {:>8} {:>8} {:>7} {:>8} {:>8} {:>9}",
        "engine",
        "scale",
        "work",
        "p50",
        "p99",
        "",
        "rate",
        "most",
        "server",
        "database",
        "of bare",
        "slowdown"
    );
    let number = |value: Option<f64>, places| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.places$}"))
    };
    for line in lines {
        println!(
            "{:<11} {:>5}×  {:<34} {:>10} {:>10}  {:<3} {:>8} {:>8} {:>7} {:>8} {:>8} {:>9}",
            line.engine,
            line.scale,
            line.work,
            number(Some(line.p50), 2),
            number(line.p99, 2),
            line.unit,
            number(line.rate.map(|(rate, _)| rate), 0),
            number(line.rate.map(|(_, most)| most), 0),
            number(line.processor.map(|(server, _)| server), 0),
            number(line.processor.and_then(|(_, database)| database), 0),
            number(line.of_bare, 2),
            number(slowdown(lines, line), 2)
        );
    }
}

pub fn write(lines: &[Line], file: &Path) {
    let rows: Vec<Value> = lines
        .iter()
        .map(|line| {
            json!({
                "engine": line.engine, "scale": line.scale, "work": line.work, "unit": line.unit,
                "p50": line.p50, "p99": line.p99, "rate": line.rate.map(|(rate, _)| rate),
                "most": line.rate.map(|(_, most)| most),
                "server_us": line.processor.map(|(server, _)| server),
                "database_us": line.processor.and_then(|(_, database)| database),
                "of_bare": line.of_bare,
                "slowdown": slowdown(lines, line),
            })
        })
        .collect();
    std::fs::write(file, format!("{:#}\n", Value::Array(rows))).unwrap();
}
