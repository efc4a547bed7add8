//! What a search for jobs asks for.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deadline::Deadline;
use super::words::{Compensation, JobKind, MediaPlatform};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{CategoryId, Cents, CollegeId, Many, SportId, Text};

vocabulary! {
    /// The order of jobs.
    JobSort {
        /// Best match first; without words the newest first. The newest 100 matches are sorted so,
        /// and those behind them until the end of a page; older ones follow, newest first.
        Relevance = "relevance",
        /// Newest first.
        Newest = "-created_at",
        /// Oldest first.
        Oldest = "created_at",
        /// Lowest amount first.
        AmountUp = "amount_cents",
        /// Highest amount first.
        AmountDown = "-amount_cents",
        /// First to close first; without a deadline last.
        DeadlineUp = "application_deadline",
        /// Last to close first; without a deadline last.
        DeadlineDown = "-application_deadline",
    }
}

/// The jobs to search.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SearchJobs {
    /// The order (default `relevance` with `q`, else `-created_at`).
    pub sort: Option<JobSort>,
    /// Words of the title or the description. A job must contain all of them; the last one may be
    /// the beginning of a word. Accents and case do not count.
    pub q: Option<Text<0, 200>>,
    /// In these categories.
    pub category_ids: Option<Many<CategoryId, 1, 100>>,
    /// Open to athletes of one of these sports.
    pub sport_ids: Option<Many<SportId, 1, 100>>,
    /// Open to athletes of one of these universities.
    pub university_ids: Option<Many<CollegeId, 1, 100>>,
    /// With one of these kinds of compensation.
    pub compensation: Option<Many<Compensation, 1, 6>>,
    /// Paying at least this much.
    pub min_amount_cents: Option<Cents>,
    /// Of these kinds.
    pub kinds: Option<Many<JobKind, 1, 4>>,
    /// With a milestone on one of these platforms.
    pub platforms: Option<Many<MediaPlatform, 1, 12>>,
    /// Closing by then.
    pub deadline_before: Option<Deadline>,
    /// Only jobs that the calling athlete may apply to.
    pub is_eligible: Option<bool>,
    /// Whether `total` must be exact up to 10,000. Without it, counting stops at most 100 records
    /// behind the page.
    pub exact_total: Option<bool>,
}
