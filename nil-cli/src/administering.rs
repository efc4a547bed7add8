//! Commands for migrations, the outbox, the worker and the check of the books.

use nil_core::content::checking::{CheckedObjects, check_objects};
use nil_core::kernel::OutboxId;
use nil_core::notifications::outbox;
use nil_core::payments::Report;
use nil_core::{Platform, storage};
use serde_json::{Value, json};

use crate::args::OutboxAction;
use crate::failure::Failure;
use crate::logging::start_log;
use crate::out::{complain, say};
use crate::serving::asked_to_stop;
use crate::settings::Settings;
use crate::sheet::Sheet;
use crate::show::{self, Layout, print};

/// `nil migrate [--check]`.
pub(crate) async fn migrate(settings: Settings, check: bool, json: bool) -> Result<(), Failure> {
    if !check {
        let platform = nil_core::open(settings.config).await?;
        platform.close().await;
        print(&json!("The database is up to date."), json);
        return Ok(());
    }
    let platform = settings.open_as_it_is().await?;
    let drift = storage::pending(platform.db()).await?;
    let missing: Vec<Value> = drift
        .missing
        .iter()
        .map(|(number, name)| json!({ "number": number, "name": name }))
        .collect();
    if drift.is_none() {
        print(&json!("The database is up to date."), json);
        return Ok(());
    }
    if json {
        say!("{:#}", json!({ "missing": missing, "unknown": drift.unknown }));
    } else {
        say!("Missing:");
        show::answer(&Value::Array(missing), &Layout::default());
        if !drift.unknown.is_empty() {
            say!("Unknown to this version: {:?}", drift.unknown);
        }
    }
    Err(Failure::Found)
}

/// `nil outbox [list|show|retry]`.
pub(crate) async fn outbox(
    settings: Settings,
    action: Option<OutboxAction>,
    json: bool,
) -> Result<(), Failure> {
    let platform = nil_core::open(settings.config).await?;
    match action.unwrap_or(OutboxAction::List { limit: 100, before: None }) {
        OutboxAction::List { limit, before } => {
            let rows = outbox::list_before(&platform, before.unwrap_or(i64::MAX), limit).await?;
            if json {
                say!("{:#}", json!(rows));
            } else {
                let header = ["id", "channel", "to", "event", "subject", "status", "why"];
                let mut sheet = Sheet::new(header);
                for row in rows {
                    sheet.row([
                        row.id.to_string(),
                        row.channel.to_string(),
                        row.to,
                        row.event,
                        row.subject.unwrap_or_default(),
                        row.status.to_string(),
                        row.why.unwrap_or_default(),
                    ]);
                }
                sheet.list();
            }
        }
        OutboxAction::Show { id } => {
            let found = match OutboxId::new(id) {
                Some(id) => outbox::find(&platform, id).await?,
                None => None,
            };
            let row =
                found.ok_or(nil_core::error::codes::NOT_FOUND).map_err(nil_core::Error::from)?;
            if json {
                say!("{:#}", json!(row));
            } else {
                say!("To: {}\nSubject: {}\n", row.to, row.subject.unwrap_or_default());
                say!("{}", row.body.unwrap_or_else(|| "(erased)".into()));
                if let Some(why) = row.why {
                    say!("\n({}: {why})", row.status);
                }
            }
        }
        OutboxAction::Retry { id } => {
            let id = OutboxId::new(id).ok_or_else(|| Failure::Usage("no such id".into()))?;
            if !outbox::retry(&platform, id).await? {
                return Err(Failure::Broken("no message with this id has failed for good".into()));
            }
            print(&json!("The message will be tried again."), json);
        }
    }
    platform.close().await;
    Ok(())
}

/// The platform on a database of this version.
pub(crate) async fn opened(settings: Settings) -> Result<Platform, Failure> {
    let platform = settings.open_as_it_is().await?;
    if !storage::pending(platform.db()).await?.is_none() {
        let why = "the database is not of this version: `nil migrate --check` says what differs";
        return Err(Failure::Broken(why.into()));
    }
    Ok(platform)
}

/// `nil restored`: the database's next payments ask the processor under keys of their own.
pub(crate) async fn restored(settings: Settings, json: bool) -> Result<(), Failure> {
    let platform = opened(settings).await?;
    nil_core::payments::renew_mark(&platform).await?;
    platform.close().await;
    if json {
        say!("{}", json!({ "restored": true }));
    } else {
        say!("The next payments ask the payment processor under keys of this database alone.");
    }
    Ok(())
}

/// `nil verify`: exits 1 if a check fails.
pub(crate) async fn verify(settings: Settings, json: bool) -> Result<(), Failure> {
    let platform = opened(settings).await?;
    let examined = Examined::of(&platform).await?;
    if examined.sound()
        && let Err(error) = nil_core::payments::note_verified(&platform).await
    {
        // The check itself is done: on a replica, for one, nothing can be written.
        complain!("warning: servers do not hear that everything holds: {}", error.message());
    }
    platform.close().await;
    if json {
        say!("{:#}", examined.to_json());
    } else {
        examined.show();
    }
    if examined.sound() { Ok(()) } else { Err(Failure::Found) }
}

/// What the checks of a whole installation found.
pub(crate) struct Examined {
    books: Report,
    files: CheckedObjects,
    /// Where the audit trail's chain is broken.
    broken: Option<i64>,
}

impl Examined {
    /// Checks the books, the files and the audit trail.
    pub(crate) async fn of(platform: &Platform) -> Result<Self, Failure> {
        let books = nil_core::payments::verify(platform).await?;
        let files = check_objects(platform).await?;
        let mut session = platform.db().read().await?;
        let broken = nil_core::operation::chain::verify_chain(&mut session).await?.broken_at;
        Ok(Self { books, files, broken })
    }

    /// Whether nothing is wrong.
    pub(crate) fn sound(&self) -> bool {
        self.books.sound() && self.files.missing == 0 && self.broken.is_none()
    }

    /// Everything, for programs.
    pub(crate) fn to_json(&self) -> Value {
        let files = json!({
            "examined": self.files.examined,
            "missing": self.files.missing,
            "records": self.files.records,
        });
        json!({ "books": self.books, "files": files, "audit_trail_broken_at": self.broken })
    }

    /// Everything, for people.
    pub(crate) fn show(&self) {
        let mut sheet = Sheet::new(["", "check", "examined"]);
        let mark = |holds: bool| if holds { "holds" } else { "BROKEN" };
        for check in &self.books.checks {
            sheet.row([mark(check.problems.is_empty()), &check.name, &check.examined.to_string()]);
        }
        let there = mark(self.files.missing == 0);
        sheet.row([
            there,
            "every file that a record names is there",
            &self.files.examined.to_string(),
        ]);
        sheet.draw();
        for problem in self.books.problems() {
            say!("{problem}");
        }
        say_missing(&self.files);
        match self.broken {
            None => say!("The audit trail's chain holds."),
            Some(position) => say!("The audit trail was changed at position {position}."),
        }
    }
}

/// Says which files are gone. If all are, the folder is probably a wrong one.
fn say_missing(objects: &CheckedObjects) {
    let CheckedObjects { examined, missing, records } = objects;
    if *missing == 0 {
        return;
    }
    say!("{missing} of {examined} files are not in the store: {}.", listed(records, *missing));
    if missing == examined {
        say!("None is there. Is this the right data folder, and the right bucket?");
    }
}

/// The records, and that there are more.
fn listed(records: &[String], all: i64) -> String {
    let text = records.join(", ");
    match i64::try_from(records.len()) {
        Ok(named) if named < all => format!("{text}, and {} more", all - named),
        _ => text,
    }
}

/// `nil worker [--once]`.
pub(crate) async fn worker(settings: Settings, once: bool, json: bool) -> Result<(), Failure> {
    let telemetry = settings.telemetry;
    let platform = nil_core::open(settings.config).await?;
    if once {
        // Exits 1 if a task failed.
        let round = nil_core::worker::round(&platform).await?;
        let failed = !round.failed.is_empty();
        print(&json!(round), json);
        platform.close().await;
        return if failed { Err(Failure::Found) } else { Ok(()) };
    }
    let sending = start_log(telemetry.as_ref())?;
    let stopping = asked_to_stop()?;
    let (stop, shutdown) = nil_core::http::Shutdown::new();
    let worker = tokio::spawn(nil_core::worker::run(platform.clone(), shutdown));
    stopping.await;
    let _ = stop.send(true);
    let _ = worker.await;
    platform.close().await;
    if let Some(sending) = sending {
        sending.end().await;
    }
    Ok(())
}
