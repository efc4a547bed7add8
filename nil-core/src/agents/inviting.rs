//! Agents invite athletes.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::representation::Representation;
use super::store::{self, NewRepresentation, Sent};
use super::telling;
use crate::accounts::UserStatus;
use crate::auth::Agent;
use crate::error::{Error, Result, codes};
use crate::kernel::{AthleteId, BasisPoints, Email, Text};
use crate::notifications::allowance;
use crate::notifications::outbox::Recipient;
use crate::operation::{Cx, Done, Work};

/// How many invitations an agent may send in a day.
const A_DAY: i64 = 50;
/// How many of them to the same athlete or address in thirty days, whatever became of them.
const TO_ONE: i64 = 3;

/// Somebody to invite: by address or by id.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InviteAthlete {
    /// The athlete's e-mail, whether there is an account or not.
    pub email: Option<Email>,
    /// The athlete, if they are in the public directories.
    pub athlete_id: Option<AthleteId>,
    /// The agent's share of what the athlete is paid (default: none).
    pub commission_basis_points: Option<BasisPoints>,
    /// What the agent says to the athlete.
    pub message: Option<Text<1, 2000>>,
}

/// Invites an athlete, who has 14 days to answer. An address is answered the same whether there is an
/// account or not: it becomes the invitation of whoever has an athlete's account under it by then.
/// 404 for an id that is not in the directories; 409 `already_invited`, `already_represented` (by the
/// same agent), `invitation_limit`.
pub async fn invite(cx: Cx<Agent>, input: InviteAthlete) -> Result<Done<Representation>> {
    let (email, athlete) = match (input.email, input.athlete_id) {
        (Some(email), None) => (Some(email.to_string()), None),
        (None, Some(athlete)) => (None, Some(athlete)),
        (given, _) => {
            let why = match given {
                Some(_) => "stands for athlete_id, not beside it",
                None => "is required, or athlete_id",
            };
            return Err(Error::invalid("email", why));
        }
    };
    let mut work = cx.begin().await?;
    let agent = store::hold_agent(&mut work, cx.caller.id).await?;
    let to = match (&email, athlete) {
        (Some(email), _) => addressee(&mut work, email).await?,
        (None, Some(athlete)) => listed(&mut work, athlete).await?,
        (None, None) => return Err(codes::NOT_FOUND.into()),
    };
    let now = cx.now();
    let since = (now - TimeDelta::days(1), now - TimeDelta::days(30));
    let sent = store::sent(&mut work, agent.id, athlete, email.as_deref(), since).await?;
    allowed(sent)?;
    if let Some(email) = &email {
        // The same whether there is an account or not.
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
    telling::invited(&mut work, to, &agent, &invitation);
    work.done(invitation.for_agent()).await
}

/// Who reads what is sent to an address: the athlete who has it, else whoever opens the mail.
async fn addressee(work: &mut Work, email: &str) -> Result<Recipient> {
    let athlete = store::athlete_at(work, email).await?;
    Ok(athlete.map_or_else(
        || Recipient::Email(email.to_owned()),
        |athlete| Recipient::User(athlete.user_id),
    ))
}

/// An athlete whom everybody can find; anybody else is not there.
async fn listed(work: &mut Work, athlete: AthleteId) -> Result<Recipient> {
    let found = store::athlete(work, athlete).await?;
    let found = found.filter(|a| a.listed && a.account == UserStatus::Active);
    let athlete = found.ok_or(codes::NOT_FOUND)?;
    Ok(Recipient::User(athlete.user_id))
}

fn allowed(sent: Sent) -> Result<()> {
    if sent.pending > 0 {
        return Err(codes::ALREADY_INVITED.into());
    }
    if sent.active > 0 {
        return Err(codes::ALREADY_REPRESENTED.saying("You represent this athlete already."));
    }
    if sent.to_them >= TO_ONE {
        let sentence = format!("An athlete is invited {TO_ONE} times in thirty days at most.");
        return Err(codes::INVITATION_LIMIT.saying(sentence));
    }
    if sent.today >= A_DAY {
        let sentence = format!("An agent sends {A_DAY} invitations a day at most.");
        return Err(codes::INVITATION_LIMIT.saying(sentence));
    }
    Ok(())
}
