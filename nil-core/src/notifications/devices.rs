//! The devices that could receive push messages. Tokens are stored sealed, so a copy of the
//! database cannot be used to send messages. No push service is connected; messages are sent on the
//! other channels.
//!
//! A token belongs to one account: if another user logs in on the device, it moves to their
//! account. It is deleted when the session that sent it logs out, and when all sessions of the
//! account are ended.

use schemars::JsonSchema;
use serde::Deserialize;

use super::device::{Device, DevicePlatform};
use super::store::device as store;
use crate::auth::User;
use crate::error::{Error, Result, codes};
use crate::kernel::{DeviceTokenId, Nothing, Text, UserId};
use crate::operation::{Cx, Done};
use crate::storage::Session;

/// The maximum number of devices of an account; beyond it, the device updated longest ago is
/// deleted.
pub(super) const MOST_DEVICES: i64 = 20;

/// A device of the caller.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveDevice {
    /// The device's token at the push service; for a browser its subscription, as JSON.
    pub token: Text<8, 4096>,
    /// The push service.
    pub platform: DevicePlatform,
    /// The name given by its owner.
    pub name: Option<Text<1, 100>>,
}

/// A device to delete.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ForgetDevice {
    /// Its token; this or `id`.
    pub token: Option<Text<8, 4096>>,
    /// Its id; this or `token`.
    pub id: Option<DeviceTokenId>,
}

/// Stores a device of the caller. The same token again updates platform and name; if another
/// account had it, it is removed there. Beyond twenty devices, the one updated longest ago is
/// deleted.
pub async fn save(cx: Cx<User>, input: SaveDevice) -> Result<Done<Device>> {
    let vault = cx.platform().vault();
    let user = cx.caller.user_id;
    let new = store::NewDevice {
        user,
        session: cx.caller.session.clone(),
        platform: input.platform,
        name: input.name.map(Text::into_string),
        mark: vault.mark(CONTEXT, &input.token),
        earlier: vault.marks(CONTEXT, &input.token),
        sealed: vault.seal(CONTEXT, input.token.as_bytes())?,
    };
    let mut work = cx.begin().await?;
    let device = store::save(&mut work, new, cx.now()).await?;
    store::forget_beyond(&mut work, user, MOST_DEVICES).await?;
    work.note(user, "device_saved");
    work.done(device).await
}

/// Deletes a device of the caller; 404 for any other.
pub async fn forget(cx: Cx<User>, input: ForgetDevice) -> Result<Done<()>> {
    let user = cx.caller.user_id;
    let mark = input.token.as_deref();
    let marks = mark.map(|token| cx.platform().vault().marks(CONTEXT, token));
    if marks.is_none() && input.id.is_none() {
        return Err(Error::invalid("token", "send token or id"));
    }
    let mut work = cx.begin().await?;
    if !store::forget(&mut work, user, input.id, marks).await? {
        return Err(codes::NOT_FOUND.into());
    }
    work.note(user, "device_forgotten");
    work.done(()).await
}

/// The caller's devices, the last updated first; at most twenty.
pub async fn list(cx: Cx<User>, _: Nothing) -> Result<Vec<Device>> {
    let mut session = cx.read().await?;
    store::of_user(&mut session, cx.caller.user_id).await
}

/// Deletes the devices that a session sent, when it logs out.
pub async fn forget_session(session: &mut Session, user: UserId, ended: &str) -> Result<()> {
    store::forget_session(session, user, ended).await
}

/// Deletes all devices of an account, when all its sessions end.
pub async fn forget_all(session: &mut Session, user: UserId) -> Result<()> {
    store::forget_beyond(session, user, 0).await
}

/// The context that marks and seals of tokens are bound to.
const CONTEXT: &str = "device_token";
