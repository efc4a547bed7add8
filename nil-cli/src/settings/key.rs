//! The master key, and the file that it is in.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use nil_core::auth::MasterKey;
use nil_core::kernel::{SystemRandom, private_file, private_folder};
use tempfile::NamedTempFile;

use super::Needed;
use super::values::env;
use crate::failure::Failure;

/// The file of the master key in the data folder.
const SECRET_KEY: &str = "secret.key";

/// The master key that is there: `NIL_SECRET_KEY`, or the data folder's `secret.key`.
pub(super) fn kept(data: &Path) -> Result<Option<MasterKey>, Failure> {
    if let Some(text) = env("NIL_SECRET_KEY") {
        let key = MasterKey::from_hex(&text);
        return key.map(Some).map_err(|error| Failure::Usage(format!("NIL_SECRET_KEY: {error}")));
    }
    let path = data.join(SECRET_KEY);
    match File::open(&path) {
        Ok(file) => read_key(file, &path).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::at(&path)(error)),
    }
}

/// What takes its place where there is none: a new key on first use; nothing if the command only
/// looks at a database.
pub(super) fn missing(data: &Path, needed: Needed) -> Result<Option<MasterKey>, Failure> {
    match needed {
        Needed::Any => {}
        Needed::Database => return Ok(None),
        Needed::Existing => return Err(lost(data)),
    }
    written(data, MasterKey::generate(&SystemRandom)).map(Some)
}

/// Writes a key into the data folder; the one that is there by now, if another process was first.
pub(super) fn written(data: &Path, key: MasterKey) -> Result<MasterKey, Failure> {
    let path = data.join(SECRET_KEY);
    private_folder(data).map_err(Failure::at(data))?;
    match private_file(&path) {
        Ok(mut file) => {
            write(&mut file, &key).map_err(Failure::at(&path))?;
            Ok(key)
        }
        // Another process created it first: use its key.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            kept(data)?.ok_or_else(|| lost(data))
        }
        Err(error) => Err(Failure::at(&path)(error)),
    }
}

/// Writes the key file anew. The one that is there is replaced only by a whole one.
pub(crate) fn replace_key(data: &Path, key: &MasterKey) -> Result<(), Failure> {
    let path = data.join(SECRET_KEY);
    // Such a file can be read by its owner only.
    let mut file = NamedTempFile::new_in(data).map_err(Failure::at(data))?;
    write(file.as_file_mut(), key).map_err(Failure::at(&path))?;
    file.persist(&path).map_err(|failed| Failure::at(&path)(failed.error))?;
    Ok(())
}

fn write(file: &mut File, key: &MasterKey) -> std::io::Result<()> {
    writeln!(file, "{}", key.to_hex().expose())?;
    file.sync_all()
}

/// The key of a database is not in its folder.
pub(super) fn lost(data: &Path) -> Failure {
    Failure::Broken(format!(
        "{}: the secret key of this database is not there. Put the file back from where you keep it, name its folder \
         with --data, or set NIL_SECRET_KEY. A new key could not open what the old one sealed.",
        data.join(SECRET_KEY).display()
    ))
}

/// Reads the key from its file, which only its owner may read.
fn read_key(mut file: File, path: &Path) -> Result<MasterKey, Failure> {
    let broken = |why: String| Failure::Broken(format!("{}: {why}", path.display()));
    #[cfg(unix)]
    {
        let permissions = file.metadata().map_err(Failure::at(path))?.permissions();
        let mode = std::os::unix::fs::PermissionsExt::mode(&permissions);
        if mode & 0o077 != 0 {
            return Err(broken(format!(
                "others on this machine can read or change the secret key (mode {:03o}). Run: chmod 600 {}",
                mode & 0o777,
                path.display()
            )));
        }
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| broken(error.to_string()))?;
    MasterKey::from_hex(&text).map_err(broken)
}
