//! Late and upcoming deadlines, by athlete.

use chrono::{Days, TimeDelta};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::deadline as store;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, Date, Followed, Listing, Many, SportId, Time, day_in, end_of_day};
use crate::operation::Cx;
use crate::storage::FromRow;

vocabulary! {
    /// What is due.
    DeadlineKind {
        /// A disclosed job that waits for the athlete, or was submitted late and is undecided.
        DisclosedJob = "disclosed_job",
        /// A deliverable of an open contract.
        Deliverable = "deliverable",
        /// A deal that must be submitted to the clearinghouse.
        Clearance = "clearance",
        /// A notice of an agency contract that the athlete or the agent has not given the institution yet.
        AgentNotice = "agent_notice",
    }
}

/// Filters for deadlines.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListDeadlines {
    /// Only of these kinds.
    pub kinds: Option<Many<DeadlineKind, 0, 4>>,
    /// Only of these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// Only of athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// The last day to include, at the institution (default: two weeks from today). Late items are always
    /// included.
    pub to: Option<Date>,
    /// Only late items.
    pub late: Option<bool>,
}

/// A late or upcoming deadline.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct Deadline {
    /// What is due.
    pub kind: DeadlineKind,
    /// The record: a disclosed job, a deliverable, a clearance, a filing.
    pub id: i64,
    /// Its name.
    pub title: String,
    /// The deadline.
    pub due_at: Time,
    /// When it was first submitted, if it is still undecided.
    pub handed_in_at: Option<Time>,
    /// Whether it is late or was submitted late.
    pub late: bool,
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) athlete_id: AthleteId,
}

/// An athlete's late and upcoming deadlines.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
pub struct AthleteDeadlines {
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The display name.
    pub athlete: String,
    /// Their sport.
    pub sport_id: Option<SportId>,
    /// The sport's name.
    pub sport: Option<String>,
    /// How many are late.
    pub late: i64,
    /// How many are due and not late yet.
    pub due: i64,
    /// The earliest of the deadlines.
    pub first_due_at: Time,
    /// The deadlines, earliest first.
    #[row(skip)]
    pub items: Vec<Deadline>,
}

/// The request with its defaults filled in.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) caller: PortalUser,
    pub(super) kinds: Vec<DeadlineKind>,
    pub(super) athletes: Vec<AthleteId>,
    pub(super) sports: Vec<SportId>,
    pub(super) until: Time,
    pub(super) late_only: bool,
    pub(super) now: Time,
}

/// Lists late and upcoming deadlines of the institution's athletes, the athlete with the earliest deadline
/// first. Callers limited to certain sports see only those.
pub async fn list(
    cx: Cx<PortalUser>,
    input: Followed<ListDeadlines>,
) -> Result<Listing<AthleteDeadlines>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let zone = super::store::zone(&mut session, cx.caller.college_id).await?;
    let today = day_in(cx.now(), zone);
    let in_two_weeks = today.checked_add_days(Days::new(14)).unwrap_or(today);
    let due = Due {
        caller: cx.caller.clone(),
        kinds: Many::or_none(input.kinds),
        athletes: Many::or_none(input.athlete_ids),
        sports: Many::or_none(input.sport_ids),
        until: end_of_day(input.to.unwrap_or(in_two_weeks), zone) + TimeDelta::seconds(1),
        late_only: input.late.unwrap_or(false),
        now: cx.now(),
    };
    let mut page = store::athletes(&mut session, &due, place).await?;
    let ids: Vec<AthleteId> = page.items.iter().map(|athlete| athlete.athlete_id).collect();
    for item in store::of_athletes(&mut session, &due, &ids).await? {
        let whose = page.items.iter_mut().find(|athlete| athlete.athlete_id == item.athlete_id);
        if let Some(athlete) = whose {
            athlete.items.push(item);
        }
    }
    Ok(page)
}
