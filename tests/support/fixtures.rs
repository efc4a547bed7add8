//! Deals written straight into the tables, until the suites can make them through the operations.

use nil_core::storage::Location;

use crate::money::Deal;
use crate::people::Person;
use crate::world::World;

impl World {
    /// An executed contract with approved deliverables of these amounts.
    pub async fn approved_deal(&self, partner: &Person, athlete: &Person, cents: &[i64]) -> Deal {
        self.approved_deal_through(partner, athlete, None, cents)
            .await
    }

    /// The same, with an agent who takes a share in basis points.
    pub async fn approved_deal_through(
        &self,
        partner: &Person,
        athlete: &Person,
        agent: Option<(&Person, i64)>,
        cents: &[i64],
    ) -> Deal {
        let number = self.number();
        let now = "'2026-11-20T12:00:00+00:00'";
        let total: i64 = cents.iter().sum();
        let job = self
            .id(&format!(
                "INSERT INTO job (partner_id, title, description, category_id, kind, compensation, \
                 amount_cents, slots, filled, eligibility, usage_rights, visibility, \
                 business_purpose, status, created_at, updated_at) VALUES ({}, 'Post {number}', 'd', \
                 1, 'one_time', 'cash', {total}, 1, 1, '{{}}', '{{}}', 'public', 'ads', 'open', \
                 {now}, {now}) RETURNING id",
                partner.id
            ))
            .await;
        let application = self
            .id(&format!(
                "INSERT INTO application (job_id, athlete_id, source, status, created_at, \
                 updated_at) VALUES ({job}, {}, 'applied', 'confirmed', {now}, {now}) RETURNING id",
                athlete.id
            ))
            .await;
        let (agent_id, share) = agent.map_or(("NULL".into(), "NULL".into()), |(agent, share)| {
            (agent.id.to_string(), share.to_string())
        });
        let contract = self
            .id(&format!(
                "INSERT INTO contract (number, application_id, job_id, athlete_id, partner_id, \
                 college_id, agreed_amount_cents, fee_basis_points, agent_id, \
                 commission_basis_points, terms, document_sha256, status, generated_at, expires_at, \
                 executed_at, created_at, updated_at) VALUES ('NIL-2026-{number:06}', {application}, \
                 {job}, {athlete}, {partner}, (SELECT university_id FROM athlete WHERE id = {athlete}), \
                 {total}, 1000, {agent_id}, {share}, '{{}}', 'x', 'active', {now}, {now}, {now}, {now}, \
                 {now}) RETURNING id",
                athlete = athlete.id,
                partner = partner.id,
            ))
            .await;
        let mut deliverable_ids = Vec::new();
        for (at, amount) in cents.iter().enumerate() {
            let milestone = self
                .id(&format!(
                    "INSERT INTO milestone (job_id, position, title, activity, platform, \
                     media_kind, quantity, due_on, hashtags, disclosure_required) VALUES ({job}, \
                     {at}, 'A post', 'social_post', 'instagram', 'post', 1, '2026-12-01', '[]', \
                     TRUE) RETURNING id"
                ))
                .await;
            let id = self
                .id(&format!(
                    "INSERT INTO deliverable (contract_id, milestone_id, athlete_id, due_on, due_at, \
                     status, amount_cents, post_urls, file_ids, reviewed_at, submitted_at, revision, \
                     created_at, updated_at) VALUES ({contract}, {milestone}, {}, '2026-12-01', \
                     '2026-12-0{day}T05:59:59+00:00', 'approved', {amount}, '[]', '[]', {now}, {now}, \
                     1, {now}, {now}) RETURNING id",
                    athlete.id,
                    day = at + 2,
                ))
                .await;
            deliverable_ids.push(id);
        }
        Deal {
            contract_id: contract,
            job_id: job,
            deliverable_ids,
        }
    }

    /// Runs a statement that answers an id, on a connection of its own.
    pub async fn id(&self, text: &str) -> i64 {
        use sqlx::{Connection as _, PgConnection, SqliteConnection};
        let statement = sqlx::AssertSqlSafe(text.to_owned());
        match &self.database.location {
            Location::Sqlite(path) => {
                let url = format!("sqlite:{}", path.display());
                let mut on = SqliteConnection::connect(&url).await.expect("the file");
                let wait = sqlx::query("PRAGMA busy_timeout = 5000");
                wait.execute(&mut on).await.expect("patience");
                sqlx::query_scalar(statement).fetch_one(&mut on).await
            }
            Location::Postgres(url) => {
                let mut on = PgConnection::connect(url).await.expect("the database");
                sqlx::query_scalar(statement).fetch_one(&mut on).await
            }
        }
        .unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}
