//! `nil demo`: runs one whole deal, from sign-up to payout, on a scratch database.

mod agency;
mod banks;
mod beside;
mod campaigns;
mod deal;
mod filed;
mod paperwork;
mod people;
pub(crate) mod player;
mod profile;
mod taxes;
mod welcome;
pub(crate) mod world;
mod year;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use nil_core::auth::MasterKey;
use nil_core::kernel::{Cents, SystemRandom};
use nil_core::storage::{Location, sql};
use nil_core::{Config, Platform};
use serde_json::{Value, json};

use self::deal::{Deal, Told};
use self::player::Player;
use crate::failure::Failure;
use crate::out::say;
use crate::sheet::Sheet;

/// Runs the deal, prints steps, ledger and file; fails if the books do not balance.
pub(crate) async fn demo(pdf: Option<PathBuf>, json: bool) -> Result<(), Failure> {
    let started = Instant::now();
    // Removed when this function ends, whatever happens.
    let scratch = tempfile::Builder::new().prefix("nil-demo-").tempdir()?;
    play(scratch.path(), pdf, json, started).await
}

async fn play(
    scratch: &Path,
    pdf: Option<PathBuf>,
    json: bool,
    started: Instant,
) -> Result<(), Failure> {
    let key = MasterKey::generate(&SystemRandom);
    let mut config = Config::new(Location::Sqlite(scratch.join("nil.db")), key);
    config.data = scratch.to_path_buf();
    let platform = nil_core::open(config).await?;
    let player = Player::new(platform.clone());

    let bar = progress(json, deal::STEPS);
    let mut told: Vec<Told> = Vec::new();
    let deal = Deal::play(&player, &mut |step: Told| {
        bar.set_message(step.what.clone());
        bar.inc(1);
        told.push(step);
    })
    .await?;
    bar.finish_and_clear();

    let path = pdf.unwrap_or_else(|| PathBuf::from("nil-demo-contract.pdf"));
    std::fs::write(&path, &deal.contract).map_err(Failure::at(&path))?;
    let ledger = ledger(&platform).await?;
    let report = nil_core::payments::verify(&platform).await?;
    let balanced = report.sound();
    platform.close().await;
    if json {
        let answer = json!({
            "steps": told, "ledger": ledger, "balanced": balanced, "report": report,
            "contract": path, "operations": player.calls(),
            "milliseconds": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        });
        say!("{answer:#}");
    } else {
        print(&told, &ledger, &path, player.calls(), started.elapsed(), balanced);
    }
    if balanced { Ok(()) } else { Err(Failure::Found) }
}

/// A progress bar for people; nothing with JSON output.
pub(crate) fn progress(json: bool, length: u64) -> ProgressBar {
    if json {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos:>3}/{len} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// Every account of the ledger with its balance.
async fn ledger(platform: &Platform) -> Result<Vec<(String, i64)>, Failure> {
    let mut session = platform.db().read().await?;
    let text = "SELECT name, balance_cents FROM ledger_account ORDER BY name";
    Ok(session.all(sql(text)).await?)
}

fn print(
    told: &[Told],
    ledger: &[(String, i64)],
    contract: &Path,
    calls: u64,
    took: Duration,
    balanced: bool,
) {
    let mut steps = Sheet::new(["", "who", "what happened"]);
    for (number, step) in (1..).zip(told) {
        steps.row([format!("{number}"), step.who.clone(), step.what.clone()]);
    }
    steps.draw();
    say!("");
    let mut books = Sheet::new(["account", "balance"]);
    for (name, balance) in ledger {
        books.row([name.clone(), Cents(*balance).to_string()]);
    }
    let sum: i64 = ledger.iter().map(|(_, balance)| balance).sum();
    books.row(["sum".to_owned(), Cents(sum).to_string()]);
    books.draw();
    say!("");
    say!("Contract: {}", contract.display());
    say!("{calls} operations in {:.1} s.", took.as_secs_f64());
    if balanced {
        say!("The ledger balances.");
        say!("Next: `nil serve --demo` serves a year of such deals, with accounts to log in.");
    } else {
        say!("The ledger does NOT balance; see `nil verify`.");
    }
}

/// An amount in an answer, formatted for people.
pub(crate) fn money(value: &Value) -> String {
    Cents(value.as_i64().unwrap_or_default()).to_string()
}
