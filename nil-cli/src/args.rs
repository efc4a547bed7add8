//! The arguments of the command line.

use std::path::PathBuf;

use clap::builder::{FalseyValueParser, OsStringValueParser, TypedValueParser as _};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use nil_core::catalog::Interface;
use nil_core::catalog::openapi::Version;

use crate::accounts::{ApiKeyAction, OperatorAction, UserAction};
use crate::auditing::AuditAction;
use crate::colleges::CollegeAction;
use crate::comparing::Verify;
use crate::copying::CopyTo;
use crate::keeping::{Backup, Restore};
use crate::keys::KeyAction;
use crate::sandboxing::SandboxAction;
use crate::settings::Needed;
use crate::show::Layout;

/// The version, the commit and the kind of the build.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("NIL_BUILD"), ")");

/// An open platform for college-athlete sponsorship: one binary, one database.
#[derive(Debug, Parser)]
#[command(name = "nil", version = VERSION, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub options: Options,
    /// Print JSON for programs instead of tables for people.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// Where the platform's data is. A flag overrides its `NIL_*` variable, which overrides `nil.toml`.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Platform")]
pub(crate) struct Options {
    /// The database: `sqlite:PATH` or `postgres://…` [default: sqlite:nil.db in the data folder].
    #[arg(long, global = true, env = "NIL_DATABASE", hide_env_values = true)]
    pub database: Option<String>,
    /// The folder for files and keys [default: ./nil-data].
    #[arg(long, global = true, env = "NIL_DATA", value_parser = path())]
    pub data: Option<PathBuf>,
    /// The configuration file [default: ./nil.toml, if there is one].
    #[arg(long, global = true, env = "NIL_CONFIG", value_parser = path())]
    pub config: Option<PathBuf>,
    /// The address where users reach the Core server; links in mails begin with it.
    #[arg(long, global = true, env = "NIL_PUBLIC_URL")]
    pub public_url: Option<String>,
}

/// A path that may be empty: an empty variable counts as unset, but clap's own parser refuses it.
fn path() -> impl clap::builder::TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one whole deal, from sign-up to payout, on a scratch database.
    Demo {
        /// Where to save the contract [default: nil-demo-contract.pdf].
        #[arg(long)]
        pdf: Option<PathBuf>,
    },
    /// Migrate, serve all interfaces, and run the worker.
    Serve(Serve),
    /// Apply migrations, or only check whether any are missing.
    Migrate {
        /// Change nothing; exit 1 if something is missing.
        #[arg(long)]
        check: bool,
    },
    /// List operations, or show one with its input, answer, callers and errors.
    #[command(args_conflicts_with_subcommands = true)]
    Ops {
        /// Only operations whose name or path contains this.
        filter: Option<String>,
        #[command(subcommand)]
        action: Option<OpsAction>,
    },
    /// Call an operation: in this process as a given account, or over HTTP.
    Call(Call),
    /// Call an operation of the Core interface by name: NOUN VERB --field …
    Core,
    /// Call an operation of the Compliance interface by name: NOUN VERB --field …
    Compliance,
    /// Call an operation of the Admin interface by name: NOUN VERB --field …
    Admin,
    /// Print an OpenAPI document.
    Openapi {
        /// The interface.
        interface: InterfaceName,
        /// The version of OpenAPI: 3.0 is for generators of clients that do not read 3.1 yet.
        #[arg(long, default_value = "3.1")]
        version: OpenapiVersion,
    },
    /// Find, show, suspend or restore users.
    #[command(subcommand)]
    User(UserAction),
    /// Administer operators.
    #[command(subcommand)]
    Operator(OperatorAction),
    /// List, create, change or import colleges.
    #[command(subcommand)]
    College(CollegeAction),
    /// Administer API keys for services.
    #[command(subcommand)]
    ApiKey(ApiKeyAction),
    /// Show and retry outgoing messages.
    Outbox {
        #[command(subcommand)]
        action: Option<OutboxAction>,
    },
    /// Try the mail server of the settings.
    #[command(subcommand)]
    Mail(MailAction),
    /// Try the provider of text messages of the settings.
    #[command(subcommand)]
    Sms(SmsAction),
    /// Fill an empty database with an invented world of any size.
    Seed(WorldSize),
    /// Export records to a file: athletes, partners, agents, jobs, payments, payouts, disclosures
    /// or audit.
    Export(Export),
    /// Run the background tasks: messages, reconciliation, deadlines.
    Worker {
        /// Run one round, then stop.
        #[arg(long)]
        once: bool,
    },
    /// Simulate events at the embedded payment processor.
    #[command(subcommand)]
    Sandbox(SandboxAction),
    /// Check the books: ledger, references, statuses, the audit trail's chain; or the payment
    /// processor's statement.
    Verify(Verify),
    /// Write a backup while servers go on: the rows of one instant, the files, and, if it is
    /// sealed, the secret key.
    Backup(Backup),
    /// Restore a backup into an empty database and into the object store, and check the result.
    ///
    /// Do not start a server on the result while another one uses the database that the backup was
    /// made of: both would send what waits in the outbox, and make the payouts that are due.
    Restore(Restore),
    /// Copy the database to another one, of SQLite or PostgreSQL, and check the result.
    ///
    /// Stop the servers first: nobody can write to this database meanwhile, and what is written
    /// afterwards is not in the copy. A copy that breaks off goes on when the same command is given
    /// again; until it is finished, no other command works on the other database.
    Copy(CopyTo),
    /// Look at everything that the installation stands on: folder, database, key, clock, files,
    /// mail server, payment processor. Says how to mend what is wrong; exits 1 if something does
    /// not work.
    Doctor,
    /// Tell a database that it was restored from a backup of another tool, or copied by one.
    ///
    /// Its next payments ask the payment processor under keys of their own. Otherwise the
    /// processor takes them for those that were made after the backup. Run it before the servers
    /// start.
    Restored,
    /// List the audit trail, check its chain, write and check proofs of it.
    #[command(subcommand)]
    Audit(AuditAction),
    /// Change the secret key: make a new one, seal again what is sealed, forget the earlier ones.
    #[command(subcommand)]
    Key(KeyAction),
    /// Show every setting with its value and where it comes from.
    #[command(subcommand)]
    Config(ConfigAction),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print what can stand at the place of the last word; for the completion scripts.
    #[command(hide = true)]
    Complete {
        /// The shell.
        shell: clap_complete::Shell,
        /// The words after `nil`, the last one as far as it is typed.
        #[arg(last = true)]
        words: Vec<String>,
    },
    /// Print the manual page, or write the pages of all commands.
    Man {
        /// The folder for the pages of all commands.
        #[arg(long, value_name = "FOLDER", value_parser = path())]
        to: Option<PathBuf>,
    },
    /// Write the generated pages of the documentation.
    #[command(hide = true)]
    Docs {
        /// The folder to write them to.
        #[arg(default_value = "docs")]
        folder: PathBuf,
        /// Change nothing; exit 1 if a page is stale.
        #[arg(long)]
        check: bool,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Serve {
    /// Fill an empty database with sample data and print its accounts.
    #[arg(long)]
    pub demo: bool,
    /// The address of the Core interface [default: 127.0.0.1:8080].
    #[arg(long, env = "NIL_CORE")]
    pub core: Option<String>,
    /// The address of Compliance and Admin [default: 127.0.0.1:8081].
    #[arg(long, env = "NIL_BACK_OFFICE")]
    pub back_office: Option<String>,
    /// Serve other machines over plain HTTP; only for a private network.
    #[arg(long, env = "NIL_INSECURE_HTTP", value_parser = FalseyValueParser::new())]
    pub insecure_http: bool,
}

/// The size of the world that `nil seed` invents. The same options on the same day give the same
/// rows. Every account gets the same password.
#[derive(Debug, ClapArgs)]
pub(crate) struct WorldSize {
    /// How many times 10,000 athletes, 2,000 brands, 2,000 jobs and 50,000 transactions.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub scale: u32,
    /// The number of transactions, whatever the scale: deals made elsewhere and disclosed.
    #[arg(long, value_parser = clap::value_parser!(u32).range(..=100_000_000))]
    pub transactions: Option<u32>,
    /// The number of athletes, whatever the scale.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub athletes: Option<u32>,
    /// The number of jobs, whatever the scale.
    #[arg(long, value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub jobs: Option<u32>,
    /// The number that names, amounts and all other values are drawn from.
    #[arg(long = "rng-seed", alias = "seed", default_value_t = 1, value_name = "S")]
    pub seed: u32,
    /// Read the password of all accounts from standard input instead of generating one.
    #[arg(long)]
    pub password_stdin: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OpsAction {
    /// Show one operation.
    Show {
        /// Its name, such as core.application.hire.
        name: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Call {
    /// The operation's name, such as core.application.hire.
    pub name: String,
    /// Call an operation as this account. KIND is athlete, partner, agent, fan, portal or operator.
    #[arg(long = "as", value_name = "KIND:EMAIL")]
    pub caller: Option<String>,
    /// The input: JSON, @FILE, or - for standard input.
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub input: Option<String>,
    /// Fields of the input; each replaces the same field of the JSON input.
    #[arg(value_name = "FIELD=VALUE")]
    pub fields: Vec<String>,
    /// Call over HTTP: the interface's base address, such as <http://127.0.0.1:8080/api>.
    #[arg(long, value_name = "BASE")]
    pub url: Option<String>,
    /// The bearer token for a call over HTTP [default: the value of `NIL_TOKEN`].
    // Not clap's `env`: if the variable is set, clap would then require `--url` for every call.
    #[arg(long, requires = "url")]
    pub token: Option<String>,
    /// Read the password of the operator named with `--as` from standard input, to log in to Admin
    /// over HTTP [default: the value of `NIL_PASSWORD`].
    #[arg(long, requires_all = ["url", "caller"])]
    pub password_stdin: bool,
    /// The code of that operator's authenticator app.
    #[arg(long, value_name = "CODE", requires_all = ["url", "caller"])]
    pub totp: Option<String>,
    /// The idempotency key: a write with the same key happens only once.
    #[arg(long, value_name = "KEY")]
    pub idempotency_key: Option<String>,
    /// Where to save a returned file; - for standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
    #[command(flatten)]
    pub layout: Layout,
}

/// The file that `nil export` writes. Operators get such a file from the back office too.
#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    /// What to export.
    #[arg(value_name = "NAME")]
    pub kind: String,
    /// The operator who exports; the audit trail names them.
    #[arg(long = "as", value_name = "EMAIL")]
    pub operator: String,
    /// The format of the file: csv or xlsx.
    #[arg(long, default_value = "csv")]
    pub format: String,
    /// Only records that fit these filters of `admin.export.request`.
    #[arg(value_name = "FILTER=VALUE")]
    pub filters: Vec<String>,
    /// Where to save the file; - for standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutboxAction {
    /// List messages, newest first.
    List {
        /// The maximum number of messages.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..))]
        limit: i64,
        /// List messages before this one: the id of the last message of the list before.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
    },
    /// Show one message.
    Show {
        /// The message's id.
        id: i64,
    },
    /// Retry a message that was given up.
    Retry {
        /// The message's id.
        id: i64,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Show every setting: its value, and the flag, the variable or the file that it comes from.
    /// Secrets are not shown.
    Show,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MailAction {
    /// Send a test mail and say what the server answered. Needs no database.
    Test {
        /// The address that gets it.
        address: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SmsAction {
    /// Send a test message and say what the provider answered. Needs no database.
    Test {
        /// The phone number that gets it, such as +12175550123.
        number: String,
    },
}

impl Command {
    /// Whether somebody does something by it, rather than starting what serves others.
    pub(crate) fn is_by_hand(&self) -> bool {
        !matches!(self, Self::Serve(_) | Self::Worker { .. } | Self::Seed(_))
    }

    /// The data that it needs. What reads or repairs data must not make any at a mistyped address.
    pub(crate) fn needed(&self) -> Needed {
        match self {
            // A server's new database has no key before its first start.
            Self::Migrate { check: true } | Self::Doctor => Needed::Database,
            Self::Outbox { .. }
            | Self::Sandbox(_)
            | Self::User(_)
            | Self::Verify(_)
            | Self::Restored
            | Self::Key(_)
            | Self::Backup(_)
            | Self::Copy(_)
            | Self::Export(_)
            | Self::Audit(_)
            | Self::ApiKey(ApiKeyAction::List { .. } | ApiKeyAction::Revoke { .. })
            | Self::College(
                CollegeAction::List { .. } | CollegeAction::Import { dry_run: true, .. },
            )
            | Self::Operator(
                OperatorAction::List { .. }
                | OperatorAction::Disable { .. }
                | OperatorAction::Enable { .. }
                | OperatorAction::ResetPassword { .. },
            ) => Needed::Existing,
            _ => Needed::Any,
        }
    }
}

/// The name of an interface.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OpenapiVersion {
    #[value(name = "3.1")]
    Newest,
    #[value(name = "3.0")]
    V3_0,
}

impl From<OpenapiVersion> for Version {
    fn from(version: OpenapiVersion) -> Self {
        match version {
            OpenapiVersion::Newest => Self::Newest,
            OpenapiVersion::V3_0 => Self::V3_0,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum InterfaceName {
    Core,
    Compliance,
    Admin,
}

impl From<InterfaceName> for Interface {
    fn from(name: InterfaceName) -> Self {
        match name {
            InterfaceName::Core => Self::Core,
            InterfaceName::Compliance => Self::Compliance,
            InterfaceName::Admin => Self::Admin,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_grammar_holds_together_with_a_command_for_every_operation() {
        crate::generated::grow(super::Args::command()).debug_assert();
    }
}
