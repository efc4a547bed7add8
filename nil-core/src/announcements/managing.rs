//! Operators write announcements and the groups they are for.

use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::Deserialize;

use super::announcement::{Announcement, AnnouncementEvent, AnnouncementGroup, AnnouncementStatus};
use super::audience::{Audience, AudienceKind};
use super::store::announcement::{self as store, Change, Draft, Wanted};
use super::store::group as groups;
use crate::auth::Operator;
use crate::editorial;
use crate::error::{Error, Result, codes};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{
    AnnouncementGroupId, AnnouncementId, CollegeId, Edit, Listing, Machine as _, Many, Paged,
    SportId, Text, Time, ZeroOr,
};
use crate::operation::{Cx, Done, Work};
use crate::schedule::Task;

/// How long an announcement runs that is given no end.
const USUAL_LENGTH: TimeDelta = TimeDelta::days(30);
/// How long one can run.
const LONGEST: TimeDelta = TimeDelta::days(366);

vocabulary! {
    /// How announcements are ordered.
    AnnouncementSort {
        /// Oldest first.
        Oldest = "created_at",
        /// Newest first.
        Newest = "-created_at",
    }
}

/// An announcement to write (without `id`) or to change. What is left out of a change stays.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveAnnouncement {
    /// The announcement to change; none writes a new one.
    pub id: Option<AnnouncementId>,
    /// What stands above it; required for a new one.
    pub title: Option<Text<1, 200>>,
    /// The text; required for a new one. Plain, or HTML, of which only what can do no harm is kept.
    pub body: Option<Text<1, 20_000>>,
    /// The group it is for; null: everybody. It stays as it is once published.
    #[serde(default)]
    pub group_id: Edit<AnnouncementGroupId>,
    /// When it begins: in the future it waits, else it is published at once. Without a beginning, or
    /// with null, it is a draft. It stays as it is once published.
    #[serde(default)]
    pub starts_at: Edit<Time>,
    /// When it ends, a year after its beginning at most; 30 days after it where nothing is said.
    #[serde(default)]
    pub ends_at: Edit<Time>,
    /// True takes it back for good and changes nothing else.
    pub withdraw: Option<bool>,
}

/// A group to make (without `id`) or to change. What is left out of a change stays; a new group
/// without any condition is everybody.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveGroup {
    /// The group to change; none makes a new one.
    pub id: Option<AnnouncementGroupId>,
    /// What operators call it.
    pub name: Text<1, 120>,
    /// People of these kinds; empty: of every kind.
    pub kinds: Option<Many<AudienceKind, 0, 5>>,
    /// Of these universities; empty: of any, and those who have none.
    pub university_ids: Option<Many<CollegeId, 0, 500>>,
    /// Athletes of these sports; empty: of any, and all other people.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
}

/// Which announcements.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListAll {
    /// 0 for all, or the one announcement's id.
    pub id: ZeroOr<AnnouncementId>,
    /// The order (default newest first).
    pub sort: Option<AnnouncementSort>,
    /// Part of the title.
    pub q: Option<Text<0, 100>>,
    /// Only those that stand so.
    pub status: Option<AnnouncementStatus>,
}

/// Which groups.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListGroups {
    /// 0 for all, or the one group's id.
    pub id: ZeroOr<AnnouncementGroupId>,
    /// Part of the name.
    pub q: Option<Text<0, 100>>,
}

/// Announcements, newest first. 404 for an unknown id.
pub async fn list(cx: Cx<Operator>, input: Paged<ListAll>) -> Result<Listing<Announcement>> {
    let (input, paging) = input.parts();
    let wanted = Wanted { id: input.id.one()?, status: input.status, q: input.q.as_deref() };
    let sort = input.sort.unwrap_or(AnnouncementSort::Newest);
    let mut session = cx.read().await?;
    input.id.found(store::page(&mut session, &wanted, sort, paging).await?)
}

/// Groups, by name. 404 for an unknown id.
pub async fn list_groups(
    cx: Cx<Operator>,
    input: Paged<ListGroups>,
) -> Result<Listing<AnnouncementGroup>> {
    let (input, paging) = input.parts();
    let mut session = cx.read().await?;
    let (id, q) = (input.id.one()?, input.q.as_deref());
    input.id.found(groups::page(&mut session, id, q, paging).await?)
}

/// Makes or changes a group. Announcements that wait for their beginning follow it, those that are
/// published do not. 404 for an unknown id, 409 `duplicate` for a name that is taken, 422 for
/// universities or sports that do not exist.
pub async fn save_group(cx: Cx<Operator>, input: SaveGroup) -> Result<Done<AnnouncementGroup>> {
    let mut work = cx.begin().await?;
    let mut audience = match input.id {
        None => Audience::default(),
        Some(id) => {
            let found = groups::find(&mut work, id).await?;
            found.ok_or(codes::NOT_FOUND)?.audience
        }
    };
    if let Some(kinds) = input.kinds {
        audience.kinds = kinds.into_vec();
    }
    if let Some(ids) = input.university_ids {
        if !groups::colleges_exist(&mut work, &ids).await? {
            return Err(Error::invalid("university_ids", "hold one that does not exist"));
        }
        audience.university_ids = ids.into_vec();
    }
    if let Some(ids) = input.sport_ids {
        if !groups::sports_exist(&mut work, &ids).await? {
            return Err(Error::invalid("sport_ids", "hold one that does not exist"));
        }
        audience.sport_ids = ids.into_vec();
    }
    let now = cx.now();
    let (group, action) = match input.id {
        None => (groups::add(&mut work, &input.name, &audience, now).await?, "created"),
        Some(id) => (groups::change(&mut work, id, &input.name, &audience, now).await?, "changed"),
    };
    work.note(group.id, action);
    work.done(group).await
}

/// Writes, changes, publishes or takes back an announcement (payloads: Admin, messaging: it goes out
/// at `starts_at`). What is published can be corrected in its words and its end; whoever was told
/// before is not told again. 404 for an unknown id, 409 where it has ended or was taken back, and
/// where the group or the beginning of a published one would change.
pub async fn save(cx: Cx<Operator>, input: SaveAnnouncement) -> Result<Done<Announcement>> {
    let mut work = cx.begin().await?;
    let now = cx.now();
    let before = match input.id {
        None => None,
        Some(id) => {
            let held = store::hold(&mut work, id).await?.ok_or(codes::NOT_FOUND)?;
            Some(held.announcement)
        }
    };
    if input.withdraw == Some(true) {
        let before = before.ok_or_else(|| Error::invalid("id", "is needed to take it back"))?;
        move_on(&mut work, &before, AnnouncementEvent::Withdraw).await?;
        let after = store::one(&mut work, before.id).await?.announcement;
        return work.done(after).await;
    }
    let draft = drafted(&input, before.as_ref(), now)?;
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
    work.note(id, action);
    let event = event(status, wanted(draft.starts_at, now));
    let moved = event.map(|event| status.on(event)).transpose()?;
    let publishes = moved.is_some_and(|moved| moved.to() == AnnouncementStatus::Published);
    if before.is_some() || moved.is_some() {
        let change =
            Change { draft: Some(draft), moved, published_for: publishes.then_some(audience) };
        store::change(&mut work, id, change, now).await?;
    }
    if let Some(moved) = moved {
        work.note(id, moved.to().as_str());
    }
    let after = store::one(&mut work, id).await?.announcement;
    let done = work.done(after).await?;
    if publishes {
        cx.platform().chores().is_left(Task::Announcements);
        cx.platform().bells().announcements.notify_one();
    }
    Ok(done)
}

/// What the announcement will say. Whatever may not change any more is 409.
fn drafted(input: &SaveAnnouncement, before: Option<&Announcement>, now: Time) -> Result<Draft> {
    let title = match (&input.title, before) {
        (Some(title), _) => title.to_string(),
        (None, Some(before)) => before.title.clone(),
        (None, None) => return Err(Error::invalid("title", "is required")),
    };
    let body = match (&input.body, before) {
        (Some(body), _) => editorial::shown("body", body)?,
        (None, Some(before)) => before.body.clone(),
        (None, None) => return Err(Error::invalid("body", "is required")),
    };
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
                let sentence = "It is published: whom it is for and its beginning stay.";
                return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
            }
        }
        Some(over @ (AnnouncementStatus::Ended | AnnouncementStatus::Withdrawn)) => {
            let sentence = format!("An announcement that is `{over}` cannot be changed.");
            return Err(codes::ILLEGAL_TRANSITION.saying(sentence));
        }
    }
    if let Some(start) = draft.starts_at {
        let end = draft.ends_at.unwrap_or(start + USUAL_LENGTH);
        let wrong = if end <= start {
            Some("must be later than starts_at")
        } else if end <= now {
            Some("must lie in the future")
        } else if end - start > LONGEST {
            Some("must be 366 days after starts_at at most")
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

/// How an announcement with this beginning stands.
fn wanted(starts_at: Option<Time>, now: Time) -> AnnouncementStatus {
    match starts_at {
        None => AnnouncementStatus::Draft,
        Some(start) if start > now => AnnouncementStatus::Scheduled,
        Some(_) => AnnouncementStatus::Published,
    }
}

/// What has to happen for it to stand so.
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

/// Lets it happen, with its audit row. What is published is for its group as that is now.
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
