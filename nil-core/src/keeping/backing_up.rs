//! Writes a backup while servers go on.

use std::collections::HashSet;

use futures::TryStreamExt as _;
use tokio::sync::oneshot;

use super::manifest::{Held, Manifest, SECRET_KEY, path_of};
use crate::content::checking::written_objects;
use crate::error::{Error, Result, codes};
use crate::export::{Archive, dated};
use crate::operation::Download;
use crate::platform::Platform;
use crate::ports::objects::ObjectKey;
use crate::storage::moving::{self, Pages};

/// What a backup holds besides the rows.
#[derive(Clone, Copy, Debug)]
pub struct Backup {
    /// Whether the files are in it. Without them, the object store must be kept by other means.
    pub files: bool,
    /// Whether the secret key is in it: only for a backup that is sealed.
    pub key: bool,
}

/// The file of a backup, and what it holds, once all of it is made. The rows are those of one
/// instant. Nobody waits for it: rows are read from a snapshot, and a file is never changed.
#[must_use]
pub fn backup(platform: &Platform, what: Backup) -> (Download, oneshot::Receiver<Manifest>) {
    let (tell, told) = oneshot::channel();
    let platform = platform.clone();
    let name = format!("{}.zip", dated("nil-backup", platform.now()));
    let file = Download::growing(name, "application/zip", move |pieces| async move {
        let archive = Archive::new(pieces, platform.now());
        let mut packing = Packing { platform: &platform, archive, packed: HashSet::new() };
        if let Some(manifest) = packing.all(what).await? {
            packing.archive.finish(&manifest).await?;
            let _ = tell.send(manifest);
        }
        Ok(())
    });
    (file, told)
}

struct Packing<'p> {
    platform: &'p Platform,
    archive: Archive,
    packed: HashSet<String>,
}

impl Packing<'_> {
    /// Packs everything; none if the reader has left.
    async fn all(&mut self, what: Backup) -> Result<Option<Manifest>> {
        if what.key {
            let key = self.platform.config().secret_key.to_hex();
            self.archive.begin(SECRET_KEY).await?;
            self.archive.write(format!("{}\n", key.expose()).into_bytes()).await?;
        }
        // Most files before the rows: one that is deleted while they are packed is then no longer
        // in a row. Those that came meanwhile follow after the rows.
        if what.files {
            let mut session = self.platform.db().read().await?;
            let named = written_objects(&mut session).await?;
            drop(session);
            if !self.files(named, Must::Nothing).await? {
                return Ok(None);
            }
        }
        let mut session = self.platform.db().snapshot().await?;
        let mut manifest = Manifest::begin(&mut session, self.platform.now()).await?;
        for table in moving::tables(&mut session).await? {
            self.archive.begin(&path_of(&table)).await?;
            let mut pages = Pages::of(&table);
            while let Some(rows) = pages.next(&mut session).await? {
                let mut lines = rows.join("\n");
                lines.push('\n');
                if !self.archive.write(lines.into_bytes()).await? {
                    return Ok(None);
                }
            }
            let tally = pages.tally();
            manifest.tables.push(Held { table, tally });
        }
        manifest.counters = moving::counters(&mut session).await?;
        manifest.with_key = what.key;
        if what.files {
            let named = written_objects(&mut session).await?;
            drop(session);
            if !self.files(named, Must::BeThere).await? {
                return Ok(None);
            }
            manifest.objects = u64::try_from(self.packed.len()).ok();
        }
        Ok(Some(manifest))
    }

    /// Packs the files that are not packed yet; returns whether the reader is still there.
    async fn files(&mut self, named: Vec<(String, String)>, must: Must) -> Result<bool> {
        for (record, text) in named {
            if self.packed.contains(&text) {
                continue;
            }
            let key = ObjectKey::parse(&text).ok_or_else(|| Error::internal("not a file's key"))?;
            let Some(mut pieces) = self.platform.objects().get(&key).await.map_err(away)? else {
                if must == Must::BeThere {
                    return Err(absent(&record));
                }
                continue;
            };
            self.archive.begin(&format!("objects/{text}")).await?;
            while let Some(piece) = pieces.try_next().await.map_err(away)? {
                if !self.archive.write(piece).await? {
                    return Ok(false);
                }
            }
            self.packed.insert(text);
        }
        Ok(true)
    }
}

/// Whether files must be there whose records were read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Must {
    /// The rows that are packed name them.
    BeThere,
    /// They may be deleted before the rows are packed.
    Nothing,
}

fn absent(record: &str) -> Error {
    codes::UNAVAILABLE.saying(format!(
        "The file of {record} is not in the store. If it was deleted while the backup was made, make another one. If \
         `nil verify` says that it is missing, make one without files, or remove the record."
    ))
}

fn away(error: std::io::Error) -> Error {
    codes::UNAVAILABLE.saying(format!("A file cannot be read: {error}.")).because(error)
}
