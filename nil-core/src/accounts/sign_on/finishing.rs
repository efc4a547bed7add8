//! What the sign-ons of officers and of operators have in common.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

use super::starting::{derived, hash_of};
use crate::accounts::store::sign_on::{self as store, Source, Started};
use crate::accounts::store::two_step::Stepped;
use crate::auth::Anyone;
use crate::error::{Error, Result, codes};
use crate::kernel::{Secret, Text};
use crate::keys::fingerprint;
use crate::metering::SIGN_ONS;
use crate::operation::{Cx, Work};
use crate::ports::identity::{Asked, Client, Failure, Person, Redeemed};
use crate::storage::Session;

/// What a provider has led a browser back with.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct FinishSignOn {
    /// The `state` that came back.
    pub state: Secret,
    /// The `code` that came back.
    pub code: Secret,
    /// The `iss` that came back, if one did.
    #[schemars(extend("examples" = ["https://login.lakeshore.example"]))]
    pub iss: Option<Text<1, 500>>,
    /// The secret that the start returned.
    pub secret: Secret,
}

/// A sign-on that has come back, and what the provider says of the person.
#[derive(Debug)]
pub(super) struct Back {
    hash: String,
    pub(super) person: Person,
}

/// The sign-on that an answer belongs to. 401 `sign_on_failed` if there is none, or another browser
/// has begun it.
pub(super) async fn started(cx: &Cx<Anyone>, input: &FinishSignOn) -> Result<Started> {
    let mut session = cx.read().await?;
    let found = store::started(&mut session, &hash_of(&input.state), cx.now()).await?;
    let browser = fingerprint(input.secret.expose());
    let own = found.filter(|started| started.browser_hash == browser);
    own.ok_or_else(|| codes::SIGN_ON_FAILED.into())
}

/// Exchanges the code. 401 `sign_on_failed` if the provider refuses it or its word does not count,
/// 503 `sign_on_unavailable` if it does not answer.
pub(super) async fn redeem(
    cx: &Cx<Anyone>,
    (client, started): (&Client, Started),
    input: &FinishSignOn,
) -> Result<Back> {
    let (nonce, verifier) = derived(cx.platform(), &input.state);
    let state = input.state.expose().to_owned();
    let asked = Asked { state, nonce, verifier, redirect_uri: started.redirect_uri };
    let back = Redeemed { code: input.code.expose(), issuer: input.iss.as_deref() };
    let providers = cx.platform().identity()?;
    let person = providers.redeem(client, (&asked, back), cx.now()).await;
    let person = person.map_err(|failure| refusal(cx, &failure))?;
    Ok(Back { hash: hash_of(&input.state), person })
}

/// What a failure at a provider is to the caller; the reason is for the operator's log.
pub(super) fn refusal(cx: &Cx<Anyone>, failure: &Failure) -> Error {
    let (operation, request_id) = (cx.facts().operation, &*cx.facts().request_id);
    tracing::warn!(operation, request_id, why = failure.why(), "a sign-on failed");
    match failure {
        Failure::Down(_) => codes::SIGN_ON_UNAVAILABLE.into(),
        Failure::Refused(_) => codes::SIGN_ON_FAILED.into(),
    }
}

impl Back {
    /// Uses the sign-on up. 401 `sign_on_failed` if it was used already.
    pub(super) async fn take(&self, work: &mut Work) -> Result<()> {
        if store::end(work, &self.hash).await? {
            return Ok(());
        }
        Err(codes::SIGN_ON_FAILED.into())
    }

    /// The identity and the number of the account that the provider knows.
    pub(super) async fn account<I: Stepped>(
        &self,
        session: &mut Session,
        source: Source<'_>,
    ) -> Result<Option<(i64, i64)>> {
        store::known::<I>(session, source, &self.person.subject).await
    }

    /// Ties an account to the provider's name for it. 403 `sign_on_refused` if the provider knows
    /// it by another name already.
    pub(super) async fn tie<I: Stepped + Copy>(
        &self,
        work: &mut Work,
        source: Source<'_>,
        account: I,
    ) -> Result<i64> {
        if store::is_known(work, source, account).await? {
            return Err(refused("The provider knows this account by another name already."));
        }
        let now = work.now();
        let identity = store::tie(work, source, (account, &self.person.subject), now).await?;
        work.note(account, "sign_on_tied");
        Ok(identity)
    }

    /// Notes which session was opened.
    pub(super) async fn opened(&self, work: &mut Work, identity: i64, jti: &Secret) -> Result<()> {
        let now = work.now();
        let id = fingerprint(jti.expose());
        store::opened(work, identity, (&id, self.person.sid.as_deref()), now).await
    }
}

/// Counts a sign-on by what came of it.
pub(super) fn count<T>(interface: &'static str, answer: &Result<T>) {
    let outcome = answer.as_ref().map_or_else(Error::code, |_| "signed_on");
    metrics::counter!(SIGN_ONS, "interface" => interface, "outcome" => outcome).increment(1);
}

/// 403 `sign_on_refused` with a reason.
pub(super) fn refused(why: impl fmt::Display) -> Error {
    codes::SIGN_ON_REFUSED.saying(format!("You have signed on, but get no access here. {why}"))
}
