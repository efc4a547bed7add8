//! Looking colleges up; open to everybody.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{College, Division, store};
use crate::auth::Anyone;
use crate::error::Result;
use crate::kernel::{Listing, PageNumber, Paging, PerPage, Text};
use crate::operation::Cx;

/// Which colleges.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct ListColleges {
    /// The page, from 1.
    pub page: Option<PageNumber>,
    /// Records per page.
    pub per_page: Option<PerPage>,
    /// Part of the name.
    pub q: Option<Text<0, 100>>,
    /// Two-letter code of a state.
    pub state: Option<Text<2, 2>>,
    /// The exact name of a conference.
    pub conference: Option<Text<1, 100>>,
    /// A division.
    pub division: Option<Division>,
}

/// Lists the colleges that people can choose, by name (contract: Core *Public*).
pub async fn list(cx: Cx<Anyone>, input: ListColleges) -> Result<Listing<College>> {
    let paging = Paging::new(input.page, input.per_page);
    let mut session = cx.read().await?;
    let (items, total) = store::listed(&mut session, &input, paging).await?;
    Ok(Listing::new(items, paging, total))
}
