//! Who runs the command, for the audit trail and for warnings.

use std::path::Path;

use super::values::env;

/// The longest text; more says nothing.
const LONGEST: usize = 200;

/// Who runs this process and where, such as `ada@db1`, or
/// `root (sudo by ada)@db1 from 203.0.113.9`.
pub(super) fn described() -> String {
    let user = user_of(Path::new("/proc/self")).unwrap_or_else(|| "somebody".into());
    let by = env("SUDO_USER").filter(|by| *by != user);
    let by = by.map(|by| format!(" (sudo by {by})")).unwrap_or_default();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = Some(host.trim()).filter(|host| !host.is_empty()).unwrap_or("this machine");
    // The first word is the client's address.
    let from = env("SSH_CONNECTION");
    let from = from.as_deref().and_then(|words| words.split_whitespace().next());
    let from = from.map(|address| format!(" from {address}")).unwrap_or_default();
    let plain = |letter: &char| !letter.is_control();
    format!("{user}{by}@{host}{from}").chars().filter(plain).take(LONGEST).collect()
}

/// The owner of a file, and the effective user, if these are two: files that the one makes the
/// other cannot change.
pub(crate) fn stranger_to(path: &Path) -> Option<(String, String)> {
    let (owner, runner) = (user_of(path)?, user_of(Path::new("/proc/self"))?);
    (owner != runner).then_some((owner, runner))
}

/// The name of the user to whom a file belongs, or the number. `/proc/self` belongs to the
/// effective user.
#[cfg(unix)]
fn user_of(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt as _;
    let uid = path.metadata().ok()?.uid();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    Some(name_of(uid, &users).unwrap_or_else(|| format!("user {uid}")))
}

#[cfg(not(unix))]
fn user_of(_: &Path) -> Option<String> {
    None
}

/// The name that a list in the form of `/etc/passwd` has for a number.
fn name_of(uid: u32, users: &str) -> Option<String> {
    users.lines().find_map(|line| {
        let mut parts = line.split(':');
        let (name, number) = (parts.next()?, parts.nth(1)?);
        (number.parse() == Ok(uid)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_have_their_names() {
        let users =
            "root:x:0:0:root:/root:/bin/sh\nbroken\nnil:x:998:997::/var/lib/nil:/bin/false\n";
        assert_eq!(name_of(998, users).as_deref(), Some("nil"));
        assert_eq!(name_of(0, users).as_deref(), Some("root"));
        assert_eq!(name_of(7, users), None);
    }
}
