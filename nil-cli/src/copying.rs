//! `nil copy`: an installation in another database.

use std::io::IsTerminal as _;

use clap::Args;
use indicatif::ProgressBar;
use nil_core::keeping::{self, Copied, Manner, Step};
use nil_core::storage::moving::Target;
use nil_core::storage::{self, Location, Pooling};
use serde_json::json;

use crate::administering::{Examined, opened};
use crate::args::Options;
use crate::failure::Failure;
use crate::keeping::tell_rows;
use crate::out::{complain, say};
use crate::settings::{Needed, Settings};

/// The arguments of `nil copy`.
#[derive(Debug, Args)]
pub(crate) struct CopyTo {
    /// The other database, which is empty, or half filled by the same command: `sqlite:PATH` or
    /// `postgres://…`.
    #[arg(value_name = "DATABASE", env = "NIL_COPY_TO", hide_env_values = true)]
    to: String,
    /// The other database takes the place of this one: it asks the payment processor under the
    /// same keys. No server may use this one any more.
    #[arg(long)]
    replaces: bool,
}

/// What a copy does: a moving line on a terminal, and a line for each table that has rows.
struct Progress {
    bar: ProgressBar,
    quiet: bool,
}

impl Progress {
    fn new(json: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar =
            if terminal && !json { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        Self { bar, quiet: json }
    }

    fn hear(&self, step: Step<'_>) {
        if let Step::Wrote { table, rows, .. } = step {
            self.bar.set_message(format!("{table}: {rows} rows"));
            self.bar.tick();
        } else if let Some(line) = line(step).filter(|_| !self.quiet) {
            self.bar.suspend(|| complain!("{line}"));
        }
    }
}

/// What is said of a step that is over.
fn line(step: Step<'_>) -> Option<String> {
    Some(match step {
        Step::Begun { again: true } => {
            "An earlier copy broke off. What has arrived is compared, and the rest is copied."
                .into()
        }
        Step::Differs(table) => format!("{table}: it has changed, and is copied anew"),
        Step::Filled { table, rows, already_there: 0 } if rows > 0 => {
            format!("{table}: {rows} rows")
        }
        Step::Filled { table, rows, already_there } if rows == already_there && rows > 0 => {
            format!("{table}: all {rows} rows were there")
        }
        Step::Filled { table, rows, already_there } if rows > 0 => {
            format!("{table}: {rows} rows, {already_there} of them were there")
        }
        Step::Ending => "All rows are there. They are compared, and references are checked.".into(),
        Step::Begun { again: false } | Step::Wrote { .. } | Step::Filled { .. } => return None,
    })
}

/// Whether two addresses name one file. Two of PostgreSQL may lead to one database: it is refused
/// as one that has been used.
fn is_same(one: &Location, other: &Location) -> bool {
    let (Location::Sqlite(one), Location::Sqlite(other)) = (one, other) else { return false };
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// `nil copy`.
pub(crate) async fn copy(
    options: &Options,
    settings: Settings,
    args: CopyTo,
    json: bool,
) -> Result<(), Failure> {
    let to: Location = args.to.parse().map_err(Failure::Usage)?;
    if is_same(&to, &settings.config.database) {
        return Err(Failure::Usage("the other database is this one".into()));
    }
    let from = opened(settings).await?;
    let target = Target::open(&to).await?;
    // A copy that is not finished is gone on with in its own version.
    if !target.is_half_filled().await? {
        storage::migrate(target.db()).await?;
    }
    let manner = Manner { replaces: args.replaces, ..Manner::default() };
    let progress = Progress::new(json);
    let mut told = |step: Step<'_>| {
        progress.hear(step);
        Ok(())
    };
    let copied = keeping::copy(&from, &target, manner, &mut told).await;
    progress.bar.finish_and_clear();
    let copied = copied?;
    target.close().await;
    from.close().await;
    // The copy is opened as a server would open it, and examined.
    let there = Options { database: Some(args.to), ..options.clone() };
    let mut there = Settings::load(&there, Needed::Existing)?.with_key(Needed::Existing).await?;
    // What the settings say of pools is about this database.
    there.config.pooling = Pooling::default();
    let platform = opened(there).await?;
    let examined = Examined::of(&platform).await?;
    platform.close().await;
    if json {
        let told = json!({
            "rows": copied.rows,
            "copied": copied.rows - copied.already_there,
            "already_there": copied.already_there,
            "tables": copied.tables,
            "verified": examined.to_json(),
        });
        say!("{told:#}");
    } else {
        say!("Copied to {}.", to.described());
        tell_rows(copied.rows, copied.tables);
        tell_there(copied);
        examined.show();
        say!("Files are not copied: they are where this database has them.");
    }
    if examined.sound() { Ok(()) } else { Err(Failure::Found) }
}

fn tell_there(Copied { rows, already_there, .. }: Copied) {
    if already_there > 0 {
        say!(
            "{already_there} of them an earlier run had copied, {} this one.",
            rows - already_there
        );
    }
}
