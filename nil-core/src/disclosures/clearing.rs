//! Officers record the clearinghouse's decisions about disclosed jobs and contracts of the
//! platform.

use schemars::JsonSchema;
use serde::Deserialize;

use super::clearance::{Clearance, ClearanceWord};
use super::content::Content;
use super::disclosing::check_packet;
use super::prefilling;
use super::store::clearance::{self as store, Which};
use super::store::{disclosed_job as jobs, packet as packets, person as people};
use super::telling;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{ClearanceId, Machine as _, PortalUserId, Text};
use crate::operation::{Cx, Done, Work};

/// A decision of the clearinghouse about a deal.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RecordClearance {
    /// The clearance.
    pub id: ClearanceId,
    /// The decision, or the step taken there.
    pub status: ClearanceWord,
    /// The clearinghouse's reference.
    pub reference: Option<Text<1, 120>>,
    /// The clearinghouse's note; required if it flags the deal or does not clear it. The athlete,
    /// their agent and the brand of a contract see it.
    pub note: Option<Text<1, 4000>>,
}

/// The clearinghouse's decision, within another operation.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) word: ClearanceWord,
    pub(super) reference: Option<String>,
    pub(super) note: Option<String>,
}

/// Records the clearinghouse's decision about a contract or a disclosed job of the institution's
/// athletes, and tells it to the athlete, their agent and the brand of a contract. Payouts held for
/// it (rule `hold_payouts`) are sent once everything is cleared. 404 for another institution's, 409
/// `illegal_transition` if its state does not allow it.
pub async fn record(cx: Cx<PortalUser>, input: RecordClearance) -> Result<Done<Clearance>> {
    let heard = Heard {
        word: input.status,
        reference: input.reference.map(|text| text.trim().to_owned()),
        note: input.note.map(|text| text.trim().to_owned()),
    };
    let mut work = cx.begin().await?;
    let clearance = hear(&mut work, &cx.caller, Which::Id(input.id), heard).await?;
    work.done(clearance).await
}

/// Records it in the caller's transaction. What a disclosed job says is checked once more before it
/// counts as submitted; of a contract the officer records what has happened, whatever its packet
/// says.
pub(super) async fn hear(
    work: &mut Work,
    officer: &PortalUser,
    which: Which,
    heard: Heard,
) -> Result<Clearance> {
    let asks = matches!(heard.word, ClearanceWord::Flagged | ClearanceWord::NotCleared);
    if asks && heard.note.is_none() {
        return Err(Error::invalid("note", "is required: the athlete sees it"));
    }
    let clearance = store::lock_of_college(work, which, officer).await?;
    if let Some(id) = clearance.disclosed_job_id
        && heard.word == ClearanceWord::Submitted
    {
        clearance.status.on(heard.word.event())?;
        let person = people::find(work, clearance.athlete_id).await?;
        let job = jobs::find(work, id).await?;
        check_packet(&person, &Content::of(&job))?;
    }
    let packet = match heard.word {
        ClearanceWord::Submitted => {
            let now = work.now();
            let sources = prefilling::sources(work, clearance.clone(), now).await?;
            let attested = sources.attested().to_vec();
            Some(serde_json::to_value(sources.packet(&attested)?).map_err(Error::internal)?)
        }
        _ => None,
    };
    take(work, &clearance, heard, Recorded { by: Some(officer.id), packet }).await
}

/// Who records a step, and the packet that is submitted by it.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    /// The officer; nobody if the athlete submits it.
    pub(super) by: Option<PortalUserId>,
    pub(super) packet: Option<serde_json::Value>,
}

/// Takes a step with a locked clearance: writes it, keeps it, and tells everyone concerned.
pub(super) async fn take(
    work: &mut Work,
    clearance: &Clearance,
    heard: Heard,
    recorded: Recorded,
) -> Result<Clearance> {
    let now = work.now();
    let moved = clearance.status.on(heard.word.event())?;
    let said = (heard.reference.as_deref(), heard.note.as_deref());
    store::hear(work, clearance, moved, said, now).await?;
    let by = match recorded.by {
        Some(officer) => format!("portal_user:{officer}"),
        None => format!("athlete:{}", clearance.athlete_id),
    };
    let step = (heard.word, by.as_str());
    packets::add_step(work, clearance.id, step, said, recorded.packet, now).await?;
    work.note_change(
        clearance.id,
        moved.to().as_str(),
        serde_json::json!({ "status": moved.from() }),
        serde_json::json!({ "status": moved.to(), "reference": heard.reference }),
    );
    let person = people::find(work, clearance.athlete_id).await?;
    let about = (&person, clearance);
    telling::of_step(work, heard.word, about, recorded.by, heard.note.as_deref()).await?;
    let seen = store::find(work, clearance.id).await?;
    Ok(seen.seen_at(now))
}
