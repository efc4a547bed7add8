//! Resolves the filter of a caller: their institution, the sports that they are limited to, the
//! days of a named period.

use chrono_tz::Tz;

use super::filter::{Filter, Wanted};
use super::rollup::keeping;
use super::rollup::store::rollup;
use super::store::zone;
use crate::auth::PortalUser;
use crate::error::{Error, Result};
use crate::kernel::{Many, day_in};
use crate::operation::Cx;
use crate::storage::Session;

impl Wanted {
    /// Resolves the caller's filter. 422 for a period that ends before it begins, or that is given
    /// twice.
    pub(super) async fn of(
        cx: &Cx<PortalUser>,
        session: &mut Session,
        filter: Filter,
    ) -> Result<Self> {
        let zone = zone(session, cx.caller.college_id).await?;
        Self::resolved(cx, zone, filter)
    }

    /// Resolves the caller's filter for figures that add up, and opens the session to read them.
    /// First adds to the rollup what is noted for it, if the filter allows for the rollup. 422 for
    /// a period that ends before it begins, or that is given twice.
    pub(super) async fn summing(cx: &Cx<PortalUser>, filter: Filter) -> Result<(Session, Self)> {
        let college = cx.caller.college_id;
        let mut session = cx.read().await?;
        let mut standing =
            rollup::standing(&mut session, college, keeping::CLOCKS, keeping::MOST).await?;
        if !standing.is_right() && cx.facts().behind().is_some() {
            // A replica may not know what has been added: what to add is asked of the primary.
            drop(session);
            session = cx.read_now_instead().await?;
            standing =
                rollup::standing(&mut session, college, keeping::CLOCKS, keeping::MOST).await?;
        }
        let mut wanted = Self::resolved(cx, standing.zone(), filter)?;
        wanted.rollup = Some(standing.extent());
        if standing.is_right() {
            return Ok((session, wanted));
        }
        if wanted.whole_months().is_none() {
            // Not even for the period before, which may be of whole months.
            wanted.rollup = None;
            return Ok((session, wanted));
        }
        // Nobody holds a connection while waiting for another.
        drop(session);
        if !keeping::catch_up(cx.platform().db(), college, &standing).await {
            wanted.rollup = None;
        }
        Ok((cx.read_now().await?, wanted))
    }

    fn resolved(cx: &Cx<PortalUser>, zone: Tz, filter: Filter) -> Result<Self> {
        let now = cx.now();
        let (from, to) = match filter.preset {
            Some(_) if filter.from.or(filter.to).is_some() => {
                return Err(Error::invalid("preset", "cannot be combined with `from` or `to`"));
            }
            Some(preset) => preset.days(day_in(now, zone)),
            None => (filter.from, filter.to),
        };
        if from.zip(to).is_some_and(|(from, to)| to < from) {
            return Err(Error::invalid("to", "must not be before `from`"));
        }
        Ok(Self {
            college: cx.caller.college_id,
            limited_to: cx.caller.sports.clone(),
            zone,
            now,
            from,
            to,
            sports: Many::or_none(filter.sport_ids),
            genders: Many::or_none(filter.genders),
            athletes: Many::or_none(filter.athlete_ids),
            categories: Many::or_none(filter.category_ids),
            sources: Many::or_none(filter.sources),
            statuses: Many::or_none(filter.statuses),
            flags: Many::or_none(filter.flags),
            least: filter.min_cents,
            most: filter.max_cents,
            words: filter.q.as_deref().filter(|words| !words.trim().is_empty()).map(str::to_owned),
            named: None,
            rollup: None,
        })
    }
}
