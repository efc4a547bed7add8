//! `nil backup` and `nil restore`: an installation as a file, and back.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::{Args, builder::OsStringValueParser, builder::TypedValueParser as _};
use futures::{Stream, StreamExt as _, TryStreamExt as _};
use nil_core::auth::MasterKey;
use nil_core::keeping::{self, Backup as What, Manifest, Packed, Source};
use nil_core::kernel::SystemRandom;
use nil_core::keys::age::{Identity, Opened, Recipient, Sealing, is_sealed};
use nil_core::storage;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::administering::{Examined, opened};
use crate::args::Options;
use crate::failure::Failure;
use crate::out::say;
use crate::saving::{self, Readers};
use crate::settings::{Needed, Settings};

/// The arguments of `nil backup`.
#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// Where to save the backup; - for standard output.
    #[arg(value_name = "FILE")]
    file: String,
    /// Seal the backup for this public key of `age` (age1…), and put the secret key into it. Can be
    /// given several times; each holder of a key can restore it.
    #[arg(long = "to", value_name = "KEY")]
    recipients: Vec<Recipient>,
    /// Leave the secret key out of a sealed backup.
    #[arg(long, requires = "recipients")]
    without_key: bool,
    /// Leave the files out: their store is kept by other means.
    #[arg(long)]
    without_files: bool,
}

/// The arguments of `nil restore`.
#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The backup.
    #[arg(value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    file: PathBuf,
    /// The file with the secret key of `age` that opens a sealed backup, as `age-keygen` writes it.
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    identity: Option<PathBuf>,
}

/// `nil backup`.
pub(crate) async fn backup(settings: Settings, args: Backup, json: bool) -> Result<(), Failure> {
    let sealed = !args.recipients.is_empty();
    let what = What { files: !args.without_files, key: sealed && !args.without_key };
    let platform = opened(settings).await?;
    let (file, told) = keeping::backup(&platform, what);
    let pieces = file.bytes.map_err(Failure::from);
    let name = file.name.clone();
    let output = Some(args.file.as_str());
    let pieces = if sealed {
        sealed_pieces(Sealing::begin(&args.recipients, &SystemRandom)?, pieces).boxed()
    } else {
        pieces.boxed()
    };
    let saved = saving::save_for(Readers::Owner, output, &name, pieces).await?;
    platform.close().await;
    let manifest = told.await.map_err(|_| Failure::Broken("the backup is not whole".into()))?;
    if let Some((name, bytes)) = saved {
        tell_backup(&manifest, (name, bytes), sealed, json);
    }
    Ok(())
}

/// The pieces of the sealed file.
fn sealed_pieces(
    sealing: Sealing,
    pieces: impl Stream<Item = Result<Vec<u8>, Failure>> + Unpin + Send + 'static,
) -> impl Stream<Item = Result<Vec<u8>, Failure>> {
    futures::stream::unfold((Some(sealing), pieces), |(sealing, mut pieces)| async move {
        let mut sealing = sealing?;
        match pieces.next().await {
            Some(Ok(piece)) => {
                // Sealing a piece takes as long as a disk takes to write it: not on this thread.
                let done =
                    spawn_blocking(move || sealing.add(&piece).map(|ready| (sealing, ready)));
                match done.await.map_err(std::io::Error::other).flatten() {
                    Ok((sealing, ready)) => Some((Ok(ready), (Some(sealing), pieces))),
                    Err(error) => Some((Err(error.into()), (None, pieces))),
                }
            }
            Some(Err(failure)) => Some((Err(failure), (None, pieces))),
            None => Some((sealing.end().map_err(Failure::from), (None, pieces))),
        }
    })
}

fn tell_backup(manifest: &Manifest, (name, bytes): (&str, u64), sealed: bool, json: bool) {
    let (rows, tables) = (manifest.rows(), manifest.tables.len());
    if json {
        let told = json!({
            "file": name,
            "bytes": bytes,
            "taken_at": manifest.taken_at,
            "rows": rows,
            "tables": tables,
            "files": manifest.objects,
            "sealed": sealed,
            "secret_key": manifest.with_key,
        });
        say!("{told:#}");
        return;
    }
    say!("wrote {name} ({bytes} bytes)");
    match manifest.objects {
        Some(files) => say!("{rows} rows of {tables} tables, {files} files."),
        None => say!("{rows} rows of {tables} tables, no files."),
    }
    if !manifest.with_key {
        say!(
            "The secret key is not in it. Keep it elsewhere: without it, what is sealed cannot be opened."
        );
    }
}

/// `nil restore`.
pub(crate) async fn restore(options: &Options, args: Restore, json: bool) -> Result<(), Failure> {
    let path = args.file.clone();
    let unpacking = spawn_blocking(move || unpacked(&args.file, args.identity.as_deref()));
    let (packed, key) = unpacking.await.map_err(std::io::Error::other)??;
    let manifest = packed.manifest().clone();
    let settings = Settings::load(options, Needed::Any)?.with_own_key(key)?;
    let platform = nil_core::opening::open_unmigrated(settings.config).await?;
    storage::migrate(platform.db()).await?;
    keeping::restore(&platform, packed).await?;
    let examined = Examined::of(&platform).await?;
    platform.close().await;
    let (rows, tables) = (manifest.rows(), manifest.tables.len());
    if json {
        let told = json!({
            "taken_at": manifest.taken_at,
            "rows": rows,
            "tables": tables,
            "files": manifest.objects,
            "verified": examined.to_json(),
        });
        say!("{told:#}");
    } else {
        say!("Restored {}, which was made at {}.", path.display(), manifest.taken_at);
        tell_rows(rows, tables);
        if manifest.objects.is_none() {
            say!("The backup has no files. Their store must be as it was then.");
        }
        examined.show();
    }
    if examined.sound() { Ok(()) } else { Err(Failure::Found) }
}

pub(crate) fn tell_rows(rows: u64, tables: usize) {
    say!("{rows} rows of {tables} tables: each table comes to what it came to before.");
}

/// Opens the file, and reads the secret key if it is in it.
fn unpacked(path: &Path, identity: Option<&Path>) -> Result<(Packed, Option<MasterKey>), Failure> {
    let mut file = File::open(path).map_err(Failure::at(path))?;
    let source: Box<dyn Source> = match (is_sealed(&mut file).map_err(Failure::at(path))?, identity)
    {
        (false, None) => Box::new(file),
        (false, Some(_)) => {
            return Err(Failure::Usage("the backup is not sealed: leave --identity out".into()));
        }
        (true, None) => {
            let why =
                "the backup is sealed: name the file with the secret key of age by --identity";
            return Err(Failure::Usage(why.into()));
        }
        (true, Some(identity)) => {
            let text = std::fs::read_to_string(identity).map_err(Failure::at(identity))?;
            let own = Identity::all_of(&text);
            let own =
                own.map_err(|why| Failure::Broken(format!("{}: {why}", identity.display())))?;
            Box::new(Opened::new(file, &own).map_err(Failure::at(path))?)
        }
    };
    let mut packed = Packed::open(source)?;
    let key = packed.key()?;
    Ok((packed, key))
}
