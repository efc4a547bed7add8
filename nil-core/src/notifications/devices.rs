//! The devices people could be told on by push message. Tokens are kept sealed, so that a copy of the
//! database reaches nobody; no push service is connected, and what is said goes by the other channels.
//!
//! A token is known by one account: a device on which somebody else logs in becomes theirs. It is
//! forgotten when the session that gave it logs out, and with all sessions of the account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::store::device as store;
use crate::auth::User;
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{DeviceTokenId, Nothing, Text, Time, UserId};
use crate::operation::{Cx, Done};
use crate::storage::Session;

/// How many devices an account has; one more, and the one that was heard of longest ago is forgotten.
pub(super) const MOST_DEVICES: i64 = 20;

vocabulary! {
    /// Whose push service a token belongs to.
    DevicePlatform {
        /// Apple's.
        Ios = "ios",
        /// Google's.
        Android = "android",
        /// A browser's.
        Web = "web",
    }
}

/// A device.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Device {
    /// Its id.
    pub id: DeviceTokenId,
    /// Whose push service its token belongs to.
    pub platform: DevicePlatform,
    /// What its owner calls it.
    pub name: Option<String>,
    /// When the account first gave its token.
    pub created_at: Time,
    /// When it last did.
    pub updated_at: Time,
}

/// A device of the caller's.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveDevice {
    /// What the push service calls the device; for a browser its subscription, as JSON.
    pub token: Text<8, 4096>,
    /// Whose push service that is.
    pub platform: DevicePlatform,
    /// What the owner calls it.
    pub name: Option<Text<1, 100>>,
}

/// A device to forget.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ForgetDevice {
    /// Its token; this or `id`.
    pub token: Option<Text<8, 4096>>,
    /// Its id; this or `token`.
    pub id: Option<DeviceTokenId>,
}

/// Keeps a device of the caller's. The same token again changes its platform and name; another account
/// that had it has it no longer. Past twenty devices the one that was heard of longest ago is forgotten.
pub async fn save(cx: Cx<User>, input: SaveDevice) -> Result<Done<Device>> {
    let vault = cx.platform().vault();
    let user = cx.caller.user_id;
    let new = store::NewDevice {
        user,
        session: cx.caller.session.clone(),
        platform: input.platform,
        name: input.name.map(Text::into_string),
        mark: vault.mark(CONTEXT, &input.token),
        sealed: vault.seal(CONTEXT, input.token.as_bytes())?,
    };
    let mut work = cx.begin().await?;
    let device = store::save(&mut work, new, cx.now()).await?;
    store::forget_beyond(&mut work, user, MOST_DEVICES).await?;
    work.note(user, "device_saved");
    work.done(device).await
}

/// Forgets a device of the caller's; 404 for one that is not.
pub async fn forget(cx: Cx<User>, input: ForgetDevice) -> Result<Done<()>> {
    let user = cx.caller.user_id;
    let mark = input.token.as_deref();
    let mark = mark.map(|token| cx.platform().vault().mark(CONTEXT, token));
    if mark.is_none() && input.id.is_none() {
        return Err(Error::invalid("token", "give token or id"));
    }
    let mut work = cx.begin().await?;
    if !store::forget(&mut work, user, input.id, mark).await? {
        return Err(codes::NOT_FOUND.into());
    }
    work.note(user, "device_forgotten");
    work.done(()).await
}

/// The caller's devices, the one that was heard of last first. There are twenty at most.
pub async fn list(cx: Cx<User>, _: Nothing) -> Result<Vec<Device>> {
    let mut session = cx.read().await?;
    store::of_user(&mut session, cx.caller.user_id).await
}

/// Forgets the devices a session gave: it logs out.
pub(crate) async fn forget_session(session: &mut Session, user: UserId, ended: &str) -> Result<()> {
    store::forget_session(session, user, ended).await
}

/// Forgets all devices of an account: every session of it ends.
pub(crate) async fn forget_all(session: &mut Session, user: UserId) -> Result<()> {
    store::forget_beyond(session, user, 0).await
}

/// What marks and seals of tokens are tied to.
const CONTEXT: &str = "device_token";
