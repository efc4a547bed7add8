//! A caller's own sessions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::{Text, Time};
use crate::storage::FromRow;

/// The example of a session's id.
const EXAMPLE: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/// A session of the calling operator.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct OwnSession {
    /// The session's id: a hash of its secret, worth nothing as a cookie.
    #[schemars(extend("examples" = [EXAMPLE]))]
    pub id: String,
    /// The network address that logged in.
    pub address: Option<String>,
    /// Time of the log-in.
    pub created_at: Time,
    /// Time of the last use, at most five minutes late.
    pub used_at: Time,
    /// Its end at the latest; a session that is not used ends earlier, eight hours after its last
    /// use.
    pub expires_at: Time,
    /// Whether this request came with it.
    pub current: bool,
}

/// A session of the calling portal user.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PortalSession {
    /// The session's id: a hash of its secret, worth nothing as a token.
    #[schemars(extend("examples" = [EXAMPLE]))]
    pub id: String,
    /// The network address that logged in; null for a log-in before addresses were kept.
    pub address: Option<String>,
    /// Time of the log-in.
    pub created_at: Time,
    /// When it ends.
    pub expires_at: Time,
    /// Whether this request came with it.
    pub current: bool,
}

/// The sessions to end.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EndSessions {
    /// The session to end; omit it to end all others.
    #[schemars(extend("examples" = [null]))]
    pub id: Option<Text<1, 64>>,
}

/// How many sessions ended.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct EndedSessions {
    /// The number of sessions that ended.
    pub ended: u64,
}
