//! Events collected for portal users until they are sent.

use crate::error::Result;
use crate::kernel::{PortalUserId, Time};
use crate::notifications::Digest;
use crate::notifications::Event;
use crate::storage::{FromRow, Session, insert, sql};

/// An event to collect for a portal user.
#[derive(Clone, Debug)]
pub struct New {
    pub reader: PortalUserId,
    pub event: Event,
    /// The event in one line.
    pub line: String,
}

/// A collected event.
#[derive(Clone, Debug, FromRow)]
pub struct Gathered {
    pub line: String,
    pub created_at: Time,
}

/// A portal user with collected events.
#[derive(Clone, Debug, FromRow)]
pub struct Reader {
    pub portal_user_id: PortalUserId,
    /// Their institution's choice of digest.
    pub digest: Digest,
    pub time_zone: String,
    /// When the oldest of the events happened.
    pub oldest: Time,
}

/// Collects events.
pub async fn add_all(session: &mut Session, news: &[New], now: Time) -> Result<()> {
    for some in news.chunks(500) {
        let mut rows = insert("digest_item");
        for new in some {
            rows = rows
                .set("portal_user_id", new.reader)
                .set("event", new.event)
                .set("line", new.line.clone())
                .set("created_at", now)
                .row();
        }
        session.run(rows).await?;
    }
    Ok(())
}

/// All portal users with collected events.
pub async fn readers(session: &mut Session) -> Result<Vec<Reader>> {
    session
        .all(sql(
            // One index step for each reader, however many events were collected.
            "WITH RECURSIVE reader (id) AS ( \
               SELECT MIN(portal_user_id) FROM digest_item \
               UNION ALL SELECT (SELECT MIN(i.portal_user_id) FROM digest_item i \
                 WHERE i.portal_user_id > r.id) FROM reader r WHERE r.id IS NOT NULL) \
             SELECT p.id AS portal_user_id, COALESCE(s.digest, 'instant') AS digest, c.time_zone, \
             (SELECT MIN(i.created_at) FROM digest_item i WHERE i.portal_user_id = p.id) AS oldest \
             FROM reader r JOIN portal_user p ON p.id = r.id JOIN college c ON c.id = p.college_id \
             LEFT JOIN college_setting s ON s.college_id = c.id ORDER BY p.id",
        ))
        .await
}

/// Takes out the events before `until`, oldest first. Events already taken by another worker are
/// gone.
pub async fn take(
    session: &mut Session,
    reader: PortalUserId,
    until: Time,
) -> Result<Vec<Gathered>> {
    // The worker that locks the reader takes all events, so that no event is in two digests.
    const READER: &str = "SELECT id FROM portal_user WHERE id = $1";
    let _: Option<(PortalUserId,)> =
        session.first(sql(READER).locking("FOR UPDATE").bind(reader)).await?;
    let gathered = session
        .all(
            sql("SELECT line, created_at FROM digest_item \
                 WHERE portal_user_id = $1 AND created_at < $2 ORDER BY id")
            .bind(reader)
            .bind(until),
        )
        .await?;
    session
        .run(
            sql("DELETE FROM digest_item WHERE portal_user_id = $1 AND created_at < $2")
                .bind(reader)
                .bind(until),
        )
        .await?;
    Ok(gathered)
}
