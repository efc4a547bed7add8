//! Officers change filings. Every change adds a version; earlier versions stay readable.

use schemars::JsonSchema;
use serde::Deserialize;

use super::content::check;
use super::deciding::{self, FilingDecision};
use super::evidence::{self, Evidence};
use super::filing::Filing;
use super::filing_input::{
    WantedAgent, WantedContract, WantedNotices, WantedParticulars, WantedRegistration,
};
use super::filing_status::{FilingEvent, FilingStatus};
use super::particulars::FilingKind;
use super::recording::{Step, lock, record, record_move};
use super::store::{filing as store, person as people};
use super::version::FilingAction;
use super::{browsing, notices};
use crate::auth::PortalUser;
use crate::content::{self, FileUse};
use crate::error::{Error, Result, codes};
use crate::kernel::{AgentId, Edit, FilingId, Machine as _, Many, Text, Time};
use crate::operation::{Cx, Done, Work};

/// A change of a filing: fields and whether to submit it, or a decision.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ChangeFiling {
    /// The filing.
    pub id: FilingId,
    /// The version the caller has seen; 409 `state_changed` if the filing has another one by now.
    pub version: Option<i64>,
    /// The agent's account on the platform; an agent who represents or has represented the athlete.
    #[serde(default)]
    pub agent_id: Edit<AgentId>,
    /// The kind of work the agent does for the athlete.
    #[serde(default)]
    pub kind: Edit<FilingKind>,
    /// The agent; omitted fields keep their values, `null` clears a field.
    pub agent: Option<WantedAgent>,
    /// The agent's registration.
    pub registration: Option<WantedRegistration>,
    /// Codes of other states in which the agent is registered or has applied.
    #[serde(default)]
    pub other_states: Edit<Many<Text<2, 2>, 0, 60>>,
    /// The contract.
    pub contract: Option<WantedContract>,
    /// Whether the contract contains the warning required by law.
    #[serde(default)]
    pub warning_notice_present: Edit<bool>,
    /// When the athlete signed the separate acknowledgement.
    #[serde(default)]
    pub acknowledgement_signed_at: Edit<Time>,
    /// When the guardian of a minor athlete signed.
    #[serde(default)]
    pub guardian_signed_at: Edit<Time>,
    /// The notices to the institution.
    pub notices: Option<WantedNotices>,
    /// The supporting documents; they replace the current ones: ids of files, current ones
    /// included, or new files.
    pub documents: Option<Many<Evidence, 0, 50>>,
    /// Whether to submit it with this change; for a draft or a returned filing.
    pub submit: Option<bool>,
    /// A decision; excludes fields.
    #[schemars(extend("examples" = [null]))]
    pub decision: Option<FilingDecision>,
    /// The reason; required for `return`.
    #[schemars(extend("examples" = [null]))]
    pub note: Option<Text<1, 4000>>,
}

/// Selects a filing.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct DeleteFiling {
    /// The filing.
    pub id: FilingId,
}

/// Changes a filing of the institution, submits it, or decides on it (`acknowledge`, `return` with
/// a note, `terminate`). Every change adds a version, also after acknowledgement; a filed filing
/// must stay complete. 404 for another institution's, 409 `illegal_transition` if its status does
/// not allow it, 409 `state_changed` if `version` is not the current one.
pub async fn update(cx: Cx<PortalUser>, input: ChangeFiling) -> Result<Done<Filing>> {
    let submit = input.submit == Some(true);
    let wanted = WantedParticulars {
        kind: input.kind,
        agent: input.agent,
        registration: input.registration,
        other_states: input.other_states,
        contract: input.contract,
        warning_notice_present: input.warning_notice_present,
        acknowledgement_signed_at: input.acknowledgement_signed_at,
        guardian_signed_at: input.guardian_signed_at,
        notices: input.notices,
    };
    let fields = !wanted.is_empty() || input.agent_id != Edit::Keep || input.documents.is_some();
    match input.decision {
        Some(_) if fields || submit => {
            let why = "give either a decision, or fields and `submit`";
            return Err(Error::invalid("decision", why));
        }
        Some(decision) => {
            let note = input.note.map(|note| note.trim().to_owned());
            return deciding::decide(cx, (input.id, input.version), decision, note).await;
        }
        None if !(fields || submit) => {
            let why = "give fields, `submit`, or a decision";
            return Err(Error::invalid("decision", why));
        }
        None => {}
    }
    let change = Change {
        wanted,
        agent: input.agent_id,
        documents: input.documents.map(Many::into_vec),
        submit,
        note: input.note.map(|note| note.trim().to_owned()),
    };
    rewrite(cx, (input.id, input.version), change).await
}

struct Change {
    wanted: WantedParticulars,
    agent: Edit<AgentId>,
    documents: Option<Vec<Evidence>>,
    submit: bool,
    note: Option<String>,
}

async fn rewrite(
    cx: Cx<PortalUser>,
    (id, version): (FilingId, Option<i64>),
    change: Change,
) -> Result<Done<Filing>> {
    let ready = match change.documents {
        None => None,
        Some(documents) => {
            evidence::examine(&documents)?;
            // Check the permission before storing new files.
            let mut session = cx.read().await?;
            let found = store::find_for(&mut session, &cx.caller, id).await?;
            may_change(&found, change.submit)?;
            drop(session);
            Some(evidence::write(&cx, documents).await?)
        }
    };
    let mut work = cx.begin().await?;
    let filing = lock(&mut work, &cx.caller, (id, version)).await?;
    may_change(&filing, change.submit)?;
    let mut particulars = filing.particulars.clone();
    change.wanted.apply(&mut particulars);
    let agent = change.agent.change().unwrap_or(filing.agent_id);
    let person = people::find(&mut work, filing.athlete_id).await?;
    let complete = change.submit || filing.is_filed();
    let look = (filing.athlete_id, agent);
    let college = filing.college_id;
    let content = check(&mut work, (college, look), &person, &particulars, (complete, cx.now()));
    let content = content.await?;
    let files = match ready {
        None => filing.file_ids.clone(),
        Some(ready) => {
            let files = evidence::attach(&mut work, &cx.caller, id, ready).await?;
            // Files that were submitted stay readable with their version.
            if filing.first_submitted_at.is_none() {
                let place = (FileUse::Filing, id.get());
                content::let_go(&mut work, &files, place).await?;
            }
            files
        }
    };
    let same = particulars == filing.particulars && agent == filing.agent_id;
    if same && files == filing.file_ids && !change.submit {
        let filing = browsing::one(&mut work, &cx.caller, id, cx.now()).await?;
        return work.done(filing).await;
    }
    store::rewrite(&mut work, &filing, &content, cx.now()).await?;
    store::set_files(&mut work, id, &files).await?;
    let (status, action) = if change.submit {
        let before = (id, filing.status, filing.first_submitted_at);
        (submit_in(&mut work, &cx, before).await?, FilingAction::Submitted)
    } else {
        (filing.status, FilingAction::Changed)
    };
    let step = Step { version: filing.version + 1, action, note: change.note };
    record(&mut work, id, step, (&content, &files, status)).await?;
    let filing = browsing::one(&mut work, &cx.caller, id, cx.now()).await?;
    if change.submit {
        notices::of_submission(&mut work, &cx.caller, &filing).await?;
    }
    work.done(filing).await
}

/// Removes a filing from the lists; its record is kept. 404 for another institution's, 409
/// `illegal_transition` once it was acknowledged.
pub async fn delete(cx: Cx<PortalUser>, input: DeleteFiling) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let filing = lock(&mut work, &cx.caller, (input.id, None)).await?;
    let moved = filing.status.on(FilingEvent::Delete)?;
    store::delete(&mut work, &filing, moved, cx.now()).await?;
    let step = Step { version: filing.version + 1, action: FilingAction::Deleted, note: None };
    record_move(&mut work, &filing, step, moved.to()).await?;
    work.done(()).await
}

fn may_change(filing: &Filing, submit: bool) -> Result<()> {
    if submit {
        filing.status.on(FilingEvent::Submit)?;
    }
    if filing.status == FilingStatus::Terminated {
        let sentence = "A disclosure of a terminated contract cannot be changed.";
        return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
    }
    Ok(())
}

/// Submits the filing; returns the new status.
pub(super) async fn submit_in(
    work: &mut Work,
    cx: &Cx<PortalUser>,
    (id, status, first): (FilingId, FilingStatus, Option<Time>),
) -> Result<FilingStatus> {
    let moved = status.on(FilingEvent::Submit)?;
    let by = format!("portal_user:{}", cx.caller.id);
    store::submit(work, id, moved, (&by, first), cx.now()).await?;
    Ok(moved.to())
}
