//! Operators write announcements and define audience groups.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::announcement::{
    Announcement, AnnouncementEvent, AnnouncementGroup, AnnouncementStatus, ListGroups,
};
use super::audience::Audience;
use super::store::announcement::{self as store, Change, Draft, Wanted};
use super::store::group as groups;
use crate::accounts::MemberKind;
use crate::auth::Operator;
use crate::editorial;
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::{
    AgeSort, AnnouncementGroupId, AnnouncementId, CollegeId, Edit, Listing, Machine as _, Many,
    Paged, Revision, SportId, Text, Time, Title, ZeroOr,
};
use crate::notifications::outbox;
use crate::operation::{Cx, Done, Revisable, Revised, Work, without};
use crate::schedule::Task;

/// The default length of an announcement.
const USUAL_LENGTH: TimeDelta = TimeDelta::days(30);
/// The maximum length.
const LONGEST: TimeDelta = TimeDelta::days(366);

/// An announcement to create (without `id`) or to change. Omitted fields keep their values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveAnnouncement {
    /// The announcement to change; omit it to create one.
    pub id: Option<AnnouncementId>,
    /// The headline; required for a new one.
    pub title: Option<Title<200>>,
    /// The text; required for a new one. Plain text, or HTML, which is sanitised.
    pub body: Option<Text<1, 20_000>>,
    /// The audience group; null means everyone. Cannot be changed once published.
    #[serde(default)]
    pub group_id: Edit<AnnouncementGroupId>,
    /// When it starts: a future time schedules it, any other publishes it at once. Without a start,
    /// or with null, it is a draft. Cannot be changed once published.
    #[serde(default)]
    pub starts_at: Edit<Time>,
    /// When it ends, at most 366 days after its start; default: 30 days after its start.
    #[serde(default)]
    pub ends_at: Edit<Time>,
    /// True withdraws it permanently, with its messages that were not sent yet, and changes nothing
    /// else.
    pub withdraw: Option<bool>,
    /// The revision that the caller has seen; 409 `state_changed` if it has another one.
    pub revision: Option<Revision>,
}

/// A group to create (without `id`) or to change. Omitted fields keep their values; a new group
/// without any condition includes everyone.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveGroup {
    /// The group to change; omit it to create one.
    pub id: Option<AnnouncementGroupId>,
    /// The name, for operators.
    pub name: Text<1, 120>,
    /// Users of these kinds; empty means all kinds.
    pub kinds: Option<Many<MemberKind, 0, 5>>,
    /// Users of these universities; empty means any or none.
    pub university_ids: Option<Many<CollegeId, 0, 500>>,
    /// Athletes of these sports; empty means any sport, and all other users.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// The revision that the caller has seen; 409 `state_changed` if the group has another one.
    pub revision: Option<Revision>,
}

/// Selects announcements.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListAll {
    /// 0 for all, or the one announcement's id.
    pub id: ZeroOr<AnnouncementId>,
    /// The order (default newest first).
    pub sort: Option<AgeSort>,
    /// Part of the title.
    pub q: Option<Text<0, 100>>,
    /// Only announcements with this status.
    pub status: Option<AnnouncementStatus>,
}

/// Lists announcements, newest first. 404 for an unknown id.
pub async fn list(
    cx: Cx<Operator>,
    input: Paged<ListAll>,
) -> Result<Listing<Revised<Announcement>>> {
    let (input, paging) = input.parts();
    let wanted = Wanted { id: input.id.one()?, status: input.status, q: input.q.as_deref() };
    let sort = input.sort.unwrap_or(AgeSort::Newest);
    let mut session = cx.read().await?;
    let page = store::page(&mut session, &wanted, sort, paging).await?;
    Ok(input.id.found(page)?.map(Revised::from))
}

/// Lists groups by name. 404 for an unknown id.
pub async fn list_groups(
    cx: Cx<Operator>,
    input: Paged<ListGroups>,
) -> Result<Listing<Revised<AnnouncementGroup>>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let page = groups::page(&mut session, &input, paging).await?;
    Ok(input.id.found(page)?.map(Revised::from))
}

/// Creates or changes a group. Scheduled announcements follow the change, published ones do not.
/// 404 for an unknown id, 409 `duplicate` for a name that is taken, 422 for universities or sports
/// that do not exist.
pub async fn save_group(
    cx: Cx<Operator>,
    input: SaveGroup,
) -> Result<Done<Revised<AnnouncementGroup>>> {
    let mut work = cx.begin().await?;
    let before = match input.id {
        None => None,
        Some(id) => {
            let held = groups::find(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
            work.as_seen(id, &held, input.revision.as_ref()).await?;
            Some(held)
        }
    };
    let mut audience = before.as_ref().map(|held| held.audience.clone()).unwrap_or_default();
    if let Some(kinds) = input.kinds {
        audience.kinds = kinds.into_vec();
    }
    if let Some(ids) = input.university_ids {
        if !groups::colleges_exist(&mut work, &ids).await? {
            return Err(Error::invalid("university_ids", "contain an unknown university"));
        }
        audience.university_ids = ids.into_vec();
    }
    if let Some(ids) = input.sport_ids {
        if !groups::sports_exist(&mut work, &ids).await? {
            return Err(Error::invalid("sport_ids", "contain an unknown sport"));
        }
        audience.sport_ids = ids.into_vec();
    }
    let now = cx.now();
    let (group, action) = match input.id {
        None => (groups::add(&mut work, &input.name, &audience, now).await?, "created"),
        Some(id) => (groups::change(&mut work, id, &input.name, &audience, now).await?, "changed"),
    };
    let before = before.as_ref().map(Revisable::content);
    work.note_change(group.id, action, before, group.content());
    work.done(group.into()).await
}

/// Creates, changes, publishes or withdraws an announcement (payloads: Admin, messaging: it goes
/// out at `starts_at`). The text and the end of a published one can be corrected; recipients are
/// not notified again. 404 for an unknown id, 409 if it has ended or was withdrawn, and if the
/// group or the start of a published one would change.
pub async fn save(
    cx: Cx<Operator>,
    input: SaveAnnouncement,
) -> Result<Done<Revised<Announcement>>> {
    let body = match &input.body {
        Some(body) => Some(editorial::shown("body", body).await?),
        None => None,
    };
    let mut work = cx.begin().await?;
    let now = cx.now();
    let before = match input.id {
        None => None,
        Some(id) => {
            let held = store::lock(&mut work, id).await?.ok_or(codes::NOT_FOUND)?.announcement;
            work.as_seen(id, &held, input.revision.as_ref()).await?;
            Some(held)
        }
    };
    if input.withdraw == Some(true) {
        let before = before
            .ok_or_else(|| Error::invalid("id", "is required to withdraw an announcement"))?;
        move_on(&mut work, &before, AnnouncementEvent::Withdraw).await?;
        let stopped = outbox::withdraw(&mut work, before.id).await?;
        if stopped > 0 {
            let count = json!({ "messages": stopped });
            work.note_change(before.id, "messages_withdrawn", None, count);
        }
        let after = store::one(&mut work, before.id).await?.announcement;
        return work.done(after.into()).await;
    }
    let draft = drafted(&input, body, before.as_ref(), now)?;
    let audience = match draft.group_id {
        None => Audience::default(),
        Some(group) => {
            let found = groups::find(&mut work, group).await?;
            let found = found.ok_or_else(|| Error::invalid("group_id", "does not exist"))?;
            found.audience
        }
    };
    let (id, status, action) = match &before {
        None => {
            let id = store::add(&mut work, draft.clone(), now).await?;
            (id, AnnouncementStatus::Draft, "created")
        }
        Some(before) => (before.id, before.status, "changed"),
    };
    let event = event(status, wanted(draft.starts_at, now));
    let moved = event.map(|event| status.on(event)).transpose()?;
    let publishes = moved.is_some_and(|moved| moved.to() == AnnouncementStatus::Published);
    if before.is_some() || moved.is_some() {
        let change =
            Change { draft: Some(draft), moved, published_for: publishes.then_some(audience) };
        store::change(&mut work, id, change, now).await?;
    }
    let after = store::one(&mut work, id).await?.announcement;
    // The trail keeps no texts: they can be long.
    let told = |announcement: &Announcement| without(announcement.content(), &["body"]);
    work.note_change(id, action, before.as_ref().map(told), told(&after));
    if let Some(moved) = moved {
        work.note(id, moved.to().as_str());
    }
    let done = work.done(after.into()).await?;
    if publishes {
        cx.platform().chores().is_left(Task::Announcements);
        cx.platform().bells().announcements.notify_one();
    }
    Ok(done)
}

/// The resulting content of the announcement; 409 for a change that is no longer possible.
fn drafted(
    input: &SaveAnnouncement,
    body: Option<String>,
    before: Option<&Announcement>,
    now: Time,
) -> Result<Draft> {
    let title = input.title.as_deref().map(str::to_owned);
    let title = title.or_else(|| before.map(|before| before.title.clone()));
    let body = body.or_else(|| before.map(|before| before.body.clone()));
    let mut wrong = Wrong::default();
    wrong.needs("title", title.is_some());
    wrong.needs("body", body.is_some());
    wrong.refuse()?;
    let (title, body) = (title.unwrap_or_default(), body.unwrap_or_default());
    let kept = before.map(|before| (before.group_id, before.starts_at, before.ends_at));
    let (group_id, starts_at, ends_at) = kept.unwrap_or_default();
    let mut draft = Draft {
        title,
        body,
        group_id: input.group_id.clone().change().unwrap_or(group_id),
        starts_at: input.starts_at.clone().change().unwrap_or(starts_at),
        ends_at: input.ends_at.clone().change().unwrap_or(ends_at),
    };
    match before.map(|before| before.status) {
        None | Some(AnnouncementStatus::Draft | AnnouncementStatus::Scheduled) => {}
        Some(AnnouncementStatus::Published) => {
            if (draft.group_id, draft.starts_at) != (group_id, starts_at) {
                let sentence = "A published announcement keeps its group and its start.";
                return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
            }
        }
        Some(over @ (AnnouncementStatus::Ended | AnnouncementStatus::Withdrawn)) => {
            let sentence = format!("An announcement with status `{over}` cannot be changed.");
            return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
        }
    }
    if let Some(start) = draft.starts_at {
        let end = draft.ends_at.unwrap_or(start + USUAL_LENGTH);
        let wrong = if end <= start {
            Some("must be later than starts_at")
        } else if end <= now {
            Some("must be in the future")
        } else if end - start > LONGEST {
            Some("must be at most 366 days after starts_at")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            return Err(Error::invalid("ends_at", wrong));
        }
        draft.ends_at = Some(end);
    }
    Ok(draft)
}

/// The status of an announcement with this start.
fn wanted(starts_at: Option<Time>, now: Time) -> AnnouncementStatus {
    match starts_at {
        None => AnnouncementStatus::Draft,
        Some(start) if start > now => AnnouncementStatus::Scheduled,
        Some(_) => AnnouncementStatus::Published,
    }
}

/// The event that leads to the wanted status.
fn event(status: AnnouncementStatus, wanted: AnnouncementStatus) -> Option<AnnouncementEvent> {
    match (status, wanted) {
        (from, to) if from == to => None,
        (_, AnnouncementStatus::Draft) => Some(AnnouncementEvent::HoldBack),
        (_, AnnouncementStatus::Scheduled) => Some(AnnouncementEvent::Schedule),
        (_, AnnouncementStatus::Published) => Some(AnnouncementEvent::Publish),
        (_, AnnouncementStatus::Ended) => Some(AnnouncementEvent::End),
        (_, AnnouncementStatus::Withdrawn) => Some(AnnouncementEvent::Withdraw),
    }
}

/// Applies an event and adds the audit row. Publishing freezes the group's current audience.
pub(super) async fn move_on(
    work: &mut Work,
    announcement: &Announcement,
    event: AnnouncementEvent,
) -> Result<()> {
    let moved = announcement.status.on(event)?;
    let publishes = moved.to() == AnnouncementStatus::Published;
    let change = Change {
        draft: None,
        moved: Some(moved),
        published_for: publishes.then(|| announcement.audience.clone()),
    };
    let now = work.now();
    store::change(work, announcement.id, change, now).await?;
    work.note(announcement.id, moved.to().as_str());
    Ok(())
}
