//! What services call with an API key: the worker's tasks.

use crate::auth::Scope;
use crate::catalog::Method::Post;
use crate::catalog::row::{Entry, service};
use crate::cron;

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    vec![
        service(
            Scope::Internal,
            "core.internal.run_task",
            Post,
            "/internal/cron/{task}",
            "run one of the worker's tasks now",
            cron::run_task,
        )
        .extension()
        .says("The task has run"),
        service(
            Scope::Internal,
            "core.internal.run_round",
            Post,
            "/internal/worker/run",
            "run one round of the worker",
            cron::run_round,
        )
        .extension()
        .says("The round is over"),
    ]
}
