//! `nil seed`: fills an empty database with a large invented world.

use std::io::IsTerminal as _;
use std::time::Instant;

use indicatif::ProgressBar;
use nil_core::Error;
use nil_core::kernel::Password;
use nil_core::seed::{self, LogIn, Size};
use serde_json::{Value, json};

use crate::accounts::password;
use crate::args::WorldSize;
use crate::demo::progress;
use crate::failure::Failure;
use crate::out::{complain, say};
use crate::settings::Settings;
use crate::sheet::Sheet;

/// Fills the database, and prints what was made and an account of each kind.
pub(crate) async fn seed(settings: Settings, asked: WorldSize, json: bool) -> Result<(), Failure> {
    let started = Instant::now();
    let mut size = Size::scaled(asked.scale, asked.seed);
    size.athletes = asked.athletes.unwrap_or(size.athletes);
    size.jobs = asked.jobs.unwrap_or(size.jobs);
    size.transactions = asked.transactions.unwrap_or(size.transactions);
    let platform = nil_core::open(settings.config).await?;
    let made_up = !asked.password_stdin;
    let text = password(&platform, asked.password_stdin)?;
    let secret = Password::new(text.expose()).map_err(|why| Error::invalid("password", why))?;

    let bar = progress(json, size.rows());
    let mut told = Told { bar: &bar, lines: !json && !std::io::stderr().is_terminal(), last: "" };
    let filled =
        seed::fill(&platform, size, &secret, &mut |name, rows| told.hear(name, rows)).await;
    bar.finish_and_clear();
    let log_ins = filled?;
    platform.close().await;

    let kept = if made_up { Some(text.expose()) } else { None };
    if json {
        say!("{:#}", answer(&size, &log_ins, kept));
    } else {
        print(&size, &log_ins, kept);
        say!("{} rows in {:.1} s.", size.rows(), started.elapsed().as_secs_f64());
    }
    Ok(())
}

/// The progress: a bar on a terminal, otherwise a line for each kind of rows.
struct Told<'a> {
    bar: &'a ProgressBar,
    lines: bool,
    last: &'static str,
}

impl Told<'_> {
    fn hear(&mut self, name: &'static str, rows: u64) {
        if self.last != name {
            self.last = name;
            self.bar.set_message(name);
            if self.lines {
                complain!("{name} …");
            }
        }
        self.bar.inc(rows);
    }
}

fn made(size: &Size) -> [(&'static str, u32); 5] {
    [
        ("institutions", size.institutions),
        ("athletes", size.athletes),
        ("brands", size.brands),
        ("jobs", size.jobs),
        ("transactions", size.transactions),
    ]
}

fn answer(size: &Size, log_ins: &[LogIn], password: Option<&str>) -> Value {
    let made: serde_json::Map<_, _> =
        made(size).into_iter().map(|(name, rows)| (name.to_owned(), json!(rows))).collect();
    let accounts: Vec<Value> =
        log_ins.iter().map(|one| json!({ "kind": one.kind, "email": one.email })).collect();
    let mut answer = json!({ "made": made, "accounts": accounts });
    if let (Some(fields), Some(password)) = (answer.as_object_mut(), password) {
        fields.insert("password".into(), password.into());
    }
    answer
}

fn print(size: &Size, log_ins: &[LogIn], password: Option<&str>) {
    let mut rows = Sheet::new(["made", "rows"]);
    for (name, count) in made(size) {
        rows.row([name.to_owned(), count.to_string()]);
    }
    rows.draw();
    say!("");
    let mut accounts = Sheet::new(["account", "e-mail"]);
    for one in log_ins {
        accounts.row([one.kind.to_owned(), one.email.clone()]);
    }
    accounts.draw();
    say!("");
    match password {
        Some(password) => say!("The password of all accounts, shown once: {password}"),
        None => say!("All accounts have the password that was given."),
    }
}
