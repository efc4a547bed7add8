//! Agents invite athletes.

use chrono::TimeDelta;
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::Deserialize;

use super::notices;
use super::representation::Representation;
use super::store::{self, NewRepresentation, Sent};
use crate::accounts::UserStatus;
use crate::auth::Agent;
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, BasisPoints, Email, LAST_ZONE, Text};
use crate::notifications::allowance;
use crate::notifications::outbox::Recipient;
use crate::operation::{Cx, Done, Work};

/// The maximum number of invitations an agent may send in a day.
const A_DAY: i64 = 50;
/// The maximum number of invitations to the same athlete or address in thirty days, whatever their
/// results.
const TO_ONE: i64 = 3;

/// The athlete to invite: by address or by id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InviteAthlete {
    /// The athlete's e-mail, with or without an account.
    #[schemars(extend("examples" = [null]))]
    pub email: Option<Email>,
    /// The athlete, if they are in the public directories.
    pub athlete_id: Option<AthleteId>,
    /// The agent's share of the athlete's pay (default: none).
    pub commission_basis_points: Option<BasisPoints>,
    /// The agent's message to the athlete.
    pub message: Option<Text<1, 2000>>,
}

/// Invites an athlete, who has 14 days to answer. The answer for an address does not reveal whether
/// it has an account: the invitation belongs to the athlete's account that has the address when it
/// is answered. 404 for an id that is not in the directories; 409 `already_invited`,
/// `already_represented` (by the same agent), `invitation_limit`.
pub async fn invite(cx: Cx<Agent>, input: InviteAthlete) -> Result<Done<Representation>> {
    let (email, athlete) = match (input.email, input.athlete_id) {
        (Some(email), None) => (Some(email.to_string()), None),
        (None, Some(athlete)) => (None, Some(athlete)),
        (given, _) => {
            let why = match given {
                Some(_) => "cannot be combined with athlete_id",
                None => "is required, unless athlete_id is given",
            };
            return Err(Error::invalid("email", why));
        }
    };
    let mut work = cx.begin().await?;
    let agent = store::lock_agent(&mut work, cx.caller.id).await?;
    let (to, zone) = match (&email, athlete) {
        (Some(email), _) => addressee(&mut work, email).await?,
        (None, Some(athlete)) => listed(&mut work, athlete).await?,
        (None, None) => return Err(codes::NOT_FOUND.into()),
    };
    let now = cx.now();
    let since = (now - TimeDelta::days(1), now - TimeDelta::days(30));
    let sent = store::sent(&mut work, agent.id, athlete, email.as_deref(), since).await?;
    allowed(sent)?;
    if let Some(email) = &email {
        // The same with or without an account.
        allowance::take(&mut work, email).await?.or_refuse()?;
    }
    let new = NewRepresentation {
        agent: agent.id,
        athlete,
        email,
        commission: input.commission_basis_points.unwrap_or_default(),
        message: input.message.map(|message| message.trim().to_owned()),
    };
    let invitation = store::add(&mut work, new, now).await?;
    work.note(invitation.id, "invited");
    notices::invited(&mut work, (to, zone), &agent, &invitation);
    work.done(invitation.for_agent()).await
}

/// The recipient at an address with their time zone: the athlete with this e-mail, or a person
/// without an account.
async fn addressee(work: &mut Work, email: &str) -> Result<(Recipient, Tz)> {
    let athlete = store::athlete_at(work, email).await?;
    Ok(athlete.map_or_else(
        || (Recipient::Email(email.to_owned()), LAST_ZONE),
        |athlete| (Recipient::User(athlete.user_id), athlete.zone()),
    ))
}

/// An athlete in the public directories; 404 for any other.
async fn listed(work: &mut Work, athlete: AthleteId) -> Result<(Recipient, Tz)> {
    let athlete = store::athlete(work, athlete).await?;
    if !athlete.listed || athlete.account != UserStatus::Active {
        return Err(codes::NOT_FOUND.into());
    }
    Ok((Recipient::User(athlete.user_id), athlete.zone()))
}

fn allowed(sent: Sent) -> Result<()> {
    if sent.pending > 0 {
        return Err(codes::ALREADY_INVITED.into());
    }
    if sent.active > 0 {
        return Err(codes::ALREADY_REPRESENTED.saying("You already represent this athlete."));
    }
    if sent.to_them >= TO_ONE {
        let sentence = format!("An athlete can be invited at most {TO_ONE} times in thirty days.");
        return Err(codes::INVITATION_LIMIT.saying(sentence));
    }
    if sent.today >= A_DAY {
        let sentence = format!("An agent can send at most {A_DAY} invitations a day.");
        return Err(codes::INVITATION_LIMIT.saying(sentence));
    }
    Ok(())
}
