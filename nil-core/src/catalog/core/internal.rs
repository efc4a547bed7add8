//! What services call with an API key: the worker's tasks, and the assistant's tools.

use crate::assistant::hosting;
use crate::auth::Scope;
use crate::catalog::Method::Post;
use crate::catalog::row::{Entry, model_host, service};
use crate::cron;
use crate::error::{Code, codes};

/// What is wrong with the proof of a signed request.
const UNPROVEN: &[Code] = &[
    codes::ATHLETE_TOKEN_INVALID,
    codes::SIGNATURE_INVALID,
    codes::REQUEST_STALE,
    codes::REQUEST_REPLAYED,
];

/// The rows of this group.
pub(super) fn rows() -> Vec<Entry> {
    let mut rows = tasks();
    rows.extend(tools());
    rows
}

fn tasks() -> Vec<Entry> {
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

fn tools() -> Vec<Entry> {
    vec![
        model_host(
            "core.ai_tools.deals",
            Post,
            "/ai-tools/deals",
            "the athlete's deals and their states",
            hosting::deals,
        )
        .extension()
        .owned()
        .errors(UNPROVEN),
        model_host(
            "core.ai_tools.deliverables",
            Post,
            "/ai-tools/deliverables",
            "what the athlete has to do, and until when",
            hosting::deliverables,
        )
        .extension()
        .owned()
        .errors(UNPROVEN),
        model_host(
            "core.ai_tools.payments",
            Post,
            "/ai-tools/payments",
            "what the athlete is owed, paid and paid out",
            hosting::payments,
        )
        .extension()
        .owned()
        .errors(UNPROVEN),
        model_host(
            "core.ai_tools.contract_terms",
            Post,
            "/ai-tools/contract-terms",
            "what the contract of a job of the athlete's says",
            hosting::contract_terms,
        )
        .extension()
        .owned()
        .errors(UNPROVEN),
        model_host(
            "core.ai_tools.draft_clarification",
            Post,
            "/ai-tools/draft-clarification",
            "propose a question to the brand of a job, which only the athlete sends",
            hosting::draft_clarification,
        )
        .extension()
        .owned()
        .says("Draft saved")
        .errors(&[
            codes::ATHLETE_TOKEN_INVALID,
            codes::SIGNATURE_INVALID,
            codes::REQUEST_STALE,
            codes::REQUEST_REPLAYED,
            codes::TOO_MANY_DRAFTS,
        ]),
    ]
}
