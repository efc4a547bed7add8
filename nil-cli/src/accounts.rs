//! `nil user`, `nil operator` and `nil api-key`: accounts of people and of services.

#![expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value answers null where there is nothing"
)]
use std::io::Read as _;
use std::str::FromStr;

use clap::Subcommand;
use nil_core::accounts::finding::{self, MOST_FOUND};
use nil_core::accounts::operators::{self, operator::OperatorAccount};
use nil_core::accounts::{Account, UserEvent, suspension};
use nil_core::auth::{Permission, Scope, api_key};
use nil_core::kernel::{ApiKeyId, Email, Password, Secret, Text, UserId};
use nil_core::{Error, Platform};
use serde_json::json;

use crate::failure::Failure;
use crate::out::{complain, say};
use crate::settings::Settings;
use crate::show::{self, Layout, print};
use crate::words::offered;

#[derive(Debug, Subcommand)]
pub(crate) enum OperatorAction {
    /// Create an operator.
    Create {
        /// The operator's e-mail.
        #[arg(long)]
        email: String,
        /// The operator's name [default: the e-mail].
        #[arg(long)]
        name: Option<String>,
        /// Their permissions, separated by commas; * for all.
        #[arg(
            long,
            value_name = "PERMISSION",
            value_delimiter = ',',
            default_value = "*",
            value_parser = offered(Permission::ALL)
        )]
        permissions: Vec<String>,
        /// Read the password from standard input instead of generating one.
        #[arg(long)]
        password_stdin: bool,
    },
    /// List the operators with their permissions, their last log-in, and whether their password is
    /// a one-time one.
    List {
        #[command(flatten)]
        layout: Layout,
    },
    /// Disable an operator; their sessions end at once.
    Disable {
        /// The operator's e-mail.
        email: String,
    },
    /// Enable an operator again.
    Enable {
        /// The operator's e-mail.
        email: String,
    },
    /// Give an operator a one-time password; their sessions end at once.
    ResetPassword {
        /// The operator's e-mail.
        email: String,
        /// Also turn their two-step log-in off: for a lost authenticator app.
        #[arg(long)]
        totp_off: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserAction {
    /// Find accounts of every kind: athletes, partners, agents, fans, portal users. Lists 50 at
    /// most.
    Find {
        /// A part of the name or of the e-mail, a whole e-mail, or an id.
        text: String,
        #[command(flatten)]
        layout: Layout,
    },
    /// Show an account of the Core interface with its profile.
    Show {
        /// The account's e-mail or id.
        #[arg(value_name = "EMAIL|ID")]
        account: String,
    },
    /// Suspend an account: its sessions end at once, its payouts wait.
    Suspend {
        /// The account's e-mail or id.
        #[arg(value_name = "EMAIL|ID")]
        account: String,
    },
    /// Restore a suspended account.
    Restore {
        /// The account's e-mail or id.
        #[arg(value_name = "EMAIL|ID")]
        account: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApiKeyAction {
    /// Create a key; it is shown only once.
    Create {
        /// The key's name.
        #[arg(long)]
        name: String,
        /// The key's scopes, separated by commas.
        #[arg(
            long,
            value_name = "SCOPE",
            value_delimiter = ',',
            required = true,
            value_parser = offered(Scope::ALL)
        )]
        scopes: Vec<String>,
    },
    /// Revoke a key at once.
    Revoke {
        /// The key's id.
        id: i64,
    },
    /// List the keys with their scopes and their last use, which is noted once an hour. Keys do not
    /// expire.
    List {
        #[command(flatten)]
        layout: Layout,
    },
}

/// The words of a vocabulary; the message names every text that is none.
fn words<T: FromStr<Err = String>>(texts: &[String]) -> Result<Vec<T>, Failure> {
    let mut words = Vec::new();
    let mut wrong = Vec::new();
    for text in texts {
        match text.trim().parse() {
            Ok(word) => words.push(word),
            Err(why) => wrong.push(format!("`{text}` {why}")),
        }
    }
    Failure::of_all(&wrong)?;
    Ok(words)
}

fn email(text: &str) -> Result<Email, Failure> {
    Email::new(text).map_err(|why| Failure::Usage(format!("`{text}` {why}")))
}

/// An account of the Core interface, as typed.
enum Who {
    Id(UserId),
    Email(Email),
}

impl Who {
    fn typed(text: &str) -> Result<Self, Failure> {
        match text.parse().ok().and_then(UserId::new) {
            Some(id) => Ok(Self::Id(id)),
            None => email(text).map(Self::Email),
        }
    }

    async fn account(&self, platform: &Platform) -> Result<Account, Error> {
        match self {
            Self::Id(id) => suspension::find_by_id(platform, *id).await,
            Self::Email(email) => suspension::find(platform, email).await,
        }
    }
}

/// `nil user find|show|suspend|restore`.
pub(crate) async fn user(
    settings: Settings,
    action: UserAction,
    json: bool,
) -> Result<(), Failure> {
    let (account, event) = match action {
        UserAction::Find { text, layout } => return find(settings, &text, layout, json).await,
        UserAction::Show { account } => (account, None),
        UserAction::Suspend { account } => (account, Some(UserEvent::Suspend)),
        UserAction::Restore { account } => (account, Some(UserEvent::Restore)),
    };
    let who = Who::typed(&account)?;
    let platform = nil_core::open(settings.config).await?;
    let mut account = who.account(&platform).await?;
    if let Some(event) = event {
        match event {
            UserEvent::Suspend => suspension::suspend(&platform, account.id).await?,
            _ => suspension::restore(&platform, account.id).await?,
        };
        account = who.account(&platform).await?;
    }
    print(&json!(account), json);
    platform.close().await;
    Ok(())
}

async fn find(settings: Settings, text: &str, layout: Layout, json: bool) -> Result<(), Failure> {
    let text = Text::new(text).map_err(|why| Failure::Usage(format!("the text {why}")))?;
    let platform = nil_core::open(settings.config).await?;
    let found = finding::find(&platform, &text).await?;
    platform.close().await;
    if json {
        say!("{:#}", json!(found));
        return Ok(());
    }
    let columns = ["id", "kind", "name", "email", "status", "since", "institution"];
    show::rows(&json!(found.accounts), &layout.or(&columns))?;
    if found.more {
        complain!(
            "There are more than {MOST_FOUND}: more of the name or of the e-mail finds fewer."
        );
    }
    Ok(())
}

/// `nil operator create|list|disable|enable|reset-password`.
pub(crate) async fn operator(
    settings: Settings,
    action: OperatorAction,
    json: bool,
) -> Result<(), Failure> {
    let (email, name, permissions, password_stdin) = match action {
        OperatorAction::Create { email, name, permissions, password_stdin } => {
            (email, name, permissions, password_stdin)
        }
        OperatorAction::List { layout } => return list_operators(settings, layout, json).await,
        OperatorAction::Disable { email } => return switch(settings, &email, false, json).await,
        OperatorAction::Enable { email } => return switch(settings, &email, true, json).await,
        OperatorAction::ResetPassword { email, totp_off } => {
            return reset(settings, &email, totp_off, json).await;
        }
    };
    let permissions = words::<Permission>(&permissions)?;
    let platform = nil_core::open(settings.config).await?;
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

async fn list_operators(settings: Settings, layout: Layout, json: bool) -> Result<(), Failure> {
    let platform = nil_core::open(settings.config).await?;
    let operators = json!(operators::list(&platform).await?);
    platform.close().await;
    if json {
        say!("{operators:#}");
        return Ok(());
    }
    let columns =
        ["id", "email", "name", "permissions", "active", "last_login_at", "one_time_password"];
    show::rows(&operators, &layout.or(&columns))
}

/// A password from standard input, or a new one.
pub(crate) fn password(platform: &Platform, from_stdin: bool) -> Result<Secret, Failure> {
    if !from_stdin {
        return Ok(operators::passwords::new_password(platform));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(Secret::new(text.trim_end_matches(['\r', '\n'])))
}

async fn switch(settings: Settings, typed: &str, on: bool, json: bool) -> Result<(), Failure> {
    let address = email(typed)?;
    let platform = nil_core::open(settings.config).await?;
    let operator = operators::set_active(&platform, address, on).await?;
    print(&json!(operator), json);
    platform.close().await;
    Ok(())
}

async fn reset(settings: Settings, typed: &str, totp_off: bool, json: bool) -> Result<(), Failure> {
    let address = email(typed)?;
    let platform = nil_core::open(settings.config).await?;
    let (operator, password) = operators::passwords::reset(&platform, address, totp_off).await?;
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
    let email = Email::new(email);
    let name = Text::new(name);
    let password = Password::new(password);
    match (email, name, password) {
        (Ok(email), Ok(name), Ok(password)) => {
            operators::create(platform, email, name, permissions, password).await
        }
        (email, name, password) => {
            let wrong =
                [("email", email.err()), ("name", name.err()), ("password", password.err())];
            let told = wrong.into_iter().filter_map(|(field, why)| Some((field, why?)));
            Err(Error::invalid_fields(told))
        }
    }
}

/// `nil api-key create|revoke|list`.
pub(crate) async fn api_key(
    settings: Settings,
    action: ApiKeyAction,
    json: bool,
) -> Result<(), Failure> {
    let platform = nil_core::open(settings.config).await?;
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
        ApiKeyAction::List { layout } => {
            let keys = json!(api_key::list(&platform).await?);
            if json {
                say!("{keys:#}");
            } else {
                let columns = ["id", "name", "scopes", "created_at", "last_used_at", "revoked_at"];
                show::rows(&keys, &layout.or(&columns))?;
            }
        }
    }
    platform.close().await;
    Ok(())
}
