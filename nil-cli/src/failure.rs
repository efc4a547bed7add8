//! How a command fails: exit code 1 with the error's code on standard error, 2 for wrong usage.

use std::path::Path;
use std::process::ExitCode;

use nil_core::Error;
use nil_core::error::Kind;
use nil_core::storage::Violation;

use crate::logging::start_log;
use crate::out::complain;
use crate::settings::env;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The platform refused the call or failed.
    Refused(Error),
    /// A server's refusal received over HTTP, or that of a file with wrong lines: the code, the
    /// sentence, messages per field.
    Answered { code: String, message: String, fields: Vec<String> },
    /// Something outside the platform failed: a file, a socket.
    Broken(String),
    /// The command was used wrongly.
    Usage(String),
    /// A check found problems; they have been printed.
    Found,
}

impl Failure {
    /// Wrong usage in each of these ways, if there are any.
    pub(crate) fn of_all(wrong: &[String]) -> Result<(), Self> {
        if wrong.is_empty() { Ok(()) } else { Err(Self::Usage(wrong.join("\n  "))) }
    }

    /// What goes wrong with a file or folder, with its name.
    pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Broken(format!("{}: {error}", path.display()))
    }

    /// Prints the failure and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Refused(error) => {
                complain!("error: {}: {}", error.code(), error.message());
                for (field, messages) in error.fields() {
                    complain!("  {field}: {}", messages.join("; "));
                }
                because(&error);
                ExitCode::FAILURE
            }
            Self::Answered { code, message, fields } => {
                complain!("error: {code}: {message}");
                for field in fields {
                    complain!("  {field}");
                }
                ExitCode::FAILURE
            }
            Self::Broken(message) => {
                complain!("error: {message}");
                ExitCode::FAILURE
            }
            Self::Usage(message) => {
                complain!("error: {message}");
                ExitCode::from(2)
            }
            Self::Found => ExitCode::FAILURE,
        }
    }
}

/// Says what made the platform fail: a file, a server, a full disk. A refusal has its sentence and
/// fields, and a broken constraint means nothing to the reader of a message: the log has it
/// (`NIL_LOG=error`).
fn because(error: &Error) {
    if !matches!(error.kind(), Kind::Internal | Kind::Unavailable) {
        return;
    }
    let mut cause = std::error::Error::source(error);
    let mut told = String::new();
    while let Some(why) = cause {
        if why.is::<Violation>() {
            complain!("  because: the database refused a record that breaks one of its rules");
            if env("NIL_LOG").is_some() && start_log(None).is_ok() {
                tracing::error!("{why}");
            }
        } else {
            let said = why.to_string();
            // Many errors say in their own text what caused them.
            if !told.contains(&said) {
                complain!("  because: {said}");
                told = said;
            }
        }
        cause = why.source();
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Usage(format!("not valid JSON: {error}"))
    }
}
