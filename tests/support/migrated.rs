//! Migrated databases, made once and copied by every test.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use nil_core::storage::{self, Db, Location};

use crate::database::{address_of, admin, say, scratch, scratch_base};

/// A name that changes with the migrations.
fn version(engine: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nil-core/migrations");
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join(engine)).expect("the migrations") {
        let path = entry.expect("a migration").path();
        let text = std::fs::read(&path).expect("a migration");
        texts.insert(path, text);
    }
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

async fn migrate(location: &Location) {
    let db = Db::open(location).await.expect("a fresh database");
    storage::migrate(&db).await.expect("the migrations run");
    db.close().await;
}

/// Writes a migrated file there.
pub(crate) async fn file(to: &Path) {
    let template = scratch_base().join(format!("nil-template-{}.db", version("sqlite")));
    if !template.exists() {
        make(&template).await;
    }
    std::fs::copy(&template, to).expect("a copy of the template");
}

async fn make(template: &Path) {
    let folder = scratch();
    let file: PathBuf = folder.path().join("nil.db");
    migrate(&Location::Sqlite(file.clone())).await;
    // Renamed in one step: other processes find all of it or nothing.
    std::fs::rename(&file, template).expect("the template");
}

/// The name of a migrated database without connections.
pub(crate) async fn database() -> String {
    let name = format!("template_nil_{}", version("postgres"));
    let mut admin = admin().await;
    if exists(&mut admin, &name).await {
        return name;
    }
    let lock = "SELECT pg_advisory_lock(2026)".to_owned();
    say(&mut admin, lock).await.expect("our turn");
    if !exists(&mut admin, &name).await {
        let half = format!("{name}_half");
        for text in [
            format!("DROP DATABASE IF EXISTS {half} WITH (FORCE)"),
            format!("CREATE DATABASE {half}"),
        ] {
            say(&mut admin, text).await.expect("a fresh database");
        }
        migrate(&Location::Postgres(address_of(&half))).await;
        // A closed connection may not be gone yet.
        for text in [
            format!("ALTER DATABASE {half} WITH ALLOW_CONNECTIONS FALSE"),
            format!(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{half}'"
            ),
            format!("ALTER DATABASE {half} RENAME TO {name}"),
        ] {
            say(&mut admin, text).await.expect("the template");
        }
    }
    // The lock ends with the connection.
    name
}

async fn exists(admin: &mut sqlx::PgConnection, name: &str) -> bool {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
        .bind(name)
        .fetch_one(admin)
        .await
        .expect("an answer")
}
