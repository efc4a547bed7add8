//! Late and upcoming deadlines, by athlete.

use chrono::{Days, TimeDelta};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deadline::{AthleteDeadlines, DeadlineKind, Due};
use super::store::deadline as store;
use crate::auth::PortalUser;
use crate::error::Result;
use crate::kernel::{
    AthleteId, CollegeId, Date, Followed, Listing, Many, SportId, Time, day_in, end_of_day,
};
use crate::operation::Cx;
use crate::storage::Session;

/// Filters for deadlines.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ListDeadlines {
    /// Only of these kinds.
    pub kinds: Option<Many<DeadlineKind, 0, 4>>,
    /// Only of these athletes.
    pub athlete_ids: Option<Many<AthleteId, 0, 500>>,
    /// Only of athletes of these sports.
    pub sport_ids: Option<Many<SportId, 0, 100>>,
    /// The last day to include, at the institution (default: two weeks from today). Late items are
    /// always included.
    pub to: Option<Date>,
    /// Only late items.
    pub late: Option<bool>,
}

/// Lists late and upcoming deadlines of the institution's athletes, the athlete with the earliest
/// deadline first. Callers limited to certain sports see only those.
pub async fn list(
    cx: Cx<PortalUser>,
    input: Followed<ListDeadlines>,
) -> Result<Listing<AthleteDeadlines>> {
    let (input, place) = cx.place(input)?;
    let mut session = cx.read().await?;
    let until = until(&mut session, cx.caller.college_id, input.to, cx.now()).await?;
    let due = Due {
        caller: cx.caller.clone(),
        kinds: Many::or_none(input.kinds),
        athletes: Many::or_none(input.athlete_ids),
        sports: Many::or_none(input.sport_ids),
        until,
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

/// The end of the last day to include, at the institution: two weeks from today if none is given.
pub(crate) async fn until(
    session: &mut Session,
    college: CollegeId,
    last: Option<Date>,
    now: Time,
) -> Result<Time> {
    let zone = super::store::zone(session, college).await?;
    let today = day_in(now, zone);
    let in_two_weeks = today.checked_add_days(Days::new(14)).unwrap_or(today);
    Ok(end_of_day(last.unwrap_or(in_two_weeks), zone) + TimeDelta::seconds(1))
}
