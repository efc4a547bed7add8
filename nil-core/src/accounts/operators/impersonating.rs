//! Operators act as an account of a user, for a limited time and on record (decision 26).
//!
//! An operator gets a bearer token of the account. What it may read and do, the rows of the catalog
//! name (`Entry::impersonators`, decision 52). The checks of every call are in
//! `auth::impersonation`, and the dispatcher puts every call on record.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::impersonation::{Impersonation, ImpersonationPurpose, ListImpersonations};
use crate::accounts::store::impersonation::{self as store, NewImpersonation};
use crate::accounts::store::two_step;
use crate::auth::{Audience, Operator, Permission, impersonation, session};
use crate::error::{Error, Result, codes};
use crate::feed::{Event, Message, Recipient};
use crate::kernel::{
    Combined, ImpersonationId, Listing, OperatorId, PortalUserId, Secret, Sifted, Text, Time,
    UserId, bounded,
};
use crate::operation::{Cx, Done, Work};

bounded!(
    /// The minutes that an impersonation lasts at most.
    ImpersonationMinutes: 1 ..= 60, default 15
);

/// The account to act as: give one of the ids.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct StartImpersonation {
    /// The account of an athlete, brand, agent or fan.
    pub user_id: Option<UserId>,
    /// A user of the compliance portal.
    #[schemars(extend("examples" = [null]))]
    pub portal_user_id: Option<PortalUserId>,
    /// What for.
    pub purpose: ImpersonationPurpose,
    /// The reason in words, such as the number of a support case. Only operators see it.
    #[schemars(extend("examples" = ["Case 4711: the athlete cannot find her payout."]))]
    pub reason: Text<5, 500>,
    /// How many minutes it lasts (default 15).
    #[serde(default)]
    pub minutes: ImpersonationMinutes,
}

/// A started impersonation with its token.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct StartedImpersonation {
    /// The impersonation.
    #[serde(flatten)]
    pub impersonation: Impersonation,
    /// The bearer token, shown here only: for the Compliance interface if the account is a portal
    /// user, else for Core.
    pub access_token: Secret,
    /// Always `Bearer`.
    pub token_type: &'static str,
}

/// The operator who acts as an account.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct ActingOperator {
    /// The impersonation.
    pub id: ImpersonationId,
    /// The operator.
    pub operator_id: OperatorId,
    /// When it ends at the latest.
    pub expires_at: Time,
}

impl ActingOperator {
    /// The operator behind a call, if the caller does not act for themself.
    pub(crate) fn behind<C>(cx: &Cx<C>) -> Option<Self> {
        let by = cx.facts().impersonator.as_ref()?;
        Some(Self { id: by.id, operator_id: by.operator_id, expires_at: by.expires_at })
    }
}

/// Selects an impersonation.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct WhichImpersonation {
    /// The impersonation's id.
    pub id: ImpersonationId,
}

/// The account that an operator acts as, locked.
enum Whom {
    User(store::HeldUser),
    Portal(store::HeldPortalUser),
}

impl Whom {
    async fn lock(work: &mut Work, input: &StartImpersonation) -> Result<Self> {
        match (input.user_id, input.portal_user_id) {
            (Some(id), None) => Ok(Self::User(store::lock_user(work, id).await?)),
            (None, Some(id)) => Ok(Self::Portal(store::lock_portal_user(work, id).await?)),
            _ => Err(Error::invalid("user_id", "give either this or portal_user_id")),
        }
    }

    fn email(&self) -> Option<&str> {
        match self {
            Self::User(user) => user.email.as_deref(),
            Self::Portal(user) => Some(&user.email),
        }
    }
}

/// Starts to act as an account: answers a bearer token that reads and writes only what the
/// operator's permissions name, and no private messages; everything else is 403
/// `impersonation_reads_only`. Every call is an entry of the audit trail that names the operator
/// and the account. The account is told, unless `purpose` is `abuse_investigation`.
///
/// It ends after its time, by `/impersonations/end`, when the operator starts another one, with the
/// operator's own session or permission, and with the account's sessions: at once, on every server.
/// 404 for an account that is not active, 403 for the account of an operator.
pub async fn start(
    cx: Cx<Operator>,
    input: StartImpersonation,
) -> Result<Done<StartedImpersonation>> {
    if input.purpose == ImpersonationPurpose::AbuseInvestigation {
        let why = "Only operators with all permissions investigate abuse.";
        cx.caller.require(Permission::All, why)?;
    }
    let (now, operator) = (cx.now(), cx.caller.id);
    let expires_at = now + TimeDelta::minutes(input.minutes.get());
    let mut work = cx.begin().await?;
    two_step::lock(&mut work, operator).await?.ok_or(codes::NOT_FOUND)?;
    let whom = Whom::lock(&mut work, &input).await?;
    if let Some(email) = whom.email()
        && store::is_an_operators(&mut work, email).await?
    {
        return Err(codes::FORBIDDEN.saying("This account belongs to an operator."));
    }
    end_all_of(&mut work, operator).await?;
    let new = NewImpersonation {
        operator_id: operator,
        operator_session: impersonation::kept(&cx.caller.session).map(str::to_owned),
        user_id: input.user_id,
        portal_user_id: input.portal_user_id,
        purpose: input.purpose,
        reason: input.reason.into_string(),
        address: cx.facts().address.map(|address| address.to_string()),
        expires_at,
    };
    let id = store::add(&mut work, new, now).await?;
    let access_token = open(&mut work, id, &whom, expires_at).await?;
    let started = store::find(&mut work, id, now).await?;
    let shown = json!({
        "user_id": started.user_id, "portal_user_id": started.portal_user_id,
        "purpose": started.purpose, "reason": started.reason, "expires_at": started.expires_at,
    });
    work.note_change(id, "started", None, shown);
    note_on_account(&mut work, &started, "impersonation_started");
    tell(&mut work, &started, input.minutes);
    work.done(StartedImpersonation { impersonation: started, access_token, token_type: "Bearer" })
        .await
}

/// Lists impersonations, the newest first. `q` looks in the names of operators, names and e-mails
/// of accounts, and reasons.
pub async fn list(
    cx: Cx<Operator>,
    input: Sifted<ListImpersonations>,
) -> Result<Listing<Impersonation>> {
    let (Combined { own: wanted, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::page(&mut session, (&wanted, &sift), cx.now(), place).await
}

/// Ends an impersonation, one's own or another operator's, at once and on every server. One that
/// has ended stays as it is. 404 for an unknown one.
pub async fn end(cx: Cx<Operator>, input: WhichImpersonation) -> Result<Done<Impersonation>> {
    let mut work = cx.begin().await?;
    let found = store::find(&mut work, input.id, cx.now()).await?;
    if found.running {
        close(&mut work, &found).await?;
    }
    let ended = store::find(&mut work, input.id, cx.now()).await?;
    work.done(ended).await
}

/// Opens the session of an impersonation; returns its token.
async fn open(work: &mut Work, id: ImpersonationId, whom: &Whom, until: Time) -> Result<Secret> {
    let (platform, now, address) = (work.platform().clone(), work.now(), work.facts().address);
    let (audience, subject, profile, kind) = match whom {
        Whom::User(user) => {
            let profile = Some((user.kind, user.profile_id));
            (Audience::Core, user.id.get(), profile, user.kind.as_str())
        }
        Whom::Portal(user) => (Audience::Compliance, user.id.get(), None, user.role.as_str()),
    };
    let opened =
        session::open(work, &platform, audience, Some(subject), profile, until, address).await?;
    impersonation::give(work, &opened, id).await?;
    platform.vault().sign(audience, subject, kind, &opened, now, until)
}

/// Ends what an operator has begun. What was withdrawn from them and given back later begins
/// nothing again.
pub(super) async fn end_all_of(work: &mut Work, operator: OperatorId) -> Result<()> {
    let now = work.now();
    for running in store::open_of(work, operator, now).await? {
        close(work, &running).await?;
    }
    Ok(())
}

async fn close(work: &mut Work, running: &Impersonation) -> Result<()> {
    let now = work.now();
    if !store::end(work, running.id, now).await? {
        return Ok(());
    }
    impersonation::end(work, running.id).await?;
    if let Some(user) = running.user_id {
        work.wake(user);
    }
    work.note(running.id, "ended");
    note_on_account(work, running, "impersonation_ended");
    Ok(())
}

/// Notes on the account's own record, which its institution may see, unless it is not told.
fn note_on_account(work: &mut Work, about: &Impersonation, action: &'static str) {
    if about.purpose.told().is_none() {
        return;
    }
    if let Some(user) = about.user_id {
        work.note(user, action);
    }
    if let Some(user) = about.portal_user_id {
        work.note(user, action);
    }
}

fn tell(work: &mut Work, about: &Impersonation, minutes: ImpersonationMinutes) {
    let user = about.user_id.map(Recipient::User);
    let to = user.or_else(|| about.portal_user_id.map(Recipient::Portal));
    if let (Some(purpose), Some(to)) = (about.purpose.told(), to) {
        let message = Message::new(Event::ImpersonationStarted, to)
            .with("purpose", purpose)
            .with("minutes", minutes.get());
        work.send(message);
    }
}
