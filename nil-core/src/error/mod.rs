//! The platform's error type: a kind (which HTTP turns into a status), a stable code for machines,
//! a sentence for people, and messages per field for invalid input.

pub mod codes;
mod wrong;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

pub use codes::Code;
pub use wrong::Wrong;

/// The result type of fallible functions in `nil`.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The family an error belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// 400: the body is not JSON (or not a form).
    Malformed,
    /// 401: no valid credential.
    Unauthenticated,
    /// 402: the processor declined; `data` contains the failed payment.
    Declined,
    /// 403: the wrong kind of caller, role or permission.
    Forbidden,
    /// 404: no such record that the caller may see.
    NotFound,
    /// 405: the address exists, but not with this method.
    MethodNotAllowed,
    /// 409: the record's state forbids it, or a duplicate.
    Conflict,
    /// 410: it was there, and is not any more.
    Gone,
    /// 413: the body is larger than allowed.
    TooLarge,
    /// The requested part of a file is beyond its end.
    Range,
    /// 415: a content type that is not accepted.
    UnsupportedMedia,
    /// 422: the input is well formed but invalid.
    Invalid,
    /// 429: throttled; `retry_after` says for how long.
    Throttled,
    /// 500: an internal fault; the cause is in the log, not in the answer.
    Internal,
    /// 503: temporarily unavailable (draining, database unreachable, storage full).
    Unavailable,
    /// Never sent to a client: the dispatcher runs the operation again (lost batch, serialisation
    /// failure).
    Again,
}

impl Kind {
    /// The HTTP status that the contract defines for it.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Malformed => 400,
            Self::Unauthenticated => 401,
            Self::Declined => 402,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::Conflict => 409,
            Self::Gone => 410,
            Self::TooLarge => 413,
            Self::Range => 416,
            Self::UnsupportedMedia => 415,
            Self::Invalid => 422,
            Self::Throttled => 429,
            Self::Internal => 500,
            Self::Unavailable | Self::Again => 503,
        }
    }
}

/// An error or refusal.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: Code,
    message: Cow<'static, str>,
    fields: BTreeMap<String, Vec<String>>,
    data: Option<Value>,
    retry_after: Option<u64>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Invalid input at `field`: 422 `validation_failed`.
    #[must_use]
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::from(codes::VALIDATION_FAILED).at(field, message)
    }

    /// Invalid input at each of these fields.
    #[must_use]
    pub fn invalid_fields<F: Into<String>, M: Into<String>>(
        wrong: impl IntoIterator<Item = (F, M)>,
    ) -> Self {
        let none = Self::from(codes::VALIDATION_FAILED);
        wrong.into_iter().fold(none, |error, (field, message)| error.at(field, message))
    }

    /// An internal failure. The cause is only logged.
    #[must_use]
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::from(codes::INTERNAL).because(cause)
    }

    /// Adds a message for a field.
    #[must_use]
    pub fn at(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.0.fields.entry(field.into()).or_default().push(message.into());
        self
    }

    /// Sets the `data` of the answer (402, and the progress of a 409 `not_ready`).
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Sets the number of whole seconds after which to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// Sets the cause, for the log.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Says it in other words, if it has this code.
    #[must_use]
    pub fn reworded(self, code: Code, message: &'static str) -> Self {
        if self.is(code) { code.saying(message).because(self) } else { self }
    }

    /// Turns a refusal about the request or the record into a 422 with the same code: for the one
    /// operation whose specification has only 422 for those.
    #[must_use]
    pub fn into_unprocessable(mut self) -> Self {
        if matches!(
            self.kind(),
            Kind::Malformed | Kind::NotFound | Kind::Conflict | Kind::UnsupportedMedia
        ) {
            self.0.code.kind = Kind::Invalid;
        }
        self
    }

    /// The family.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.code.kind
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code.name
    }

    /// Whether it has this code.
    #[must_use]
    pub fn is(&self, code: Code) -> bool {
        self.0.code == code
    }

    /// Whether it has this code, and says nothing more than the code does.
    #[must_use]
    pub fn is_bare(&self, code: Code) -> bool {
        self.is(code) && self.message() == code.sentence
    }

    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The messages per field; empty unless the kind is [`Kind::Invalid`].
    #[must_use]
    pub fn fields(&self) -> &BTreeMap<String, Vec<String>> {
        &self.0.fields
    }

    /// The `data` of the answer.
    #[must_use]
    pub fn data(&self) -> Option<&Value> {
        self.0.data.as_ref()
    }

    /// The error in JSON, the same in every interface: status, code, message, errors, data, request
    /// id.
    #[must_use]
    pub fn to_json(&self, request_id: &str) -> Value {
        let mut body = serde_json::Map::new();
        body.insert("status".into(), "error".into());
        body.insert("code".into(), self.code().into());
        body.insert("message".into(), self.message().into());
        if !self.fields().is_empty() {
            body.insert("errors".into(), serde_json::json!(self.fields()));
        }
        if let Some(data) = self.data() {
            body.insert("data".into(), data.clone());
        }
        body.insert("request_id".into(), request_id.into());
        Value::Object(body)
    }

    /// The number of seconds to wait before trying again.
    #[must_use]
    pub fn seconds_to_wait(&self) -> Option<u64> {
        self.0.retry_after
    }
}

impl From<Code> for Error {
    fn from(code: Code) -> Self {
        Self(Box::new(Inner {
            code,
            message: Cow::Borrowed(code.sentence),
            fields: BTreeMap::new(),
            data: None,
            retry_after: None,
            cause: None,
        }))
    }
}

impl Code {
    /// This error with a specific sentence.
    #[must_use]
    pub fn saying(self, message: impl Into<Cow<'static, str>>) -> Error {
        let mut error = Error::from(self);
        error.0.message = message.into();
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code.name, self.0.message)?;
        for (field, messages) in &self.0.fields {
            write!(f, " [{field}: {}]", messages.join("; "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.cause {
            Some(cause) => Some(&**cause),
            None => None,
        }
    }
}
