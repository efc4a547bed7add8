//! Operators manage rosters.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::positions::changed_places;
use super::roster::{MOST, Roster, RosterSort, RosterStatus};
use super::store::{self, Draft, Wanted};
use crate::auth::Operator;
use crate::error::{Error, Result};
use crate::kernel::{
    AllOr, AthleteId, CollegeId, Edit, Listing, Many, Paged, PartnerId, Revision, RosterId, Slug,
    Text, Title, ZeroOr,
};
use crate::operation::{Cx, Done, Revisable as _, Revised, Work};
use crate::storage::Session;

/// Selects rosters.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ListRosters {
    /// `all`, `published` or `draft`.
    pub status: AllOr<RosterStatus>,
    /// 0 for all, or the one roster's id.
    pub id: ZeroOr<RosterId>,
    /// The order (default newest first).
    pub sort: Option<RosterSort>,
    /// Part of the title or of the URL name.
    pub q: Option<Text<0, 100>>,
}

/// A roster to create (without `id`) or to change. Its owner is a college, a brand or none.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SaveRoster {
    /// The roster to change; omit it to create one, which stays unpublished until it is published.
    pub id: Option<RosterId>,
    /// The title.
    pub title: Title<200>,
    /// The URL name. Default: for a new roster derived from the title, otherwise unchanged.
    pub slug: Option<Slug>,
    /// The college that owns it; null: none. Omit it to keep the current one.
    #[serde(default)]
    pub college_id: Edit<CollegeId>,
    /// The brand that owns it; null: none. Omit it to keep the current one.
    #[serde(default)]
    #[schemars(extend("examples" = [null]))]
    pub partner_id: Edit<PartnerId>,
    /// The revision that the caller has seen; 409 `state_changed` if the roster has another one.
    pub revision: Option<Revision>,
}

/// Athletes to put on a roster.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct AddAthletes {
    /// The roster.
    pub roster_id: RosterId,
    /// The athletes, in their order.
    pub athlete_ids: Many<AthleteId, 1, 300>,
    /// The position of the first of them, from 1: all of them move there together, including those
    /// already on the roster. Without it, new athletes are added at the end and all others keep
    /// their positions.
    pub position: Option<i64>,
}

/// Athletes to remove from a roster.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RemoveAthletes {
    /// The roster.
    pub roster_id: RosterId,
    /// The athletes; those who are not on it are ignored.
    pub athlete_ids: Many<AthleteId, 1, 300>,
}

/// Publishes or unpublishes a roster.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct SetPublished {
    /// The roster.
    pub roster_id: RosterId,
    /// Whether everyone can see it.
    pub published: bool,
}

/// A URL name to check.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CheckUrl {
    /// The name.
    pub slug: Slug,
    /// The roster it is for; its own name counts as available.
    pub roster_id: Option<RosterId>,
}

/// Whether a name is available.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct UrlChecked {
    /// Whether no other roster has it.
    pub available: bool,
}

/// Lists rosters, newest first; with an id, the one roster with its athletes. 422 for an unknown
/// status, 404 for an unknown id.
pub async fn list(cx: Cx<Operator>, input: Paged<ListRosters>) -> Result<Listing<Revised<Roster>>> {
    let (input, paging) = input.parts();
    let id = input.id.one()?;
    let wanted = Wanted { id, status: input.status.one(), college: None, q: input.q.as_deref() };
    let mut session = cx.read().await?;
    let sort = input.sort.unwrap_or(RosterSort::Newest);
    let page = input.id.found(store::page(&mut session, &wanted, sort, paging).await?)?;
    let athletes = match id {
        Some(id) => Some(store::athletes(&mut session, id).await?),
        None => None,
    };
    Ok(page.map(|row| row.for_operators(cx.platform(), athletes.clone()).into()))
}

/// Creates or changes a roster. 404 for an unknown id, 409 `duplicate` for a URL name that is
/// taken, 422 for two owners or an unknown one.
pub async fn save(cx: Cx<Operator>, input: SaveRoster) -> Result<Done<Revised<Roster>>> {
    let (college, partner) = owner(&input)?;
    let mut work = cx.begin().await?;
    if let Edit::Set(id) = college
        && !store::college_exists(&mut work, id).await?
    {
        return Err(Error::invalid("college_id", "does not exist"));
    }
    if let Edit::Set(id) = partner
        && !store::partner_exists(&mut work, id).await?
    {
        return Err(Error::invalid("partner_id", "does not exist"));
    }
    let draft = Draft {
        title: input.title.to_string(),
        slug: match (input.id, input.slug) {
            (None, None) => Some(Slug::of_name(&input.title, "roster")),
            (_, given) => given,
        },
        college,
        partner,
    };
    let Some(id) = input.id else {
        let id = store::add(&mut work, draft, cx.now()).await?;
        let roster = view(&mut work, &cx, id).await?;
        work.note_change(id, "created", None, roster.content());
        return work.done(roster.into()).await;
    };
    store::lock(&mut work, id).await?;
    let before = view(&mut work, &cx, id).await?;
    work.as_seen(id, &before, input.revision.as_ref()).await?;
    store::change(&mut work, id, draft, cx.now()).await?;
    let roster = view(&mut work, &cx, id).await?;
    work.note_change(id, "changed", before.content(), roster.content());
    work.done(roster.into()).await
}

/// The new values of the two owner columns: setting one clears the other.
fn owner(input: &SaveRoster) -> Result<(Edit<CollegeId>, Edit<PartnerId>)> {
    match (input.college_id.clone(), input.partner_id.clone()) {
        (Edit::Set(_), Edit::Set(_)) => Err(Error::invalid(
            "partner_id",
            "cannot be given with college_id: a roster has at most one owner",
        )),
        (college @ Edit::Set(_), _) => Ok((college, Edit::Clear)),
        (_, partner @ Edit::Set(_)) => Ok((Edit::Clear, partner)),
        both => Ok(both),
    }
}

/// Adds athletes to a roster; those already on it are not added twice. Unlisted athletes can be
/// added, but are hidden while they are unlisted. 404 for an unknown roster, 422 for unknown
/// athletes and for more than 300 on one roster.
pub async fn add_athletes(cx: Cx<Operator>, input: AddAthletes) -> Result<Done<Roster>> {
    let mut work = cx.begin().await?;
    let id = input.roster_id;
    store::lock(&mut work, id).await?;
    let unknown = store::unknown_athletes(&mut work, &input.athlete_ids).await?;
    if !unknown.is_empty() {
        let unknown: Vec<String> = unknown.iter().map(ToString::to_string).collect();
        let sentence = format!("do not exist: {}", unknown.join(", "));
        return Err(Error::invalid("athlete_ids", sentence));
    }
    let current = store::places(&mut work, id).await?;
    let position = input.position.map(usize::try_from).transpose();
    let position = position.ok().filter(|place| *place != Some(0));
    let position = position.ok_or_else(|| Error::invalid("position", "must be 1 or more"))?;
    let changed = changed_places(&current, &input.athlete_ids, position);
    let new = |athlete: &AthleteId| current.iter().all(|(there, _)| there != athlete);
    let new: Vec<AthleteId> = changed.iter().map(|(id, _)| *id).filter(new).collect();
    if current.len() + new.len() > MOST {
        let sentence = format!("are too many: a roster holds at most {MOST} athletes");
        return Err(Error::invalid("athlete_ids", sentence));
    }
    if !changed.is_empty() {
        store::place(&mut work, id, &changed, cx.now()).await?;
        let after = json!({ "athlete_ids": new, "position": input.position });
        work.note_change(id, "athletes_added", None, after);
    }
    let roster = view(&mut work, &cx, id).await?;
    work.done(roster).await
}

/// Removes athletes from a roster. 404 for an unknown roster.
pub async fn remove_athletes(cx: Cx<Operator>, input: RemoveAthletes) -> Result<Done<Roster>> {
    let mut work = cx.begin().await?;
    let id = input.roster_id;
    store::lock(&mut work, id).await?;
    if store::remove(&mut work, id, &input.athlete_ids, cx.now()).await? {
        let before = json!({ "athlete_ids": *input.athlete_ids });
        work.note_change(id, "athletes_removed", before, None);
    }
    let roster = view(&mut work, &cx, id).await?;
    work.done(roster).await
}

/// Publishes or unpublishes a roster; repeating it changes nothing. 404 for an unknown roster.
pub async fn set_published(cx: Cx<Operator>, input: SetPublished) -> Result<Done<Roster>> {
    let mut work = cx.begin().await?;
    let id = input.roster_id;
    store::lock(&mut work, id).await?;
    if store::publish(&mut work, id, input.published, cx.now()).await? {
        let action = if input.published { "published" } else { "unpublished" };
        work.note(id, action);
    }
    let roster = view(&mut work, &cx, id).await?;
    work.done(roster).await
}

/// Whether a roster can have this URL name. It may be taken by the time the roster is saved.
pub async fn check_url(cx: Cx<Operator>, input: CheckUrl) -> Result<UrlChecked> {
    let mut session = cx.read().await?;
    let holder = store::by_slug(&mut session, &input.slug).await?;
    Ok(UrlChecked { available: holder.is_none() || holder == input.roster_id })
}

async fn view(work: &mut Work, cx: &Cx<Operator>, id: RosterId) -> Result<Roster> {
    let session: &mut Session = work;
    let row = store::one(session, id).await?;
    let athletes = store::athletes(session, id).await?;
    Ok(row.for_operators(cx.platform(), Some(athletes)))
}
