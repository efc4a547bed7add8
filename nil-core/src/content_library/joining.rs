//! The parts of an upload become one object, and the object is checked. Nothing of it is visible until it enters the
//! tree.

use std::io;

use aws_lc_rs::digest::{Context, SHA256};
use futures::TryStreamExt as _;

use super::entering::Checked;
use super::upload::Upload;
use crate::content::MediaType;
use crate::content::sniffing::{BEGINNING, sniff_beginning};
use crate::content::storing::not_written;
use crate::error::{Error, Result, codes};
use crate::platform::Platform;
use crate::ports::objects::Parted;

/// What the parts have become.
pub(super) enum Joined {
    /// What was announced.
    As(Checked),
    /// Something else, with the reason.
    OtherThanAnnounced(String),
}

/// Joins the parts with these tags, in order, and reads the object once. 422 for a missing part or another tag. An upload
/// whose parts were joined before, by a call that broke off, is only read: its object is as it was.
pub(super) async fn join(
    platform: &Platform,
    upload: &Upload,
    parted: &Parted,
    tags: &[String],
) -> Result<Joined> {
    let objects = platform.objects();
    match objects.join(parted, tags).await {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return Err(Error::invalid("parts", format!("are not those that arrived: {error}")));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(not_written(error)),
    }
    let Some(mut pieces) = objects.get(&parted.key).await.map_err(not_written)? else {
        return Err(codes::UPLOAD_ENDED.into());
    };
    let (mut sum, mut size, mut beginning) = (Context::new(&SHA256), 0_usize, Vec::new());
    while let Some(piece) = pieces.try_next().await.map_err(not_written)? {
        sum.update(&piece);
        size = size.saturating_add(piece.len());
        let missing = BEGINNING.saturating_sub(beginning.len());
        beginning.extend(piece.into_iter().take(missing));
    }
    let size = i64::try_from(size).map_err(Error::internal)?;
    if size != upload.size {
        let why = format!("add up to {size} bytes; {} were announced", upload.size);
        return Ok(Joined::OtherThanAnnounced(why));
    }
    let Some(media_type) = as_announced(&beginning, upload.media_type) else {
        let why = format!("have content that is not {}", upload.media_type);
        return Ok(Joined::OtherThanAnnounced(why));
    };
    Ok(Joined::As(Checked { size, sha256: hex::encode(sum.finish()), media_type }))
}

/// The announced type, if the content is of it.
fn as_announced(beginning: &[u8], announced: MediaType) -> Option<MediaType> {
    let found = sniff_beginning(beginning)?;
    found.passes_for(announced).then_some(announced)
}

/// Removes what there is of an upload that is over. If this fails, the store forgets the parts by itself, and the worker
/// finds the object, which no record needs.
pub(super) async fn remove(platform: &Platform, upload: &Upload) {
    let objects = platform.objects();
    let removed = async {
        if let Some(parted) = upload.parted()? {
            objects.abort(&parted).await.map_err(not_written)?;
        }
        objects.remove(&upload.key()?).await.map_err(not_written)
    };
    if let Err(error) = removed.await {
        tracing::warn!(%error, upload = upload.id.get(), "the bytes of an ended upload could not be removed");
    }
}
