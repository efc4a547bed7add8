//! Copies and backups of a platform: what goes on in the copy, and what is refused.

use std::io::Cursor;

use nil_core::Platform;
use nil_core::content::checking::check_objects;
use nil_core::keeping::{self, Backup, Packed};
use nil_core::storage::{self, Db};
use nil_tests::database::scratch;
use nil_tests::{Engine, Unused, World, both, copied};
use tempfile::TempDir;

/// A deal that is paid, and one that is under way.
pub(crate) async fn used(world: &World) {
    let partner = world.paying_partner("Cedar Coffee").await;
    let athlete = world.athlete("Jordan Lake").await;
    let deal = world.approved_deal(&partner, &athlete, &[1_000]).await;
    assert_eq!(world.pay(&partner, &athlete, &deal).await["status"], "succeeded");
    world.approved_deal(&partner, &athlete, &[2_500]).await;
}

async fn a_copy_goes_on_where_the_other_ended(world: World) {
    used(&world).await;
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let copy = world.copied_to(engine).await;
        copy.books_are_right().await;
        used(&copy).await;
        copy.books_are_right().await;
        // Ids go on after the last one, and the trail after its last entry.
        let trail = "SELECT COUNT(*) FROM audit_entry";
        assert!(copy.id(trail).await > world.id(trail).await);
        let back = copy.copied_to(engine).await;
        assert_eq!(back.id(trail).await, copy.id(trail).await);
        used(&back).await;
        back.books_are_right().await;
    }
}
both!(a_copy_goes_on_where_the_other_ended);

async fn a_copy_asks_the_processor_under_a_mark_of_its_own(world: World) {
    let mark = async |db: &Db| -> String {
        let mut session = db.read().await.unwrap();
        session.value(storage::sql("SELECT mark FROM installation")).await.unwrap()
    };
    let own = mark(world.platform.db()).await;
    let other = Unused::on(Engine::Sqlite).await;
    copied(&world.platform, &other.location(), false).await.unwrap();
    assert_ne!(mark(&other.db).await, own);
    let instead = Unused::on(Engine::Sqlite).await;
    copied(&world.platform, &instead.location(), true).await.unwrap();
    assert_eq!(mark(&instead.db).await, own);
}
both!(a_copy_asks_the_processor_under_a_mark_of_its_own);

async fn a_used_database_and_another_version_are_refused(world: World) {
    used(&world).await;
    let other = World::on(Engine::Sqlite).await;
    other.athlete("Mia Hill").await;
    let accounts = "SELECT COUNT(*) FROM app_user";
    let before = other.id(accounts).await;
    let [(_, address), ..] = other.environment();
    let there = address.parse().unwrap();
    let refused = copied(&world.platform, &there, false).await.unwrap_err();
    assert!(refused.message().contains("has been used"), "{refused:?}");
    assert_eq!(other.id(accounts).await, before);

    let older = Unused::on(Engine::Sqlite).await;
    let mut session = older.db.begin().await.unwrap();
    let last =
        "DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
    session.run(storage::sql(last)).await.unwrap();
    session.commit().await.unwrap();
    let refused = copied(&world.platform, &older.location(), false).await.unwrap_err();
    assert!(refused.message().contains("not of one version"), "{refused:?}");
}
both!(a_used_database_and_another_version_are_refused);

/// Nobody writes while a copy is made: what is acknowledged is in the copy, or comes after it.
async fn writers_wait_for_a_copy(world: World) {
    let late = world.replica().await;
    let closed = storage::moving::closed(world.platform.db()).await.unwrap();
    let mut writing = tokio::spawn(async move { late.athlete("Late Comer").await.id });
    let soon = std::time::Duration::from_millis(300);
    assert!(tokio::time::timeout(soon, &mut writing).await.is_err(), "it was written meanwhile");
    assert_eq!(world.id("SELECT COUNT(*) FROM app_user").await, 0, "everybody reads");
    drop(closed);
    writing.await.unwrap();
    assert_eq!(world.id("SELECT COUNT(*) FROM app_user").await, 1);
}
both!(writers_wait_for_a_copy);

/// PostgreSQL keeps no NUL character. The copy says where it is, and goes on without it.
#[tokio::test]
async fn a_nul_character_is_named() {
    let world = World::on(Engine::Sqlite).await;
    let athlete = world.athlete("Jordan Lake").await;
    let rename = async |name: &'static str| -> i64 {
        let text = format!(
            "UPDATE athlete SET display_name = {name} WHERE id = {} RETURNING id",
            athlete.id
        );
        world.id(&text).await
    };
    let changed = rename("'Jordan' || char(0) || 'Lake'").await;
    let unused = Unused::on(Engine::Postgres).await;
    let there = unused.location();
    let refused = copied(&world.platform, &there, false).await.unwrap_err();
    let place = format!("athlete.display_name of the row with id {changed}");
    assert!(refused.message().contains(&place), "{refused:?}");
    rename("'Jordan Lake'").await;
    copied(&world.platform, &there, false).await.unwrap();
    let mut session = unused.db.read().await.unwrap();
    let name = storage::sql("SELECT display_name FROM athlete WHERE id = $1").bind(changed);
    assert_eq!(session.value::<String>(name).await.unwrap(), "Jordan Lake");
}

/// A platform like this one, on an empty database and with no file yet.
async fn bare(world: &World, engine: Engine) -> (Platform, Unused, TempDir) {
    let (unused, folder) = (Unused::on(engine).await, scratch());
    let mut config = world.platform.config().clone();
    config.database = unused.location();
    config.data = folder.path().to_path_buf();
    let platform = nil_core::opening::open_unmigrated(config).await.unwrap();
    (platform, unused, folder)
}

async fn kept(platform: &Platform) -> usize {
    let mut all = 0;
    for shelf in 0..=u8::MAX {
        all += platform.objects().shelf(shelf).await.unwrap().len();
    }
    all
}

/// A store takes a file for good, so one that is not what was packed must never get there.
async fn a_damaged_file_of_a_backup_is_not_kept(world: World) {
    let owner = world.athlete("Jordan Lake").await;
    world.file(&owner, "pixel.png").await;
    let what = Backup { files: true, key: false };
    let (file, told) = keeping::backup(&world.platform, what);
    let whole = file.into_bytes().await.unwrap();
    assert_eq!(told.await.unwrap().objects, Some(1));
    // The name in the file's own header, and behind it the file.
    let name = whole.windows(8).position(|bytes| bytes == b"objects/").unwrap();
    let more = usize::from(u16::from_le_bytes([whole[name - 2], whole[name - 1]]));
    let first = name + "objects/".len() + 32 + more;
    let engine = if world.is_sqlite() { Engine::Sqlite } else { Engine::Postgres };
    for place in [first, first + 10, first + 30, first + 50] {
        let (platform, _unused, _folder) = bare(&world, engine).await;
        let mut damaged = whole.clone();
        damaged[place] ^= 0x04;
        let packed = Packed::open(Box::new(Cursor::new(damaged))).unwrap();
        let refused = keeping::restore(&platform, packed).await.unwrap_err();
        let said = refused.message();
        assert!(said.contains("damaged") || said.contains("cannot be read"), "{said}");
        assert_eq!(kept(&platform).await, 0, "byte {place}");
        let packed = Packed::open(Box::new(Cursor::new(whole.clone()))).unwrap();
        keeping::restore(&platform, packed).await.unwrap();
        assert_eq!(check_objects(&platform).await.unwrap().missing, 0);
        assert_eq!(kept(&platform).await, 1);
    }
}
both!(a_damaged_file_of_a_backup_is_not_kept);
