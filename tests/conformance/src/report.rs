//! The report: a line for each endpoint, the failures, the sum.

use std::fmt;

use serde_json::{Value, json};

use crate::findings::Findings;

/// What a run found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The endpoints that were checked, in the specification's order.
    pub rows: Vec<Findings>,
}

impl Report {
    /// The numbers of checks that held, failed and could not be made.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        self.rows.iter().fold([0; 3], |[held, failed, lacking], row| {
            let [h, f, l] = row.counts();
            [held + h, failed + f, lacking + l]
        })
    }

    /// Whether everything that could be checked held.
    #[must_use]
    pub fn all_held(&self) -> bool {
        self.counts().get(1) == Some(&0) && !self.rows.is_empty()
    }

    /// The operations with failures.
    #[must_use]
    pub fn failed(&self) -> Vec<&'static str> {
        let failed = self.rows.iter().filter(|row| row.failures().next().is_some());
        failed.map(|row| row.endpoint.operation).collect()
    }

    /// The same for programs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let [held, failed, not_applicable] = self.counts();
        let rows: Vec<Value> = self.rows.iter().map(Findings::to_json).collect();
        json!({ "held": held, "failed": failed, "not_applicable": not_applicable, "endpoints": rows })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, " held failed  n/a  endpoint")?;
        for row in &self.rows {
            let [held, failed, lacking] = row.counts();
            let endpoint = row.endpoint;
            let (method, path, operation) = (endpoint.method, endpoint.path, endpoint.operation);
            writeln!(f, "{held:5} {failed:6} {lacking:4}  {method:6} {path}  {operation}")?;
        }
        for row in &self.rows {
            for (finding, failure) in row.failures() {
                writeln!(f, "\n{}: {}", row.endpoint.operation, finding.check)?;
                writeln!(f, "  expected  {} ({})", failure.expected, finding.rule)?;
                writeln!(f, "  came      {}", failure.came)?;
                writeln!(f, "  request   {}", failure.request)?;
            }
        }
        let lacking: Vec<_> = self
            .rows
            .iter()
            .flat_map(|row| row.lacking().map(move |(finding, why)| (row, finding, why)))
            .collect();
        if !lacking.is_empty() {
            writeln!(f, "\nnot applicable:")?;
        }
        for (row, finding, why) in lacking {
            writeln!(f, "  {}: {}: {why}", row.endpoint.operation, finding.check)?;
        }
        let [held, failed, lacking] = self.counts();
        let rows = self.rows.len();
        writeln!(
            f,
            "\n{rows} endpoints: {held} checks held, {failed} failed, {lacking} not applicable"
        )
    }
}
