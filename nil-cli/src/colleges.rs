//! `nil college`: colleges and universities.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use nil_core::error::codes;
use nil_core::institutions::admin::{self, CollegeChanges};
use nil_core::institutions::importing::{self, Import, Imported, Outcome};
use nil_core::institutions::{Division, WhichCollege};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{self, say};
use crate::settings::Settings;
use crate::show::{self, Layout, print};
use crate::words::offered;

#[derive(Debug, Subcommand)]
pub(crate) enum CollegeAction {
    /// List the colleges by name, also those that users cannot select.
    List {
        /// Only those with this text in a name, the slug or the conference.
        #[arg(long, value_name = "TEXT")]
        search: Option<String>,
        #[command(flatten)]
        layout: Layout,
    },
    /// Create a college, or change the named one: what is left out stays.
    Save(Box<SaveCollege>),
    /// Create or change the colleges of a CSV file: all of them, or none if a line is wrong.
    ///
    /// The first line names the columns: `slug`, and any of `name`, `short_name`, `conference`,
    /// `division`, `state`, `time_zone`, `email_domains` (separated by ; or ,), `listed` and
    /// `participation` (as `--participation` takes it). Each other line creates a college, or
    /// changes the one with its slug: an empty value leaves what is there. At most 10,000 lines and
    /// 10 MiB, in UTF-8.
    Import {
        /// The file.
        file: PathBuf,
        /// Check everything, print what would happen, and write nothing.
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SaveCollege {
    /// The college to change, by its id or its slug; leave out to create one.
    #[arg(value_name = "ID|SLUG")]
    college: Option<String>,
    /// Full name (required for a new college).
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Short name [default: the full name].
    #[arg(long, value_name = "NAME")]
    short_name: Option<String>,
    /// The name in URLs, such as lakeshore-state [default: derived from the name].
    #[arg(long, value_name = "SLUG")]
    slug: Option<String>,
    /// The conference it plays in.
    #[arg(long, value_name = "NAME")]
    conference: Option<String>,
    /// The division it competes in (required for a new college).
    #[arg(long, value_name = "DIVISION", value_parser = offered(Division::ALL))]
    division: Option<String>,
    /// Two-letter code of the state it is in, such as IL (required for a new college).
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// Its IANA time zone, such as America/Chicago (required for a new college).
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// The mail domains of its members, separated by commas, such as lakeshore.example.
    #[arg(long, value_name = "DOMAIN")]
    email_domains: Option<String>,
    /// Whether users can select it [default: true].
    #[arg(long, value_name = "true|false", value_parser = offered(&["true", "false"]))]
    listed: Option<String>,
    /// From which days on it takes part in what the clearinghouse asks of its division, and from
    /// which not, such as "2025-07-01 no; 2026-07-01 yes", or always [default: always].
    #[arg(long, value_name = "CHANGES")]
    participation: Option<String>,
}

/// `nil college list|save|import`.
pub(crate) async fn college(
    settings: Settings,
    action: CollegeAction,
    json: bool,
) -> Result<(), Failure> {
    match action {
        CollegeAction::List { search, layout } => {
            let platform = nil_core::open(settings.config).await?;
            let colleges = json!(admin::list(&platform, search.as_deref()).await?);
            platform.close().await;
            if json {
                say!("{colleges:#}");
                return Ok(());
            }
            let columns =
                ["id", "slug", "name", "conference", "division", "state", "time_zone", "listed"];
            show::rows(&colleges, &layout.or(&columns))
        }
        CollegeAction::Import { file, dry_run } => import(settings, &file, dry_run, json).await,
        CollegeAction::Save(save) => {
            let which = save.college.as_deref().map(WhichCollege::named);
            let changes = save.changes()?;
            let platform = nil_core::open(settings.config).await?;
            let saved = admin::change(&platform, which, changes).await;
            platform.close().await;
            print(&json!(saved?), json);
            Ok(())
        }
    }
}

async fn import(settings: Settings, path: &Path, dry_run: bool, json: bool) -> Result<(), Failure> {
    let mut content = Vec::new();
    // A byte more than may be imported, so that a larger file is refused.
    let most = u64::try_from(importing::MOST_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut content));
    read.map_err(Failure::at(path))?;
    let platform = nil_core::open(settings.config).await?;
    let import = importing::import(&platform, &content, dry_run).await;
    platform.close().await;
    let Import { lines, written } = import?;
    let is_wrong = |line: &&Imported| line.outcome == Outcome::Wrong;
    let wrong: Vec<&Imported> = lines.iter().filter(is_wrong).collect();
    if json {
        say!("{:#}", json!(lines));
    } else if wrong.is_empty() {
        show::rows(&json!(lines), &Layout::default().or(&["line", "slug", "outcome"]))?;
        if !written {
            out::remark(format_args!("Nothing was written."));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let told = wrong.iter().flat_map(|line| {
        let told = |(column, why): (&String, &Vec<String>)| {
            format!("line {}: {column}: {}", line.line, why.join("; "))
        };
        line.errors.iter().map(told)
    });
    Err(Failure::Answered {
        code: codes::VALIDATION_FAILED.name.to_owned(),
        message: format!(
            "{} of {} lines are wrong. Nothing was written.",
            wrong.len(),
            lines.len()
        ),
        fields: told.collect(),
    })
}

impl SaveCollege {
    /// The flags, read as the operation's types; the refusal names every field that is wrong.
    fn changes(self) -> Result<CollegeChanges, Failure> {
        let flags = [
            ("name", self.name),
            ("short_name", self.short_name),
            ("slug", self.slug),
            ("conference", self.conference),
            ("division", self.division),
            ("state", self.state),
            ("time_zone", self.time_zone),
            ("email_domains", self.email_domains),
            ("listed", self.listed),
            ("participation", self.participation),
        ];
        Ok(CollegeChanges::from_texts(flags)?)
    }
}
