//! From what a request carries to who is calling: one function per kind of credential. Frontends
//! pick the one that fits the interface; in-process callers use the same five.

use super::principal::Principal;
use super::{api_key, session};
use crate::error::Result;
use crate::platform::Platform;

impl Platform {
    /// The user behind a Core bearer token; 401 where it is worth nothing (any more).
    pub async fn authenticate_core(&self, token: &str) -> Result<Principal> {
        session::core_user(self, token).await
    }

    /// The portal user behind a Compliance bearer token; 401 where it is worth nothing (any more).
    pub async fn authenticate_compliance(&self, token: &str) -> Result<Principal> {
        session::portal_user(self, token).await
    }

    /// The operator behind an Admin cookie, or the visitor whose session has not logged in yet. A
    /// cookie that is worth nothing is nobody, not a refusal: the browser may ask for a new session.
    pub async fn authenticate_admin(&self, cookie: &str) -> Result<Principal> {
        session::admin(self, cookie).await
    }

    /// The service behind an `X-API-KEY`; 401 where it is unknown or revoked.
    pub async fn authenticate_service(&self, key: &str) -> Result<Principal> {
        api_key::service(self, key).await
    }

    /// Whoever registers with a registration token; 401 where it is unknown or expired. Of a finished
    /// registration every step is refused.
    pub async fn authenticate_registrant(&self, token: &str) -> Result<Principal> {
        session::registrant(self, token).await
    }
}
