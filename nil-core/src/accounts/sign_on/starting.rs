//! A browser begins a sign-on and is led to the provider.
//!
//! The browser keeps a secret of its own until it comes back, so that nobody is signed on with an
//! answer that belongs to somebody else's browser. What binds the code and the ID token to the
//! sign-on is derived from its state by the platform's key.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finishing::{count, refusal};
use super::provider::SignOnReturn;
use crate::accounts::portal::mail_domains;
use crate::accounts::store::sign_on::{self as store, Started};
use crate::accounts::store::sign_on_provider as providers;
use crate::auth::{Anyone, Audience};
use crate::error::{Error, Result, codes};
use crate::kernel::{CollegeId, Email, Secret, Time};
use crate::keys::{fingerprint, new_token};
use crate::operation::{Cx, Done};
use crate::platform::Platform;
use crate::ports::identity::{Asked, Client};

/// How long a sign-on may take.
const LIVES: TimeDelta = TimeDelta::minutes(10);

/// Who wants to sign on to an institution's portal.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct StartSignOn {
    /// An e-mail at the institution: its domain says which institution.
    pub email: Email,
    /// The institution, if several have the domain.
    pub college_id: Option<CollegeId>,
    /// Where the provider leads back to (default: the front end, if one is configured).
    pub return_to: Option<SignOnReturn>,
}

/// Who wants to sign on as an operator.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct StartOperatorSignOn {
    /// The operator's e-mail, which the provider's page can fill in.
    pub email: Email,
    /// Where the provider leads back to (default: the front end, if one is configured).
    pub return_to: Option<SignOnReturn>,
}

/// A sign-on that was begun.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SignOnStart {
    /// The provider's address to lead the browser to.
    pub authorization_url: String,
    /// The secret that the browser keeps until it comes back.
    pub secret: Secret,
    /// When the sign-on must have come back.
    pub expires_at: Time,
}

/// Begins an officer's sign-on through their institution's provider (extension). Lead the browser
/// to `authorization_url` and keep `secret` in it; the provider leads back to the page `/sign-on`
/// with `code`, `state` and maybe `iss`, which `/sign-on/finish` takes. 404 if no institution with
/// the e-mail's domain has a provider, 422 at `college_id` if several have one and at `return_to`
/// without such a page, 503 `sign_on_unavailable` if the provider does not answer.
pub async fn start(cx: Cx<Anyone>, input: StartSignOn) -> Result<Done<SignOnStart>> {
    let mut session = cx.read().await?;
    let mut found =
        providers::of_domains(&mut session, &mail_domains::all_of(&input.email)).await?;
    drop(session);
    if let Some(college) = input.college_id {
        found.retain(|provider| provider.college_id == college);
    }
    let mut found = found.into_iter();
    let provider = found.next().ok_or_else(|| {
        codes::NOT_FOUND.saying("No institution with this domain has a sign-on here.")
    })?;
    if found.next().is_some() {
        return Err(Error::invalid(
            "college_id",
            "is needed: several institutions have this domain",
        ));
    }
    let client = provider.client(cx.platform().vault())?;
    let whose = (Audience::Compliance, Some(provider.id));
    begin(cx, whose, &client, (&input.email, input.return_to)).await
}

/// Begins an operator's sign-on through the provider that the host has configured (extension).
/// The provider leads back to the page `/operators/sign-on` of the front end, or to the console.
/// 404 without a provider, 422 at `return_to` without such a page, 503 `sign_on_unavailable` if the
/// provider does not answer.
pub async fn start_operator(
    cx: Cx<Anyone>,
    input: StartOperatorSignOn,
) -> Result<Done<SignOnStart>> {
    let configured = cx.platform().config().operator_sign_on.as_ref();
    let client = configured.map(|configured| configured.client.clone());
    let client = client
        .ok_or_else(|| codes::NOT_FOUND.saying("Operators have no sign-on at this platform."))?;
    begin(cx, (Audience::Admin, None), &client, (&input.email, input.return_to)).await
}

async fn begin(
    cx: Cx<Anyone>,
    (audience, provider_id): (Audience, Option<i64>),
    client: &Client,
    (email, back): (&Email, Option<SignOnReturn>),
) -> Result<Done<SignOnStart>> {
    let platform = cx.platform();
    let config = platform.config();
    let page = match back {
        Some(back) => back.page(config, audience),
        None => SignOnReturn::FrontEnd
            .page(config, audience)
            .or_else(|| SignOnReturn::Pages.page(config, audience)),
    };
    let why = "is not possible: no front end is configured";
    let redirect_uri = page.ok_or_else(|| Error::invalid("return_to", why))?;
    let described = platform.identity()?.described(&client.issuer, cx.now()).await;
    let described = described.map_err(|failure| refusal(&cx, &failure));
    if described.is_err() {
        // Nobody comes back to be counted.
        count(audience.as_str(), &described);
    }
    let described = described?;
    let (state, secret) = (new_token(platform.random()), new_token(platform.random()));
    let (nonce, verifier) = derived(platform, &state);
    let asked = Asked {
        state: state.expose().to_owned(),
        nonce,
        verifier,
        redirect_uri: redirect_uri.clone(),
    };
    let authorization_url = described.address(client, &asked, email);
    let authorization_url = authorization_url.map_err(|failure| refusal(&cx, &failure))?;
    let expires_at = cx.now() + LIVES;
    let browser_hash = fingerprint(secret.expose());
    let started = Started { provider_id, browser_hash, redirect_uri };
    let mut work = cx.begin().await?;
    store::begin(&mut work, hash_of(&state), started, expires_at).await?;
    work.done(SignOnStart { authorization_url, secret, expires_at }).await
}

/// The name under which a sign-on is stored.
pub(super) fn hash_of(state: &Secret) -> String {
    fingerprint(state.expose())
}

/// The nonce and the verifier of a sign-on.
pub(super) fn derived(platform: &Platform, state: &Secret) -> (String, String) {
    let vault = platform.vault();
    let mark = |what: &str| vault.mark(what, state.expose());
    (mark("sign_on_nonce"), mark("sign_on_verifier"))
}
