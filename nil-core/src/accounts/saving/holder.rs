//! What an operator says of an account of any kind, and how it is stored.

use schemars::JsonSchema;
use serde::Serialize;

use crate::accounts::UserStatus;
use crate::accounts::mail::Addressee;
use crate::accounts::registering::registration::Name;
use crate::error::{Result, codes};
use crate::kernel::combined::shared;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{Email, Phone, Revision, UserId};
use crate::storage::FromRow;

vocabulary! {
    /// The status that an operator gives an account.
    GivenStatus {
        /// In use; a suspended account is restored.
        Active = "active",
        /// Suspended: the user cannot log in, and all sessions end at once.
        Suspended = "suspended",
    }
}

/// What an operator says of an account of any kind, beside the fields of its record. Omitted fields
/// keep their values.
#[derive(Clone, Debug, JsonSchema)]
pub struct Holder<Id> {
    /// The record to change; omit it to open a new account.
    pub id: Option<Id>,
    /// The e-mail to log in with. A new e-mail of an existing account must be verified again and
    /// ends its sessions.
    pub email: Option<Email>,
    /// First name.
    pub first_name: Option<Name>,
    /// Last name.
    pub last_name: Option<Name>,
    /// Phone number.
    pub phone: Option<Phone>,
    /// The new status. A new account is `active`.
    pub status: Option<GivenStatus>,
    /// The revision that the caller has seen; 409 `state_changed` if the account has another one.
    pub revision: Option<Revision>,
}

impl<Id> Default for Holder<Id> {
    fn default() -> Self {
        Self {
            id: None,
            email: None,
            first_name: None,
            last_name: None,
            phone: None,
            status: None,
            revision: None,
        }
    }
}

shared!(Holder<Id> { id, email, first_name, last_name, phone, status, revision });

/// An account as it is stored, locked until the transaction ends.
#[derive(Clone, Debug, Serialize, FromRow)]
pub(crate) struct Stored {
    #[serde(skip)]
    pub id: UserId,
    #[serde(skip)]
    pub status: UserStatus,
    pub email: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone: Option<String>,
}

impl Stored {
    pub(super) fn is_other_than(&self, before: &Self) -> bool {
        let fields = |of: &Self| {
            (of.email.clone(), of.first_name.clone(), of.last_name.clone(), of.phone.clone())
        };
        fields(self) != fields(before)
    }

    pub(super) fn addressee(&self) -> Result<Addressee> {
        Ok(Addressee {
            user_id: self.id,
            first_name: self.first_name.clone(),
            email: self.email.clone().ok_or(codes::NOT_FOUND)?,
        })
    }
}
