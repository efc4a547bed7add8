//! A guardian's consent through the mailed link.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::mail;
use super::super::store::{registration as store, steps};
use crate::auth::one_time::{self, Purpose};
use crate::auth::{Anyone, Athlete};
use crate::error::{Result, codes};
use crate::kernel::{AthleteId, Nothing, Secret};
use crate::operation::{Cx, Done};

/// A guardian's decision.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct GuardianConsent {
    /// The token of the link; it works once and expires after seven days.
    pub token: Secret,
    /// Whether the guardian consents.
    pub accept: bool,
}

/// The recorded decision.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Consent {
    /// The athlete's id.
    pub athlete_id: AthleteId,
    /// Whether the guardian consents.
    pub accepted: bool,
}

/// Records a guardian's consent or refusal. 422 `token_invalid` for a token that is wrong, used or
/// expired.
pub async fn decide(cx: Cx<Anyone>, input: GuardianConsent) -> Result<Done<Consent>> {
    let mut work = cx.begin().await?;
    let purpose = Purpose::GuardianConsent;
    let id = one_time::use_link(&mut work, purpose, &input.token, cx.now()).await?;
    let athlete_id = AthleteId::new(id).ok_or(codes::TOKEN_INVALID)?;
    let address = cx.facts().address.map(|address| address.to_string());
    steps::set_consent(&mut work, athlete_id, input.accept, address, cx.now()).await?;
    let action = if input.accept { "guardian_consented" } else { "guardian_declined" };
    work.note(athlete_id, action);
    let consent = Consent { athlete_id, accepted: input.accept };
    work.done(consent).await
}

/// Mails a minor's guardian a new request; earlier links become void. 404 without a guardian, 409
/// once the guardian has consented.
pub async fn ask_again(cx: Cx<Athlete>, _: Nothing) -> Result<Done<()>> {
    let mut work = cx.begin().await?;
    let athlete = store::new_athlete(&mut work, cx.caller.user_id).await?;
    let (Some(name), Some(address)) = (&athlete.guardian_name, &athlete.guardian_email) else {
        return Err(codes::NOT_FOUND.saying("There is no guardian to ask."));
    };
    if athlete.consented_at.is_some() {
        return Err(codes::ILLEGAL_TRANSITION.saying("The guardian has already consented."));
    }
    let leave = mail::ask_guardian(&mut work, athlete.id, &athlete.display_name, name, address);
    leave.await?.or_refuse()?;
    work.note(athlete.id, "guardian_asked");
    work.done(()).await
}
