//! Backup withholding: whose payments tax is withheld from, because the tax office told so.
//! `taking` withholds it.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::backup_withholding::{BackupWithholding, WithholdingNotice};
use super::request::AskReason;
use super::{asking, year};
use crate::auth::Operator;
use crate::error::{Error, Result, codes};
use crate::kernel::{AgentId, AthleteId, Text};
use crate::operation::{Cx, Done, Work};
use crate::payments::ledger::{Book, Owner};
use crate::payments::store::{account, tax_form as store};

/// Whose payments tax is withheld from, or no longer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SetWithholding {
    /// The athlete; either this or `agent_id`.
    pub athlete_id: Option<AthleteId>,
    /// The agent.
    #[schemars(extend("examples" = [null]))]
    pub agent_id: Option<AgentId>,
    /// Whether tax is withheld from payments made from now on.
    pub active: bool,
    /// The notice; required if `active`.
    pub notice: Option<WithholdingNotice>,
    /// The reason, such as the number of the notice.
    pub reason: Text<1, 500>,
}

/// Begins or ends backup withholding from payments to an athlete or agent (extension). Payments
/// that succeeded before stay as they are, also those not paid out yet. Tax is withheld once what a
/// payer pays the payee in a year comes to the amount to report. Repeating it changes nothing. 404
/// for an unknown athlete or agent, and if there is no withholding to end; 422 unless exactly one
/// of both is named.
pub async fn set(cx: Cx<Operator>, input: SetWithholding) -> Result<Done<BackupWithholding>> {
    let owner = match (input.athlete_id, input.agent_id) {
        (Some(athlete), None) => Owner::Athlete(athlete),
        (None, Some(agent)) => Owner::Agent(agent),
        _ => return Err(Error::invalid("athlete_id", "or `agent_id` is required, not both")),
    };
    let mut work = cx.begin().await?;
    account::user_of(&mut work, owner).await?.ok_or(codes::NOT_FOUND)?;
    // The wallet's lock: a payment succeeds before or after, not meanwhile.
    Book::of_payouts(&mut work, owner).await?;
    let now = cx.now();
    let known = store::withholding(&mut work, owner).await?;
    let saved = match (known, input.active) {
        (Some(known), true) => known,
        (None, false) => return Err(codes::NOT_FOUND.into()),
        (None, true) => {
            let notice = input.notice.ok_or_else(|| Error::invalid("notice", "is required"))?;
            let actor = cx.facts().actor.clone();
            let what = (notice, &*input.reason);
            let made = store::begin_withholding(&mut work, owner, what, actor, now).await?;
            note(&mut work, &made, "begun", &input.reason);
            asking::ask(&mut work, owner, AskReason::TaxWithheld, year::year_of(now)).await?;
            made
        }
        (Some(known), false) => {
            let ended = store::end_withholding(&mut work, known.id, now).await?;
            note(&mut work, &ended, "ended", &input.reason);
            ended
        }
    };
    work.done(saved).await
}

fn note(work: &mut Work, of: &BackupWithholding, action: &'static str, reason: &str) {
    let what = json!({ "owner": of.owner, "notice": of.notice, "reason": reason });
    work.note_change(of.id, action, None, what);
}
