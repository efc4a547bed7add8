//! What the suite is told about a server: its addresses, its seed accounts and how to read mails.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use chrono::NaiveDate;
use futures::future::BoxFuture;
use serde::Deserialize;

use crate::endpoints::Interface;

/// Reads the newest mail to an address; none if there is no such mail.
pub type ReadMail = Arc<dyn Fn(String) -> BoxFuture<'static, Option<String>> + Send + Sync>;

/// The file that describes a server.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The base address of Core, which ends in `/api`.
    pub core: String,
    /// The base address of Compliance, which ends in `/api/compliance`.
    pub compliance: String,
    /// The base address of the back office.
    pub admin: String,
    /// How the addresses begin that the server writes into its answers, if it is reached at others.
    pub public: Option<String>,
    /// Whether the server believes this machine's `X-Forwarded-For`. The suite then gives every
    /// request an address of its own, and never waits for a limit to pass.
    #[serde(default)]
    pub forwarded: bool,
    /// The server's day, if its clock differs from the `Date` of its answers.
    pub today: Option<NaiveDate>,
    /// A program and its arguments; with an e-mail address as its last argument it prints the
    /// newest mail to that address.
    #[serde(default)]
    pub mail: Vec<String>,
    /// The same for programs that use the library; it wins.
    #[serde(skip)]
    pub read_mail: Option<ReadMail>,
    /// The seed accounts by their part in the checks.
    pub accounts: BTreeMap<String, Account>,
}

/// The log-in of a seed account.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// The e-mail address.
    pub email: String,
    /// The password.
    pub password: String,
    /// An operator's permissions.
    #[serde(default)]
    pub permissions: Vec<String>,
}

/// The parts that accounts play, with the interface that each one logs in to.
pub const PARTS: [(&str, Interface); 11] = [
    ("athlete", Interface::Core),
    ("other_athlete", Interface::Core),
    ("brand", Interface::Core),
    ("other_brand", Interface::Core),
    ("agent", Interface::Core),
    ("fan", Interface::Core),
    ("owner", Interface::Compliance),
    ("other_owner", Interface::Compliance),
    ("viewer", Interface::Compliance),
    ("operator", Interface::Admin),
    ("clerk", Interface::Admin),
];

/// Where the accounts of a part log in.
#[must_use]
pub fn interface_of(part: &str) -> Option<Interface> {
    PARTS.iter().find(|(name, _)| *name == part).map(|(_, interface)| *interface)
}

impl Settings {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        Self::parse(&text)
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let settings: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let lacking: Vec<&str> = PARTS
            .iter()
            .map(|(part, _)| *part)
            .filter(|part| !settings.accounts.contains_key(*part))
            .collect();
        if lacking.is_empty() {
            Ok(settings)
        } else {
            Err(format!("the file has no accounts for: {}", lacking.join(", ")))
        }
    }

    /// The base address of an interface.
    #[must_use]
    pub fn base(&self, interface: Interface) -> &str {
        let base = match interface {
            Interface::Core => &self.core,
            Interface::Compliance => &self.compliance,
            Interface::Admin => &self.admin,
        };
        base.trim_end_matches('/')
    }
}

impl fmt::Debug for Settings {
    /// Shows no passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("core", &self.core)
            .field("compliance", &self.compliance)
            .field("admin", &self.admin)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_names_every_account() {
        let example = Settings::parse(include_str!("../server.example.toml")).unwrap();
        assert_eq!(example.accounts.len(), PARTS.len());
        let lacking = Settings::parse("core = ''\ncompliance = ''\nadmin = ''\n[accounts]\n");
        assert!(lacking.unwrap_err().contains("other_athlete"));
    }
}
