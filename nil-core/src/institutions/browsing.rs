//! The public list of colleges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{College, Division, store};
use crate::auth::Anyone;
use crate::error::Result;
use crate::kernel::{Followed, Listing, Text};
use crate::operation::Cx;

/// Selects colleges.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListColleges {
    /// Part of the name.
    pub q: Option<Text<0, 100>>,
    /// Two-letter code of a state.
    pub state: Option<Text<2, 2>>,
    /// The exact name of a conference.
    pub conference: Option<Text<1, 100>>,
    /// A division.
    pub division: Option<Division>,
}

/// Lists the selectable colleges by name (contract: Core *Public*).
pub async fn list(cx: Cx<Anyone>, input: Followed<ListColleges>) -> Result<Listing<College>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::listed(&mut session, &input, place).await
}
