//! Profile pictures of athletes, logos of brands, and the pictures of the site: public while they
//! are part of the profile or the site.

use schemars::JsonSchema;
use serde::Deserialize;

use super::attaching::{owned_at, replace, strange};
use super::file::{FileOwner, MediaType};
use super::reading::{read, send};
use super::redrawing::{Frame, redrawn};
use super::signing;
use super::store::file as files;
use super::storing::{self, Given, Written};
use super::usage::FileUse;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{Edit, FileId, Text, UserId};
use crate::operation::{Cx, Download, Work};
use crate::people;
use crate::storage::first_of;

/// The last part of a picture's address.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenPicture {
    /// The token in the address: the picture and its mark.
    pub token: Text<1, 200>,
}

/// A picture that is part of a profile or the site; 404 after it was replaced, and while the
/// account is suspended or closed.
pub async fn picture(cx: Cx<Anyone>, input: OpenPicture) -> Result<Download> {
    let id = signing::picture(cx.platform(), &input.token).ok_or(codes::NOT_FOUND)?;
    let mut session = cx.read().await?;
    let found = files::find_all(&mut session, &[id]).await?;
    let file = first_of(found)?;
    let uses = files::uses(&mut session, id).await?;
    let part = |wanted: &[FileUse]| uses.iter().any(|(kind, _)| wanted.contains(kind));
    let shown = match file.user_id {
        // The owner of the profile uploaded it.
        Some(owner) if part(&[FileUse::Photo, FileUse::Logo]) => {
            people::is_in_use(&mut session, owner).await?
        }
        Some(_) => false,
        None => part(&[FileUse::SiteLogo, FileUse::SiteFavicon]),
    };
    drop(session);
    if !shown {
        return Err(codes::NOT_FOUND.into());
    }
    send(cx.platform(), file).await
}

/// A picture that may be shown to everybody.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// A file that is shown already, or one without metadata.
    Stored(FileId),
    /// A picture that was drawn anew.
    Written(Written),
}

/// Draws one of the owner's own pictures anew, outside any transaction: the profile shows a
/// separate file without metadata, and the uploaded one stays as it is, because it may prove a
/// deliverable. A GIF is shown as it was uploaded: it has no EXIF, no camera makes one, and drawing
/// it would end its animation.
///
/// The profile is a record and its account; a profile that is about to be opened has none. 422 at
/// `field` for a file of another user, for a file that is not a picture, and for a picture that
/// cannot be drawn.
pub(crate) async fn prepare<C>(
    cx: &Cx<C>,
    (field, wanted): (&str, &Edit<FileId>),
    kind: FileUse,
    profile: Option<(UserId, i64)>,
) -> Result<Edit<Prepared>> {
    let id = match wanted {
        Edit::Keep => return Ok(Edit::Keep),
        Edit::Clear => return Ok(Edit::Clear),
        Edit::Set(id) => *id,
    };
    let (user, record) = profile.ok_or_else(|| strange(field))?;
    let mut session = cx.read().await?;
    let file = first_of(owned_at(&mut session, field, user, &[id]).await?)?;
    let shown = files::used_by(&mut session, kind, record).await?;
    let shown = files::find_all(&mut session, &shown).await?;
    drop(session);
    match file.media_type {
        MediaType::Gif => return Ok(Edit::Set(Prepared::Stored(id))),
        other if !other.is_image() => return Err(Error::invalid(field, "must be a picture")),
        _ => {}
    }
    let place = cx.platform().workshop().place(&cx.facts().actor).await?;
    let bytes = read(cx.platform(), &file).await?;
    let drawn = redrawn(place, field, (file.media_type, bytes), Frame::PHOTO).await?;
    // The address of a picture stays the same until the picture changes.
    let sum = storing::sum(&drawn.content).await?;
    if let Some(same) = shown.iter().find(|shown| shown.sha256 == sum) {
        return Ok(Edit::Set(Prepared::Stored(same.id)));
    }
    let given = Given {
        owner: FileOwner::User(user),
        name: &file.name,
        media_type: Some(drawn.media_type),
        content: &drawn.content,
    };
    let written = storing::write(cx.platform(), cx.facts().operation, given).await?;
    Ok(Edit::Set(Prepared::Written(written)))
}

/// Makes a prepared picture the profile picture, replacing the old one. Returns its new address.
pub(crate) async fn set(
    work: &mut Work,
    (field, user): (&str, UserId),
    wanted: Edit<Prepared>,
    (kind, record): (FileUse, i64),
) -> Result<Edit<String>> {
    let id = match wanted {
        Edit::Keep => return Ok(Edit::Keep),
        Edit::Clear => {
            replace(work, (field, user), &[], kind, record).await?;
            return Ok(Edit::Clear);
        }
        Edit::Set(Prepared::Stored(id)) => id,
        Edit::Set(Prepared::Written(written)) => storing::keep(work, written).await?.id,
    };
    replace(work, (field, user), &[id], kind, record).await?;
    Ok(Edit::Set(signing::picture_url(work.platform(), id)))
}
