//! An institution's owners name its identity provider, and switch passwords off.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::provider::{RoleOfValue, SignOnProvider, SignOnReturn, context};
use crate::accounts::portal::admin::held_owner;
use crate::accounts::store::sign_on_provider::{self as store, Content};
use crate::auth::{Audience, Operator, PortalUser};
use crate::error::{Error, Result, codes};
use crate::kernel::{CollegeId, Many, Nothing, Revision, Text};
use crate::operation::{Cx, Done, Revised, Work};
use crate::platform::Platform;
use crate::storage::Session;

/// The provider of an institution's sign-on; omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveSignOn {
    /// The provider's address, exactly as it names itself: an `https` address.
    #[schemars(extend("examples" = ["https://login.lakeshore.example"]))]
    pub issuer: Option<Text<1, 500>>,
    /// The name of this platform at the provider.
    #[schemars(extend("examples" = ["nil"]))]
    pub client_id: Option<Text<1, 255>>,
    /// The secret of this platform at the provider; it is stored sealed and shown to nobody.
    #[schemars(extend("examples" = ["a secret of the provider's"]))]
    pub client_secret: Option<Text<1, 500>>,
    /// The claim with what a person is at the institution: its name, or a JSON pointer that begins
    /// with `/`, such as `/realm_access/roles`.
    #[schemars(extend("examples" = ["groups"]))]
    pub role_claim: Option<Text<1, 200>>,
    /// The role that each value of the claim gives.
    #[schemars(extend("examples" = [[{ "value": "nil-officers", "role": "officer" }]]))]
    pub roles: Option<Many<RoleOfValue, 1, 50>>,
    /// Whether officers can sign on through it (default: yes).
    pub enabled: Option<bool>,
    /// Whether officers of the institution can log in with a password as well (default: yes).
    pub passwords: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if the provider has another one.
    pub revision: Option<Revision>,
}

/// An institution's sign-on.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SignOn {
    /// The provider; null without one.
    pub provider: Option<Revised<SignOnProvider>>,
    /// The pages that the provider leads back to, to be registered there.
    #[schemars(extend("examples" = [["https://nil.example/portal/sign-on"]]))]
    pub redirect_uris: Vec<String>,
    /// The address where the provider ends sessions, to be registered there.
    #[schemars(extend("examples" = ["https://nil.example/api/compliance/sign-on/log-out"]))]
    pub log_out_uri: String,
}

/// The institution whose passwords an operator switches on.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichSignOn {
    /// The institution.
    pub college_id: CollegeId,
}

/// Shows the identity provider of the institution, and the addresses to register there (extension).
/// 403 for an owner limited to certain sports, as for the other operations with it.
pub async fn show(cx: Cx<PortalUser>, _: Nothing) -> Result<SignOn> {
    let college = whole(&cx.caller)?;
    let mut session = cx.read().await?;
    let provider = store::of_college(&mut session, college).await?;
    Ok(shown(cx.platform(), provider))
}

/// Names the identity provider of the institution, or changes it (extension). The provider is asked
/// for its description first. Its first save needs `issuer`, `client_id`, `client_secret`,
/// `role_claim` and `roles`. Another `issuer` or `client_id` forgets whom the provider knows and
/// ends their sessions. Passwords can be switched off by an owner who has signed on through the
/// provider: this ends the sessions that passwords have opened. 422 at `issuer` for an address that
/// is not asked, or where no provider answers by this name, and for an institution without mail
/// domains; 409 `sign_on_unproven` to switch passwords off in a session of a password, 409
/// `sign_on_needed` to switch sign-on off, or name another provider, while passwords are off.
pub async fn save(cx: Cx<PortalUser>, input: SaveSignOn) -> Result<Done<SignOn>> {
    let college = whole(&cx.caller)?;
    with_domains(&mut cx.read().await?, college).await?;
    if let Some(issuer) = &input.issuer {
        let described = cx.platform().identity()?.described(issuer, cx.now()).await;
        described.map_err(|failure| Error::invalid("issuer", failure.why().to_owned()))?;
    }
    let sealed = input.client_secret.as_ref().map(|secret| {
        let plain = secret.as_bytes();
        cx.platform().vault().seal(&context(college), plain)
    });
    let sealed = sealed.transpose()?;
    let mut work = cx.begin().await?;
    // Two first saves are not made at once.
    work.lock("college", college).await?;
    held_owner(&mut work, &cx.caller).await?;
    with_domains(&mut work, college).await?;
    let before = store::of_college(&mut work, college).await?;
    let saved = match before {
        None => add(&mut work, college, input, sealed).await?,
        Some(before) => change(&mut work, &cx.caller, before, (input, sealed)).await?,
    };
    let answer = shown(cx.platform(), Some(saved));
    work.done(answer).await
}

/// Removes the identity provider of the institution, and ends the sessions that were opened through
/// it (extension). 404 without one, 409 `sign_on_needed` while passwords are off.
pub async fn remove(cx: Cx<PortalUser>, _: Nothing) -> Result<Done<()>> {
    let college = whole(&cx.caller)?;
    let mut work = cx.begin().await?;
    work.lock("college", college).await?;
    held_owner(&mut work, &cx.caller).await?;
    let provider = store::of_college(&mut work, college).await?.ok_or(codes::NOT_FOUND)?;
    if !provider.passwords {
        return Err(codes::SIGN_ON_NEEDED.into());
    }
    store::remove(&mut work, provider.id).await?;
    work.note(college, "sign_on_removed");
    work.done(()).await
}

/// Switches the passwords of an institution's officers on again, whose provider has failed them
/// (extension). For operators with the permission `accounts`. 404 for an institution without a
/// provider.
pub async fn allow_passwords(cx: Cx<Operator>, input: WhichSignOn) -> Result<Done<()>> {
    let college = input.college_id;
    let mut work = cx.begin().await?;
    let found = store::of_college(&mut work, college).await?.ok_or(codes::NOT_FOUND)?;
    let provider = store::lock(&mut work, found.id).await?.ok_or(codes::NOT_FOUND)?;
    if !provider.passwords {
        store::allow_passwords(&mut work, provider.id, cx.now()).await?;
        work.note(college, "passwords_switched_on");
    }
    work.done(()).await
}

async fn add(
    work: &mut Work,
    college: CollegeId,
    input: SaveSignOn,
    sealed: Option<Vec<u8>>,
) -> Result<SignOnProvider> {
    let needed = |field: &'static str| move || Error::invalid(field, "is required");
    if input.passwords == Some(false) {
        return Err(codes::SIGN_ON_UNPROVEN.into());
    }
    let roles = Many::or_none(input.roles);
    if roles.is_empty() {
        return Err(needed("roles")());
    }
    let content = Content {
        issuer: input.issuer.as_deref().ok_or_else(needed("issuer"))?,
        client_id: input.client_id.as_deref().ok_or_else(needed("client_id"))?,
        sealed_secret: sealed.ok_or_else(needed("client_secret"))?,
        role_claim: input.role_claim.as_deref().ok_or_else(needed("role_claim"))?,
        roles: &roles,
        enabled: input.enabled.unwrap_or(true),
        passwords: true,
    };
    let now = work.now();
    let provider = store::add(work, college, content, now).await?;
    work.note(college, "sign_on_set");
    Ok(provider)
}

async fn change(
    work: &mut Work,
    caller: &PortalUser,
    before: SignOnProvider,
    (input, sealed): (SaveSignOn, Option<Vec<u8>>),
) -> Result<SignOnProvider> {
    let before = store::lock(work, before.id).await?.ok_or(codes::NOT_FOUND)?;
    work.as_seen(before.college_id, &before, input.revision.as_ref()).await?;
    let roles = input.roles.map_or_else(|| before.roles.clone(), Many::into_vec);
    let content = Content {
        issuer: input.issuer.as_deref().unwrap_or(&before.issuer),
        client_id: input.client_id.as_deref().unwrap_or(&before.client_id),
        sealed_secret: sealed.unwrap_or_else(|| before.sealed_secret.clone()),
        role_claim: input.role_claim.as_deref().unwrap_or(&before.role_claim),
        roles: &roles,
        enabled: input.enabled.unwrap_or(before.enabled),
        passwords: input.passwords.unwrap_or(before.passwords),
    };
    let is_another =
        (content.issuer, content.client_id) != (before.issuer.as_str(), before.client_id.as_str());
    if !content.passwords && (is_another || !content.enabled) {
        return Err(codes::SIGN_ON_NEEDED.into());
    }
    let switches_off = before.passwords && !content.passwords;
    if switches_off && !store::is_opened_by(work, &caller.session, before.id).await? {
        return Err(codes::SIGN_ON_UNPROVEN.into());
    }
    let now = work.now();
    let after = store::change(work, before.id, content, now).await?;
    if is_another {
        store::forget_identities(work, before.id).await?;
    }
    if switches_off {
        store::end_password_sessions(work, before.college_id).await?;
    }
    work.note(before.college_id, "sign_on_changed");
    Ok(after)
}

fn shown(platform: &Platform, provider: Option<SignOnProvider>) -> SignOn {
    let config = platform.config();
    let pages = [SignOnReturn::FrontEnd, SignOnReturn::Pages].into_iter();
    SignOn {
        provider: provider.map(Revised::from),
        redirect_uris: pages.filter_map(|it| it.page(config, Audience::Compliance)).collect(),
        log_out_uri: format!("{}/api/compliance/sign-on/log-out", config.server_url(true)),
    }
}

/// 422 for an institution without mail domains: anybody could be one of its people.
async fn with_domains(session: &mut Session, college: CollegeId) -> Result<()> {
    if store::has_domains(session, college).await? {
        return Ok(());
    }
    let why = "cannot be named: the institution has no mail domains of its own";
    Err(Error::invalid("issuer", why))
}

/// The institution of an owner with access to every sport.
fn whole(owner: &PortalUser) -> Result<CollegeId> {
    if owner.sports.is_empty() {
        return Ok(owner.college_id);
    }
    Err(codes::FORBIDDEN.saying("Sign-on is for owners with access to every sport."))
}
