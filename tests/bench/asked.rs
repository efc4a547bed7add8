//! The arguments: parts to run, and options of the parts `seeded` and `exports`.

use std::path::PathBuf;
use std::time::Duration;

use nil_tests::Engine;

/// What to measure, and where to write it.
pub struct Asked {
    parts: Vec<String>,
    /// `--json FILE`: where to write the results.
    pub json: Option<PathBuf>,
    /// `--plots DIR`: where to draw latency against size.
    pub plots: Option<PathBuf>,
    /// `--nil FILE`: the binary [default: `nil` in the folder of the profile].
    pub nil: PathBuf,
    /// `--scales N,N`: the sizes, as in `nil seed --scale` [default: 1,10].
    pub scales: Vec<u32>,
    /// `--transactions N`: their number, at scale 1 for the part `seeded`
    /// [default: 50000; a million for `exports`].
    transactions: Option<u32>,
    /// `--servers N`: how many processes answer on PostgreSQL, for the part `seeded` [default: 1].
    pub servers: u32,
    /// `--engine NAME`: only this one, for the parts `seeded` and `exports`.
    engine: Option<String>,
    /// `--seconds N`: how long each load lasts [default: 10].
    pub time: Duration,
}

impl Asked {
    pub fn of(mut arguments: impl Iterator<Item = String>) -> Self {
        let bench = std::env::current_exe().expect("the path of the benchmark");
        let profile = bench.parent().and_then(|deps| deps.parent()).expect("a folder above");
        let mut asked = Self {
            parts: Vec::new(),
            json: None,
            plots: None,
            nil: profile.join("nil"),
            scales: vec![1, 10],
            transactions: None,
            servers: 1,
            engine: None,
            time: Duration::from_secs(10),
        };
        while let Some(argument) = arguments.next() {
            let mut value =
                || arguments.next().unwrap_or_else(|| panic!("{argument} needs a value"));
            match argument.as_str() {
                "--json" => asked.json = Some(value().into()),
                "--plots" => asked.plots = Some(value().into()),
                "--nil" => asked.nil = value().into(),
                "--scales" => asked.scales = value().split(',').map(number).collect(),
                "--transactions" => asked.transactions = Some(number(&value())),
                "--servers" => asked.servers = number(&value()),
                "--engine" => asked.engine = Some(value().to_ascii_lowercase()),
                "--seconds" => asked.time = Duration::from_secs(number(&value()).into()),
                // What cargo adds.
                "--bench" => {}
                option if option.starts_with("--") => panic!("there is no option {option}"),
                part => asked.parts.push(part.to_owned()),
            }
        }
        asked
    }

    /// Whether a part is to run: it is named, or none is.
    pub fn wants(&self, part: &str) -> bool {
        self.parts.is_empty() || self.names(part)
    }

    /// The number of transactions that is told, or the usual one.
    pub fn transactions_or(&self, usual: u32) -> u32 {
        self.transactions.unwrap_or(usual)
    }

    /// The engines to measure on, or the only one that is asked for.
    pub fn engines(&self) -> Vec<(&'static str, Engine)> {
        let mut engines = engines();
        if let Some(only) = &self.engine {
            engines.retain(|(name, _)| name.eq_ignore_ascii_case(only));
        }
        engines
    }

    /// Whether a part is named.
    pub fn names(&self, part: &str) -> bool {
        self.parts.iter().any(|name| name == part)
    }
}

/// The engines to measure on: PostgreSQL if a cluster is up.
pub fn engines() -> Vec<(&'static str, Engine)> {
    let mut engines = vec![("SQLite", Engine::Sqlite)];
    if std::env::var("NIL_TEST_POSTGRES").is_ok() {
        engines.push(("PostgreSQL", Engine::Postgres));
    }
    engines
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}
