//! Folders and files that only their owner may read: they hold personal data, money and keys.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder and those above it, as far as they are missing, with mode `0700`. A folder that
/// exists keeps its mode.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut new = DirBuilder::new();
    new.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut new, 0o700);
    new.create(path)
}

/// The bytes that a user may still write to the disk of this path; none where that is unknown.
#[must_use]
pub fn free_space(path: &Path) -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let disk = rustix::fs::statvfs(path).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        None
    }
}

/// Makes a new file with mode `0600` and opens it for writing; an error of the kind `AlreadyExists`
/// if there is one.
pub fn private_file(path: &Path) -> io::Result<File> {
    let mut new = OpenOptions::new();
    new.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut new, 0o600);
    new.open(path)
}
