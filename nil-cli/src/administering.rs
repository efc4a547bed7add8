//! Commands for migrations, operators, API keys, the outbox, the worker and the check of the books.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::io::Read as _;

use nil_core::Platform;
use nil_core::accounts::operator_passwords;
use nil_core::accounts::operators::{self, OperatorAccount};
use nil_core::accounts::suspension;
use nil_core::auth::{Permission, Scope, api_key};
use nil_core::kernel::{ApiKeyId, Email, OutboxId, Password, PayoutId, Secret, Text};
use nil_core::notifications::outbox;
use nil_core::{Error, payments, storage};
use serde_json::{Value, json};

use crate::args::{ApiKeyAction, OperatorAction, OutboxAction, SandboxAction, UserAction};
use crate::failure::Failure;
use crate::out::say;
use crate::serving::{asked_to_stop, start_log};
use crate::settings::Settings;
use crate::show::{self, Layout, Sheet};

fn print(value: &Value, json: bool) {
    if json {
        say!("{value:#}");
    } else {
        show::answer(value, &Layout::default());
    }
}

/// `nil migrate [--check]`.
pub(crate) async fn migrate(settings: Settings, check: bool, json: bool) -> Result<(), Failure> {
    if !check {
        let platform = Platform::open(settings.config).await?;
        platform.close().await;
        print(&json!("The database is up to date."), json);
        return Ok(());
    }
    let platform = Platform::open_unmigrated(settings.config).await?;
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
            say!("Made by a newer version: {:?}", drift.unknown);
        }
    }
    Err(Failure::Found)
}

fn words<T: std::str::FromStr<Err = String>>(texts: &[String]) -> Result<Vec<T>, Failure> {
    texts
        .iter()
        .map(|text| text.trim().parse().map_err(|why| Failure::Usage(format!("`{text}` {why}"))))
        .collect()
}

fn email(text: &str) -> Result<Email, Failure> {
    Email::new(text).map_err(|why| Failure::Usage(format!("`{text}` {why}")))
}

/// `nil user suspend|restore|show`.
pub(crate) async fn user(
    settings: Settings,
    action: UserAction,
    json: bool,
) -> Result<(), Failure> {
    let (UserAction::Suspend { email: typed }
    | UserAction::Restore { email: typed }
    | UserAction::Show { email: typed }) = &action;
    let address = email(typed)?;
    let platform = Platform::open(settings.config).await?;
    let id = suspension::find(&platform, &address).await?.id;
    match action {
        UserAction::Suspend { .. } => {
            suspension::suspend(&platform, id).await?;
        }
        UserAction::Restore { .. } => {
            suspension::restore(&platform, id).await?;
        }
        UserAction::Show { .. } => {}
    }
    print(&json!(suspension::find(&platform, &address).await?), json);
    platform.close().await;
    Ok(())
}

/// `nil operator create|disable|enable|reset-password`.
pub(crate) async fn operator(
    settings: Settings,
    action: OperatorAction,
    json: bool,
) -> Result<(), Failure> {
    let (email, name, permissions, password_stdin) = match action {
        OperatorAction::Create { email, name, permissions, password_stdin } => {
            (email, name, permissions, password_stdin)
        }
        OperatorAction::Disable { email } => return switch(settings, &email, false, json).await,
        OperatorAction::Enable { email } => return switch(settings, &email, true, json).await,
        OperatorAction::ResetPassword { email } => return reset(settings, &email, json).await,
    };
    let permissions = words::<Permission>(&permissions)?;
    let platform = Platform::open(settings.config).await?;
    let made_up = !password_stdin;
    let password = password(&platform, password_stdin)?;
    let name = name.unwrap_or_else(|| email.clone());
    let operator = new_operator(&platform, &email, &name, permissions, password.expose()).await?;
    let mut answer = json!(operator);
    if made_up {
        answer["password"] = password.expose().into();
    }
    print(&answer, json);
    platform.close().await;
    Ok(())
}

/// A password from standard input, or a new one.
pub(crate) fn password(platform: &Platform, from_stdin: bool) -> Result<Secret, Failure> {
    if !from_stdin {
        return Ok(operator_passwords::new_password(platform));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(Secret::new(text.trim_end_matches(['\r', '\n'])))
}

async fn switch(settings: Settings, typed: &str, on: bool, json: bool) -> Result<(), Failure> {
    let address = email(typed)?;
    let platform = Platform::open(settings.config).await?;
    let operator = operators::set_active(&platform, address, on).await?;
    print(&json!(operator), json);
    platform.close().await;
    Ok(())
}

async fn reset(settings: Settings, typed: &str, json: bool) -> Result<(), Failure> {
    let address = email(typed)?;
    let platform = Platform::open(settings.config).await?;
    let (operator, password) = operator_passwords::reset(&platform, address).await?;
    let mut answer = json!(operator);
    answer["one_time_password"] = password.expose().into();
    print(&answer, json);
    platform.close().await;
    Ok(())
}

/// Creates an operator from the values typed on the command line.
pub(crate) async fn new_operator(
    platform: &Platform,
    email: &str,
    name: &str,
    permissions: Vec<Permission>,
    password: &str,
) -> Result<OperatorAccount, Error> {
    let wrong = |field: &'static str| move |why: String| Error::invalid(field, why);
    operators::create(
        platform,
        Email::new(email).map_err(wrong("email"))?,
        Text::new(name).map_err(wrong("name"))?,
        permissions,
        Password::new(password).map_err(wrong("password"))?,
    )
    .await
}

/// `nil api-key create|revoke|list`.
pub(crate) async fn api_key(
    settings: Settings,
    action: ApiKeyAction,
    json: bool,
) -> Result<(), Failure> {
    let platform = Platform::open(settings.config).await?;
    match action {
        ApiKeyAction::Create { name, scopes } => {
            let scopes = words::<Scope>(&scopes)?;
            let (key, secret) = api_key::create(&platform, &name, &scopes).await?;
            let mut answer = json!({
                "id": key.id, "name": name, "scopes": scopes, "key": secret.expose()
            });
            // Requests to the tool gateway are signed (docs/ai-tools.md).
            if scopes.contains(&Scope::AiTools) {
                let signing = api_key::signing_secret(&platform, &secret);
                answer["signing_secret"] = json!(signing.expose());
            }
            print(&answer, json);
        }
        ApiKeyAction::Revoke { id } => {
            let id = ApiKeyId::new(id).ok_or_else(|| Failure::Usage("no such id".into()))?;
            api_key::revoke(&platform, id).await?;
            print(&json!("The key is revoked."), json);
        }
        ApiKeyAction::List => print(&json!(api_key::list(&platform).await?), json),
    }
    platform.close().await;
    Ok(())
}

/// `nil outbox [list|show|retry]`.
pub(crate) async fn outbox(
    settings: Settings,
    action: Option<OutboxAction>,
    json: bool,
) -> Result<(), Failure> {
    let platform = Platform::open(settings.config).await?;
    match action.unwrap_or(OutboxAction::List { limit: 100 }) {
        OutboxAction::List { limit } => {
            let rows = outbox::list(&platform, limit).await?;
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

/// `nil sandbox let-arrive|return-payout`.
pub(crate) async fn sandbox(
    settings: Settings,
    action: SandboxAction,
    json: bool,
) -> Result<(), Failure> {
    let platform = Platform::open(settings.config).await?;
    let payout = |id| PayoutId::new(id).ok_or_else(|| Failure::Usage("no such id".into()));
    let (done, said) = match action {
        SandboxAction::LetArrive { id } => {
            (payments::sandbox::let_arrive(&platform, payout(id)?).await?, "Payout arrived.")
        }
        SandboxAction::ReturnPayout { id } => {
            (payments::sandbox::return_payout(&platform, payout(id)?).await?, "Payout returned.")
        }
    };
    platform.close().await;
    if !done {
        return Err(Failure::Broken("the payout's status does not allow this".into()));
    }
    print(&json!(said), json);
    Ok(())
}

/// `nil verify`: exits 1 if a check fails.
pub(crate) async fn verify(settings: Settings, json: bool) -> Result<(), Failure> {
    let platform = Platform::open_unmigrated(settings.config).await?;
    let report = nil_core::payments::verify(&platform).await?;
    let mut session = platform.db().read().await?;
    let broken = nil_core::operation::audit::verify_chain(&mut session).await?;
    drop(session);
    platform.close().await;
    let answer = json!({ "books": report, "audit_trail_broken_at": broken });
    if json {
        say!("{answer:#}");
    } else {
        let mut sheet = Sheet::new(["", "check", "examined"]);
        for check in &report.checks {
            let mark = if check.problems.is_empty() { "holds" } else { "BROKEN" };
            sheet.row([mark, &check.name, &check.examined.to_string()]);
        }
        sheet.draw();
        for problem in report.problems() {
            say!("{problem}");
        }
        match broken {
            None => say!("The audit trail's chain holds."),
            Some(position) => say!("The audit trail was changed at position {position}."),
        }
    }
    if report.sound() && broken.is_none() { Ok(()) } else { Err(Failure::Found) }
}

/// `nil worker [--once]`.
pub(crate) async fn worker(settings: Settings, once: bool, json: bool) -> Result<(), Failure> {
    let platform = Platform::open(settings.config).await?;
    if once {
        // Exits 1 if a task failed.
        let round = nil_core::worker::round(&platform).await?;
        let failed = !round.failed.is_empty();
        print(&json!(round), json);
        platform.close().await;
        return if failed { Err(Failure::Found) } else { Ok(()) };
    }
    start_log()?;
    let stopping = asked_to_stop()?;
    let (stop, shutdown) = nil_core::http::Shutdown::new();
    let worker = tokio::spawn(nil_core::worker::run(platform.clone(), shutdown));
    stopping.await;
    let _ = stop.send(true);
    let _ = worker.await;
    platform.close().await;
    Ok(())
}
