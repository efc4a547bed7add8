//! The rows of enrolments, and the deadlines that depend on them.

use crate::disclosures::due::School;
use crate::disclosures::entrance::{Enrolment, Entrance, EntryKind, SetEnrolment};
use crate::error::Result;
use crate::institutions::{Division, Participation};
use crate::kernel::{AthleteId, CollegeId, Date, DisclosedJobId, Time};
use crate::storage::{FromRow, Session, insert, sql, update};

const COLUMNS: &[&str] =
    &["college_id", "kind", "enrolled_on", "counts_from", "first_contest_on", "updated_at"];

/// Whether the athlete enrolled at another institution on this day.
pub async fn is_taken(
    session: &mut Session,
    athlete: AthleteId,
    college: CollegeId,
    day: Date,
) -> Result<bool> {
    let others: i64 = session
        .value(
            sql("SELECT COUNT(*) FROM athlete_entry \
                 WHERE athlete_id = $1 AND college_id <> $2 AND enrolled_on = $3")
            .bind(athlete)
            .bind(college)
            .bind(day),
        )
        .await?;
    Ok(others > 0)
}

/// All enrolments of an athlete, the latest first: one for each institution.
pub async fn all(session: &mut Session, athlete: AthleteId) -> Result<Vec<Enrolment>> {
    session
        .all(
            sql("SELECT college_id, kind, enrolled_on, counts_from, first_contest_on, updated_at \
                 FROM athlete_entry WHERE athlete_id = $1 ORDER BY enrolled_on DESC")
            .bind(athlete),
        )
        .await
}

/// Keeps others from changing an institution until this transaction ends. Who changes it has those
/// athletes weighed again that are enrolled there then: one who is just enrolling is among them.
pub async fn share_college(session: &mut Session, college: CollegeId) -> Result<()> {
    let held = sql("SELECT id FROM college WHERE id = $1").bind(college).locking("FOR SHARE");
    session.one::<(CollegeId,)>(held).await.map(drop)
}

/// Saves an athlete's enrolment at an institution. The athlete is locked, the institution shared.
pub async fn save(
    session: &mut Session,
    (athlete, college): (AthleteId, CollegeId),
    given: &SetEnrolment,
    now: Time,
) -> Result<Enrolment> {
    let row = insert("athlete_entry")
        .set("athlete_id", athlete)
        .set("college_id", college)
        .set("kind", given.kind)
        .set("enrolled_on", given.enrolled_on)
        .set("counts_from", given.counts_from)
        .set("first_contest_on", given.first_contest_on)
        .set("updated_at", now)
        .or_update(
            &["athlete_id", "college_id"],
            &["kind", "enrolled_on", "counts_from", "first_contest_on", "updated_at"],
        )
        .returning(COLUMNS);
    session.one(row).await
}

/// An enrolment with what is known of the institution.
#[derive(Debug, FromRow)]
struct Came {
    kind: EntryKind,
    division: Division,
    #[row(json)]
    participation: Vec<Participation>,
    enrolled_on: Date,
    counts_from: Option<Date>,
    first_contest_on: Option<Date>,
}

/// The athlete's first enrolment after this day.
pub async fn first_after(
    session: &mut Session,
    athlete: AthleteId,
    day: Date,
) -> Result<Option<Entrance>> {
    let came: Option<Came> = session
        .first(
            sql("SELECT e.kind, s.division, s.participation, e.enrolled_on, e.counts_from, \
                 e.first_contest_on \
                 FROM athlete_entry e JOIN college s ON s.id = e.college_id \
                 WHERE e.athlete_id = $1 AND e.enrolled_on > $2 ORDER BY e.enrolled_on LIMIT 1")
            .bind(athlete)
            .bind(day),
        )
        .await?;
    Ok(came.map(|came| Entrance {
        kind: came.kind,
        school: School::on(came.enrolled_on, came.division, &came.participation),
        enrolled_on: came.enrolled_on,
        counts_from: came.counts_from,
        first_contest_on: came.first_contest_on,
    }))
}

/// Locks all disclosed jobs of an athlete, in id order.
pub async fn lock_disclosed(session: &mut Session, athlete: AthleteId) -> Result<()> {
    let held: Vec<(DisclosedJobId,)> = session
        .all(
            sql("SELECT id FROM disclosed_job WHERE athlete_id = $1 ORDER BY id")
                .bind(athlete)
                .locking("FOR UPDATE"),
        )
        .await?;
    drop(held);
    Ok(())
}

/// What the institution's deadline of a disclosed job depends on.
#[derive(Clone, Debug, FromRow)]
pub struct Deadline {
    pub id: DisclosedJobId,
    pub college_id: CollegeId,
    pub time_zone: String,
    pub signed_on: Date,
    pub due_at: Time,
}

/// The institutions' deadlines of an athlete's disclosed jobs.
pub async fn deadlines_of(session: &mut Session, athlete: AthleteId) -> Result<Vec<Deadline>> {
    session
        .all(
            sql("SELECT d.id, d.college_id, s.time_zone, d.signed_on, d.due_at FROM disclosed_job d \
                 JOIN college s ON s.id = d.college_id WHERE d.athlete_id = $1 ORDER BY d.id")
            .bind(athlete),
        )
        .await
}

/// Moves the institution's deadline.
pub async fn put_off(
    session: &mut Session,
    id: DisclosedJobId,
    due_at: Time,
    now: Time,
) -> Result<()> {
    session
        .change(update("disclosed_job").set("due_at", due_at).set("updated_at", now).when("id", id))
        .await
}
