//! Checks any server that claims the three interfaces of a sponsorship platform against their
//! specification and its contract. It knows nothing but what is written there: it calls the server
//! over HTTP, makes the records it needs through the interfaces themselves, and says what does not
//! hold.

mod checks;
mod client;
mod endpoints;
mod findings;
mod mail;
mod report;
mod settings;
mod shapes;
mod suite;
mod table;
mod trial;
mod values;

pub use endpoints::{Endpoint, Interface, all};
pub use findings::{Failure, Finding, Findings, Trouble};
pub use mail::program as read_mail_with;
pub use report::Report;
pub use settings::{Account, PARTS, ReadMail, Settings};
pub use suite::Suite;

impl Suite {
    /// Checks the operations of these names, and of names that begin so; all, if there are none.
    pub async fn run(&self, only: &[String]) -> Report {
        let mut rows = Vec::new();
        for endpoint in all() {
            let wanted = only.is_empty() || only.iter().any(|name| means(name, endpoint.operation));
            if let Some(row) = self.table.row(endpoint.operation).filter(|_| wanted) {
                rows.push((row, trial::try_all(self, endpoint, row).await));
            }
        }
        for (row, findings) in &mut rows {
            checks::limits::check(self, findings.endpoint, row, findings).await;
        }
        Report { rows: rows.into_iter().map(|(_, findings)| findings).collect() }
    }
}

/// Whether a name means an operation: it is that name, or the beginning of names.
fn means(name: &str, operation: &str) -> bool {
    name == operation || (operation.starts_with(name) && endpoints::named(name).is_none())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_knows_none_of_our_packages() {
        let manifest = include_str!("../Cargo.toml");
        let (_, needs) = manifest.split_once("[dependencies]").unwrap();
        assert!(!needs.contains("nil-"), "{needs}");
    }
}
