//! Operators download files, and open signed previews of them.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::browsing::file;
use super::item::ContentVersion;
use super::store::version as versions;
use crate::auth::{Anyone, Operator};
use crate::content::reading::{Sent, send_object};
use crate::content::signing::expiry;
use crate::content::{Address, Link, MediaType};
use crate::error::{Result, codes};
use crate::kernel::{ContentItemId, Interface, Text};
use crate::operation::{Cx, Download};
use crate::platform::Platform;
use crate::storage::Session;

/// How long the address of a preview works.
const GOOD_FOR: TimeDelta = TimeDelta::minutes(15);
/// The addresses of previews: the file and the number of its version.
const ADDRESS: Address<2> =
    Address { prefix: "preview.", interface: Interface::Admin, path: "/content/preview" };

/// The file to send.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SendContent {
    /// The file.
    pub id: ContentItemId,
    /// The number of an older version (default: the current one).
    pub version: Option<i64>,
}

/// The last part of a preview's address.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenPreview {
    /// The token in the address: the file, the version, the expiry and the signature.
    pub token: Text<1, 200>,
}

/// Sends a file under its name, or an older version of it (contract: *content*). Parts of it can be
/// requested with `Range`. For operators with the permission `content`; every download is recorded
/// in the audit trail. 404 for a file or a version that does not exist, for a deleted one and for a
/// folder.
pub async fn download(cx: Cx<Operator>, input: SendContent) -> Result<Download> {
    let mut work = cx.begin_audited_read().await?;
    let (name, version) = find(&mut work, input.id, input.version).await?;
    work.note(input.id, "downloaded");
    work.finish_read().await?;
    send(cx.platform(), name, version).await
}

/// The file's name and its current version, or the given one.
async fn find(
    session: &mut Session,
    id: ContentItemId,
    number: Option<i64>,
) -> Result<(String, ContentVersion)> {
    let row = file(session, id).await?;
    let current = row.version.unwrap_or_default();
    let number = number.unwrap_or(current);
    let version = versions::one(session, id, number).await?;
    // An older version may be of another type, which its own name fits.
    let name = if number == current { row.name } else { version.name.clone() };
    Ok((name, version))
}

async fn send(platform: &Platform, name: String, version: ContentVersion) -> Result<Download> {
    let ContentVersion { media_type, size, object_key, .. } = version;
    let content_type = media_type.as_str();
    send_object(platform, Sent { object_key, name, content_type, size }).await
}

/// A signed address that shows a file for a while, without a log-in (contract: *content*). For
/// operators with the permission `content`. 404 for a file or a version that does not exist, for a
/// deleted one and for a folder; 409 `no_preview` for a type that browsers do not show by
/// themselves.
pub async fn preview_url(cx: Cx<Operator>, input: SendContent) -> Result<Link> {
    let mut work = cx.begin_audited_read().await?;
    let (_, version) = find(&mut work, input.id, input.version).await?;
    if !is_shown(version.media_type) {
        return Err(codes::NO_PREVIEW.into());
    }
    work.note(input.id, "preview_opened");
    work.finish_read().await?;
    let expires_at = expiry(cx.now(), GOOD_FOR);
    let url = ADDRESS.url(cx.platform(), [input.id.get(), version.number], expires_at);
    Ok(Link { url, expires_at })
}

/// Whether browsers show it by themselves. None of these types runs anything.
fn is_shown(media_type: MediaType) -> bool {
    match media_type {
        MediaType::Jpeg
        | MediaType::Png
        | MediaType::Webp
        | MediaType::Gif
        | MediaType::Mp4
        | MediaType::Pdf
        | MediaType::PlainText => true,
        MediaType::Quicktime | MediaType::Csv => false,
    }
}

/// The file of a preview's address (extension). 404 `link_invalid` for a wrong or expired address,
/// and after the file was deleted.
pub async fn preview(cx: Cx<Anyone>, input: OpenPreview) -> Result<Download> {
    let [id, number] = ADDRESS.opened(cx.platform(), &input.token, cx.now())?;
    let id = ContentItemId::new(id).ok_or(codes::LINK_INVALID)?;
    let mut session = cx.read().await?;
    let found = find(&mut session, id, Some(number)).await;
    drop(session);
    match found {
        Ok((name, version)) => send(cx.platform(), name, version).await,
        Err(error) if error.is(codes::NOT_FOUND) => Err(codes::LINK_INVALID.into()),
        Err(error) => Err(error),
    }
}
