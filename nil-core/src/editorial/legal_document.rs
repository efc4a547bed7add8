//! The site's legal documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AllOr, LegalTermsId, Time, ZeroOr};
use crate::storage::FromRow;

vocabulary! {
    /// A legal document.
    LegalKind {
        /// The terms for all users.
        Terms = "terms",
        /// The privacy policy: which data is held, and why.
        Privacy = "privacy",
        /// The additional terms for agents.
        AgentTerms = "agent_terms",
    }
}

/// Selects versions of legal documents.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListTerms {
    /// `all`, or the document.
    pub kind: AllOr<LegalKind>,
    /// 0 for all, or the one version's id.
    pub id: ZeroOr<LegalTermsId>,
}

/// One version of a legal document.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct LegalDocument {
    /// The version's id.
    pub id: LegalTermsId,
    /// The document.
    pub kind: LegalKind,
    /// The version number, from 1.
    pub version: i64,
    /// The title.
    pub title: Option<String>,
    /// The text.
    pub body: String,
    /// When it takes effect.
    pub effective_at: Time,
}
