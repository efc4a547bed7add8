//! Serves files to their owner and to viewers of a record they are part of. Access to another
//! user's file is recorded in the audit trail.

use schemars::JsonSchema;
use serde::Deserialize;

use super::sharing::is_shown_to;
use crate::auth::{PortalUser, User};
use crate::content::reading::send;
use crate::content::{self, Viewer};
use crate::error::{Result, codes};
use crate::kernel::{FileId, UserId};
use crate::operation::{Cx, Download};
use crate::storage::first_of;

/// A file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenFile {
    /// The file.
    pub id: FileId,
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

async fn shown<C>(
    cx: &Cx<C>,
    id: FileId,
    user: Option<UserId>,
    viewer: Option<&Viewer>,
) -> Result<Download> {
    let mut session = cx.read().await?;
    let found = content::found(&mut session, &[id]).await?;
    let file = first_of(found)?;
    if user.is_none() || user != file.user_id {
        let viewer = viewer.ok_or(codes::NOT_FOUND)?;
        if !is_shown_to(&mut session, viewer, id).await? {
            return Err(codes::NOT_FOUND.into());
        }
        drop(session);
        let mut work = cx.begin_audited_read().await?;
        work.note(file.id, "downloaded");
        work.finish_read().await?;
    }
    send(cx.platform(), file).await
}
