//! Athletes who came to an institution with an agent, as a trigger lists them.

use crate::error::Result;
use crate::kernel::{AthleteId, Time};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{Session, sql};

/// A page of them, the earliest first.
pub async fn page(session: &mut Session, until: Time, behind: Behind) -> Result<Page<AthleteId>> {
    const DUE: &str =
        due_ids!("athlete_enrolment", "enrolled_at", "athlete_id", "enrolled_at <= $1");
    due::ids(session, DUE, until, behind).await
}

/// Takes an athlete off the list; the time of enrolment, unless another worker was faster.
pub async fn take(session: &mut Session, athlete: AthleteId) -> Result<Option<Time>> {
    let row: Option<(Time,)> = session
        .first(
            sql("DELETE FROM athlete_enrolment WHERE athlete_id = $1 RETURNING enrolled_at")
                .bind(athlete),
        )
        .await?;
    Ok(row.map(|(at,)| at))
}
