//! Athletes and agents set up payout accounts and choose when wallets are paid out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::payout_account::{AccountKind, AccountStatus, PayoutAccount, PayoutPreference};
use crate::auth::Payee;
use crate::error::{Result, codes};
use crate::kernel::{Nothing, WebUrl};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::{Cx, Done, Work, patiently};
use crate::payments::ledger::Owner;
use crate::payments::methods::unavailable;
use crate::payments::movement::mark::holder;
use crate::payments::store;
use crate::platform::Platform;
use crate::ports::processor::{ConnectedAccount, Onboarding};
use crate::storage::Session;

/// Where the onboarding returns to.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct OpenAccount {
    /// The page to return to when onboarding is done.
    pub return_url: Option<WebUrl>,
    /// The page to return to when the link has expired.
    pub refresh_url: Option<WebUrl>,
}

/// The payout preference.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct Prefer {
    /// Once a day, at once, or when an operator triggers it.
    pub preference: PayoutPreference,
}

/// A payout account with its onboarding URL.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct OpenedAccount {
    /// The account.
    #[serde(flatten)]
    pub account: PayoutAccount,
    /// The absolute URL where the owner enters the information the processor requires.
    pub onboarding_url: String,
}

/// The owner of the money.
pub(crate) fn owner(payee: Payee) -> Owner {
    match payee {
        Payee::Athlete(athlete) => Owner::Athlete(athlete.id),
        Payee::Agent(agent) => Owner::Agent(agent.id),
    }
}

/// Opens the caller's payout account; repeating it returns the same account.
pub async fn create(cx: Cx<Payee>, input: OpenAccount) -> Result<Done<OpenedAccount>> {
    open(cx, input, AccountKind::Standard).await
}

/// Opens the caller's payout account with the processor's short form; an existing account stays as
/// it is.
pub async fn create_express(cx: Cx<Payee>, input: OpenAccount) -> Result<Done<OpenedAccount>> {
    open(cx, input, AccountKind::Express).await
}

async fn open(cx: Cx<Payee>, input: OpenAccount, kind: AccountKind) -> Result<Done<OpenedAccount>> {
    let owner = owner(cx.caller);
    let name = owner.to_string();
    let processor = cx.platform().processor();
    let seen = connected(cx.platform(), owner, kind).await?;
    let back = Onboarding {
        return_url: input.return_url.map(|url| url.to_string()),
        refresh_url: input.refresh_url.map(|url| url.to_string()),
    };
    let url = processor.onboarding(&seen.reference, &back).await.map_err(unavailable)?;
    let mut work = cx.begin().await?;
    let known = store::account::of_owner(&mut work, &name).await?;
    let mut account = known.unwrap_or_else(|| PayoutAccount::none(name));
    account.kind = account.kind.or(Some(kind));
    account.learn(&seen);
    let account = store::account::save(&mut work, &account, cx.now()).await?;
    work.note(account.subject(), "opened");
    work.done(OpenedAccount { account, onboarding_url: url }).await
}

/// The account that is on record for an owner.
pub async fn stored(session: &mut Session, owner: Owner) -> Result<Option<PayoutAccount>> {
    store::account::of_owner(session, &owner.to_string()).await
}

/// The account that is on record for an owner; status `none` if none was opened.
async fn on_record(platform: &Platform, owner: Owner) -> Result<PayoutAccount> {
    let known = stored(&mut platform.db().read().await?, owner).await?;
    Ok(known.unwrap_or_else(|| PayoutAccount::none(owner.to_string())))
}

/// The processor's view of an owner's account, which is opened there if there is none.
async fn connected(
    platform: &Platform,
    owner: Owner,
    kind: AccountKind,
) -> Result<ConnectedAccount> {
    let processor = platform.processor();
    if let Some(reference) = on_record(platform, owner).await?.processor_account_id
        && let Some(seen) = processor.account(&reference).await.map_err(unavailable)?
    {
        return Ok(seen);
    }
    let holder = holder(platform, owner).await?;
    processor.connect(&holder, kind == AccountKind::Express).await.map_err(unavailable)
}

/// Returns the caller's payout account as the processor currently sees it; status `none` if none
/// was opened.
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

/// An owner's payout account, refreshed from the processor; the stored one if the processor does
/// not answer.
pub(crate) async fn refreshed(platform: &Platform, owner: Owner) -> Result<PayoutAccount> {
    let account = on_record(platform, owner).await?;
    let Some(reference) = account.processor_account_id.clone() else {
        return Ok(account);
    };
    let Ok(Some(seen)) = platform.processor().account(&reference).await else {
        return Ok(account);
    };
    if !account.clone().learn(&seen) {
        return Ok(account);
    }
    patiently(platform, || async {
        let mut work = Work::resume(platform, "core.payout_account.status", None).await?;
        let held = store::account::held(&mut work, &account.owner).await?;
        let before = held.ok_or(codes::INTERNAL)?;
        let mut account = before.clone();
        if account.learn(&seen) {
            let now = work.now();
            account = store::account::save(&mut work, &account, now).await?;
            work.note(account.subject(), "refreshed");
            tell(&mut work, owner, &before, &account).await?;
        }
        Ok(work.done(account).await?.into_inner())
    })
    .await
}

/// Tells the owner of an account that worked why it does not work any more, and that the reason is
/// another one.
async fn tell(
    work: &mut Work,
    owner: Owner,
    before: &PayoutAccount,
    account: &PayoutAccount,
) -> Result<()> {
    let Some(restriction) = account.restriction.filter(|_| {
        account.status == AccountStatus::Restricted && before.restriction != account.restriction
    }) else {
        return Ok(());
    };
    if let Some(user) = store::account::user_of(work, owner).await? {
        let message = Message::new(Event::PayoutAccountRestricted, Recipient::User(user));
        work.send(message.with("restriction", restriction.as_str()));
    }
    Ok(())
}

/// The owner of the account with this processor id.
pub(crate) async fn owner_of(platform: &Platform, reference: &str) -> Result<Option<Owner>> {
    let mut session = platform.db().read().await?;
    let account = store::account::named(&mut session, reference).await?;
    account
        .map(|account| Owner::named(&account.owner).ok_or_else(|| codes::INTERNAL.into()))
        .transpose()
}
