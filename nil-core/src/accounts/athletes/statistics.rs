//! An athlete's track record: completed deals.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::CategoryId;
use crate::storage::FromRow;

/// An athlete's completed deals in one category.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct CategoryCount {
    /// The category of jobs.
    pub category_id: CategoryId,
    /// Its name.
    pub name: String,
    /// Completed deals in it.
    pub deals: i64,
}

/// An athlete's track record on the platform; public.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Statistics {
    /// Completed deals.
    pub deals_completed: i64,
    /// Share of approved deliverables handed in by their due date, in basis points; null if there
    /// are none.
    pub on_time_rate: Option<i64>,
    /// Completed deals by category of job, most first.
    pub categories: Vec<CategoryCount>,
}
