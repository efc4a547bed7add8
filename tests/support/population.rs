//! Large numbers of people and jobs, written without the operations; and a check of the search
//! tables.

use nil_core::seed::{self, Size};
use sqlx::Executor as _;

use crate::contents::Connected;
use crate::world::World;

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

    /// What autovacuum does on a PostgreSQL server; nothing on SQLite, whose planner does not need
    /// it.
    pub async fn vacuum(&self) {
        if let Connected::Postgres(mut on) = self.connected().await {
            let vacuum = sqlx::raw_sql("VACUUM ANALYZE");
            on.execute(vacuum).await.expect("a vacuum");
        }
    }

    /// Each text with the result of a function of PostgreSQL for it.
    pub async fn folded(&self, function: &str, texts: &[String]) -> Vec<(String, String)> {
        let Connected::Postgres(mut on) = self.connected().await else {
            panic!("PostgreSQL only");
        };
        let asked = format!("SELECT t, {function}(t) FROM unnest($1::text[]) t");
        let asked = sqlx::query_as(sqlx::AssertSqlSafe(asked)).bind(texts);
        asked.fetch_all(&mut on).await.expect("the results")
    }

    /// This many athletes, brands and jobs with everything that searches filter by. Ids begin at
    /// 1,000,001.
    pub async fn populate(&self, athletes: u32, brands: u32, jobs: u32) {
        let size = Size { athletes, brands, jobs, institutions: 100, transactions: 0, seed: 1 };
        self.populate_to(size).await;
    }

    /// 4,000 athletes of 40 institutions with 12,000 transactions, so that the plan of a list of an
    /// institution is that of a large site.
    pub async fn populate_with_transactions(&self) {
        let size = Size {
            athletes: 4_000,
            brands: 100,
            jobs: 200,
            institutions: 40,
            transactions: 12_000,
            seed: 1,
        };
        self.populate_to(size).await;
    }

    async fn populate_to(&self, size: Size) {
        let written = seed::write(&self.platform, size, "none".into(), &mut |_, _| {}).await;
        written.expect("a population");
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
                for index in ["athlete_text", "partner_text", "job_text", "service_offer_text"] {
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
