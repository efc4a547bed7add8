//! A contract as both sides agreed to it: its terms, the acts of assent and the amendments, as its
//! documents print them.

use super::amendment::Amendment;
use super::document::{self, Assent, DocumentError, Side, SignedAmendment, sha256};
use super::store::amendment as amendments;
use super::store::contract::{self as contracts, AssentRow};
use super::terms::Terms;
use crate::document::flow::Flow;
use crate::document::fonts::Fonts;
use crate::error::{Error, Result};
use crate::kernel::ContractId;
use crate::storage::Session;

/// A contract with all that was agreed.
#[derive(Debug, Clone)]
pub(crate) struct Agreement {
    /// The terms on record.
    pub terms: Terms,
    /// The SHA-256 that the assents refer to.
    pub agreed_sha256: String,
    pub assents: Vec<Assent>,
    pub amendments: Vec<SignedAmendment>,
}

impl Agreement {
    /// Reads a contract.
    pub async fn of(session: &mut Session, id: ContractId) -> Result<Self> {
        let contract = contracts::find(session, id).await?;
        let assents = contracts::assents(session, id).await?;
        let agreed = amendments::amendments(session, &[id]).await?;
        let by = amendments::assents_to_amendments(session, id).await?;
        Ok(Self {
            terms: serde_json::from_value(contract.terms).map_err(Error::internal)?,
            agreed_sha256: contract.document_sha256,
            assents: assents.into_iter().filter_map(assent).collect(),
            amendments: signed(agreed, &by),
        })
    }

    /// Whether the terms on record are those that were agreed to.
    pub fn is_unchanged(&self) -> bool {
        sha256(&self.terms) == self.agreed_sha256
    }

    /// Whether every letter of the terms can be printed.
    pub fn check(&self, fonts: &Fonts) -> Result<(), DocumentError> {
        document::check(fonts, &self.terms)
    }

    /// Sets all of it within another document, on pages of its own.
    pub fn append(&self, flow: &mut Flow) -> Result<(), DocumentError> {
        document::append(flow, &self.terms, &self.assents, &self.amendments)
    }
}

/// Who assented to an amendment: its number, and the row of the assent.
pub(super) type ToAmendment = (i64, AssentRow);

/// Amendments with their assents.
pub(super) fn signed(amendments: Vec<Amendment>, by: &[ToAmendment]) -> Vec<SignedAmendment> {
    let with_assents = |amendment: Amendment| {
        let own = by.iter().filter(|(number, _)| *number == amendment.number);
        let assents = own.filter_map(|(_, row)| assent(row.clone())).collect();
        SignedAmendment { amendment, assents }
    };
    amendments.into_iter().map(with_assents).collect()
}

/// A recorded act of assent.
pub(super) fn assent(row: AssentRow) -> Option<Assent> {
    let side = match row.side.as_str() {
        "brand" => Side::Brand,
        "athlete" => Side::Athlete,
        "guardian" => Side::Guardian,
        _ => return None,
    };
    Some(Assent {
        side,
        name: row.name,
        at: row.at,
        address: row.address.unwrap_or_else(|| "not recorded".into()),
    })
}
