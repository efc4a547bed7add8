//! Operators sign on through the provider that the host has configured.

use super::finishing::{Back, FinishSignOn, count, redeem, refused, started};
use super::provider::email_of;
use crate::accounts::operators::operator::OperatorAccount;
use crate::accounts::operators::signing_in::{OperatorLogIn, browser_session, opened};
use crate::accounts::signing_in::NOBODY;
use crate::accounts::store::operator as accounts;
use crate::accounts::store::sign_on::{self as store, Source};
use crate::auth::{Anyone, session};
use crate::config::OperatorSignOn;
use crate::error::{Result, codes};
use crate::kernel::OperatorId;
use crate::operation::{Cx, Done, Work};
use crate::ports::identity::Person;

/// Ends an operator's sign-on and opens a session in the browser (extension). The operator must
/// have an account here; the one with the verified e-mail is theirs from then on. Permissions are
/// those of the account. Two-step log-in is left to the provider. 401 `sign_on_failed` for an
/// answer that is wrong, late, used or another browser's, 403 `sign_on_refused` without an account
/// or without the value that the host requires, 503 `sign_on_unavailable` if the provider does not
/// answer.
pub async fn finish(cx: Cx<Anyone>, input: FinishSignOn) -> Result<Done<OperatorLogIn>> {
    let answer = finished(cx, input).await;
    count("admin", &answer);
    answer
}

async fn finished(cx: Cx<Anyone>, input: FinishSignOn) -> Result<Done<OperatorLogIn>> {
    let started = started(&cx, &input).await?;
    let configured = cx.platform().config().operator_sign_on.clone();
    // An officer's sign-on opens no session of an operator.
    let configured = configured.filter(|_| started.provider_id.is_none());
    let configured = configured.ok_or(codes::SIGN_ON_FAILED)?;
    let back = redeem(&cx, (&configured.client, started), &input).await?;
    let mut work = cx.begin().await?;
    back.take(&mut work).await?;
    let (identity, operator) = match enter(&mut work, &configured, &back).await {
        Ok(found) => found,
        Err(error) if error.is(codes::SIGN_ON_REFUSED) => {
            work.note(NOBODY, "sign_on_refused");
            return Err(work.refused(error).await?);
        }
        Err(error) => return Err(error),
    };
    if let Some(before) = browser_session(&cx.caller.0) {
        session::end(&mut work, before).await?;
    }
    let (csrf_token, secret) = opened(&mut work, operator.id).await?;
    back.opened(&mut work, identity, &secret).await?;
    work.start_session(secret);
    work.proven(operator.id);
    work.note(operator.id, "signed_on");
    work.done(OperatorLogIn::signed_on(operator, csrf_token)).await
}

/// The operator whom the provider's word lets in.
async fn enter(
    work: &mut Work,
    configured: &OperatorSignOn,
    back: &Back,
) -> Result<(i64, OperatorAccount)> {
    if !has_required(configured, &back.person) {
        return Err(refused("Your organization has not given you access."));
    }
    let source = Source { provider: None, issuer: &configured.client.issuer };
    let (identity, id) = match back.account::<OperatorId>(work, source).await? {
        Some((identity, id)) => (identity, OperatorId::new(id).ok_or(codes::SIGN_ON_FAILED)?),
        None => by_email(work, source, back).await?,
    };
    let now = work.now();
    let operator = store::note_operator(work, id, now).await?;
    Ok((identity, operator.ok_or_else(|| refused("Your account is switched off."))?))
}

/// The operator with the verified e-mail, whom the provider knows from now on.
async fn by_email(work: &mut Work, source: Source<'_>, back: &Back) -> Result<(i64, OperatorId)> {
    let email = email_of(&back.person);
    let email = email.ok_or_else(|| refused("The provider has not verified your e-mail."))?;
    let found = accounts::by_email(work, &email).await?.map(|found| found.id);
    let id = found.ok_or_else(|| refused("No operator has your e-mail."))?;
    Ok((back.tie(work, source, id).await?, id))
}

fn has_required(configured: &OperatorSignOn, person: &Person) -> bool {
    let required = configured.required.as_ref();
    required.is_none_or(|(claim, value)| person.texts(claim).contains(&value.as_str()))
}
