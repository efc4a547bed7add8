//! A proof of the audit trail: a part of the hash chain in a file that anybody can check without
//! the database.
//!
//! `docs/audit-proof.md` describes the file for those who check it. It has a [`Header`] and a line
//! for each link.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chain::{self, Chain, Head, Walk, hash_of, is_hash};
use super::{Cx, Done, Subject, run_typed};
use crate::auth::{Anyone, Principal};
use crate::error::{Error, Result, Wrong, codes};
use crate::kernel::Time;
use crate::platform::Platform;
use crate::storage::Session;

/// The name of the format, in the header.
const FORMAT: &str = "nil-audit-proof";

/// The version of the format.
const VERSION: u32 = 1;

/// The most bytes of a line. An entry holds a record before and after: many times less.
const LONGEST: usize = 16 * 1024 * 1024;

/// The first line of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always `nil-audit-proof`.
    pub format: String,
    /// Always 1.
    pub version: u32,
    /// The position of the first link in the file.
    pub from: i64,
    /// The hash of the link before the first one; empty if the file begins with the chain.
    pub previous: String,
    /// The position of the last link in the file; one less than `from` if there are none.
    pub until: i64,
    /// The hash of the last link; that of the link before if there are none.
    pub head: String,
    /// When the proof was made.
    pub made_at: Time,
}

/// Any other line of a proof.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    position: i64,
    #[serde(borrow)]
    hash: Cow<'a, str>,
    #[serde(borrow)]
    sealed: Cow<'a, str>,
}

/// What became of a proof that was to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is complete.
    Written(Header),
    /// The chain is broken at this position: what has been written is no proof.
    Broken(i64),
}

/// Writes the links from one position to another, by default the whole chain. First it seals the
/// entries that are not sealed yet, unless `until` leaves them out; last it adds a row to the audit
/// trail, after everything has been written and flushed. A page of links is in memory at a time.
/// For the command line, where access to the host is the authorization. 422 for positions that the
/// chain does not have; 503 if `out` fails.
pub async fn write(
    platform: &Platform,
    from: Option<i64>,
    until: Option<i64>,
    out: &mut (dyn Write + Send),
) -> Result<Proof> {
    let mut session = platform.db().snapshot().await?;
    let end = chain::last(&mut session).await?.position;
    if until.is_none_or(|until| until > end) {
        drop(session);
        chain::seal_all(platform).await?;
        session = platform.db().snapshot().await?;
    }
    let header = header(&mut session, from.unwrap_or(1), until, platform.now()).await?;
    put(out, &header)?;
    let walk = Walk::until(&mut session, Some(header.until)).await?;
    let Chain { broken_at, .. } = walk
        .each(&mut session, |link| {
            if link.position < header.from {
                return Ok(());
            }
            let (hash, sealed) = (link.hash.into(), link.sealed.into());
            put(out, &Line { position: link.position, hash, sealed })
        })
        .await?;
    drop(session);
    if let Some(position) = broken_at {
        return Ok(Proof::Broken(position));
    }
    out.flush().map_err(unwritable)?;
    let operation = async |cx: Cx<Anyone>, header: Header| -> Result<Done<()>> {
        let mut work = cx.begin().await?;
        let last = Subject { kind: "audit_seal", id: header.until };
        let part = json!({ "from": header.from, "until": header.until, "head": header.head });
        work.note_change(last, "proved", None, part);
        work.done(()).await
    };
    let nobody = Anyone(Principal::Anonymous);
    run_typed(platform, nobody, "host".into(), operation, header.clone()).await?;
    Ok(Proof::Written(header))
}

/// The header of the links from one position to another.
async fn header(
    session: &mut Session,
    from: i64,
    until: Option<i64>,
    made_at: Time,
) -> Result<Header> {
    let last = chain::last(session).await?.position;
    let until = until.unwrap_or(last);
    let mut wrong = Wrong::default();
    if until < 1 && last > 0 || until > last {
        wrong.add("until", format!("must be a position of the chain, from 1 to {last}"));
    }
    if from < 1 || from > Ord::max(until, 1) {
        wrong.add("from", format!("must be a position from 1 to {until}"));
    }
    wrong.refuse()?;
    let previous = chain::at(session, from - 1).await?.unwrap_or_default();
    let head = chain::at(session, until).await?.unwrap_or_default();
    Ok(Header {
        format: FORMAT.into(),
        version: VERSION,
        from,
        previous: previous.hash,
        until,
        head: head.hash,
        made_at,
    })
}

fn put(out: &mut (dyn Write + Send), line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec(line).map_err(Error::internal)?;
    text.push(b'\n');
    out.write_all(&text).map_err(unwritable)
}

fn unwritable(error: io::Error) -> Error {
    codes::UNAVAILABLE.saying("The proof cannot be written.").because(error)
}

/// The first line of a file that keeps it from being a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong about it, to follow its number: `has another hash than …`.
    pub why: String,
}

/// Checks a proof, line by line, without a database. With `earlier` it must also contain that link,
/// or begin right behind it. The inner error is the first wrong line; the outer one a file that
/// cannot be read.
pub fn check(file: &mut impl BufRead, earlier: Option<&Head>) -> io::Result<Result<Header, Fault>> {
    let mut lines = Lines { file, number: 0, line: Vec::new() };
    let checked = lines.check(earlier)?;
    Ok(checked.map_err(|why| Fault { line: lines.number, why }))
}

struct Lines<'f, F> {
    file: &'f mut F,
    /// The number of the line that is looked at.
    number: u64,
    line: Vec<u8>,
}

impl<F: BufRead> Lines<'_, F> {
    fn check(&mut self, earlier: Option<&Head>) -> io::Result<Result<Header, String>> {
        let header = match self.next()? {
            Ok(Some(line)) => header_of(line),
            Ok(None) => Err("is missing: the file is empty".into()),
            Err(why) => Err(why),
        };
        let header = match header {
            Ok(header) => header,
            Err(why) => return Ok(Err(why)),
        };
        let mut last = Head { position: header.from - 1, hash: header.previous.clone() };
        let mut found = earlier.is_none_or(|earlier| *earlier == last);
        loop {
            let link = match self.next()? {
                Ok(Some(line)) => link_of(line, &last),
                Ok(None) => break,
                Err(why) => Err(why),
            };
            last = match link {
                Ok(_) if last.position == header.until => {
                    let until = header.until;
                    return Ok(Err(format!("is behind position {until}, the last by the header")));
                }
                Ok(link) => link,
                Err(why) => return Ok(Err(why)),
            };
            found |= earlier == Some(&last);
        }
        Ok(if last.position != header.until {
            Err(format!("is missing: the header promises links up to position {}", header.until))
        } else if last.hash != header.head {
            self.number = 1;
            Err("has another head than the last link".into())
        } else if let Some(earlier) = earlier.filter(|_| !found) {
            self.number = 1;
            Err(format!("begins a file without the link {earlier}"))
        } else {
            Ok(header)
        })
    }

    /// The next line without its end, none at the end of the file; the inner error is a line that
    /// is too long. The number is then that of this line, or of the one that is missing.
    fn next(&mut self) -> io::Result<Result<Option<&[u8]>, String>> {
        self.number += 1;
        self.line.clear();
        let most = u64::try_from(LONGEST).unwrap_or(u64::MAX).saturating_add(1);
        self.file.by_ref().take(most).read_until(b'\n', &mut self.line)?;
        if self.line.is_empty() {
            return Ok(Ok(None));
        }
        if self.line.pop_if(|last| *last == b'\n').is_none() {
            let long = self.line.len() > LONGEST;
            let why = if long { "is longer than 16 MiB" } else { "is cut off: it has no end" };
            return Ok(Err(why.into()));
        }
        Ok(Ok(Some(&self.line)))
    }
}

/// The first line, if it can be that of a proof.
fn header_of(line: &[u8]) -> Result<Header, String> {
    let value: Value = serde_json::from_slice(line).map_err(|_| "is not JSON")?;
    let tag = (value.get("format"), value.get("version"));
    if tag != (Some(&FORMAT.into()), Some(&VERSION.into())) {
        return Err(format!("is not the header of a proof in version {VERSION}"));
    }
    let header: Header = serde_json::from_slice(line).map_err(|why| format!("is wrong: {why}"))?;
    let begins = header.from == 1;
    let is_empty = header.until == header.from - 1;
    if header.from < 1 || header.until < header.from - 1 {
        return Err("has wrong positions".into());
    }
    if begins != header.previous.is_empty() || !begins && !is_hash(&header.previous) {
        return Err("has a wrong `previous`".into());
    }
    let of_none = is_empty && header.head == header.previous;
    if !of_none && (is_empty || !is_hash(&header.head)) {
        return Err("has a wrong `head`".into());
    }
    Ok(header)
}

/// The link of a line, if it follows the link before.
fn link_of(text: &[u8], before: &Head) -> Result<Head, String> {
    let link: Line<'_> = serde_json::from_slice(text).map_err(|why| format!("is wrong: {why}"))?;
    let next = before.position + 1;
    if link.position != next {
        return Err(format!("has position {} where {next} follows", link.position));
    }
    if link.hash != hash_of(&link.sealed) {
        return Err(format!("has another hash than its text (position {next})"));
    }
    let sealed: Vec<Value> = serde_json::from_str(&link.sealed)
        .map_err(|_| format!("has a text that is no list (position {next})"))?;
    match sealed.as_slice() {
        [position, previous, entry @ ..]
            if *position == next && *previous == before.hash && matches!(entry.len(), 11 | 12) =>
        {
            Ok(Head { position: next, hash: link.hash.into_owned() })
        }
        _ => Err(format!("does not follow the link before (position {next})")),
    }
}

#[cfg(test)]
#[path = "proof_tests.rs"]
mod tests;
