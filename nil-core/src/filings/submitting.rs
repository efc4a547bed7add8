//! Officers enter filings for athletes of their institution.

use schemars::JsonSchema;
use serde::Deserialize;

use super::changing::submit_in;
use super::content::check;
use super::evidence::{self, Evidence};
use super::filing::Filing;
use super::filing_input::{
    WantedAgent, WantedContract, WantedNotices, WantedParticulars, WantedRegistration,
};
use super::filing_status::FilingStatus;
use super::particulars::{FilingKind, Particulars};
use super::recording::{Step, record};
use super::store::{filing as store, person as people};
use super::version::FilingAction;
use super::{browsing, notices};
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{AgentId, AthleteId, Edit, Many, Text, Time};
use crate::operation::{Cx, Done};

/// The data of a new filing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SubmitFiling {
    /// An athlete of the institution.
    pub athlete_id: AthleteId,
    /// The agent's account on the platform; an agent who represents or has represented the athlete.
    pub agent_id: Option<AgentId>,
    /// The kind of work the agent does for the athlete.
    #[serde(default)]
    pub kind: Edit<FilingKind>,
    /// The agent.
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
    /// Supporting documents: ids of files that the caller may see, or new files. The whole body is
    /// limited to 14 MB.
    pub documents: Option<Many<Evidence, 0, 50>>,
    /// Whether to submit it at once (default: it stays a draft, which may be incomplete).
    pub submit: Option<bool>,
}

/// Enters a filing for an athlete of the institution, as a draft or submitted. 422 for
/// contradictions, and for missing fields when it is submitted; every field is named. 404 for an
/// athlete of another institution or of a sport the caller has no access to.
pub async fn submit(cx: Cx<PortalUser>, input: SubmitFiling) -> Result<Done<Filing>> {
    let college = cx.caller.college_id;
    let documents = input.documents.map(Many::into_vec).unwrap_or_default();
    evidence::examine(&documents)?;
    let mut particulars = Particulars::default();
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
    wanted.apply(&mut particulars);
    let handed_in = input.submit == Some(true);
    let look = (input.athlete_id, input.agent_id);
    // Check the permission before storing new files.
    let mut session = cx.read().await?;
    let person = people::of_officer(&mut session, &cx.caller, input.athlete_id).await?;
    check(&mut session, (college, look), &person, &particulars, (handed_in, cx.now())).await?;
    drop(session);
    let ready = evidence::write(&cx, documents).await?;

    let mut work = cx.begin().await?;
    let person = people::of_officer(&mut work, &cx.caller, input.athlete_id).await?;
    let content =
        check(&mut work, (college, look), &person, &particulars, (handed_in, cx.now())).await?;
    let by = format!("portal_user:{}", cx.caller.id);
    let owner = (college, input.athlete_id);
    let id = store::add(&mut work, owner, &content, &by, cx.now()).await?;
    let files = evidence::attach(&mut work, &cx.caller, id, ready).await?;
    store::set_files(&mut work, id, &files).await?;
    let status = FilingStatus::Draft;
    let (status, action) = if handed_in {
        let status = submit_in(&mut work, &cx, (id, status, None)).await?;
        (status, FilingAction::Submitted)
    } else {
        (status, FilingAction::Created)
    };
    let version = Step { version: 1, action, note: None };
    record(&mut work, id, version, (&content, &files, status)).await?;
    let filing = browsing::one(&mut work, &cx.caller, id, cx.now()).await?;
    if handed_in {
        notices::of_submission(&mut work, &cx.caller, &filing).await?;
    }
    work.done(filing).await
}
