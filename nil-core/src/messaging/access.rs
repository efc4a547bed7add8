//! Permissions to write (model: *Conversation*): parties of an application or contract, an agent
//! and their athletes, everyone to the operators; fans only read. A user the caller may not write
//! to looks like an unknown one.

use std::collections::HashMap;

use super::conversation::{ConversationKind, Sender, SenderKind};
use super::store::conversation::{self as conversations, Standing, Topic};
use super::store::people::{self, Known, Person};
use crate::accounts::{UserKind, UserStatus};
use crate::auth::User;
use crate::error::{Error, Result, codes};
use crate::kernel::{ConversationId, JobId, Time, UserId, day_in, zone_or_last};
use crate::people::is_under_age;
use crate::storage::Session;

/// A guardian who gets copies of a minor's messages.
#[derive(Clone, Debug)]
pub(super) struct Guardian {
    pub(super) name: String,
    pub(super) email: String,
}

impl Person {
    pub(super) fn sender(&self) -> Sender {
        Sender {
            user_id: Some(self.user_id),
            kind: sender_kind(self.kind),
            name: self.name.clone(),
        }
    }

    /// The guardian who gets copies, if this is an athlete who is under 18 where they are.
    pub(super) fn guardian(&self, now: Time) -> Option<Guardian> {
        let today = day_in(now, zone_or_last(self.time_zone.as_deref()));
        if !is_under_age(self.date_of_birth, today) {
            return None;
        }
        Some(Guardian { name: self.guardian_name.clone()?, email: self.guardian_email.clone()? })
    }
}

pub(super) fn sender_kind(kind: UserKind) -> SenderKind {
    match kind {
        UserKind::Athlete => SenderKind::Athlete,
        UserKind::Partner => SenderKind::Partner,
        UserKind::Agent => SenderKind::Agent,
        UserKind::Fan => SenderKind::Fan,
    }
}

/// The kind of conversation between two kinds of users; `None` if they never write to each other.
pub(super) fn kind_between(one: UserKind, other: UserKind) -> Option<ConversationKind> {
    use UserKind::{Agent, Athlete, Partner};
    match (one, other) {
        (Athlete, Partner) | (Partner, Athlete) => Some(ConversationKind::Deal),
        (Athlete, Agent) | (Agent, Athlete) => Some(ConversationKind::Representation),
        (Partner, Agent) | (Agent, Partner) => Some(ConversationKind::Agency),
        _ => None,
    }
}

/// The writer and the recipient; `None` stands for the operators.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) sender: Person,
    pub(super) recipient: Option<Person>,
}

/// The caller, and each requested user or the reason why they cannot be written to.
pub(super) struct Reach {
    pub(super) caller: Person,
    others: HashMap<UserId, Known>,
}

impl Reach {
    /// Looks up all users at once. 403 for fans.
    pub(super) async fn of(
        session: &mut Session,
        caller: &User,
        users: &[UserId],
        job: Option<JobId>,
    ) -> Result<Self> {
        refuse_fans(caller)?;
        let topic = match users {
            [user] => Some(Topic::key_of(caller.user_id, *user, job)),
            _ => None,
        };
        let mut wanted = users.to_vec();
        wanted.push(caller.user_id);
        let found = people::known(session, caller, &wanted, job, topic).await?;
        let mut others: HashMap<UserId, Known> =
            found.into_iter().map(|known| (known.person.user_id, known)).collect();
        let own = others.remove(&caller.user_id);
        let own = own.ok_or_else(|| Error::internal("a caller without an account"))?;
        Ok(Self { caller: own.person, others })
    }

    /// One of the users: 404 for a user without a relation to the caller, 409
    /// `recipient_unavailable` for an account that is not active, and for the caller's own.
    pub(super) fn to(&self, user: UserId) -> Result<&Person> {
        if user == self.caller.user_id {
            return Err(codes::RECIPIENT_UNAVAILABLE.saying("You cannot write to yourself."));
        }
        let known = self.others.get(&user).filter(|known| known.related);
        let person = &known.ok_or(codes::NOT_FOUND)?.person;
        if person.status != UserStatus::Active {
            return Err(codes::RECIPIENT_UNAVAILABLE.into());
        }
        Ok(person)
    }

    /// The conversation with the only user, if there is one.
    pub(super) fn conversation(&self) -> Option<ConversationId> {
        self.others.values().find_map(|known| known.conversation_id)
    }

    /// The topic of a conversation with one of the users.
    pub(super) fn topic(&self, other: &Person, job: Option<JobId>) -> Result<Topic> {
        let kind = kind_between(self.caller.kind, other.kind).ok_or(codes::NOT_FOUND)?;
        Ok(Topic { kind, user: self.caller.user_id, other: Some(other.user_id), job })
    }
}

/// The user's side of a conversation and both participants, if the user may write there: 404 for a
/// conversation of others, 409 `conversation_closed` if an agent no longer represents the athlete,
/// 409 `recipient_unavailable` for an account that is not active.
pub(super) async fn writable(
    session: &mut Session,
    id: ConversationId,
    user: UserId,
) -> Result<(Standing, Pair)> {
    let standing = conversations::standing(session, id, user).await?;
    let standing = standing.ok_or(codes::NOT_FOUND)?;
    let mut ids = vec![user];
    ids.extend(standing.other_id);
    let mut found = people::people(session, &ids).await?;
    let at = found.iter().position(|person| person.user_id == user);
    let at = at.ok_or_else(|| Error::internal("a participant without an account"))?;
    let pair = Pair { sender: found.swap_remove(at), recipient: found.pop() };
    if let Some(other) = &pair.recipient {
        if other.status != UserStatus::Active {
            return Err(codes::RECIPIENT_UNAVAILABLE.into());
        }
        let through_agent =
            matches!(standing.kind, ConversationKind::Representation | ConversationKind::Agency);
        if through_agent {
            let (job, other) = (standing.job_id, other.user_id);
            if !conversations::still_represented(session, user, other, job).await? {
                return Err(codes::CONVERSATION_CLOSED.into());
            }
        }
    }
    Ok((standing, pair))
}

/// Fans read messages and can write only to the operators.
pub(super) fn refuse_fans(caller: &User) -> Result<()> {
    if caller.kind == UserKind::Fan {
        return Err(codes::FORBIDDEN.saying("Fans read messages and write only to support."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parties_and_agents_write_to_each_other() {
        use UserKind::{Agent, Athlete, Fan, Partner};
        for one in [Athlete, Partner, Agent, Fan] {
            for other in [Athlete, Partner, Agent, Fan] {
                let kind = kind_between(one, other);
                assert_eq!(kind, kind_between(other, one), "{one} {other}");
                let never = one == other || one == Fan || other == Fan;
                assert_eq!(kind.is_none(), never, "{one} {other}");
            }
        }
    }
}
