//! Addresses that open one file for a while, for whoever holds them.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::{FileId, Time};
use crate::platform::Platform;

/// How long such an address is good.
const GOOD_FOR: TimeDelta = TimeDelta::minutes(15);

/// An address that opens a file until it expires. Whoever has it needs no log-in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Link {
    /// The address, with the host.
    #[schemars(extend("examples" = ["https://nil.example/api/files/signed/12.1795172580.5d41"]))]
    pub url: String,
    /// When it stops working.
    pub expires_at: Time,
}

/// An address for the file.
#[must_use]
pub fn link(platform: &Platform, file: FileId, now: Time) -> Link {
    let expires_at = now + GOOD_FOR;
    let promise = format!("{file}.{}", expires_at.timestamp());
    let signature = platform.vault().sign_text(&promise);
    let base = platform.config().public_url.trim_end_matches('/');
    Link {
        url: format!("{base}/api/files/signed/{promise}.{signature}"),
        expires_at,
    }
}

/// The file that the end of an address opens; none where it was not made here or has expired.
pub(super) fn opened(platform: &Platform, token: &str, now: Time) -> Option<FileId> {
    let (promise, signature) = token.rsplit_once('.')?;
    if !platform.vault().is_signature(promise, signature) {
        return None;
    }
    let (file, expires) = promise.split_once('.')?;
    let expires: i64 = expires.parse().ok()?;
    (now.timestamp() < expires)
        .then(|| file.parse().ok().and_then(FileId::new))
        .flatten()
}
