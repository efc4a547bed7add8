//! Athletes who came to an institution with an agent, as a trigger lists them.

use crate::error::Result;
use crate::kernel::{AthleteId, Time};
use crate::schedule::due::{Behind, Page};
use crate::storage::{Session, sql};

/// A page of them, the earliest first.
pub async fn page(session: &mut Session, until: Time, behind: Behind) -> Result<Page<AthleteId>> {
    let rows: Vec<(Time, AthleteId)> = session
        .all(
            sql("SELECT enrolled_at, athlete_id FROM athlete_enrolment WHERE enrolled_at <= $1 \
                 AND (enrolled_at, athlete_id) > ($2, $3) ORDER BY enrolled_at, athlete_id LIMIT 500")
            .bind(until)
            .bind(behind.at)
            .bind(behind.id),
        )
        .await?;
    Ok(rows.into())
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
