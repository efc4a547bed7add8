//! Profile pictures of athletes and logos of brands: a file of the owner that is public while it is part of the
//! profile.

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

/// A picture that is part of a profile; 404 after it was replaced, and while the account is suspended or closed.
pub async fn picture(cx: Cx<Anyone>, input: OpenPicture) -> Result<Download> {
    let id = signing::picture(cx.platform(), &input.token).ok_or(codes::NOT_FOUND)?;
    let mut session = cx.read().await?;
    let found = files::find_all(&mut session, &[id]).await?;
    let file = first_of(found)?;
    let uses = files::uses(&mut session, id).await?;
    let part = |(kind, _): &(FileUse, i64)| matches!(kind, FileUse::Photo | FileUse::Logo);
    // The owner of the profile uploaded it.
    let Some(owner) = file.user_id.filter(|_| uses.iter().any(part)) else {
        return Err(codes::NOT_FOUND.into());
    };
    if !people::is_in_use(&mut session, owner).await? {
        return Err(codes::NOT_FOUND.into());
    }
    drop(session);
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
