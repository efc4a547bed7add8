//! The deals of an athlete, with what they are added up by.

use std::collections::HashMap;

use crate::disclosures::clearance::ClearanceStatus;
use crate::disclosures::due::School;
use crate::disclosures::entrance::{Entrance, EntryKind};
use crate::error::Result;
use crate::institutions::{Division, Participation};
use crate::kernel::{
    AthleteId, Cents, ClearanceId, CollegeId, ContractId, Date, DisclosedJobId, LAST_TIME,
    PartnerId, Time, UserId, zone_or_last,
};
use crate::schedule::due::{self, Behind, Page, due_ids};
use crate::storage::{FromRow, Session, sql};

/// A deal of an athlete, as it is added up for the clearinghouse.
#[derive(Clone, Debug, FromRow)]
pub struct Entry {
    pub id: ClearanceId,
    pub athlete_id: AthleteId,
    pub disclosed_job_id: Option<DisclosedJobId>,
    pub contract_id: Option<ContractId>,
    pub amount_cents: Cents,
    pub signed_on: Date,
    /// Not if it was withdrawn.
    pub counts: bool,
    /// Whether it is only a draft of a disclosure.
    pub is_draft: bool,
    pub status: ClearanceStatus,
    pub due_at: Option<Time>,
    pub title: String,
    pub college_id: CollegeId,
    pub division: Division,
    #[row(json)]
    pub participation: Vec<Participation>,
    pub time_zone: String,
    pub payor: String,
    pub partner_id: Option<PartnerId>,
    pub brand_user_id: Option<UserId>,
    pub payer_name: String,
    pub payer_parent: Option<String>,
    /// The part that depends on sales and counts when it is received; none: all of it counts when
    /// it is signed.
    pub by_receipt_cents: Option<Cents>,
    /// The athlete's first enrolment after it was signed.
    pub came_from: Option<EntryKind>,
    pub came_to: Option<Division>,
    #[row(json(nullable))]
    pub participation_there: Option<Vec<Participation>>,
    pub enrolled_on: Option<Date>,
    pub counts_from: Option<Date>,
    pub first_contest_on: Option<Date>,
}

impl Entry {
    /// The first enrolment after a day.
    pub fn entrance(&self, day: Date) -> Option<Entrance> {
        let enrolled_on = self.enrolled_on.filter(|enrolled_on| day < *enrolled_on)?;
        Some(Entrance {
            kind: self.came_from?,
            school: School::on(
                enrolled_on,
                self.came_to?,
                self.participation_there.as_deref().unwrap_or_default(),
            ),
            enrolled_on,
            counts_from: self.counts_from,
            first_contest_on: self.first_contest_on,
        })
    }

    /// The time zone of the institution that the athlete had then.
    pub fn zone(&self) -> chrono_tz::Tz {
        zone_or_last(Some(&self.time_zone))
    }
}

/// The deals of the athletes that a condition names, in the order of their signing.
macro_rules! account {
    ($condition:literal) => {
        concat!("SELECT x.id, x.athlete_id, x.disclosed_job_id, x.contract_id, x.amount_cents, x.signed_on, x.counts, \
    x.status, x.due_at, (d.status IS NOT NULL AND d.status = 'draft') AS is_draft, \
    COALESCE(d.title, j.title, '') AS title, x.college_id, s.division, s.participation, \
    s.time_zone, x.payor, c.partner_id, p.user_id AS brand_user_id, \
    COALESCE(d.payer_name, p.company_name, '') AS payer_name, COALESCE(d.payer_parent, k.payer_parent) AS payer_parent, \
    CASE WHEN j.compensation IN ('royalty', 'commission') AND o.contingent_pay = 'received' \
    THEN COALESCE(j.product_value_cents, 0) END AS by_receipt_cents, e.kind AS came_from, \
    n.division AS came_to, n.participation AS participation_there, e.enrolled_on, e.counts_from, \
    e.first_contest_on \
    FROM clearance x JOIN college s ON s.id = x.college_id JOIN site o ON o.id = 1 \
    LEFT JOIN disclosed_job d ON d.id = x.disclosed_job_id \
    LEFT JOIN contract c ON c.id = x.contract_id LEFT JOIN job j ON j.id = c.job_id \
    LEFT JOIN partner p ON p.id = c.partner_id \
    LEFT JOIN clearance_packet k ON k.clearance_id = x.id \
    LEFT JOIN athlete_entry e ON e.athlete_id = x.athlete_id AND e.enrolled_on = \
    (SELECT MIN(f.enrolled_on) FROM athlete_entry f WHERE f.athlete_id = x.athlete_id \
    AND f.enrolled_on > x.signed_on) LEFT JOIN college n ON n.id = e.college_id \
    WHERE ", $condition, " ORDER BY x.signed_on, x.id")
    };
}

const ACCOUNT: &str = account!("x.athlete_id = $1");

/// All deals of an athlete, in the order of their signing.
pub async fn account(session: &mut Session, athlete: AthleteId) -> Result<Vec<Entry>> {
    session.all(sql(ACCOUNT).bind(athlete)).await
}

/// All deals of the athletes who have a disclosed job at an institution from one id to another,
/// each in the order of their signing.
pub async fn of_disclosed(
    session: &mut Session,
    college: CollegeId,
    (first, last): (DisclosedJobId, DisclosedJobId),
) -> Result<HashMap<AthleteId, Vec<Entry>>> {
    const ACCOUNTS: &str = account!(
        "x.athlete_id IN (SELECT w.athlete_id FROM disclosed_job w \
         WHERE w.college_id = $1 AND w.id BETWEEN $2 AND $3)"
    );
    let found = sql(ACCOUNTS).bind(college).bind(first).bind(last);
    let mut accounts: HashMap<AthleteId, Vec<Entry>> = HashMap::new();
    for entry in session.all::<Entry>(found).await? {
        accounts.entry(entry.athlete_id).or_default().push(entry);
    }
    Ok(accounts)
}

/// All deals of an athlete, in the order of their signing, to be weighed; the caller has locked the
/// athlete. What decides about the deals besides them, the institutions and the site, is locked
/// against changes: who changes it has the athletes weighed again that it finds then.
pub async fn lock(session: &mut Session, athlete: AthleteId) -> Result<Vec<Entry>> {
    session.all(sql(ACCOUNT).bind(athlete).locking("FOR SHARE OF s, o")).await
}

/// A page of the athletes whose deals are to be weighed again, the longest waiting first.
pub async fn to_weigh(session: &mut Session, behind: Behind) -> Result<Page<AthleteId>> {
    const WAITING: &str = due_ids!("athlete_to_weigh", "since", "athlete_id", "since <= $1");
    // Also what a clock wrote that was ahead.
    due::ids(session, WAITING, LAST_TIME, behind).await
}

/// Takes an athlete off that list; whether they stood there.
pub async fn take(session: &mut Session, athlete: AthleteId) -> Result<bool> {
    let row = sql("DELETE FROM athlete_to_weigh WHERE athlete_id = $1").bind(athlete);
    Ok(session.run(row).await? > 0)
}

/// The share of sales that an athlete was paid for a deal with one payment.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Receipt {
    pub id: ClearanceId,
    pub paid_at: Time,
    pub amount_cents: Cents,
}

/// The shares of sales that an athlete was paid and has not given back, in the order of time. Of a
/// payment for work and sales a refund takes the pay for work first: a deal is then reported too
/// early rather than too late.
pub async fn receipts(session: &mut Session, athlete: AthleteId) -> Result<Vec<Receipt>> {
    session
        .all(
            sql("SELECT x.id, p.paid_at, CASE WHEN s.cents < p.amount_cents - p.refunded_cents \
                 THEN s.cents ELSE p.amount_cents - p.refunded_cents END AS amount_cents \
                 FROM (SELECT payment_id, CAST(SUM(amount_cents) AS BIGINT) AS cents \
                 FROM commission_share WHERE payment_id IN \
                 (SELECT id FROM payment WHERE athlete_id = $1) GROUP BY payment_id) s \
                 JOIN payment p ON p.id = s.payment_id \
                 JOIN clearance x ON x.contract_id = p.contract_id \
                 WHERE p.paid_at IS NOT NULL AND p.status IN ('succeeded', 'partially_refunded') \
                 ORDER BY p.paid_at, p.id")
            .bind(athlete),
        )
        .await
}
