//! What a check answers.

use serde::Serialize;

use crate::error::Error;

/// Whether something is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is.
    Good,
    /// It works, and somebody should look at it.
    Warning,
    /// It does not work.
    Bad,
}

impl State {
    /// Its word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warning => "warning",
            Self::Bad => "BAD",
        }
    }
}

/// What was found out about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at, such as `database`.
    pub subject: &'static str,
    /// Whether it is as it should be.
    pub state: State,
    /// What was found.
    pub says: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Finding {
    /// It is as it should be.
    #[must_use]
    pub fn good(subject: &'static str, says: impl Into<String>) -> Self {
        Self { subject, state: State::Good, says: says.into(), mend: None }
    }

    /// It works, and this should be done.
    #[must_use]
    pub fn warning(
        subject: &'static str,
        says: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let (says, mend) = (says.into(), Some(mend.into()));
        Self { subject, state: State::Warning, says, mend }
    }

    /// It could not be looked at, because the database did not answer.
    pub(super) fn unread(subject: &'static str, error: &Error) -> Self {
        Self::bad(subject, reason(error), "Mend what is said of the database first.")
    }

    /// It does not work until this is done.
    #[must_use]
    pub fn bad(subject: &'static str, says: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { state: State::Bad, ..Self::warning(subject, says, mend) }
    }
}

/// A reason in words, with what caused it.
pub(super) fn reason(error: &Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{} ({cause})", error.message()),
        None => error.message().to_owned(),
    }
}
