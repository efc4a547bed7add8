//! The accounts of the Compliance interface's users.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::accounts::listed::{Beside, Listed};
use crate::auth::Role;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CollegeId, Machine, Move, PortalUserId, Secret, SportId, Time};
use crate::operation::Revisable;
use crate::storage::FromRow;

vocabulary! {
    /// The status of a portal user.
    PortalUserStatus {
        /// Invited; has no password yet.
        Invited = "invited",
        /// Registered; waits for approval and has no access.
        Pending = "pending",
        /// In use.
        Active = "active",
        /// Refused, or access revoked.
        Disabled = "disabled",
    }
}

/// An event in a portal user's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalUserEvent {
    /// The user accepts the invitation.
    SetPassword,
    /// An owner of the institution or an operator approves the registration.
    Approve,
    /// An owner of the institution or an operator refuses the registration.
    Refuse,
    /// Access is revoked.
    Disable,
    /// Access is restored.
    Restore,
    /// The user signs on through the institution's identity provider, which gives a role.
    SignOn,
    /// A user who was disabled before setting a password is invited again.
    InviteAgain,
}

impl Machine for PortalUserStatus {
    type Event = PortalUserEvent;
    const NAME: &'static str = "portal user";
    const STATES: &'static [Self] = Self::ALL;
    const INITIAL: &'static [Self] = &[Self::Invited, Self::Pending];
    const TERMINAL: &'static [Self] = &[];
    const MOVES: &'static [Move<Self>] = &[
        (Self::Invited, PortalUserEvent::SetPassword, Self::Active), // POST /set-password
        (Self::Pending, PortalUserEvent::Approve, Self::Active),     // POST /university-admin/save
        (Self::Invited, PortalUserEvent::SignOn, Self::Active),      // POST /sign-on/finish
        (Self::Pending, PortalUserEvent::SignOn, Self::Active),
        (Self::Pending, PortalUserEvent::Refuse, Self::Disabled),
        (Self::Active, PortalUserEvent::Disable, Self::Disabled),
        (Self::Invited, PortalUserEvent::Disable, Self::Disabled),
        (Self::Disabled, PortalUserEvent::Restore, Self::Active),
        (Self::Disabled, PortalUserEvent::InviteAgain, Self::Invited), // GET /university-admin/send-email/{id}
    ];
}

impl PortalUserStatus {
    /// Whether a change leads from this status to `wanted`.
    #[must_use]
    pub fn can_become(self, wanted: Self) -> bool {
        self.event_to(wanted).is_some_and(|event| self.can(event))
    }

    /// The event that leads from this status to `wanted`; none leads back to `invited` or
    /// `pending`.
    #[must_use]
    pub fn event_to(self, wanted: Self) -> Option<PortalUserEvent> {
        match (self, wanted) {
            (_, Self::Invited | Self::Pending) => None,
            (Self::Disabled, Self::Active) => Some(PortalUserEvent::Restore),
            (_, Self::Active) => Some(PortalUserEvent::Approve),
            (Self::Pending, Self::Disabled) => Some(PortalUserEvent::Refuse),
            (_, Self::Disabled) => Some(PortalUserEvent::Disable),
        }
    }
}

/// A user of an institution's compliance portal.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct PortalAccount {
    /// The portal user's id.
    pub id: PortalUserId,
    /// The institution.
    pub college_id: CollegeId,
    /// The e-mail to log in with.
    pub email: String,
    /// Full name.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The sports the access is limited to; null means all.
    #[schemars(with = "Option<Vec<SportId>>")]
    pub sport_ids: Option<Value>,
    /// The status.
    pub status: PortalUserStatus,
    /// When two-step log-in was turned on; null: the password alone is enough.
    pub totp_on_at: Option<Time>,
    /// Time of the last login.
    pub last_login_at: Option<Time>,
    /// When the record was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

impl Listed for PortalAccount {
    type Id = PortalUserId;
    type Status = PortalUserStatus;
    const TABLE: &'static str = "portal_user";
    const COLUMNS: &'static str = "r.id, r.college_id, r.email, r.name, r.role, r.sport_ids, \
        r.status, r.totp_on_at, r.last_login_at, r.created_at, r.updated_at";
    const BESIDE: &'static [Beside] = &[];
    const HOLDER: &'static str = "r";
    const NAME: &'static str = "name";

    fn id(&self) -> PortalUserId {
        self.id
    }
}

impl Revisable for PortalAccount {
    fn content(&self) -> Value {
        json!([self.email, self.name, self.role, self.sport_ids, self.status])
    }
}

impl PortalAccount {
    /// The sports the access is limited to; empty means all.
    pub(crate) fn sports(&self) -> Vec<i64> {
        let sports = self.sport_ids.as_ref().and_then(Value::as_array);
        let ids = sports.into_iter().flatten().filter_map(Value::as_i64);
        ids.collect()
    }

    /// Whether access to these sports (empty: all) lies within this account's access.
    pub(super) fn covers(&self, sports: &[i64]) -> bool {
        let own = self.sports();
        own.is_empty() || (!sports.is_empty() && sports.iter().all(|sport| own.contains(sport)))
    }
}

/// The result of a log-in to the Compliance interface.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PortalLogIn {
    /// The bearer token.
    pub token: Secret,
    /// Always `Bearer`.
    pub token_type: &'static str,
    /// When the token expires.
    pub expires_at: Time,
    /// The user the token belongs to.
    pub user: PortalAccount,
}

/// A registration whose e-mail is not confirmed yet. It is no portal user: those are numbered
/// separately.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PortalRegistration {
    /// The registration's id.
    #[schemars(range(min = 1), extend("examples" = [1]))]
    pub registration_id: i64,
    /// The institution.
    pub college_id: CollegeId,
    /// The e-mail to confirm, and then to log in with.
    pub email: String,
    /// Full name.
    pub name: String,
    /// The role asked for.
    pub role: Role,
    /// Always `pending`.
    pub status: PortalUserStatus,
    /// When the request was made.
    pub created_at: Time,
    /// When it lapses, unless the e-mail is confirmed by then.
    pub expires_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::machine_laws::assert_laws;

    #[test]
    fn the_machine_keeps_the_laws() {
        assert_laws::<PortalUserStatus>();
    }

    #[test]
    fn nobody_becomes_active_without_having_set_a_password() {
        use PortalUserStatus::{Active, Disabled, Invited, Pending};
        assert!(!Invited.can_become(Active) && Invited.can_become(Disabled));
        assert!(Pending.can_become(Active) && Pending.can_become(Disabled));
        assert!(Disabled.can_become(Active) && !Disabled.can_become(Disabled));
        assert!(!Active.can_become(Active) && !Active.can_become(Pending));
    }
}
