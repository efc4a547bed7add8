//! The privacy policy, which the specification lets anyone edit. Therefore every edit is stored
//! with its author, time and address, the text is shown, and an operator can restore an earlier
//! edit. The site can also hold edits until an operator approves them, or accept them only with an
//! API key.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::legal_document::LegalKind;
use super::policy_edit::PolicyEdit;
use super::{shown, store};
use crate::auth::{Anyone, Operator, Principal, Scope};
use crate::config::PolicyEdits;
use crate::error::{Error, Result, codes};
use crate::kernel::{Combined, Listing, Nothing, PolicyEditId, Sifted, Text, Time, Title};
use crate::operation::{Cx, Done, Work};
use crate::throttle::address_bucket;

/// The maximum number of anonymous edits per network (an IPv6 /64 is one) and hour.
const AN_HOUR: i64 = 5;
/// The maximum number of anonymous edits per day in all.
const A_DAY: i64 = 50;
/// The maximum number of characters of all anonymous edits in thirty days.
const A_MONTH: i64 = 2_000_000;

/// The id of the only policy.
const POLICY: i64 = 1;

/// An edit of the policy.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct EditPolicy {
    /// The document's id: 1, the only policy.
    pub id: i64,
    /// The title.
    pub title: Title<200>,
    /// The text: plain, or HTML, which is sanitised.
    pub text: Text<1, 100_000>,
}

/// Selects an edit to put in force.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RestorePolicy {
    /// The edit: a held or an earlier one.
    pub edit_id: PolicyEditId,
}

/// The privacy policy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PrivacyPolicy {
    /// Always 1.
    pub id: i64,
    /// The title.
    pub title: String,
    /// The text.
    pub text: String,
    /// The version in force.
    pub version: i64,
    /// When it took effect.
    pub effective_at: Time,
    /// Whether the caller's edit was accepted but waits for an operator.
    pub held: bool,
}

/// Returns the policy in force.
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

/// Edits the privacy policy: in force at once, or held, depending on the site's configuration.
/// Open, because the specification says so; 401 if the site accepts edits only with an API key. 404
/// for any id but 1. An edit without changes is not stored; 429 after too many edits without a key.
pub async fn edit(cx: Cx<Anyone>, input: EditPolicy) -> Result<Done<PrivacyPolicy>> {
    let edits = cx.platform().config().policy_edits();
    let Anyone(who) = &cx.caller;
    let may_always =
        matches!(who, Principal::Service { scopes, .. } if scopes.contains(&Scope::Internal));
    if edits == PolicyEdits::Closed && !may_always {
        return Err(codes::UNAUTHENTICATED.saying("This site accepts edits only with an API key."));
    }
    if input.id != POLICY {
        return Err(codes::NOT_FOUND.into());
    }
    let text = shown("text", &input.text).await?;
    let mut work = cx.begin().await?;
    store::privacy::lock(&mut work).await?;
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

/// The policy in force, if an edit would change nothing: it equals the policy in force, or the
/// newest held edit.
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

/// 429 if the network, or all networks together, have edited too much: edits are stored for ever,
/// so anonymous callers must not be able to fill the disk.
async fn check_room(work: &mut Work, network: &str, text: &str) -> Result<()> {
    let now = work.now();
    let refused = |why: &'static str, wait: TimeDelta| {
        let seconds = u64::try_from(wait.num_seconds()).unwrap_or(u64::MAX);
        Err(codes::THROTTLED.saying(why).retry_after(seconds))
    };
    let hour = TimeDelta::hours(1);
    if store::privacy::of_network(work, network, now - hour).await? >= AN_HOUR {
        return refused("You have reached the limit of policy edits per hour.", hour);
    }
    let (edits, _) = store::privacy::open_edits(work, now - TimeDelta::days(1)).await?;
    if edits >= A_DAY {
        let why = "The limit of policy edits per day is reached.";
        return refused(why, hour);
    }
    let (_, kept) = store::privacy::open_edits(work, now - TimeDelta::days(30)).await?;
    let more = i64::try_from(text.chars().count()).map_err(Error::internal)?;
    if kept.saturating_add(more) > A_MONTH {
        let why = "The size limit of policy edits for thirty days is reached.";
        return refused(why, TimeDelta::days(1));
    }
    Ok(())
}

/// Lists all edits, newest first (extension). `q` looks in titles and texts. For operators with the
/// permission `content`.
pub async fn edits(cx: Cx<Operator>, input: Sifted<Nothing>) -> Result<Listing<PolicyEdit>> {
    let (Combined { own: Nothing {}, shared: sift }, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    store::privacy::page(&mut session, &sift, place).await
}

/// Puts a held or an earlier edit in force, as a new version (extension, contract: let an operator
/// restore a revision). 404 for an unknown one.
pub async fn restore(cx: Cx<Operator>, input: RestorePolicy) -> Result<Done<PrivacyPolicy>> {
    let mut work = cx.begin().await?;
    let edit = store::privacy::one(&mut work, input.edit_id).await?;
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
