//! Acting as an account without its password, for `nil call --as` and Rust hosts. This requires
//! access to the database; the audit trail names the account.

use super::principal::{Permission, Principal, Role};
use crate::error::{Error, Result, codes};
use crate::kernel::{CollegeId, Email, OperatorId, PortalUserId, SportId, UserId, UserKind};
use crate::platform::Platform;
use crate::storage::sql;

/// The session name of a vouched caller, which has no session row.
pub(super) const VOUCHED: &str = "vouched";

impl Platform {
    /// The account with this e-mail as a caller: `athlete`, `partner`, `agent`, `fan`, `portal` or
    /// `operator`. 404 if there is no active one.
    pub async fn vouch_for(&self, kind: &str, email: &str) -> Result<Principal> {
        let email = Email::new(email).map_err(|why| Error::invalid("email", why))?;
        let found = match kind {
            "portal" => self.vouched_portal(&email).await?,
            "operator" => self.vouched_operator(&email).await?,
            _ => match kind.parse() {
                Ok(kind) => self.vouched_user(kind, &email).await?,
                Err(why) => return Err(Error::invalid("kind", why)),
            },
        };
        found.ok_or_else(|| {
            codes::NOT_FOUND.saying(format!("There is no active {kind} {}.", &*email))
        })
    }

    async fn vouched_user(&self, kind: UserKind, email: &Email) -> Result<Option<Principal>> {
        let text = match kind {
            UserKind::Athlete => {
                "SELECT u.id, p.id FROM app_user u JOIN athlete p ON p.user_id = u.id \
                 WHERE u.email = $1 AND u.status = 'active'"
            }
            UserKind::Partner => {
                "SELECT u.id, p.id FROM app_user u JOIN partner p ON p.user_id = u.id \
                 WHERE u.email = $1 AND u.status = 'active'"
            }
            UserKind::Agent => {
                "SELECT u.id, p.id FROM app_user u JOIN agent p ON p.user_id = u.id \
                 WHERE u.email = $1 AND u.status = 'active'"
            }
            UserKind::Fan => {
                "SELECT u.id, p.id FROM app_user u JOIN fan p ON p.user_id = u.id \
                 WHERE u.email = $1 AND u.status = 'active'"
            }
        };
        let mut session = self.db().read().await?;
        let found: Option<(UserId, i64)> = session.first(sql(text).bind(email.clone())).await?;
        Ok(found.map(|(user_id, profile_id)| Principal::User {
            user_id,
            kind,
            profile_id,
            session: VOUCHED.into(),
        }))
    }

    async fn vouched_portal(&self, email: &Email) -> Result<Option<Principal>> {
        type Found = (PortalUserId, CollegeId, Role, Option<serde_json::Value>);
        let mut session = self.db().read().await?;
        let found: Option<Found> = session
            .first(
                sql("SELECT id, college_id, role, sport_ids FROM portal_user \
                     WHERE email = $1 AND status = 'active'")
                .bind(email.clone()),
            )
            .await?;
        Ok(found.map(|(id, college_id, role, sports)| Principal::Portal {
            id,
            college_id,
            role,
            sports: sports
                .and_then(|ids| serde_json::from_value::<Vec<SportId>>(ids).ok())
                .unwrap_or_default(),
            session: VOUCHED.into(),
        }))
    }

    async fn vouched_operator(&self, email: &Email) -> Result<Option<Principal>> {
        let mut session = self.db().read().await?;
        let found: Option<(OperatorId, serde_json::Value)> = session
            .first(
                sql("SELECT id, permissions FROM operator WHERE email = $1 AND active")
                    .bind(email.clone()),
            )
            .await?;
        Ok(found.map(|(id, permissions)| Principal::Operator {
            id,
            permissions: serde_json::from_value::<Vec<Permission>>(permissions).unwrap_or_default(),
            session: VOUCHED.into(),
        }))
    }
}
