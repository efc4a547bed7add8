//! `nil audit`: the audit trail, its hash chain, and proofs of it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};
use nil_core::dashboard::audit_log::{self, NewestEntries};
use nil_core::operation::chain::{self, Checked, Head};
use nil_core::operation::proof::{self, Fault, Header, Proof};
use nil_core::operation::{self, Fields};
use serde_json::json;

use crate::failure::Failure;
use crate::out::say;
use crate::settings::Settings;
use crate::show::{self, Layout};

#[derive(Debug, Subcommand)]
pub(crate) enum AuditAction {
    /// List the newest entries that match all filters.
    List(Box<Filters>),
    /// Check the whole hash chain; exit 1 if it is broken.
    Check {
        /// The head that an earlier check printed: exit 1 also if the chain no longer contains it.
        #[arg(long, value_name = "POSITION:HASH")]
        head: Option<Head>,
    },
    /// Write a proof: the chain in a file that anybody can check without the database.
    Prove {
        /// The file, which must not exist; - for standard output.
        #[arg(long, value_name = "PATH")]
        file: PathBuf,
        /// The first position [default: 1].
        #[arg(long, value_name = "POSITION")]
        from: Option<i64>,
        /// The last position [default: that of the newest entry].
        #[arg(long, value_name = "POSITION")]
        until: Option<i64>,
    },
    /// Check a proof; exit 1 if it is wrong. Needs no database.
    VerifyProof {
        /// The file.
        file: PathBuf,
        /// A head that the proof must contain.
        #[arg(long, value_name = "POSITION:HASH")]
        head: Option<Head>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Filters {
    /// Only by this actor, such as operator:2, athlete:7, host or platform.
    #[arg(long, value_name = "ACTOR")]
    actor: Option<String>,
    /// Only of this operation, such as admin.payment.refund.
    #[arg(long, value_name = "OPERATION")]
    operation: Option<String>,
    /// Only this action, such as created.
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// Only about this record, such as contract:7, or about records of this kind, such as contract.
    #[arg(long, value_name = "KIND[:ID]")]
    subject: Option<String>,
    /// The first day, by UTC.
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// The last day, by UTC.
    #[arg(long, alias = "to", value_name = "DATE")]
    until: Option<String>,
    /// Only entries before the one with this id.
    #[arg(long, value_name = "ID")]
    before: Option<String>,
    /// The most entries, 1 to 200 [default: 50].
    #[arg(long, value_name = "NUMBER")]
    limit: Option<String>,
    #[command(flatten)]
    layout: Layout,
}

/// `nil audit list|check|prove`.
pub(crate) async fn audit(
    settings: Settings,
    action: AuditAction,
    json: bool,
) -> Result<(), Failure> {
    match action {
        AuditAction::List(filters) => list(settings, *filters, json).await,
        AuditAction::Check { head } => check(settings, head.as_ref(), json).await,
        AuditAction::Prove { file, from, until } => {
            prove(settings, &file, (from, until), json).await
        }
        AuditAction::VerifyProof { file, head } => verify_proof(&file, head.as_ref(), json),
    }
}

async fn list(settings: Settings, filters: Filters, json: bool) -> Result<(), Failure> {
    let (wanted, layout) = filters.read()?;
    let platform = nil_core::open(settings.config).await?;
    let entries = audit_log::newest(&platform, wanted).await;
    platform.close().await;
    let entries = json!(entries?);
    if json {
        say!("{entries:#}");
        return Ok(());
    }
    let columns =
        ["id", "at", "actor", "operation", "action", "subject_kind", "subject_id", "address"];
    show::rows(&entries, &layout.or(&columns))
}

impl Filters {
    /// The flags, read as the operation's types; the refusal names every field that is wrong.
    fn read(self) -> Result<(NewestEntries, Layout), Failure> {
        let (kind, id) = match self.subject {
            None => (None, None),
            Some(subject) => match subject.split_once(':') {
                Some((kind, id)) => (Some(kind.to_owned()), Some(id.to_owned())),
                None => (Some(subject), None),
            },
        };
        let flags = [
            ("actor", self.actor),
            ("operation", self.operation),
            ("action", self.action),
            ("subject_kind", kind),
            ("subject_id", id),
            ("from", self.from),
            ("to", self.until),
            ("before_id", self.before),
            ("limit", self.limit),
        ];
        Ok((operation::read(&Fields::from_texts(flags))?.0, self.layout))
    }
}

async fn check(settings: Settings, head: Option<&Head>, json: bool) -> Result<(), Failure> {
    let platform = settings.open_as_it_is().await?;
    let checked = chain::check(&platform, head).await;
    platform.close().await;
    let Checked { chain, unsealed, contains } = checked?;
    let last = Some(&chain.head).filter(|head| head.position > 0).map(ToString::to_string);
    if json {
        let answer = json!({
            "length": chain.head.position,
            "head": last,
            "unsealed": unsealed,
            "broken_at": chain.broken_at,
            "contains_head": contains,
        });
        say!("{answer:#}");
    } else {
        match chain.broken_at {
            None => say!("The chain holds."),
            Some(position) => say!("The audit trail was changed at position {position}."),
        }
        say!("links that hold: {}", chain.head.position);
        say!("head: {}", last.as_deref().unwrap_or("none"));
        say!("entries that are not sealed yet: {unsealed}");
        match (head, contains) {
            (Some(head), Some(true)) => say!("It contains the link {head}."),
            (Some(head), _) => say!("It does not contain the link {head}: it was rewritten."),
            (None, _) => {}
        }
    }
    if chain.broken_at.is_none() && contains != Some(false) { Ok(()) } else { Err(Failure::Found) }
}

async fn prove(
    settings: Settings,
    path: &Path,
    (from, until): (Option<i64>, Option<i64>),
    json: bool,
) -> Result<(), Failure> {
    if path == Path::new("-") {
        let platform = nil_core::open(settings.config).await?;
        let mut out = BufWriter::new(io::stdout());
        let written = proof::write(&platform, from, until, &mut out).await;
        platform.close().await;
        return whole(written?).map(|_| ());
    }
    let taken = || Failure::Broken(format!("{}: the file is there already", path.display()));
    if path.symlink_metadata().is_ok() {
        return Err(taken());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // With mode 0600. It gets its name once it is whole, and is removed otherwise.
    let scratch = tempfile::Builder::new().prefix(".nil-audit-proof-").tempfile_in(folder);
    let mut scratch = scratch.map_err(Failure::at(folder))?;
    let platform = nil_core::open(settings.config).await?;
    let mut out = BufWriter::new(scratch.as_file_mut());
    let written = proof::write(&platform, from, until, &mut out).await;
    drop(out);
    platform.close().await;
    let header = whole(written?)?;
    scratch.as_file_mut().flush().map_err(Failure::at(path))?;
    scratch.as_file().sync_all().map_err(Failure::at(path))?;
    scratch.persist_noclobber(path).map_err(|failed| match failed.error.kind() {
        io::ErrorKind::AlreadyExists => taken(),
        _ => Failure::at(path)(failed.error),
    })?;
    if json {
        say!("{:#}", json!({ "file": path, "proof": header }));
    } else {
        say!("wrote {}: {}", path.display(), described(&header));
    }
    Ok(())
}

/// The header of a proof that is complete.
fn whole(proof: Proof) -> Result<Header, Failure> {
    match proof {
        Proof::Written(header) => Ok(header),
        Proof::Broken(position) => {
            let why =
                format!("there is no proof: the audit trail was changed at position {position}");
            Err(Failure::Broken(why))
        }
    }
}

fn described(header: &Header) -> String {
    let Header { from, until, head, .. } = header;
    if until < from {
        return "no links".into();
    }
    format!("links {from} to {until}, head {until}:{head}")
}

/// `nil audit verify-proof`.
pub(crate) fn verify_proof(path: &Path, head: Option<&Head>, json: bool) -> Result<(), Failure> {
    let mut file = BufReader::new(File::open(path).map_err(Failure::at(path))?);
    match proof::check(&mut file, head).map_err(Failure::at(path))? {
        Ok(header) => {
            if json {
                say!("{:#}", json!({ "holds": true, "proof": header }));
            } else {
                say!("The proof holds: {}.", described(&header));
            }
            Ok(())
        }
        Err(Fault { line, why }) => {
            if json {
                say!("{:#}", json!({ "holds": false, "line": line, "why": why }));
            } else {
                say!("The proof is wrong. Line {line} {why}.");
            }
            Err(Failure::Found)
        }
    }
}
