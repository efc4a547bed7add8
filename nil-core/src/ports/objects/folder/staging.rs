//! The parts of uploads, each upload in a folder of its own, until they become one object.
//!
//! A part is a file named by its number: its bytes, and after them their SHA-256. It gets its name
//! when it is complete, so a reader sees a whole part or none. The names consist of digits only,
//! and nothing from outside becomes part of one: an upload is named by two keys of this server.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aws_lc_rs::digest::{Context, SHA256, SHA256_OUTPUT_LEN};
use futures::TryStreamExt as _;

use super::{absent, blocking, each_older, remove};
use crate::kernel::{SystemRandom, private_file, private_folder};
use crate::ports::objects::parts::{invalid, no_upload, wrong_length};
use crate::ports::objects::{Incoming, ObjectKey, Parted};

/// How long an upload may be without a new part before its parts are removed. Whoever keeps uploads
/// ends them sooner.
const FORGOTTEN: Duration = Duration::from_hours(48);

/// A file that disappears unless it gets its final name.
struct Begun(PathBuf);

impl Begun {
    /// A new file with a name of its own in this folder.
    fn within(folder: &Path) -> io::Result<(Self, File)> {
        let name = ObjectKey::draw(&SystemRandom);
        let begun = Self(folder.join(name.as_str()));
        let file = private_file(&begun.0)?;
        Ok((begun, file))
    }

    /// Gives it its name, durably.
    fn finish(self, place: &Path) -> io::Result<()> {
        fs::rename(&self.0, place)?;
        place.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        // After `finish` there is nothing left under this name.
        let _ = fs::remove_file(&self.0);
    }
}

/// The folder of an upload; none unless its name is one that `begin` has made.
fn folder_of(root: &Path, of: &Parted) -> Option<PathBuf> {
    let upload = ObjectKey::parse(&of.upload)?;
    Some(root.join("parts").join(format!("{}-{}", of.key.as_str(), upload.as_str())))
}

/// Begins an upload.
pub(super) fn begin(root: &Path, key: &ObjectKey) -> io::Result<String> {
    let upload = ObjectKey::draw(&SystemRandom).as_str().to_owned();
    let of = Parted { key: key.clone(), upload };
    let folder = folder_of(root, &of).ok_or_else(no_upload)?;
    private_folder(&folder)?;
    File::open(root.join("parts"))?.sync_all()?;
    Ok(of.upload)
}

/// Writes a part while it arrives: only the piece at hand is in memory.
pub(super) async fn put(
    root: &Path,
    of: &Parted,
    number: u16,
    length: u64,
    mut bytes: Incoming,
) -> io::Result<String> {
    let folder = folder_of(root, of).ok_or_else(no_upload)?;
    let place = folder.join(number.to_string());
    let (begun, mut file) = blocking(move || Begun::within(&folder)).await?;
    let (mut sum, mut left) = (Context::new(&SHA256), length);
    while let Some(piece) = bytes.try_next().await? {
        let size = u64::try_from(piece.len()).map_err(io::Error::other)?;
        left = left.checked_sub(size).ok_or_else(|| wrong_length(length))?;
        (file, sum) = blocking(move || {
            sum.update(&piece);
            file.write_all(&piece)?;
            Ok((file, sum))
        })
        .await?;
    }
    if left > 0 {
        return Err(wrong_length(length));
    }
    blocking(move || {
        let sum = sum.finish();
        file.write_all(sum.as_ref())?;
        file.sync_all()?;
        begun.finish(&place)?;
        Ok(hex::encode(sum))
    })
    .await
}

/// The object of these parts, under its name when it is complete.
pub(super) fn join(root: &Path, of: &Parted, tags: &[String], place: &Path) -> io::Result<()> {
    let folder = folder_of(root, of).ok_or_else(no_upload)?;
    if !folder.try_exists()? {
        return Err(no_upload());
    }
    let new = root.join("new");
    private_folder(&new)?;
    place.parent().map(private_folder).transpose()?;
    let (begun, mut whole) = Begun::within(&new)?;
    for (number, tag) in (1_u16..).zip(tags) {
        if let Err(error) = append(&folder.join(number.to_string()), tag, &mut whole) {
            // Another call may just have joined them; a part alone never goes.
            return Err(if folder.try_exists()? { about(number, error) } else { no_upload() });
        }
    }
    whole.sync_all()?;
    begun.finish(place)?;
    drop_folder(&folder)
}

/// Names the part that cannot be joined.
fn about(number: u16, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => invalid(format!("part {number} is missing")),
        io::ErrorKind::InvalidInput => invalid(format!("part {number} {error}")),
        _ => error,
    }
}

fn append(part: &Path, tag: &str, whole: &mut File) -> io::Result<()> {
    let mut part = File::open(part)?;
    let end = i64::try_from(SHA256_OUTPUT_LEN).map_err(io::Error::other)?;
    let length = part.seek(SeekFrom::End(-end))?;
    let mut sum = [0; SHA256_OUTPUT_LEN];
    part.read_exact(&mut sum)?;
    if hex::encode(sum) != tag {
        return Err(invalid("has another tag"));
    }
    part.seek(SeekFrom::Start(0))?;
    // The kernel copies it where it can.
    match io::copy(&mut (&part).take(length), whole)? {
        copied if copied == length => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Removes the parts of an upload.
pub(super) fn abort(root: &Path, of: &Parted) -> io::Result<()> {
    folder_of(root, of).map_or(Ok(()), |folder| drop_folder(&folder))
}

/// Removes the folder of an upload, at once for everybody else: they find all its parts or none.
fn drop_folder(folder: &Path) -> io::Result<()> {
    let gone = folder.with_extension("gone");
    // A crash may have left some of it.
    absent(fs::remove_dir_all(&gone))?;
    if absent(fs::rename(folder, &gone))?.is_some() {
        absent(fs::remove_dir_all(&gone))?;
    }
    Ok(())
}

/// Removes the parts of uploads that were forgotten, and what was left of parts that broke off.
pub(super) fn tidy(root: &Path, now: SystemTime) -> io::Result<()> {
    each_older(&root.join("parts"), FORGOTTEN, now, |path| {
        if path.is_dir() { drop_folder(path) } else { remove(path) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_joins_at_once_each_finds_all_parts_or_none() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for _ in 0..50 {
            let key = ObjectKey::draw(&SystemRandom);
            let of = Parted { upload: begin(root, &key).unwrap(), key };
            let folder = folder_of(root, &of).unwrap();
            let sum = aws_lc_rs::digest::digest(&SHA256, b"part");
            let part = [b"part", sum.as_ref()].concat();
            let tags: Vec<String> = (1..=20)
                .map(|number| {
                    fs::write(folder.join(number.to_string()), &part).unwrap();
                    hex::encode(sum)
                })
                .collect();
            let place = root.join(of.key.as_str());
            let at_once = || join(root, &of, &tags, &place);
            let joined: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(at_once)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(joined.iter().any(Result::is_ok), "{joined:?}");
            for error in joined.into_iter().filter_map(Result::err) {
                assert_eq!(error.kind(), io::ErrorKind::NotFound, "{error}");
            }
            assert_eq!(fs::read(&place).unwrap(), b"part".repeat(20));
        }
        assert_eq!(fs::read_dir(root.join("parts")).unwrap().count(), 0);
    }
}
