//! Tells the binary which commit and which kind of build it is, for `nil --version`.
//!
//! Links the binary with packed relocations where the C library can read them (glibc 2.36,
//! `DT_RELR`): the loader then reads 3 MB less at every start.

use std::env;
use std::process::Command;

/// The first version of glibc that reads packed relocations.
const READS_THEM: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=NIL_BUILD={}", build());
    let is = |name, value| env::var(name).is_ok_and(|found| found == value);
    let here = env::var("HOST") == env::var("TARGET");
    if here && is("CARGO_CFG_TARGET_OS", "linux") && glibc() >= Some(READS_THEM) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// What `nil --version` says beside the version, such as "commit 0123456789ab, release build".
fn build() -> String {
    let profile = env::var("PROFILE").unwrap_or_default();
    println!("cargo:rerun-if-env-changed=NIL_COMMIT");
    let commit = match env::var("NIL_COMMIT") {
        Ok(commit) if !commit.is_empty() => Some(commit),
        // A build for work is not linked again with every commit.
        _ if profile == "debug" => None,
        _ => commit(),
    };
    let commit = commit.map(|commit| format!("commit {commit}, ")).unwrap_or_default();
    format!("{commit}{profile} build")
}

/// The commit that is built, if it is built from a checkout.
fn commit() -> Option<String> {
    let log = said(Command::new("git").args(["rev-parse", "--git-path", "logs/HEAD"]))?;
    println!("cargo:rerun-if-changed={log}");
    said(Command::new("git").args(["rev-parse", "--short=12", "HEAD"]))
}

/// The first line that a program says, if it ends well.
fn said(program: &mut Command) -> Option<String> {
    let output = program.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(str::to_owned)
}

/// The version of this machine's glibc; none on another C library.
fn glibc() -> Option<(u32, u32)> {
    let said = said(Command::new("getconf").arg("GNU_LIBC_VERSION"))?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
