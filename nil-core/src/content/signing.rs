//! Signed addresses that need no log-in: they open one file for a while, show a picture while it is
//! part of a profile, or accept the bytes of one upload. The signed text of each kind has its own
//! prefix, so that none can be used as another.

use chrono::{SubsecRound as _, TimeDelta};
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::{Error, Result, codes};
use crate::kernel::{FileId, Interface, Time};
use crate::operation::Fields;
use crate::platform::Platform;

/// How long the address of a file is valid.
const GOOD_FOR: TimeDelta = TimeDelta::minutes(15);
/// The addresses of files. In the query string, because that is never logged.
const FILE: Address<1> = Address { prefix: "", interface: Interface::Core, path: "/files/signed" };

/// An address that opens a file until it expires, without a log-in.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Link {
    /// The address, with the host.
    #[schemars(extend("examples" = ["https://nil.example/api/files/signed?token=12.1795172580.5d41"]))]
    pub url: String,
    /// When it stops working.
    pub expires_at: Time,
}

/// An address for the file.
#[must_use]
pub fn link(platform: &Platform, file: FileId, now: Time) -> Link {
    let expires_at = now + GOOD_FOR;
    Link { url: FILE.url(platform, [file.get()], expires_at), expires_at }
}

/// The file that a token opens; 404 `link_invalid` if it was not issued here or has expired.
pub(super) fn opened(platform: &Platform, token: &str, now: Time) -> Result<FileId> {
    let [file] = FILE.opened(platform, token, now)?;
    FileId::new(file).ok_or_else(|| codes::LINK_INVALID.into())
}

/// The base address of an interface.
fn base(platform: &Platform, interface: Interface) -> String {
    let for_officers = interface == Interface::Admin;
    format!("{}{}", platform.config().server_url(for_officers), interface.base())
}

/// The public address of a picture. It is always the same, and reveals nothing about the addresses
/// of other pictures.
pub fn picture_url(platform: &Platform, file: FileId) -> String {
    let signature = platform.vault().sign_text(&format!("picture.{file}"));
    format!("{}/pictures/{file}-{signature}", base(platform, Interface::Core))
}

/// The picture that a token identifies; none if it was not issued here.
pub(super) fn picture(platform: &Platform, token: &str) -> Option<FileId> {
    let (file, signature) = token.split_once('-')?;
    let signed = platform.vault().is_signature(&format!("picture.{file}"), signature);
    signed.then(|| file.parse().ok().and_then(FileId::new)).flatten()
}

/// Addresses of one kind. Each admits to what its numbers name, such as an upload and its size,
/// until it expires.
#[derive(Clone, Copy, Debug)]
pub struct Address<const N: usize> {
    /// What the signed text of this kind begins with, and no other kind's.
    pub prefix: &'static str,
    /// The interface that serves it.
    pub interface: Interface,
    /// Its path under that interface.
    pub path: &'static str,
}

impl<const N: usize> Address<N> {
    /// An address, with the host.
    #[must_use]
    pub fn url(&self, platform: &Platform, numbers: [i64; N], expires_at: Time) -> String {
        let numbers = numbers.map(|number| number.to_string()).join(".");
        let promise = format!("{}{numbers}.{}", self.prefix, expires_at.timestamp());
        let signature = platform.vault().sign_text(&promise);
        let base = base(platform, self.interface);
        format!("{base}{}?token={promise}.{signature}", self.path)
    }

    /// The numbers of a token; 404 `link_invalid` if it was not issued here for this kind, or has
    /// expired.
    pub fn opened(&self, platform: &Platform, token: &str, now: Time) -> Result<[i64; N]> {
        self.read(platform, token, now).ok_or_else(|| codes::LINK_INVALID.into())
    }

    fn read(&self, platform: &Platform, token: &str, now: Time) -> Option<[i64; N]> {
        let (promise, signature) = token.rsplit_once('.')?;
        if !platform.vault().is_signature(promise, signature) {
            return None;
        }
        let mut parts = promise.strip_prefix(self.prefix)?.split('.');
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = parts.next()?.parse().ok()?;
        }
        let expires: i64 = parts.next()?.parse().ok()?;
        (parts.next().is_none() && now.timestamp() < expires).then_some(numbers)
    }

    /// The number of bytes that an address accepts, its last number: read before any bytes are.
    pub fn takes(&self, platform: &Platform, fields: &Fields) -> Result<usize> {
        let token = fields.text_of("token").unwrap_or_default();
        let numbers = self.opened(platform, token, platform.now())?;
        usize::try_from(numbers.last().copied().unwrap_or_default()).map_err(Error::internal)
    }
}

/// When an address that is good for so long stops working. It says so to the second.
pub fn expiry(now: Time, good_for: TimeDelta) -> Time {
    (now + good_for).trunc_subsecs(0)
}
