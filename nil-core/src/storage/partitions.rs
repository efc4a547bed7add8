//! The tables of PostgreSQL that grow without end, divided into ranges of ids (`0028_partitions`).
//!
//! A range is a table of its own: its indexes stay small, it is vacuumed alone, and one that is
//! empty is dropped at once. Ranges are made before ids reach them; where nobody made one, the
//! table of the rest takes the rows, and nothing fails. SQLite has no ranges.

use super::made::{made, quoted};
use super::{Db, Dialect, Session, sql};
use crate::error::{Result, codes};

/// The ids of one range.
pub const IDS: i64 = 20_000_000;

/// The next range is made when this many ids are left, or fewer.
const SPARE: i64 = IDS / 2;

/// The first id behind a range `p`; null for the rest.
macro_rules! end {
    () => {
        "substring(pg_get_expr(p.relpartbound, p.oid) FROM 'TO \\(''(\\d+)''\\)')::bigint"
    };
}

/// Each divided table with the last id that was given, and with the first that no range takes.
const DIVIDED: &str = concat!(
    "SELECT t.relname::text, \
        COALESCE(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(t.relname), 'id')::regclass), 0), \
        COALESCE(MAX(",
    end!(),
    "), 0) \
    FROM pg_class t JOIN pg_inherits i ON i.inhparent = t.oid JOIN pg_class p ON p.oid = i.inhrelid \
    WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'p' \
    GROUP BY t.oid ORDER BY t.relname"
);

/// The ranges of a table that end at this id or before it.
const PASSED: &str = concat!(
    "SELECT p.relname::text FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid \
    WHERE i.inhparent = $1::text::regclass AND ",
    end!(),
    " <= $2"
);

/// Divided tables whose rows as a whole were not counted for the planner in a day: PostgreSQL
/// counts those of each range by itself, but not those of all together.
const UNCOUNTED: &str = "SELECT t.relname::text FROM pg_class t \
    LEFT JOIN pg_stat_all_tables s ON s.relid = t.oid \
    WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'p' \
    AND (s.last_analyze IS NULL OR s.last_analyze < now() - INTERVAL '1 day') ORDER BY t.relname";

/// How much room the ranges of a table have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    /// The table.
    pub table: String,
    /// The last id that was given.
    pub last: i64,
    /// The first id that no range takes.
    pub end: i64,
}

impl Room {
    /// The ids that are left; none if rows go to the rest.
    pub fn left(&self) -> i64 {
        (self.end - 1 - self.last).max(0)
    }

    /// The first id of the next range. Ids that went to the rest stay there, and so do those that
    /// are given while the range is made.
    fn next(&self) -> i64 {
        if self.left() > 0 { self.end } else { (self.last + SPARE) / IDS * IDS + IDS }
    }
}

/// The room in each divided table of a database; nothing on SQLite.
pub async fn rooms_of(db: &Db) -> Result<Vec<Room>> {
    rooms(&mut db.read().await?).await
}

/// The same, as a session sees it.
pub(super) async fn rooms(session: &mut Session) -> Result<Vec<Room>> {
    if session.dialect() == Dialect::Sqlite {
        return Ok(Vec::new());
    }
    let found: Vec<(String, i64, i64)> = session.all(sql(DIVIDED)).await?;
    Ok(found.into_iter().map(|(table, last, end)| Room { table, last, end }).collect())
}

/// Makes the ranges that are needed soon, drops ranges of the outbox that are empty for good, and
/// lets the planner know how many rows there are. What others hold is left for the next time.
pub async fn keep(db: &Db) -> Result<()> {
    if db.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    let rooms = rooms_of(db).await?;
    for room in rooms.iter().filter(|room| room.left() <= SPARE) {
        let mut session = patient_for_a_moment(db).await?;
        let extended = extend_alone(&mut session, &room.table).await;
        settled(session, extended, &room.table).await?;
    }
    if let Some(outbox) = rooms.iter().find(|room| room.table == "outbox") {
        drop_emptied(db, outbox).await?;
    }
    count(db).await
}

/// Makes the ranges that a table needs soon. Of several that try, the later ones find them.
async fn extend_alone(session: &mut Session, table: &str) -> Result<()> {
    // Reading and writing rows goes on; who makes or drops a range waits.
    let alone = format!("LOCK TABLE {} IN SHARE UPDATE EXCLUSIVE MODE", quoted(table));
    session.run(made(alone)).await?;
    let Some(mut room) = rooms(session).await?.into_iter().find(|room| room.table == table) else {
        return Ok(());
    };
    while room.left() <= SPARE {
        let from = room.next();
        extend(session, &mut room, from).await?;
    }
    Ok(())
}

/// Makes the range of a table that begins with this id.
async fn extend(session: &mut Session, room: &mut Room, from: i64) -> Result<()> {
    let end = from + IDS;
    let table = quoted(&room.table);
    let range = quoted(&format!("{}_{from}", room.table));
    // A table that is attached when it is whole blocks nobody who reads or writes other ranges,
    // which one made in its place would.
    for statement in [
        format!("CREATE TABLE {range} (LIKE {table} INCLUDING CONSTRAINTS INCLUDING DEFAULTS)"),
        format!("ALTER TABLE {table} ATTACH PARTITION {range} FOR VALUES FROM ({from}) TO ({end})"),
    ] {
        session.run(made(statement)).await?;
    }
    room.end = end;
    Ok(())
}

/// Makes room for rows that come with their ids, in a transaction of which nobody sees anything
/// yet.
pub(super) async fn make_room_for(session: &mut Session, room: &mut Room, id: i64) -> Result<()> {
    room.last = room.last.max(id);
    while room.end <= room.last {
        // Rows come in the order of their ids, so no range is left out.
        let from = room.end;
        extend(session, room, from).await?;
    }
    Ok(())
}

/// Drops the ranges of a table that hold nothing and to which nothing is added any more.
async fn drop_emptied(db: &Db, Room { table, last, .. }: &Room) -> Result<()> {
    let passed: Vec<(String,)> = {
        let mut session = db.read().await?;
        let first: Option<i64> =
            session.value(made(format!("SELECT MIN(id) FROM {}", quoted(table)))).await?;
        session.all(sql(PASSED).bind(table.as_str()).bind(first.unwrap_or(*last))).await?
    };
    for (range,) in passed {
        let mut session = patient_for_a_moment(db).await?;
        let dropped = drop_if_empty(&mut session, table, &range).await;
        settled(session, dropped, table).await?;
    }
    Ok(())
}

async fn drop_if_empty(session: &mut Session, table: &str, range: &str) -> Result<()> {
    let (table, range) = (quoted(table), quoted(range));
    // Nobody can add a row from here on.
    session.run(made(format!("ALTER TABLE {table} DETACH PARTITION {range}"))).await?;
    if session.exists(made(format!("SELECT 1 FROM {range} LIMIT 1"))).await? {
        return Err(codes::AGAIN.into());
    }
    session.run(made(format!("DROP TABLE {range}"))).await?;
    Ok(())
}

/// Counts the rows of divided tables for the planner.
async fn count(db: &Db) -> Result<()> {
    let uncounted: Vec<(String,)> = { db.read().await?.all(sql(UNCOUNTED)).await? };
    for (table,) in uncounted {
        let mut session = patient_for_a_moment(db).await?;
        session.take_all_the_time().await?;
        let counted = session.run(made(format!("ANALYZE {}", quoted(&table)))).await;
        settled(session, counted.map(drop), &table).await?;
    }
    Ok(())
}

/// A transaction that gives up a lock before others feel that it waits for one.
async fn patient_for_a_moment(db: &Db) -> Result<Session> {
    let mut session = db.begin().await?;
    session.run(sql("SET LOCAL lock_timeout = '300ms'")).await?;
    Ok(session)
}

/// Ends such a transaction. What others hold is no failure.
async fn settled(session: Session, done: Result<()>, table: &str) -> Result<()> {
    match done {
        Ok(()) => session.commit().await,
        Err(error) if error.code() == codes::AGAIN.name => {
            tracing::debug!(%error, table, "others use the table; its ranges are kept another time");
            Ok(())
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(last: i64, end: i64) -> Room {
        Room { table: "message".into(), last, end }
    }

    #[test]
    fn a_range_follows_the_last_one_and_leaves_what_went_to_the_rest() {
        assert_eq!((room(0, IDS).left(), room(0, IDS).next()), (IDS - 1, IDS));
        assert_eq!((room(IDS - 2, IDS).left(), room(IDS - 2, IDS).next()), (1, IDS));
        // The last id of the last range was given: the next goes to the rest already.
        for last in [IDS - 1, IDS, IDS + 1, IDS + SPARE - 1, 7 * IDS - SPARE, 7 * IDS - 1, 7 * IDS]
        {
            let room = room(last, IDS);
            assert_eq!(room.left(), 0, "{last}");
            assert!(room.next() - last >= SPARE, "{last}: {}", room.next());
            assert_eq!(room.next() % IDS, 0, "{last}");
        }
    }
}
