//! Officers sign on to their institution's portal.

use serde_json::json;

use super::finishing::{Back, FinishSignOn, count, redeem, refused, started};
use super::provider::{SignOnProvider, email_of};
use crate::accounts::portal::mail_domains;
use crate::accounts::portal::signing_in::open;
use crate::accounts::store::portal_user::{self as accounts, NewPortalUser};
use crate::accounts::store::sign_on::{self as store, Source};
use crate::accounts::store::sign_on_provider as providers;
use crate::accounts::{PortalAccount, PortalLogIn, PortalUserEvent, PortalUserStatus};
use crate::auth::{Anyone, Role};
use crate::error::{Result, codes};
use crate::kernel::{Machine as _, PersonName, PortalUserId};
use crate::keys::new_token;
use crate::operation::{Cx, Done, Work};

/// Ends an officer's sign-on and opens a session (extension). Whoever the provider gives a role
/// gets an account with it, or the role that it gives now; the account with the verified e-mail is
/// theirs from then on. Two-step log-in is left to the provider. 401 `sign_on_failed` for an answer
/// that is wrong, late, used or another browser's, 403 `sign_on_refused` without a role here or a
/// verified e-mail of the institution, 403 `account_suspended`, 503 `sign_on_unavailable` if the
/// provider does not answer.
pub async fn finish(cx: Cx<Anyone>, input: FinishSignOn) -> Result<Done<PortalLogIn>> {
    let answer = finished(cx, input).await;
    count("compliance", &answer);
    answer
}

async fn finished(cx: Cx<Anyone>, input: FinishSignOn) -> Result<Done<PortalLogIn>> {
    let started = started(&cx, &input).await?;
    let id = started.provider_id.ok_or(codes::SIGN_ON_FAILED)?;
    let mut session = cx.read().await?;
    let provider = providers::find(&mut session, id).await?.ok_or(codes::SIGN_ON_FAILED)?;
    drop(session);
    let client = provider.client(cx.platform().vault())?;
    let back = redeem(&cx, (&client, started), &input).await?;
    let mut session = cx.read().await?;
    let known = back.account::<PortalUserId>(&mut session, source(&provider)).await?.is_some();
    drop(session);
    // A new account has a password that nobody knows: a random one, hashed like any other.
    let hash =
        if known { None } else { Some(cx.hash(new_token(cx.platform().random()).expose()).await?) };
    let mut work = cx.begin().await?;
    back.take(&mut work).await?;
    // Who signs on at an institution does so one after the other, by what its owners say now.
    let current = providers::lock(&mut work, id).await?;
    let same = current.filter(|now| {
        now.enabled && (&now.issuer, &now.client_id) == (&provider.issuer, &provider.client_id)
    });
    let provider = same.ok_or(codes::SIGN_ON_FAILED)?;
    let found = match enter(&mut work, &provider, &back, hash).await {
        Ok(found) => found,
        Err(error) if error.is(codes::SIGN_ON_REFUSED) || error.is(codes::ACCOUNT_SUSPENDED) => {
            work.note(provider.college_id, "sign_on_refused");
            return Err(work.refused(error).await?);
        }
        Err(error) => return Err(error),
    };
    let (identity, account) = found;
    let (log_in, jti) = open(&mut work, account).await?;
    back.opened(&mut work, identity, &jti).await?;
    work.proven(account);
    work.note(account, "signed_on");
    work.done(log_in).await
}

/// The officer whom the provider's word lets in, with the role that it gives.
async fn enter(
    work: &mut Work,
    provider: &SignOnProvider,
    back: &Back,
    hash: Option<String>,
) -> Result<(i64, PortalUserId)> {
    let role = provider.role_of(&back.person);
    let role = role.ok_or_else(|| refused("Your institution gives you no role here."))?;
    let source = source(provider);
    let (identity, account) = match back.account::<PortalUserId>(work, source).await? {
        Some((identity, account)) => {
            let account = PortalUserId::new(account).ok_or(codes::SIGN_ON_FAILED)?;
            (Some(identity), accounts::find(work, account).await?)
        }
        None => (None, by_email(work, provider, back, (role, hash.as_deref())).await?),
    };
    let account = admitted(work, account, role, hash).await?;
    let identity = match identity {
        Some(identity) => identity,
        None => back.tie(work, source, account.id).await?,
    };
    let now = work.now();
    store::note_officer(work, account.id, now).await?;
    Ok((identity, account.id))
}

/// The provider, as its identities name it.
fn source(provider: &SignOnProvider) -> Source<'_> {
    Source { provider: Some(provider.id), issuer: &provider.issuer }
}

/// The account with the verified e-mail, or a new one.
async fn by_email(
    work: &mut Work,
    provider: &SignOnProvider,
    back: &Back,
    (role, hash): (Role, Option<&str>),
) -> Result<PortalAccount> {
    let college = provider.college_id;
    let email = email_of(&back.person);
    let email = email.ok_or_else(|| refused("The provider has not verified your e-mail."))?;
    let domains = accounts::college(work, college).await?.map(|college| college.email_domains);
    if domains.and_then(|domains| mail_domains::includes(&domains, &email)) != Some(true) {
        return Err(refused("Your e-mail is not at your institution's domains."));
    }
    if let Some(found) = accounts::by_email(work, &email).await? {
        let account = accounts::find(work, found.id).await?;
        if account.college_id != college {
            return Err(refused("Your e-mail belongs to an account at another institution."));
        }
        return Ok(account);
    }
    let name = back.person.claim("name").and_then(|name| name.as_str());
    let name = name.and_then(|name| PersonName::<160>::new(name).ok());
    let name = name.map_or_else(|| email.to_string(), PersonName::into_string);
    let new = NewPortalUser {
        college_id: college,
        email,
        name,
        role,
        sport_ids: None,
        // Without one somebody has just forgotten whom the provider knows.
        password_hash: Some(hash.ok_or(codes::SIGN_ON_FAILED)?.to_owned()),
        status: PortalUserStatus::Pending,
    };
    let now = work.now();
    let account = accounts::add(work, new, now).await?;
    work.note(account.id, "registered_by_sign_on");
    Ok(account)
}

/// The account in use, with this role. The last owner of an institution stays one.
async fn admitted(
    work: &mut Work,
    mut account: PortalAccount,
    role: Role,
    hash: Option<String>,
) -> Result<PortalAccount> {
    let now = work.now();
    match account.status {
        PortalUserStatus::Active => {}
        PortalUserStatus::Disabled => return Err(codes::ACCOUNT_SUSPENDED.into()),
        PortalUserStatus::Invited | PortalUserStatus::Pending => {
            let moved = account.status.on(PortalUserEvent::SignOn)?;
            let hash = hash.filter(|_| account.status == PortalUserStatus::Invited);
            accounts::change_status(work, account.id, moved, hash, now).await?;
            account.status = moved.to();
        }
    }
    if account.role == role {
        return Ok(account);
    }
    let owners = accounts::lock_owners(work, account.college_id).await?;
    if account.role == Role::Owner && owners == [account.id] {
        work.note(account.id, "last_owner_kept");
        return Ok(account);
    }
    let before = json!({ "role": account.role });
    account.role = role;
    accounts::change(work, &account, now).await?;
    work.note_change(account.id, "changed", before, json!({ "role": role }));
    Ok(account)
}
