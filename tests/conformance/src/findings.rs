//! What a check found.

use serde_json::{Value, json};

use crate::endpoints::Endpoint;

/// Why a check did not hold, or could not be made.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// The server did something else than is written.
    Failed(Box<Failure>),
    /// The server or the settings lack what the check needs, and need not have it.
    Lacking(String),
}

/// A check that did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What is written.
    pub expected: String,
    /// What came.
    pub came: String,
    /// The request, as a command.
    pub request: String,
}

/// What came of one check.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind of check.
    pub check: String,
    /// Where the rule is written.
    pub rule: String,
    /// Whether it held.
    pub outcome: Result<(), Trouble>,
}

/// What was found at one endpoint.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The endpoint.
    pub endpoint: &'static Endpoint,
    /// Its checks.
    pub checks: Vec<Finding>,
}

impl Findings {
    /// Notes what came of a check.
    pub fn note(
        &mut self,
        check: impl Into<String>,
        rule: impl Into<String>,
        outcome: Result<(), Trouble>,
    ) {
        self.checks.push(Finding { check: check.into(), rule: rule.into(), outcome });
    }

    /// The numbers of checks that held, failed and could not be made.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        let count = |wanted: fn(&Result<(), Trouble>) -> bool| {
            self.checks.iter().filter(|finding| wanted(&finding.outcome)).count()
        };
        [
            count(Result::is_ok),
            count(|outcome| matches!(outcome, Err(Trouble::Failed(_)))),
            count(|outcome| matches!(outcome, Err(Trouble::Lacking(_)))),
        ]
    }

    /// The checks that failed.
    pub fn failures(&self) -> impl Iterator<Item = (&Finding, &Failure)> {
        self.checks.iter().filter_map(|finding| match &finding.outcome {
            Err(Trouble::Failed(failure)) => Some((finding, &**failure)),
            _ => None,
        })
    }

    /// The checks that could not be made, with the reason.
    pub fn lacking(&self) -> impl Iterator<Item = (&Finding, &str)> {
        self.checks.iter().filter_map(|finding| match &finding.outcome {
            Err(Trouble::Lacking(why)) => Some((finding, why.as_str())),
            _ => None,
        })
    }

    /// The same for programs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let checks: Vec<Value> = self.checks.iter().map(Finding::to_json).collect();
        let [held, failed, not_applicable] = self.counts();
        json!({
            "operation": self.endpoint.operation,
            "method": self.endpoint.method,
            "path": self.endpoint.path,
            "held": held,
            "failed": failed,
            "not_applicable": not_applicable,
            "checks": checks,
        })
    }
}

impl Finding {
    fn to_json(&self) -> Value {
        let (check, rule) = (&self.check, &self.rule);
        match &self.outcome {
            Ok(()) => json!({ "check": check, "rule": rule, "outcome": "held" }),
            Err(Trouble::Lacking(why)) => {
                json!({ "check": check, "rule": rule, "outcome": "not_applicable", "why": why })
            }
            Err(Trouble::Failed(failure)) => json!({
                "check": check, "rule": rule, "outcome": "failed", "expected": failure.expected,
                "came": failure.came, "request": failure.request,
            }),
        }
    }
}
