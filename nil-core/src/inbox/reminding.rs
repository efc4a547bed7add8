//! Who is reminded of an item of the inbox, and in which words.

use std::collections::{BTreeMap, BTreeSet};

use super::item_ref::InboxRef;
use super::store::handled::{Held, School};
use super::store::reader as store;
use crate::error::Result;
use crate::figures::DeadlineKind;
use crate::kernel::{UserId, day_in};
use crate::notifications::Event;
use crate::notifications::outbox::{Message, Recipient};
use crate::operation::Work;
use crate::wording;

/// Somebody whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reader {
    user: UserId,
    is_brand: bool,
}

/// Those whose turn it is, for each item.
pub(super) async fn readers(
    work: &mut Work,
    items: impl Iterator<Item = &Held> + Clone,
) -> Result<BTreeMap<InboxRef, Vec<Reader>>> {
    let of_kind = |kind| items.clone().filter(move |held| held.kind == kind);
    let side: Vec<&Held> =
        items.clone().filter(|held| held.kind != DeadlineKind::AgentNotice).collect();
    let athletes: BTreeSet<i64> = side.iter().map(|held| held.athlete_id.get()).collect();
    let sides = store::sides(work, &athletes).await?;
    let clearances: BTreeSet<i64> = of_kind(DeadlineKind::Clearance).map(|held| held.id).collect();
    let brands = store::asked_brands(work, &clearances).await?;
    let filings: BTreeSet<i64> = of_kind(DeadlineKind::AgentNotice).map(|held| held.id).collect();
    let silent = store::silent_sides(work, &filings).await?;
    let mut readers: BTreeMap<InboxRef, Vec<Reader>> = BTreeMap::new();
    let party = |user: UserId| Reader { user, is_brand: false };
    for held in side {
        let own = sides.iter().filter(|(athlete, _)| *athlete == held.athlete_id.get());
        readers.entry(held.name()).or_default().extend(own.map(|(_, user)| party(*user)));
    }
    for (id, user) in brands {
        let item = InboxRef { kind: DeadlineKind::Clearance, id };
        readers.entry(item).or_default().push(Reader { user, is_brand: true });
    }
    for (id, user) in silent {
        let item = InboxRef { kind: DeadlineKind::AgentNotice, id };
        readers.entry(item).or_default().push(party(user));
    }
    Ok(readers)
}

/// Reminds them.
pub(super) fn tell(work: &mut Work, school: &School, held: &Held, readers: &[Reader]) {
    let now = work.now();
    let timing = held.due_at.map_or_else(
        || "It has no deadline.".to_owned(),
        |due_at| {
            let day = wording::day(day_in(due_at, school.zone()));
            let verb = if due_at < now { "was" } else { "is" };
            format!("It {verb} due by {day}.")
        },
    );
    let field = match held.kind {
        DeadlineKind::DisclosedJob => "disclosed_job_id",
        DeadlineKind::Deliverable => "deliverable_id",
        DeadlineKind::Clearance => "clearance_id",
        DeadlineKind::AgentNotice => "disclosure_id",
    };
    for reader in readers {
        let task = if reader.is_brand {
            "Please say whether you are associated with the institution."
        } else {
            task(held)
        };
        let message = Message::new(Event::DeadlineReminded, Recipient::User(reader.user))
            .with("college_name", school.name.clone())
            .with("athlete_name", held.athlete_name.clone())
            .with("item_title", held.title.clone())
            .with("task", task)
            .with("timing", timing.clone())
            .with(field, held.id);
        work.send(message);
    }
}

/// What the athlete, or their agent, has to do.
fn task(held: &Held) -> &'static str {
    match (held.kind, held.status.as_str()) {
        (DeadlineKind::DisclosedJob, "rejected") => {
            "Correct the disclosure and submit it again, or withdraw it."
        }
        (DeadlineKind::DisclosedJob, _) => {
            "Add what your institution has asked about the deal, and submit it again."
        }
        (DeadlineKind::Deliverable, _) => "The work has not been handed in yet.",
        (DeadlineKind::Clearance, "flagged") => {
            "Answer the clearinghouse's questions, and submit the deal again."
        }
        (DeadlineKind::Clearance, _) => "Complete the packet, and submit it to the clearinghouse.",
        (DeadlineKind::AgentNotice, _) => "Your notice to the institution is missing.",
    }
}
