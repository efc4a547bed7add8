//! `nil college`: colleges and universities.

use clap::{Args as ClapArgs, Subcommand};
use nil_core::Platform;
use nil_core::institutions::Division;
use nil_core::institutions::admin::{self, CollegeChanges, WhichCollege};
use nil_core::operation::{self, Fields};
use serde_json::json;

use crate::failure::Failure;
use crate::out::say;
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
}

/// `nil college list|save`.
pub(crate) async fn college(
    settings: Settings,
    action: CollegeAction,
    json: bool,
) -> Result<(), Failure> {
    match action {
        CollegeAction::List { search, layout } => {
            let platform = Platform::open(settings.config).await?;
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
        CollegeAction::Save(save) => {
            let which = save.college.as_deref().map(WhichCollege::named);
            let changes = save.changes()?;
            let platform = Platform::open(settings.config).await?;
            let saved = admin::change(&platform, which, changes).await;
            platform.close().await;
            print(&json!(saved?), json);
            Ok(())
        }
    }
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
        ];
        let mut fields = Fields::default();
        for (name, value) in flags {
            if let Some(value) = value {
                fields.put(name, value);
            }
        }
        Ok(operation::read(&fields)?.0)
    }
}
