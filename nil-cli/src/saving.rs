//! Files that a command receives, written while they arrive.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use futures::{Stream, StreamExt as _};
use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;
use crate::out::{self, say};

/// Writes a file to standard output (`-`), to the given name, or else to its own name. What stands
/// under that name is replaced only by the whole file.
pub(crate) async fn save<B: AsRef<[u8]>>(
    output: Option<&str>,
    name: &str,
    pieces: impl Stream<Item = Result<B, Failure>> + Unpin,
) -> Result<(), Failure> {
    if let Some((name, size)) = save_for(Readers::Usual, output, name, pieces).await? {
        say!("wrote {name} ({size} bytes)");
    }
    Ok(())
}

/// Who may read a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Those whom the process's mask allows.
    Usual,
    /// Its owner.
    Owner,
}

/// [`save`] for these readers, without a word; the file's name and size, if it is one.
pub(crate) async fn save_for<'n, B: AsRef<[u8]>>(
    readers: Readers,
    output: Option<&'n str>,
    name: &'n str,
    mut pieces: impl Stream<Item = Result<B, Failure>> + Unpin,
) -> Result<Option<(&'n str, u64)>, Failure> {
    let name = match output {
        Some("-") => {
            while let Some(piece) = pieces.next().await {
                out::bytes(piece?.as_ref());
            }
            return Ok(None);
        }
        given => given.unwrap_or(name),
    };
    let path = Path::new(name);
    let mut target = Target::at(path, readers).map_err(Failure::at(path))?;
    let mut size = 0_u64;
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        target.file().write_all(piece.as_ref()).map_err(Failure::at(path))?;
        size = size.saturating_add(u64::try_from(piece.as_ref().len()).unwrap_or(u64::MAX));
    }
    target.finish(path).map_err(Failure::at(path))?;
    Ok(Some((name, size)))
}

/// What the pieces are written to.
enum Target {
    /// A file beside the named one, which takes its place at the end.
    Beside(NamedTempFile),
    /// A device, a pipe, or what a link leads to.
    Itself(File),
}

impl Target {
    fn at(path: &Path, readers: Readers) -> std::io::Result<Self> {
        let special = path.metadata().is_ok_and(|found| !found.is_file());
        if special || path.is_symlink() {
            return Ok(Self::Itself(File::create(path)?));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".nil-");
        // Without permissions, only its owner may read it.
        #[cfg(unix)]
        if readers == Readers::Usual {
            builder.permissions(usual());
        }
        Ok(Self::Beside(builder.tempfile_in(folder.unwrap_or(Path::new(".")))?))
    }

    fn file(&mut self) -> &mut File {
        match self {
            Self::Beside(scratch) => scratch.as_file_mut(),
            Self::Itself(file) => file,
        }
    }

    fn finish(self, path: &Path) -> std::io::Result<()> {
        match self {
            Self::Beside(scratch) => {
                scratch.as_file().sync_all()?;
                scratch.persist(path).map(|_| ()).map_err(|failed| failed.error)
            }
            Self::Itself(mut file) => file.flush(),
        }
    }
}

/// The permissions of new files, less the process's mask.
#[cfg(unix)]
fn usual() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::Permissions::from_mode(0o666)
}
