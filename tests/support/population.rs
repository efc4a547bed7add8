//! Large numbers of people and jobs, written by set-based statements without the operations; and a check of
//! the search tables.

use sqlx::Executor as _;

use crate::contents::Connected;
use crate::world::World;

const NOW: &str = "'2026-11-20T12:00:00+00:00'";

/// This many numbers `i`, from 1,000,001 on.
fn numbers(count: u32) -> String {
    let last = 1_000_000 + count;
    format!(
        "WITH RECURSIVE n (i) AS (SELECT 1000001 UNION ALL SELECT i + 1 FROM n WHERE i < {last})"
    )
}

/// One of the words, in rotation.
fn by_turns(words: &[&str]) -> String {
    let cases: Vec<String> =
        (0..).zip(words).map(|(at, word)| format!("WHEN {at} THEN '{word}'")).collect();
    format!("CASE i % {} {} END", words.len(), cases.join(" "))
}

const STATES: [&str; 10] = ["IL", "IN", "OH", "MI", "WI", "CA", "TX", "FL", "NY", "WA"];

fn colleges(count: u32) -> String {
    format!(
        "INSERT INTO college (id, name, short_name, slug, conference, division, state, time_zone, \
         email_domains, listed, created_at, updated_at) {} SELECT i, 'College number' || i, \
         'CN' || i, 'college-' || i, 'Conference ' || (i % 8), 'D1', {}, 'America/Chicago', \
         '[]'::jsonb, TRUE, {NOW}, {NOW} FROM n",
        numbers(count),
        by_turns(&STATES)
    )
}

fn accounts(kind: &str, count: u32, shift: u32) -> String {
    format!(
        "INSERT INTO app_user (id, kind, email, password_hash, status, created_at, updated_at) {} \
         SELECT i + {shift}, '{kind}', '{kind}' || i || '@example.com', 'none', 'onboarding', {NOW}, \
         {NOW} FROM n",
        numbers(count)
    )
}

fn athlete_records(count: u32) -> String {
    let years = ["freshman", "sophomore", "junior", "senior", "graduate"];
    format!(
        "INSERT INTO athlete (id, user_id, display_name, sport_id, university_id, position, \
         class_year, gender, bio, tags, min_rate_cents, available, listed, share_slug, created_at, \
         updated_at) {} SELECT i, i, 'Ana' || (i % 97) || ' Reyes' || (i % 211), i % 20 + 1, \
         1000001 + i % 100, 'Position' || (i % 9), {}, {}, 'Likes word' || (i % 500) || ' and runs.', \
         ('[\"tag' || (i % 300) || '\"]')::jsonb, (i % 50) * 1000, i % 4 > 0, i % 10 > 0, \
         'athlete-' || i, {NOW}, {NOW} FROM n",
        numbers(count),
        by_turns(&years),
        by_turns(&["female", "male", "non_binary"])
    )
}

fn socials(count: u32) -> String {
    format!(
        "INSERT INTO athlete_social (athlete_id, platform, handle, followers, \
         engagement_basis_points, refreshed_at) {} SELECT i, {}, 'handle' || i, \
         (i - 1000000) * 7919 % 100000, i % 900, {NOW} FROM n",
        numbers(count),
        by_turns(&["instagram", "tiktok", "twitch", "youtube"])
    )
}

fn brand_records(count: u32) -> String {
    format!(
        "INSERT INTO partner (id, user_id, company_name, business_category_id, about, hq_state, \
         listed, created_at, updated_at) {} SELECT i, i + 500000, 'Brand' || (i % 400) || ' Inc', \
         i % 20 + 1, 'Sells item' || (i % 100) || ' in three shops and \
         on the web, and gives a part of every sale to the teams of the town it comes from.', {}, \
         TRUE, {NOW}, {NOW} FROM n",
        numbers(count),
        by_turns(&STATES)
    )
}

fn job_records(count: u32, brands: u32) -> String {
    let kinds = ["one_time", "ongoing", "appearance", "licensing"];
    format!(
        "INSERT INTO job (id, partner_id, title, description, category_id, kind, compensation, \
         amount_cents, slots, filled, application_deadline, closes_at, eligibility, usage_rights, visibility, \
         business_purpose, status, created_at, updated_at) {} SELECT i, 1000001 + i % {brands}, \
         'Campaign item' || (i % 200), 'Shows thing' || (i % 40) || ' to students. It takes an \
         afternoon, and we bring everything that is needed for it.', i % 12 + 1, {}, {}, \
         (i % 100) * 1000, 2, 0, (CASE WHEN i % 2 = 0 THEN '2026-12-0' || (i % 9 + 1) || \
         'T12:00:00+00:00' END)::timestamptz, (CASE WHEN i % 2 = 0 THEN '2026-12-0' || (i % 9 + 1) || \
         'T12:00:00+00:00' ELSE '2026-12-11T09:59:59+00:00' END)::timestamptz, '{{}}'::jsonb, '{{\"media\": [], \"territory\": \"US\", \
         \"days\": 90, \"perpetual\": false}}'::jsonb, 'public', 'to sell', \
         'open', {NOW}, {NOW} FROM n",
        numbers(count),
        by_turns(&kinds),
        by_turns(&["cash", "product", "mixed"])
    )
}

fn milestones(jobs: u32) -> String {
    let platforms = ["instagram", "tiktok", "twitch", "youtube", "facebook", "snapchat"];
    format!(
        "INSERT INTO milestone (job_id, position, title, activity, platform, media_kind, quantity, \
         due_on, hashtags, disclosure_required) {} SELECT i, 1, 'Post', 'social_post', {}, 'post', \
         1, '2026-12-10', '[]'::jsonb, TRUE FROM n; \
         INSERT INTO job_condition (job_id, kind, value) {} SELECT i, 'sport', \
         CAST(i % 20 + 1 AS TEXT) FROM n WHERE i % 2 = 0",
        numbers(jobs),
        by_turns(&platforms),
        numbers(jobs)
    )
}

fn applications(jobs: u32, athletes: u32) -> String {
    format!(
        "INSERT INTO application (job_id, athlete_id, source, status, created_at, updated_at) {} \
         SELECT i, 1000001 + i * 7 % {athletes}, 'applied', 'applicant', {NOW}, {NOW} FROM n",
        numbers(jobs)
    )
}

impl World {
    /// Runs statements on a separate connection. What follows `::` is a type, for PostgreSQL only.
    pub async fn script(&self, text: &str) {
        match self.connected().await {
            Connected::Sqlite(on) => {
                let text = text.replace("::jsonb", "").replace("::timestamptz", "");
                let ran = on.execute_batch(&text);
                ran.unwrap_or_else(|error| panic!("{error}: {text}"));
            }
            Connected::Postgres(mut on) => {
                let script = sqlx::AssertSqlSafe(text.to_owned());
                let ran = on.execute(sqlx::raw_sql(script)).await;
                ran.unwrap_or_else(|error| panic!("{error}: {text}"));
            }
        }
    }

    /// What autovacuum does on a PostgreSQL server; nothing on SQLite, whose planner does not need it.
    pub async fn vacuum(&self) {
        if let Connected::Postgres(mut on) = self.connected().await {
            let vacuum = sqlx::raw_sql("VACUUM ANALYZE");
            on.execute(vacuum).await.expect("a vacuum");
        }
    }

    /// This many athletes, brands and open jobs with everything that searches filter by. Ids begin at
    /// 1,000,001.
    pub async fn populate(&self, athletes: u32, brands: u32, jobs: u32) {
        for text in [
            colleges(100),
            accounts("athlete", athletes, 0),
            athlete_records(athletes),
            socials(athletes),
            accounts("partner", brands, 500_000),
            brand_records(brands),
            "UPDATE app_user SET status = 'active' WHERE id > 1000000".to_owned(),
            job_records(jobs, brands),
            milestones(jobs),
            applications(jobs, athletes),
        ] {
            self.script(&text).await;
        }
        self.vacuum().await;
    }

    /// The search tables agree with the records: the rows, the tags and the full text.
    #[track_caller]
    pub fn search_rows_are_right(&self) -> impl Future<Output = ()> + '_ {
        let caller = std::panic::Location::caller();
        async move {
            let athlete = "athlete_id, listed, name, about, sort_name, sport_id, university_id, \
                conference, state, gender, class_year, followers, engagement_rate, available, \
                min_rate_cents";
            let partner = "partner_id, listed, name, about, sort_name, business_category_id, state";
            for (who, columns) in [("athlete", athlete), ("partner", partner)] {
                let kept = format!("SELECT {columns} FROM {who}_search");
                let right = format!("SELECT {columns} FROM {who}_searchable");
                for (these, those) in [(&kept, &right), (&right, &kept)] {
                    let differ = format!(
                        "SELECT COUNT(*) FROM (SELECT * FROM ({these}) AS a EXCEPT \
                         SELECT * FROM ({those}) AS b) AS differ"
                    );
                    assert_eq!(self.id(&differ).await, 0, "{caller}: {who}: {these}");
                }
            }
            if let Connected::Sqlite(on) = self.connected().await {
                for index in ["athlete_text", "partner_text", "job_text"] {
                    let check = format!(
                        "INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)"
                    );
                    let checked = on.execute_batch(&check);
                    checked.unwrap_or_else(|error| panic!("{caller}: {index}: {error}"));
                }
            }
        }
    }
}
