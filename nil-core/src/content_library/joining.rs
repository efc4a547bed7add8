//! The parts of an upload become one object, and the object is checked. Nothing of it is visible
//! until it enters the tree.

use std::io;

use aws_lc_rs::digest::{Context, SHA256};
use futures::TryStreamExt as _;

use super::upload::Upload;
use crate::content::Checked;
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

/// Joins the parts with these tags, in order, and reads the object once. 422 for a missing part or
/// another tag. An upload whose parts were joined before, by a call that broke off, is only read:
/// its object is as it was.
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
    let media_type = upload.media_type;
    if !sniff_beginning(&beginning).is_some_and(|found| found.passes_for(media_type)) {
        let why = format!("have content that is not {media_type}");
        return Ok(Joined::OtherThanAnnounced(why));
    }
    Ok(Joined::As(Checked { size, sha256: hex::encode(sum.finish()), media_type }))
}
