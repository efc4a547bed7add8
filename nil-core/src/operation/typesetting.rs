//! Documents that are typeset when somebody asks for them.

use super::Download;
use crate::error::{Error, Result};
use crate::platform::Platform;

/// A document as a PDF. It is typeset where this account's heavy work takes turns with that of
/// others; 503 if too much of it waits already.
pub async fn typeset<E>(
    platform: &Platform,
    account: &str,
    name: String,
    set: impl FnOnce() -> Result<Vec<u8>, E> + Send + 'static,
) -> Result<Download>
where
    E: Into<Error> + Send + 'static,
{
    let set = platform.workshop().run(account, set).await?;
    let bytes = set.map_err(|error| -> Error { error.into() })?;
    Ok(Download::of(name, "application/pdf", bytes))
}
