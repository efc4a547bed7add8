//! Profile pictures of athletes, logos of brands, and the pictures of the site: public while they are part of the
//! profile or the site.

use schemars::JsonSchema;
use serde::Deserialize;

use super::attaching::{FileUse, owned_at, replace};
use super::reading::send;
use super::signing;
use super::store::file as files;
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

/// A picture that is part of a profile or the site; 404 after it was replaced, and while the account is suspended or closed.
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

/// Makes one of the user's own pictures the profile picture, replacing the old one: 422 at `field` for a file of
/// another user and for a file that is not a picture. Returns its new address.
pub(crate) async fn set(
    work: &mut Work,
    (field, user): (&str, UserId),
    wanted: &Edit<FileId>,
    (kind, record): (FileUse, i64),
) -> Result<Edit<String>> {
    match wanted {
        Edit::Keep => Ok(Edit::Keep),
        Edit::Clear => {
            replace(work, (field, user), &[], kind, record).await?;
            Ok(Edit::Clear)
        }
        Edit::Set(id) => {
            let own = owned_at(work, field, user, &[*id]).await?;
            if !own.iter().all(|file| file.media_type.is_image()) {
                return Err(Error::invalid(field, "must be a picture"));
            }
            replace(work, (field, user), &[*id], kind, record).await?;
            let url = signing::picture_url(work.platform(), *id);
            Ok(Edit::Set(url))
        }
    }
}
