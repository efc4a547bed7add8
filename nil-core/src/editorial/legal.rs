//! Legal documents: numbered versions, each with a start date. Accepted versions stay readable.

use schemars::JsonSchema;
use serde::Deserialize;

use super::legal_document::{LegalDocument, LegalKind};
use super::{shown, store};
use crate::auth::{Anyone, Operator};
use crate::error::{Error, Result, codes};
use crate::kernel::{Text, Time, Title};
use crate::operation::{Cx, Done};

/// Selects a legal document.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReadTerms {
    /// The document.
    pub kind: LegalKind,
    /// An earlier version; default: the one in force.
    pub version: Option<i64>,
}

/// A new version of a legal document.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveTerms {
    /// The document.
    pub kind: LegalKind,
    /// The title.
    pub title: Title<200>,
    /// The text: plain, or HTML, which is sanitised.
    pub body: Text<1, 100_000>,
    /// When it takes effect; default: at once.
    pub effective_at: Option<Time>,
}

/// Returns the version in force, or an earlier one (contract: accepted versions stay readable). 404
/// for one that is not in force yet.
pub async fn read(cx: Cx<Anyone>, input: ReadTerms) -> Result<LegalDocument> {
    let mut session = cx.read().await?;
    store::legal::in_force(&mut session, input.kind, input.version, cx.now())
        .await?
        .ok_or_else(|| codes::NOT_FOUND.into())
}

/// Adds a version; existing versions are never edited (payloads: Admin, editorial). 422 for a time
/// in the past.
pub async fn save(cx: Cx<Operator>, input: SaveTerms) -> Result<Done<LegalDocument>> {
    let effective_at = input.effective_at.unwrap_or(cx.now());
    if effective_at < cx.now() {
        return Err(Error::invalid("effective_at", "must not be in the past"));
    }
    let body = shown("body", &input.body).await?;
    let mut work = cx.begin().await?;
    let document =
        store::legal::add(&mut work, input.kind, &input.title, &body, effective_at).await?;
    work.note(document.id, "published");
    work.done(document).await
}
