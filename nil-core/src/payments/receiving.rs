//! Athletes and agents say where their money goes and when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{AccountKind, PayoutAccount, Preference};
use super::ledger::Owner;
use super::methods::unavailable;
use super::settling::patiently;
use super::store;
use crate::auth::Payee;
use crate::error::{Result, codes};
use crate::kernel::{Nothing, WebUrl};
use crate::operation::{Cx, Done, Work};
use crate::platform::Platform;

/// Where the onboarding leads back to.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct OpenAccount {
    /// The page to come back to when it is done.
    pub return_url: Option<WebUrl>,
    /// The page to come back to when the link has expired.
    pub refresh_url: Option<WebUrl>,
}

/// When to pay the wallet out.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Prefer {
    /// Once a day, at once, or when an operator does it.
    pub preference: Preference,
}

/// A payout account with the address where its owner hands in what is missing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenedAccount {
    /// The account.
    #[serde(flatten)]
    pub account: PayoutAccount,
    /// Where its owner hands in what the processor wants: an absolute address.
    pub onboarding_url: String,
}

/// Whose money it is.
pub(super) fn owner(payee: Payee) -> Owner {
    match payee {
        Payee::Athlete(athlete) => Owner::Athlete(athlete.id),
        Payee::Agent(agent) => Owner::Agent(agent.id),
    }
}

/// Opens the caller's payout account; repeating it gives the same account.
pub async fn create(cx: Cx<Payee>, input: OpenAccount) -> Result<Done<OpenedAccount>> {
    open(cx, input, AccountKind::Standard).await
}

/// Opens the caller's payout account with the processor's short form; an account that is there
/// already stays as it is.
pub async fn create_express(cx: Cx<Payee>, input: OpenAccount) -> Result<Done<OpenedAccount>> {
    open(cx, input, AccountKind::Express).await
}

async fn open(cx: Cx<Payee>, input: OpenAccount, kind: AccountKind) -> Result<Done<OpenedAccount>> {
    let name = owner(cx.caller).to_string();
    let processor = cx.platform().processor();
    let express = kind == AccountKind::Express;
    let seen = processor.connect(&name, express).await.map_err(unavailable)?;
    let url = processor.onboarding_url(&seen.reference, input.return_url.as_deref());
    let mut work = cx.begin().await?;
    let known = store::account::of_owner(&mut work, &name).await?;
    let mut account = known.unwrap_or_else(|| PayoutAccount::none(name));
    account.kind = account.kind.or(Some(kind));
    account.learn(&seen);
    let account = store::account::save(&mut work, &account, cx.now()).await?;
    work.note(account.subject(), "opened");
    work.done(OpenedAccount { account, onboarding_url: url }).await
}

/// The caller's payout account as the processor sees it now; status `none` where there is none.
pub async fn status(cx: Cx<Payee>, _: Nothing) -> Result<PayoutAccount> {
    refreshed(cx.platform(), owner(cx.caller)).await
}

/// Sets when the caller's wallet is paid out; possible before an account is opened.
pub async fn set_preference(cx: Cx<Payee>, input: Prefer) -> Result<Done<PayoutAccount>> {
    let name = owner(cx.caller).to_string();
    let mut work = cx.begin().await?;
    let account = store::account::prefer(&mut work, name, input.preference, cx.now()).await?;
    work.note(account.subject(), "preference_set");
    work.done(account).await
}

/// Somebody's payout account, read again from the processor; what was known of it where the processor
/// does not answer.
pub(super) async fn refreshed(platform: &Platform, owner: Owner) -> Result<PayoutAccount> {
    let name = owner.to_string();
    let mut session = platform.db().read().await?;
    let known = store::account::of_owner(&mut session, &name).await?;
    drop(session);
    let mut account = known.unwrap_or_else(|| PayoutAccount::none(name));
    let Some(reference) = account.processor_account_id.clone() else {
        return Ok(account);
    };
    let Ok(Some(seen)) = platform.processor().account(&reference).await else {
        return Ok(account);
    };
    if account.learn(&seen) {
        account = patiently(platform, || async {
            let mut work = Work::resume(platform, "core.payout_account.status", None).await?;
            let now = work.now();
            let account = store::account::save(&mut work, &account, now).await?;
            work.note(account.subject(), "refreshed");
            Ok(work.done(account).await?.into_inner())
        })
        .await?;
    }
    Ok(account)
}

/// Whose account the processor means.
pub(super) async fn owner_of(platform: &Platform, reference: &str) -> Result<Option<Owner>> {
    let mut session = platform.db().read().await?;
    let account = store::account::named(&mut session, reference).await?;
    account
        .map(|account| Owner::named(&account.owner).ok_or_else(|| codes::INTERNAL.into()))
        .transpose()
}
