//! Officers record the clearinghouse's decisions about disclosed jobs and contracts of the platform.

use schemars::JsonSchema;
use serde::Deserialize;

use super::clearance::{Clearance, ClearanceWord};
use super::content::Content;
use super::disclosing::check_packet;
use super::store::clearance::{self as store, Which};
use super::store::{disclosed_job as jobs, person as people};
use super::threshold::told;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{ClearanceId, Machine as _, Text};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
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
    /// The clearinghouse's note; required if it flags the deal or does not clear it.
    pub note: Option<Text<1, 4000>>,
}

/// The clearinghouse's decision, within another operation.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) word: ClearanceWord,
    pub(super) reference: Option<String>,
    pub(super) note: Option<String>,
}

/// Records the clearinghouse's decision about a contract or a disclosed job of the institution's athletes. Payouts held
/// for it (rule `hold_payouts`) are sent once everything is cleared. 404 for another institution's, 409
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

/// Records it in the caller's transaction; an athlete whose deal is flagged is notified.
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
    let clearance = store::hold_of_college(work, which, officer).await?;
    let moved = clearance.status.on(heard.word.event())?;
    let person = people::find(work, clearance.athlete_id).await?;
    let mut title = None;
    if let Some(id) = clearance.disclosed_job_id {
        let job = jobs::find(work, id).await?;
        if heard.word == ClearanceWord::Submitted {
            check_packet(&person, &Content::of(&job))?;
        }
        title = Some(job.title);
    }
    let now = work.now();
    let said = (heard.reference.as_deref(), heard.note.as_deref());
    store::hear(work, &clearance, moved, said, now).await?;
    work.note_change(
        clearance.id,
        moved.to().as_str(),
        serde_json::json!({ "status": moved.from() }),
        serde_json::json!({ "status": moved.to(), "reference": heard.reference }),
    );
    if heard.word == ClearanceWord::Flagged {
        let title = title.unwrap_or_else(|| format!("the deal with {}", clearance.payor));
        let url = work.platform().config().public_url.clone();
        for user in told(&person) {
            work.send(
                Message::new(Event::DisclosedJobFlagged, Recipient::User(user))
                    .with("disclosure_title", title.clone())
                    .with("reason", heard.note.clone().unwrap_or_default())
                    .with("url", url.clone())
                    .with("clearance_id", clearance.id.get()),
            );
        }
    }
    let seen = store::find(work, clearance.id).await?;
    Ok(seen.seen_at(now))
}
