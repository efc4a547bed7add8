//! Serves files: to their owner, to viewers of a record they are part of, and to holders of a signed address. Access to
//! another user's file is recorded in the audit trail.

use futures::TryStreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::file::StoredFile;
use super::signing;
use super::store::file as files;
use super::using::{Viewer, is_shown_to};
use crate::auth::{Anyone, PortalUser, User};
use crate::error::{Error, Result, codes};
use crate::kernel::{FileId, Text, UserId};
use crate::operation::{Cx, Download};
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;

/// A file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenFile {
    /// The file.
    pub id: FileId,
}

/// The last part of a signed address.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenSigned {
    /// The token in the address: the file, the expiry and the signature.
    pub token: Text<1, 200>,
}

/// A file of the caller, or part of a record that they may see.
pub async fn download(cx: Cx<User>, input: OpenFile) -> Result<Download> {
    let viewer = Viewer::of_user(&cx.caller);
    shown(&cx, input.id, Some(cx.caller.user_id), viewer.as_ref()).await
}

/// A file that is part of a record of the institution's athletes.
pub async fn download_as_compliance(cx: Cx<PortalUser>, input: OpenFile) -> Result<Download> {
    let viewer = Viewer::of_portal(&cx.caller);
    shown(&cx, input.id, None, Some(&viewer)).await
}

/// The file of a signed address; 404 `link_invalid` after it has expired.
pub async fn download_signed(cx: Cx<Anyone>, input: OpenSigned) -> Result<Download> {
    let id = signing::opened(cx.platform(), &input.token, cx.now()).ok_or(codes::LINK_INVALID)?;
    let mut session = cx.read().await?;
    let found = files::find_all(&mut session, &[id]).await?;
    drop(session);
    let file = found.into_iter().next().ok_or(codes::LINK_INVALID)?;
    send(cx.platform(), file).await
}

async fn shown<C>(
    cx: &Cx<C>,
    id: FileId,
    user: Option<UserId>,
    viewer: Option<&Viewer>,
) -> Result<Download> {
    let mut session = cx.read().await?;
    let found = files::find_all(&mut session, &[id]).await?;
    let file = found.into_iter().next().ok_or(codes::NOT_FOUND)?;
    if user.is_none() || user != file.user_id {
        let viewer = viewer.ok_or(codes::NOT_FOUND)?;
        if !is_shown_to(&mut session, viewer, id).await? {
            return Err(codes::NOT_FOUND.into());
        }
        drop(session);
        let mut work = cx.begin().await?;
        work.note(file.id, "downloaded");
        work.done(()).await?;
    }
    send(cx.platform(), file).await
}

/// The file's bytes, streamed, under its name.
pub(crate) async fn send(platform: &Platform, file: StoredFile) -> Result<Download> {
    let lost = || Error::internal(format!("the object of file {} is missing", file.id));
    let key = ObjectKey::parse(&file.object_key).ok_or_else(lost)?;
    let pieces = platform.objects().get(&key).await;
    let pieces = pieces.map_err(|error| Error::from(codes::UNAVAILABLE).because(error))?;
    let pieces = pieces.ok_or_else(lost)?;
    Ok(Download {
        content_type: file.media_type.as_str(),
        length: u64::try_from(file.size).ok(),
        bytes: Box::pin(pieces.map_err(Error::internal)),
        name: file.name,
    })
}
