//! The privacy policy, which the specification lets anybody edit. So every edit is kept with who, when
//! and from where, the text is sanitised, an operator can put an earlier one back in force, and the
//! site can hold edits until an operator has looked, or take them from services with a key only.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::legal::LegalKind;
use super::{sanitised, store};
use crate::auth::{Anyone, Operator, Principal, Scope};
use crate::config::PolicyEdits;
use crate::error::{Error, Result, codes};
use crate::kernel::{Listing, Nothing, Paged, PolicyEditId, Text, Time};
use crate::operation::{Cx, Done, Work};
use crate::throttle::address_bucket;

/// How many edits nobody vouches for come from one network (an IPv6 /64 is one) in an hour.
const AN_HOUR: i64 = 5;
/// How many of them come in a day in all.
const A_DAY: i64 = 50;
/// How many characters they hold in thirty days in all.
const A_MONTH: i64 = 2_000_000;

/// The policy's id: there is one.
const POLICY: i64 = 1;

/// The policy as somebody wants it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditPolicy {
    /// The document: 1, as there is one policy.
    pub id: i64,
    /// What stands above it.
    pub title: Text<1, 200>,
    /// The text: plain, or HTML, of which only what can do no harm is kept.
    pub text: Text<1, 100_000>,
}

/// An edit to put in force.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RestorePolicy {
    /// The edit: one that is held, or an earlier one.
    pub edit_id: PolicyEditId,
}

/// The privacy policy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PrivacyPolicy {
    /// Always 1.
    pub id: i64,
    /// What stands above it.
    pub title: String,
    /// The text.
    pub text: String,
    /// The version in force.
    pub version: i64,
    /// Since when it is in force.
    pub effective_at: Time,
    /// Whether an edit was taken but waits for an operator.
    pub held: bool,
}

/// An edit of the policy.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct PolicyEdit {
    /// The edit's id.
    pub id: PolicyEditId,
    /// What stands above the text.
    pub title: String,
    /// The text, sanitised.
    pub body: String,
    /// Who made it, as the audit trail words it.
    pub author: String,
    /// From where.
    pub address: Option<String>,
    /// The version it became; none while it is held.
    pub version: Option<i64>,
    /// When it was made.
    pub created_at: Time,
}

/// The policy in force.
pub async fn read(cx: Cx<Anyone>, _: Nothing) -> Result<PrivacyPolicy> {
    let mut session = cx.read().await?;
    let in_force = store::legal::in_force(&mut session, LegalKind::Privacy, None, cx.now());
    let document = in_force.await?.ok_or(codes::NOT_FOUND)?;
    Ok(policy(document, false))
}

fn policy(document: super::LegalDocument, held: bool) -> PrivacyPolicy {
    PrivacyPolicy {
        id: POLICY,
        title: document.title.unwrap_or_else(|| "Privacy policy".into()),
        text: document.body,
        version: document.version,
        effective_at: document.effective_at,
        held,
    }
}

/// Edits the privacy policy: in force at once, or held, as the site is set up. Open, because the
/// specification says so; 401 where the site takes edits with an API key only. 404 for any id but 1. What
/// says the same again is no new edit; 429 where too much is edited without a key.
pub async fn edit(cx: Cx<Anyone>, input: EditPolicy) -> Result<Done<PrivacyPolicy>> {
    let edits = cx.platform().config().privacy_policy_edits;
    let Anyone(who) = &cx.caller;
    let may_always =
        matches!(who, Principal::Service { scopes, .. } if scopes.contains(&Scope::Internal));
    if edits == PolicyEdits::Closed && !may_always {
        return Err(codes::UNAUTHENTICATED.saying("This site takes edits with an API key only."));
    }
    if input.id != POLICY {
        return Err(codes::NOT_FOUND.into());
    }
    let text = sanitised(&input.text);
    if text.trim().is_empty() {
        return Err(Error::invalid("text", "holds nothing that can be shown"));
    }
    let mut work = cx.begin().await?;
    store::privacy::hold(&mut work).await?;
    let held = edits == PolicyEdits::Moderated && !may_always;
    if let Some(document) = said_already(&mut work, &input.title, &text, held).await? {
        return work.done(policy(document, held)).await;
    }
    let address = cx.facts().address;
    let network = (!may_always).then(|| address_bucket(address));
    if let Some(network) = &network {
        check_room(&mut work, network, &text).await?;
    }
    let editor = store::privacy::Editor { author: cx.facts().actor.clone(), address, network };
    let edit = store::privacy::add(&mut work, &input.title, &text, editor, cx.now()).await?;
    work.note(edit.id, "edited");
    let document = if held {
        let kind = LegalKind::Privacy;
        let found = store::legal::in_force(&mut work, kind, None, cx.now()).await?;
        found.ok_or(codes::NOT_FOUND)?
    } else {
        put_in_force(&mut work, &edit).await?
    };
    work.done(policy(document, held)).await
}

/// The policy in force, where an edit would change nothing: it says what is in force, or what the newest
/// edit says that is held.
async fn said_already(
    work: &mut Work,
    title: &str,
    text: &str,
    held: bool,
) -> Result<Option<super::LegalDocument>> {
    let now = work.now();
    let in_force = store::legal::in_force(work, LegalKind::Privacy, None, now).await?;
    let Some(document) = in_force else {
        return Ok(None);
    };
    if held {
        let newest = store::privacy::newest(work).await?;
        let waits = newest
            .is_some_and(|edit| edit.version.is_none() && edit.title == title && edit.body == text);
        return Ok(waits.then_some(document));
    }
    let same = document.title.as_deref() == Some(title) && document.body == text;
    Ok(same.then_some(document))
}

/// 429 where somebody, or everybody together, has edited enough: every edit is kept for ever, so what is
/// open to anybody must not be able to fill the disk.
async fn check_room(work: &mut Work, network: &str, text: &str) -> Result<()> {
    let now = work.now();
    let refused = |why: &'static str, wait: TimeDelta| {
        let seconds = u64::try_from(wait.num_seconds()).unwrap_or(u64::MAX);
        Err(codes::THROTTLED.saying(why).retry_after(seconds))
    };
    let hour = TimeDelta::hours(1);
    if store::privacy::of_network(work, network, now - hour).await? >= AN_HOUR {
        return refused("You have edited the policy often enough for an hour.", hour);
    }
    let (edits, _) = store::privacy::open_edits(work, now - TimeDelta::days(1)).await?;
    if edits >= A_DAY {
        let why = "The policy has been edited often enough for today.";
        return refused(why, hour);
    }
    let (_, kept) = store::privacy::open_edits(work, now - TimeDelta::days(30)).await?;
    let more = i64::try_from(text.chars().count()).map_err(Error::internal)?;
    if kept.saturating_add(more) > A_MONTH {
        let why = "The edits of these thirty days take up all the room there is for them.";
        return refused(why, TimeDelta::days(1));
    }
    Ok(())
}

/// Every edit, newest first (extension). For operators with the permission `content`.
pub async fn edits(cx: Cx<Operator>, input: Paged<Nothing>) -> Result<Listing<PolicyEdit>> {
    let (Nothing {}, paging) = input.parts();
    let mut session = cx.read().await?;
    store::privacy::page(&mut session, paging).await
}

/// Puts an edit in force, as a new version: one that was held, or an earlier one (extension,
/// contract: let an operator restore a revision). 404 for an unknown one.
pub async fn restore(cx: Cx<Operator>, input: RestorePolicy) -> Result<Done<PrivacyPolicy>> {
    let mut work = cx.begin().await?;
    let edit = store::privacy::one(&mut work, input.edit_id).await?.ok_or(codes::NOT_FOUND)?;
    let document = put_in_force(&mut work, &edit).await?;
    work.note(edit.id, "put_in_force");
    work.done(policy(document, false)).await
}

async fn put_in_force(work: &mut Work, edit: &PolicyEdit) -> Result<super::LegalDocument> {
    let now = work.now();
    let kind = LegalKind::Privacy;
    let document = store::legal::add(work, kind, &edit.title, &edit.body, now).await?;
    store::privacy::became(work, edit.id, document.version).await?;
    Ok(document)
}
