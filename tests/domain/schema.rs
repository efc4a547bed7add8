//! The schemas of both databases agree with each other and with the state machines.

use nil_core::catalog::MACHINES;
use nil_tests::{Engine, World, both};

#[tokio::test]
async fn sqlite_and_postgres_have_the_same_columns() {
    let sqlite = World::on(Engine::Sqlite).await.columns().await;
    let postgres = World::on(Engine::Postgres).await.columns().await;
    assert!(sqlite.len() > 300, "{}", sqlite.len());
    let only = |these: &[nil_tests::Column], those: &[nil_tests::Column]| -> Vec<_> {
        these.iter().filter(|column| !those.contains(column)).cloned().collect()
    };
    assert_eq!(only(&sqlite, &postgres), [], "on SQLite only");
    assert_eq!(only(&postgres, &sqlite), [], "on PostgreSQL only");
}

async fn tables_take_the_states_of_their_machines(world: World) {
    for machine in MACHINES {
        assert!(!machine.tables.is_empty(), "no table has one of {:?}", (machine.words)());
        for table in machine.tables {
            let mut taken = world.status_words(table).await;
            let mut states = (machine.words)();
            taken.sort();
            states.sort_unstable();
            assert_eq!(taken, states, "{table}");
        }
    }
}
both!(tables_take_the_states_of_their_machines);

/// A newer version has more events: an older database gets their templates, and keeps its own.
async fn a_database_in_use_gets_the_templates_it_lacks(world: World) {
    world.script("UPDATE template SET body = 'Ours' WHERE event = 'athlete.hired'").await;
    world.script("DELETE FROM template WHERE event = 'institution.digest'").await;
    let again = world.replica().await;
    let count = |of: &'static str| again.id(of);
    let missing = "SELECT COUNT(*) FROM template WHERE event = 'institution.digest'";
    assert_eq!(count(missing).await, 1);
    let kept = "SELECT COUNT(*) FROM template WHERE event = 'athlete.hired' AND body <> 'Ours'";
    assert_eq!(count(kept).await, 0);
}
both!(a_database_in_use_gets_the_templates_it_lacks);
