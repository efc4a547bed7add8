//! Serves files: to holders of a signed address, and to callers that another module has admitted.

use bytes::{Bytes, BytesMut};
use futures::TryStreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;

use super::file::StoredFile;
use super::signing;
use super::store::file as files;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::Text;
use crate::operation::{Cx, Download, FileBytes};
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
    let id = signing::opened(cx.platform(), &input.token, cx.now())?;
    let mut session = cx.read().await?;
    let found = files::find_all(&mut session, &[id]).await?;
    drop(session);
    let file = found.into_iter().next().ok_or(codes::LINK_INVALID)?;
    send(cx.platform(), file).await
}

/// The file's bytes, streamed, under its name.
pub async fn send(platform: &Platform, file: StoredFile) -> Result<Download> {
    let StoredFile { object_key, name, media_type, size, .. } = file;
    let content_type = media_type.as_str();
    send_object(platform, Sent { object_key, name, content_type, size }).await
}

/// All bytes of the file, for one that is small enough for memory.
pub(super) async fn read(platform: &Platform, file: &StoredFile) -> Result<Bytes> {
    let lost = || Error::internal(format!("object {} is missing", file.object_key));
    let object = ObjectKey::parse(&file.object_key).ok_or_else(lost)?;
    let size = u64::try_from(file.size).map_err(Error::internal)?;
    let mut pieces = opened(platform, &object, 0, size).await?.ok_or_else(lost)?;
    let mut bytes = BytesMut::new();
    while let Some(piece) = pieces.try_next().await? {
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.freeze())
}

/// A stored object that is sent as a file.
#[derive(Debug)]
pub struct Sent {
    /// The key of the object.
    pub object_key: String,
    /// The file's name.
    pub name: String,
    /// Its media type.
    pub content_type: &'static str,
    /// Its size in bytes.
    pub size: i64,
}

/// The bytes of an object, streamed.
pub async fn send_object(platform: &Platform, file: Sent) -> Result<Download> {
    let lost = || Error::internal(format!("object {} is missing", file.object_key));
    let object = ObjectKey::parse(&file.object_key).ok_or_else(lost)?;
    let size = u64::try_from(file.size).map_err(Error::internal)?;
    let whole = opened(platform, &object, 0, size).await?.ok_or_else(lost)?;
    let platform = platform.clone();
    Ok(Download {
        name: file.name,
        content_type: file.content_type,
        length: Some(size),
        bytes: whole,
        part: Some(Box::new(move |from, length| {
            Box::pin(async move {
                let part = opened(&platform, &object, from, length).await?;
                part.ok_or_else(|| Error::internal(format!("object {object:?} is missing")))
            })
        })),
    })
}

async fn opened(
    platform: &Platform,
    object: &ObjectKey,
    from: u64,
    length: u64,
) -> Result<Option<FileBytes>> {
    let pieces = platform.objects().get_part(object, from, length).await;
    let pieces = pieces.map_err(|error| Error::from(codes::UNAVAILABLE).because(error))?;
    Ok(pieces.map(|pieces| -> FileBytes { Box::pin(pieces.map_err(Error::internal)) }))
}
