//! Authentication: one function per kind of credential. Frontends use the one that fits the
//! interface; in-process callers use the same five.

use super::principal::Principal;
use super::{api_key, session};
use crate::error::Result;
use crate::platform::Platform;

impl Platform {
    /// The user behind a Core bearer token; 401 if it is invalid or no longer valid.
    pub async fn authenticate_core(&self, token: &str) -> Result<Principal> {
        session::core_user(self, token).await
    }

    /// The portal user behind a Compliance bearer token; 401 if it is invalid or no longer valid.
    pub async fn authenticate_compliance(&self, token: &str) -> Result<Principal> {
        session::portal_user(self, token).await
    }

    /// The operator behind an Admin cookie, or the visitor whose session has not logged in yet. An
    /// invalid cookie makes the caller anonymous instead of a refusal: the browser can request a
    /// new session.
    pub async fn authenticate_admin(&self, cookie: &str) -> Result<Principal> {
        session::admin(self, cookie).await
    }

    /// The service behind an `X-API-KEY`; 401 if it is unknown or revoked.
    pub async fn authenticate_service(&self, key: &str) -> Result<Principal> {
        api_key::service(self, key).await
    }

    /// The registrant behind a registration token; 401 if it is unknown or expired. After the
    /// registration is finished, every step is refused.
    pub async fn authenticate_registrant(&self, token: &str) -> Result<Principal> {
        session::registrant(self, token).await
    }
}
