//! A provider ends the sessions of somebody who has logged out there (OpenID Connect Back-Channel
//! Logout 1.0).

use schemars::JsonSchema;
use serde::Deserialize;

use super::finishing::refusal;
use crate::accounts::store::sign_on::{self as store, Source};
use crate::accounts::store::sign_on_provider as providers;
use crate::auth::Anyone;
use crate::error::{Result, codes};
use crate::kernel::Secret;
use crate::keys::fingerprint;
use crate::operation::{Cx, Done, Subject};
use crate::ports::identity::{Client, log_out_issuer};

/// The message of a provider.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ProviderLogOut {
    /// The log-out token that the provider has signed.
    pub logout_token: Secret,
}

/// Ends the sessions that a provider names, at once and on every server: for the providers of
/// institutions and of the operators (extension). A message counts once; repeating it changes
/// nothing. 400 for a token that is not to be trusted, 503 `sign_on_unavailable` if the provider's
/// keys cannot be read.
pub async fn log_out(cx: Cx<Anyone>, input: ProviderLogOut) -> Result<Done<()>> {
    let token = input.logout_token.expose();
    let distrusted = || codes::MALFORMED_REQUEST.saying("The log-out token is not to be trusted.");
    let (issuer, clients) = log_out_issuer(token).ok_or_else(distrusted)?;
    let (provider, client) = client_of(&cx, &issuer, &clients).await?.ok_or_else(distrusted)?;
    let told = cx.platform().identity()?.log_out(&client, token, cx.now()).await;
    let told = told.map_err(|failure| {
        let refusal = refusal(&cx, &failure);
        if refusal.is(codes::SIGN_ON_UNAVAILABLE) { refusal } else { distrusted() }
    })?;
    let mut work = cx.begin().await?;
    let name = format!("{issuer} {} {}", client.id, told.jti);
    if store::obey_once(&mut work, fingerprint(&name), told.until).await? {
        let source = Source { provider, issuer: &issuer };
        let whom = (told.sid.as_deref(), told.subject.as_deref());
        let ended = store::end_sessions(&mut work, source, whom).await?;
        if ended > 0 {
            let subject = Subject { kind: "sign_on_provider", id: provider.unwrap_or_default() };
            work.note(subject, "sessions_ended");
        }
    }
    work.done(()).await
}

/// The provider with this name for which the platform is one of these clients.
async fn client_of(
    cx: &Cx<Anyone>,
    issuer: &str,
    clients: &[String],
) -> Result<Option<(Option<i64>, Client)>> {
    let fits = |client: &Client| client.issuer == issuer && clients.contains(&client.id);
    let operators = cx.platform().config().operator_sign_on.as_ref();
    if let Some(own) = operators.filter(|own| fits(&own.client)) {
        return Ok(Some((None, own.client.clone())));
    }
    let mut session = cx.read().await?;
    let found = providers::of_issuer(&mut session, issuer).await?;
    let found = found.into_iter().find(|provider| clients.contains(&provider.client_id));
    let Some(provider) = found else { return Ok(None) };
    Ok(Some((Some(provider.id), provider.client(cx.platform().vault())?)))
}
