//! The queries of the figures, mostly on `college_transaction`, which database triggers maintain.

pub(super) mod application;
pub(super) mod athlete;
pub(super) mod comparable;
pub(super) mod deadline;
pub(super) mod export;
pub(super) mod filter;
pub(super) mod public_record;
pub(super) mod publishing;
pub(super) mod trail;
pub(super) mod transaction;

use chrono_tz::Tz;

use crate::error::Result;
use crate::kernel::{CategoryId, CollegeId, SportId, zone_or_last};
use crate::storage::{FromRow, Session, sql};

/// The time zone of an institution.
pub(super) async fn zone(session: &mut Session, college: CollegeId) -> Result<Tz> {
    let zone: String =
        session.value(sql("SELECT time_zone FROM college WHERE id = $1").bind(college)).await?;
    Ok(zone_or_last(Some(&zone)))
}

/// A sport and its name.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Sport {
    pub(super) id: SportId,
    pub(super) name: String,
}

/// The active sports, in their order.
pub(super) async fn sports(session: &mut Session) -> Result<Vec<Sport>> {
    session.all(sql("SELECT id, name FROM sport WHERE active ORDER BY position, id")).await
}

/// A category of jobs and its name.
#[derive(Clone, Debug, FromRow)]
pub(super) struct Category {
    pub(super) id: CategoryId,
    pub(super) name: String,
    pub(super) active: bool,
}

/// Every category of jobs, in their order.
pub(super) async fn categories(session: &mut Session) -> Result<Vec<Category>> {
    session.all(sql("SELECT id, name, active FROM job_category ORDER BY position, id")).await
}

/// A sport's name, active or not.
pub(super) async fn sport_name(session: &mut Session, id: SportId) -> Result<String> {
    session.value(sql("SELECT name FROM sport WHERE id = $1").bind(id)).await
}

/// A category's name, active or not.
pub(super) async fn category_name(session: &mut Session, id: CategoryId) -> Result<String> {
    session.value(sql("SELECT name FROM job_category WHERE id = $1").bind(id)).await
}
