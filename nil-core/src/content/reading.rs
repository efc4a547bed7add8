//! Serves files: to holders of a signed address, and to callers that another module has admitted.

use futures::TryStreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::file::StoredFile;
use super::signing;
use super::store::file as files;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::Text;
use crate::operation::{Cx, Download};
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;

/// The last part of a signed address.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenSigned {
    /// The token in the address: the file, the expiry and the signature.
    pub token: Text<1, 200>,
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
