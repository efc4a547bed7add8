//! A device that a user registered for push messages.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{DeviceTokenId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The push service of a token.
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
#[non_exhaustive]
pub struct Device {
    /// Its id.
    pub id: DeviceTokenId,
    /// The push service of its token.
    pub platform: DevicePlatform,
    /// The name given by its owner.
    pub name: Option<String>,
    /// When the account first sent its token.
    pub created_at: Time,
    /// When the account last sent it.
    pub updated_at: Time,
}
