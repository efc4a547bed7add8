//! Packs the files of a record into one archive while it is sent.

use aws_lc_rs::digest::{Context, SHA256};
use futures::TryStreamExt as _;
use serde::Serialize;

use super::file::{MediaType, StoredFile};
use super::naming::safe_name;
use super::reading::send;
use super::store::file as files;
use crate::error::{Error, Result};
use crate::export::Archive;
use crate::kernel::{Time, UserId};
use crate::operation::Download;
use crate::platform::Platform;

/// The manifest's data about the documents, besides their sizes and checksums.
#[derive(Serialize)]
struct About {
    documents: Vec<Document>,
}

#[derive(Serialize)]
struct Document {
    file: String,
    /// Its original name.
    name: String,
    media_type: MediaType,
    added_at: Time,
}

/// The archive of these files under `name`: `documents/01-….pdf` and so on, and at the end
/// `manifest.json`. Every byte is checked against the checksum taken at upload; if a file does not
/// match, the archive breaks off.
pub fn archive(platform: &Platform, name: String, files: Vec<StoredFile>, now: Time) -> Download {
    let platform = platform.clone();
    Download::growing(name, "application/zip", move |pieces| async move {
        let mut archive = Archive::new(pieces, now);
        let mut documents = Vec::with_capacity(files.len());
        for (number, file) in (1_usize..).zip(files) {
            let place = place(number, &file);
            archive.begin(&place).await?;
            if !pack(&platform, &mut archive, &file).await? {
                return Ok(());
            }
            documents.push(Document {
                file: place,
                name: file.name,
                media_type: file.media_type,
                added_at: file.created_at,
            });
        }
        archive.finish(&About { documents }).await
    })
}

/// Packs all files that a user has uploaded, as `files/ID.ENDING`; returns whether the reader is
/// still there. A file that is deleted meanwhile is left out.
pub async fn pack_files_of(
    platform: &Platform,
    archive: &mut Archive,
    user: UserId,
) -> Result<bool> {
    let mut behind = None;
    loop {
        let mut session = platform.db().read().await?;
        let stored = files::stored_of(&mut session, user, behind).await?;
        for file in &stored {
            let still = files::find_all(&mut session, &[file.id]).await?;
            if still.is_empty() {
                continue;
            }
            let ending = file.media_type.endings().first().copied().unwrap_or("bin");
            archive.begin(&format!("files/{}.{ending}", file.id)).await?;
            if !pack(platform, archive, file).await? {
                return Ok(false);
            }
        }
        behind = stored.last().map(|file| file.id);
        if behind.is_none() {
            return Ok(true);
        }
    }
}

/// The path of a file in the archive. Its number makes it unique; the name is sanitised again, so
/// that a stored name cannot escape the folder where the archive is unpacked.
fn place(number: usize, file: &StoredFile) -> String {
    let name = safe_name(&file.name, file.media_type);
    format!("documents/{number:02}-{name}")
}

/// Packs a file; returns whether the reader is still there.
async fn pack(platform: &Platform, archive: &mut Archive, file: &StoredFile) -> Result<bool> {
    let mut sum = Context::new(&SHA256);
    let mut bytes = send(platform, file.clone()).await?.bytes;
    while let Some(piece) = bytes.try_next().await? {
        sum.update(&piece);
        if !archive.write(piece).await? {
            return Ok(false);
        }
    }
    if hex::encode(sum.finish()) == file.sha256 {
        return Ok(true);
    }
    Err(Error::internal(format!("the object of file {} differs from its upload", file.id)))
}
