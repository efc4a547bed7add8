//! The reference data of a new database: sports, states, categories, templates, legal drafts.

use serde::Deserialize;

use super::site;
use crate::error::{Error, Result};
use crate::feed::defaults;
use crate::kernel::Time;
use crate::storage::{Db, Session, insert, sql};

const SPORTS: &str = include_str!("../../assets/reference/sports.csv");
const STATES: &str = include_str!("../../assets/reference/states.csv");
const BUSINESSES: &str = include_str!("../../assets/reference/business_categories.csv");
const JOBS: &str = include_str!("../../assets/reference/job_categories.csv");
const LEGAL: &[(&str, &str)] = &[
    ("terms", include_str!("../../assets/reference/legal/terms.md")),
    ("privacy", include_str!("../../assets/reference/legal/privacy.md")),
    ("agent_terms", include_str!("../../assets/reference/legal/agent_terms.md")),
];

#[derive(Deserialize)]
struct Named {
    name: String,
    slug: String,
    #[serde(default)]
    sensitive: bool,
}

#[derive(Deserialize)]
struct State {
    code: String,
    name: String,
}

/// Fills an empty database. An existing one only gets the templates of new events; templates that
/// operators have changed stay.
pub async fn fill(db: &Db, now: Time) -> Result<()> {
    let mut session = db.begin().await?;
    // Servers that start at the same time are serialized here: one of them inserts the site's row.
    let first = session
        .run(
            insert("site")
                .set("id", 1_i64)
                .set("name", site::FIRST_NAME)
                .set("support_email", site::FIRST_ADDRESS)
                .set("fee_basis_points", 1_000_i64)
                .set("job_approval", true)
                .set("feature_flags", serde_json::json!({}))
                .set("updated_at", now)
                .unless_exists(&["id"]),
        )
        .await?;
    if first == 0 {
        new_templates(&mut session, now).await?;
        return session.commit().await;
    }
    named(&mut session, "sport", SPORTS, false).await?;
    named(&mut session, "business_category", BUSINESSES, true).await?;
    named(&mut session, "job_category", JOBS, true).await?;
    let mut states = insert("state");
    for state in rows::<State>(STATES)? {
        states = states.set("code", state.code).set("name", state.name).row();
    }
    session.run(states).await?;
    templates(&mut session, now).await?;
    for (kind, body) in LEGAL {
        session
            .run(
                insert("legal_document")
                    .set("kind", *kind)
                    .set("version", 1_i64)
                    .set("body", *body)
                    .set("effective_at", now),
            )
            .await?;
    }
    let _: i64 = session.value(sql("SELECT id FROM site")).await?;
    session.commit().await
}

fn rows<T: for<'de> Deserialize<'de>>(text: &str) -> Result<Vec<T>> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(Error::internal)
}

async fn named(
    session: &mut Session,
    table: &'static str,
    text: &str,
    sensitive: bool,
) -> Result<()> {
    let mut insert = insert(table);
    for (position, row) in (1_i64..).zip(rows::<Named>(text)?) {
        insert = insert.set("name", row.name).set("slug", row.slug);
        if sensitive {
            insert = insert.set("sensitive", row.sensitive);
        }
        insert = insert.set("active", true).set("position", position).row();
    }
    session.run(insert).await.map(|_| ())
}

async fn new_templates(session: &mut Session, now: Time) -> Result<()> {
    let known: i64 = session.value(sql("SELECT COUNT(*) FROM template")).await?;
    if usize::try_from(known).is_ok_and(|known| known >= defaults().len()) {
        return Ok(());
    }
    templates(session, now).await
}

async fn templates(session: &mut Session, now: Time) -> Result<()> {
    let mut insert = insert("template");
    for (event, channel, (subject, body)) in defaults() {
        insert = insert
            .set("event", event)
            .set("channel", channel)
            .set("subject", subject.clone())
            .set("body", body.clone())
            .set("enabled", true)
            .set("updated_at", now)
            .row();
    }
    let new = insert.unless_exists(&["event", "channel"]);
    session.run(new).await.map(|_| ())
}
