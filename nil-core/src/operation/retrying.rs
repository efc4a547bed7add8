//! Retries of transactions that the database aborted, for typed calls and for calls of the catalog.

use std::sync::Arc;
use std::time::Duration;

use super::cx::Cx;
use super::facts::Facts;
use crate::auth::Caller;
use crate::error::{Kind, Result, codes};
use crate::platform::Platform;

/// The number of attempts before the caller gets a 503.
pub const ATTEMPTS: u32 = 12;

impl Platform {
    /// After two aborts, attempts run one at a time: many transactions that lock the same rows in
    /// opposite order would otherwise abort each other for minutes. Two of them cannot both be in
    /// here, so each wave of new attempts leaves fewer behind.
    #[doc(hidden)]
    pub async fn lane(&self, attempt: u32) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        if attempt < 2 { None } else { Some(self.single_file().lock().await) }
    }

    /// Runs a typed operation for a caller that the host vouches for: the entry point for Rust
    /// services. The switches of features are not asked; what a host offers is its own decision.
    /// For a brand that posts a job: `platform.call(partner, api::core::job::save, input).await?`.
    pub async fn call<C, I, O, F, Fut>(&self, caller: C, operation: F, input: I) -> Result<O>
    where
        C: Caller,
        I: Clone,
        F: Fn(Cx<C>, I) -> Fut,
        Fut: Future<Output = Result<O>>,
    {
        let actor = format!("host:{}", C::KINDS.join("|"));
        run_typed(self, caller, actor, operation, input).await
    }
}

/// Waits before the next attempt: a random time whose maximum doubles with each attempt.
pub async fn back_off(platform: &Platform, attempt: u32) {
    let most = 2_u64.saturating_pow(attempt.min(8)).saturating_mul(2);
    let millis = 1 + platform.draw() % most;
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

/// Repeats a settlement while the database asks for a retry. The dispatcher cannot do that here,
/// because the intent is already committed.
pub async fn patiently<T, F, Fut>(platform: &Platform, attempt: F) -> Result<T>
where
    F: Fn() -> Fut,
    Fut: Future<Output = Result<T>>,
{
    for tries in 1..ATTEMPTS {
        match attempt().await {
            Err(error) if error.kind() == Kind::Again => back_off(platform, tries).await,
            outcome => return outcome,
        }
    }
    attempt().await
}

/// The paths of functions that the host or the worker calls and that have moved, each with the
/// name it keeps: audit trails have rows under it, and a search for it finds the new ones too.
const MOVED: [(&str, &str); 4] = [
    ("accounts::operators::passwords::reset", "accounts::operator_passwords::reset"),
    ("payments::charges::commission::settle", "payments::commission::settle"),
    ("payments::invoices::invoicing::bill", "payments::invoicing::bill"),
    ("payments::invoices::invoicing::close", "payments::invoicing::close"),
];

/// The name of an operation in the audit trail: its name in the catalog. A function that is not
/// there has its path, without the package if it is ours; a closure, that of its function.
fn name_of<F>(platform: &Platform) -> &'static str {
    let path = std::any::type_name::<F>();
    platform.operation_of(path).unwrap_or_else(|| named(path))
}

fn named(path: &'static str) -> &'static str {
    let path = path.trim_end_matches("::{{closure}}");
    let ours = ["nil_domain::", "nil_business::", "nil_parties::", "nil_ground::"];
    let path = ours.iter().find_map(|package| path.strip_prefix(package)).unwrap_or(path);
    MOVED.iter().find_map(|(now, name)| (*now == path).then_some(*name)).unwrap_or(path)
}

/// Runs a typed operation for a Rust caller, with the same retries; `input` is cloned per attempt.
pub async fn run_typed<C, I, O, F, Fut>(
    platform: &Platform,
    caller: C,
    actor: String,
    operation: F,
    input: I,
) -> Result<O>
where
    C: Caller,
    I: Clone,
    F: Fn(Cx<C>, I) -> Fut,
    Fut: Future<Output = Result<O>>,
{
    for attempt in 0..ATTEMPTS {
        let _lane = platform.lane(attempt).await;
        let facts = Arc::new(Facts::new(
            name_of::<F>(platform),
            platform.now(),
            None,
            platform.new_request_id(),
            actor.clone(),
        ));
        let cx = Cx::new(caller.clone(), platform.clone(), facts.clone());
        match operation(cx, input.clone()).await {
            Err(error) if error.kind() == Kind::Again && !facts.committed() => {
                back_off(platform, attempt).await;
            }
            Err(error) if !facts.committed() => match platform.db().settled().await {
                Err(undone) if undone.kind() == Kind::Again => {}
                _ => return Err(error),
            },
            outcome => return outcome,
        }
    }
    Err(codes::UNAVAILABLE.into())
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn operations_are_named_after_their_paths_and_keep_their_names() {
        for (path, name) in [
            ("nil_business::jobs::posting::save", "jobs::posting::save"),
            (
                "nil_parties::accounts::suspension::change::{{closure}}",
                "accounts::suspension::change",
            ),
            (
                "nil_parties::accounts::operators::passwords::reset::{{closure}}",
                "accounts::operator_passwords::reset",
            ),
            ("nil_business::payments::charges::commission::settle", "payments::commission::settle"),
            ("somebody::elses::operation", "somebody::elses::operation"),
        ] {
            assert_eq!(named(path), name);
        }
    }
}
