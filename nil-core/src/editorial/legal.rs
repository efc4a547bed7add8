//! Legal documents: numbered versions, each in force from a day on. What people accepted stays readable.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::{sanitised, store};
use crate::auth::{Anyone, Operator};
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{LegalTermsId, Text, Time};
use crate::operation::{Cx, Done};

vocabulary! {
    /// A legal document.
    LegalKind {
        /// What everybody agrees to.
        Terms = "terms",
        /// What is held of whom, and why.
        Privacy = "privacy",
        /// What agents agree to besides.
        AgentTerms = "agent_terms",
    }
}

/// A legal document to read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReadTerms {
    /// Which document.
    pub kind: LegalKind,
    /// An earlier version, as somebody accepted it; the one in force where it is left out.
    pub version: Option<i64>,
}

/// A new version of a legal document.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveTerms {
    /// Which document.
    pub kind: LegalKind,
    /// What stands above it.
    pub title: Text<1, 200>,
    /// The text: plain, or HTML, of which only what can do no harm is kept.
    pub body: Text<1, 100_000>,
    /// From when on it is in force; at once where it is left out.
    pub effective_at: Option<Time>,
}

/// One version of a legal document.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct LegalDocument {
    /// The version's id.
    pub id: LegalTermsId,
    /// Which document.
    pub kind: LegalKind,
    /// Its number, from 1.
    pub version: i64,
    /// What stands above it.
    pub title: Option<String>,
    /// The text.
    pub body: String,
    /// From when on it is in force.
    pub effective_at: Time,
}

/// The version in force, or an earlier one (contract: accepted versions stay readable). 404 for one
/// that is not in force yet.
pub async fn read(cx: Cx<Anyone>, input: ReadTerms) -> Result<LegalDocument> {
    let mut session = cx.read().await?;
    store::legal::in_force(&mut session, input.kind, input.version, cx.now())
        .await?
        .ok_or_else(|| codes::NOT_FOUND.into())
}

/// Adds a version; one in force is never edited (payloads: Admin, editorial). 422 for a day in the
/// past.
pub async fn save(cx: Cx<Operator>, input: SaveTerms) -> Result<Done<LegalDocument>> {
    let effective_at = input.effective_at.unwrap_or(cx.now());
    if effective_at < cx.now() {
        return Err(Error::invalid("effective_at", "must not lie in the past"));
    }
    let body = sanitised(&input.body);
    if body.trim().is_empty() {
        return Err(Error::invalid("body", "holds nothing that can be shown"));
    }
    let mut work = cx.begin().await?;
    let document =
        store::legal::add(&mut work, input.kind, &input.title, &body, effective_at).await?;
    work.note(document.id, "published");
    work.done(document).await
}
