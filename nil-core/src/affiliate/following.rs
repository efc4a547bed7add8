//! Somebody follows a link.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{store, target};
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::Text;
use crate::operation::{Cx, Redirect};

/// A link that is followed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Follow {
    /// The link's code.
    pub code: Text<1, 40>,
}

/// Sends the caller on to the brand's page, with the code in `nil_code`, and counts it; of whoever follows
/// it nothing is kept. 404 for a code that is unknown or switched off, and once the contract was called
/// off or the athlete's or the brand's account is not in use.
pub async fn follow(cx: Cx<Anyone>, input: Follow) -> Result<Redirect> {
    let mut session = cx.read().await?;
    let found = store::followed(&mut session, &input.code).await?;
    drop(session);
    let (id, to) = found.ok_or(codes::NOT_FOUND)?;
    let location = target::with_code(&to, &input.code).ok_or(codes::NOT_FOUND)?;
    let mut work = cx.begin().await?;
    store::count_click(&mut work, id).await?;
    work.done(()).await?;
    Ok(Redirect { location })
}
