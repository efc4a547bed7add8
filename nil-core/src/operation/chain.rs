//! The hash chain over the audit trail: every link holds the hash of an entry and of the link
//! before it.
//!
//! The chain is a sequence of its own, made after the entries: a chain inside the operations'
//! transactions would make every writer wait for every other. [`super::proof`] writes a part of it
//! for people without the database.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use aws_lc_rs::digest::{SHA256, digest};
use sea_query::{Expr, Query};

use super::audit::{AuditEntry, ENTRY};
use crate::error::{Kind, Result};
use crate::kernel::{AuditId, Time};
use crate::platform::Platform;
use crate::storage::{Among as _, FromRow, Session, insert, sql};

/// The last link.
const LAST: &str = "SELECT position, hash FROM audit_seal ORDER BY position DESC LIMIT 1";

/// The number of links read at a time.
const PAGE: i64 = 1_000;

/// The hash of a sealed text, as it is stored: SHA-256 in lower-case hexadecimal digits.
pub(super) fn hash_of(sealed: &str) -> String {
    hex::encode(digest(&SHA256, sealed.as_bytes()))
}

/// A link of the chain by its position and its hash. In text it is `POSITION:HASH`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The position of the link, 1 for the first; 0 if there is none.
    pub position: i64,
    /// The hash of the link, 64 hexadecimal digits; empty if there is none.
    pub hash: String,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.position, self.hash)
    }
}

impl FromStr for Head {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':').and_then(|(position, hash)| {
            let position = position.parse().ok().filter(|position| *position >= 1)?;
            is_hash(hash).then(|| Self { position, hash: hash.to_owned() })
        });
        parts.ok_or_else(|| "must be POSITION:HASH, as `nil audit check` prints it".into())
    }
}

/// Whether this is a hash as it is stored.
pub(super) fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// What a check of the chain has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The last link that holds. Its position is the number of links that hold.
    pub head: Head,
    /// The position of the first broken link; none if the whole chain holds.
    pub broken_at: Option<i64>,
}

/// Adds all unsealed rows to the hash chain; returns their number. If another server seals at the
/// same time, this one continues after it; after several such collisions it leaves the rest to the
/// other.
pub async fn seal_all(platform: &Platform) -> Result<usize> {
    const MEETINGS: u32 = 8;
    let (mut all, mut met) = (0, 0);
    loop {
        match seal(platform).await {
            Ok(0) => return Ok(all),
            Ok(sealed) => all += sealed,
            Err(error) if error.kind() == Kind::Again => {
                met += 1;
                if met == MEETINGS {
                    return Ok(all);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// The number of rows sealed at a time.
const AT_ONCE: usize = 500;

/// Seals up to 500 rows; returns their number. Rows are sealed in the order found, each once,
/// regardless of the order in which their transactions ended. Unsealed rows are in a separate
/// table, so that the length of the trail does not matter; hashes are computed before the
/// transaction, to keep it short.
async fn seal(platform: &Platform) -> Result<usize> {
    // With statistics of a short trail both engines read the whole trail otherwise: `CROSS JOIN`
    // fixes the order on SQLite, and the second condition spares PostgreSQL the entries before the
    // first unsealed one.
    static UNSEALED: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT {ENTRY} FROM (SELECT audit_id FROM audit_unsealed ORDER BY audit_id LIMIT $1) u \
             CROSS JOIN audit_entry a WHERE a.id = u.audit_id AND a.id >= $2 ORDER BY a.id"
        )
    });
    let mut session = platform.db().read().await?;
    let first: Option<(AuditId,)> =
        session.first(sql("SELECT audit_id FROM audit_unsealed ORDER BY audit_id LIMIT 1")).await?;
    let Some((first,)) = first else { return Ok(0) };
    // Read the end of the chain first: a link added by another server meanwhile then causes a
    // conflict below.
    let last: Option<(i64, String)> = session.first(sql(LAST)).await?;
    let most = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
    let rows: Vec<AuditEntry> = session.all(sql(&UNSEALED).bind(most).bind(first)).await?;
    drop(session);
    if rows.is_empty() {
        return Ok(0);
    }
    let (mut position, mut previous) = last.unwrap_or((0, String::new()));
    let mut seals = insert("audit_seal");
    for row in &rows {
        position += 1;
        previous = hash_of(&row.sealed_text(position, &previous));
        seals = seals
            .set("position", position)
            .set("audit_id", row.id)
            .set("hash", previous.clone())
            .row();
    }
    let mut session = platform.db().begin().await?;
    // Two servers that seal concurrently conflict at the primary key; one of them gets `try_again`.
    session.run(seals).await?;
    let ids = rows.iter().map(|row| row.id.get());
    let sealed = Query::delete()
        .from_table("audit_unsealed")
        .and_where(Expr::col("audit_id").among(ids))
        .take();
    session.run(sealed).await?;
    session.commit().await?;
    Ok(rows.len())
}

/// A link whose hash has been computed again.
#[derive(Debug)]
pub(super) struct Link {
    pub position: i64,
    pub hash: String,
    /// The text that was hashed.
    pub sealed: String,
}

/// Reads the chain from its beginning, a page at a time, and checks each link.
#[derive(Debug)]
pub(super) struct Walk {
    /// The last link that was read.
    at: Head,
    /// The position of the last link to read.
    last: i64,
}

impl Walk {
    /// Up to this position, or else up to the last link that there is now.
    pub(super) async fn until(session: &mut Session, until: Option<i64>) -> Result<Self> {
        let last = match until {
            Some(until) => until,
            None => last(session).await?.position,
        };
        Ok(Self { at: Head::default(), last })
    }

    /// The next links; none after the last one. The inner error is the position of a broken link:
    /// its hash or its position is wrong, or it or its entry is missing.
    async fn next(&mut self, session: &mut Session) -> Result<Result<Vec<Link>, i64>> {
        #[derive(FromRow)]
        struct Stored {
            position: i64,
            hash: String,
            #[row(flatten)]
            entry: AuditEntry,
        }
        static AFTER: LazyLock<String> = LazyLock::new(|| {
            format!(
                "SELECT s.position, s.hash, {ENTRY} FROM audit_seal s \
                 JOIN audit_entry a ON a.id = s.audit_id \
                 WHERE s.position > $1 AND s.position <= $2 ORDER BY s.position LIMIT $3"
            )
        });
        if self.at.position >= self.last {
            return Ok(Ok(Vec::new()));
        }
        let page = sql(&AFTER).bind(self.at.position).bind(self.last).bind(PAGE);
        let stored: Vec<Stored> = session.all(page).await?;
        if stored.is_empty() {
            return Ok(Err(self.at.position + 1));
        }
        let mut links = Vec::with_capacity(stored.len());
        for Stored { position, hash, entry } in stored {
            let next = self.at.position + 1;
            let sealed = entry.sealed_text(next, &self.at.hash);
            if position != next || hash != hash_of(&sealed) {
                return Ok(Err(next));
            }
            self.at = Head { position, hash: hash.clone() };
            links.push(Link { position, hash, sealed });
        }
        Ok(Ok(links))
    }

    /// Hands every link over in its order. The answer says where the chain is broken; what comes
    /// before has then been handed over.
    pub(super) async fn each(
        mut self,
        session: &mut Session,
        mut take: impl FnMut(Link) -> Result<()>,
    ) -> Result<Chain> {
        loop {
            match self.next(session).await? {
                Ok(links) if links.is_empty() => {
                    return Ok(Chain { head: self.at, broken_at: None });
                }
                Ok(links) => links.into_iter().try_for_each(&mut take)?,
                Err(position) => return Ok(Chain { head: self.at, broken_at: Some(position) }),
            }
        }
    }
}

/// The last link of the chain.
pub(super) async fn last(session: &mut Session) -> Result<Head> {
    let last: Option<(i64, String)> = session.first(sql(LAST)).await?;
    Ok(last.map_or_else(Head::default, |(position, hash)| Head { position, hash }))
}

/// The link at this position, if there is one.
pub(super) async fn at(session: &mut Session, position: i64) -> Result<Option<Head>> {
    let link = sql("SELECT hash FROM audit_seal WHERE position = $1").bind(position);
    let found: Option<(String,)> = session.first(link).await?;
    Ok(found.map(|(hash,)| Head { position, hash }))
}

/// Checks the whole chain, as far as it is sealed when the check begins.
pub async fn verify_chain(session: &mut Session) -> Result<Chain> {
    Walk::until(session, None).await?.each(session, |_| Ok(())).await
}

/// What [`check`] has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The chain.
    pub chain: Chain,
    /// The number of entries that are not sealed yet.
    pub unsealed: i64,
    /// Whether the part of the chain that holds contains the link that was asked for; none if none
    /// was.
    pub contains: Option<bool>,
}

/// How long the oldest entry that the chain does not cover yet has waited, in seconds. For
/// monitoring.
pub async fn unsealed_for(platform: &Platform) -> Result<i64> {
    let mut session = platform.db().read().await?;
    let oldest: Option<(Time,)> = session
        .first(sql("SELECT a.at FROM audit_entry a \
             WHERE a.id = (SELECT MIN(audit_id) FROM audit_unsealed)"))
        .await?;
    Ok(oldest.map_or(0, |(at,)| (platform.now() - at).num_seconds().max(0)))
}

/// Checks the whole chain, and whether it still contains a link that was its head at an earlier
/// time. For the command line, where access to the host is the authorization.
pub async fn check(platform: &Platform, earlier: Option<&Head>) -> Result<Checked> {
    let mut session = platform.db().snapshot().await?;
    let chain = verify_chain(&mut session).await?;
    let unsealed = session.value(sql("SELECT COUNT(*) FROM audit_unsealed")).await?;
    let contains = match earlier {
        None => None,
        Some(head) if head.position > chain.head.position => Some(false),
        Some(head) => Some(at(&mut session, head.position).await?.as_ref() == Some(head)),
    };
    Ok(Checked { chain, unsealed, contains })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_is_printed() {
        let head = Head { position: 12, hash: hash_of("a text") };
        assert_eq!(head.to_string().parse(), Ok(head.clone()));
        let hash = &head.hash;
        for wrong in
            ["", "12", hash, &format!("0:{hash}"), &format!("-1:{hash}"), &format!("x:{hash}")]
        {
            assert!(wrong.parse::<Head>().is_err(), "{wrong}");
        }
        for wrong in [&hash[1..], &format!("{hash}0"), &hash.to_uppercase()] {
            assert!(format!("12:{wrong}").parse::<Head>().is_err(), "{wrong}");
        }
    }
}
