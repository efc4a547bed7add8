//! Operations for services with an API key: the worker's tasks, and the assistant's tools.

use crate::assistant::hosting;
use crate::assistant::hosting::{contract_terms, deliverables};
use crate::catalog::table::service::internal;
use crate::catalog::table::{Entry, extensions, model_host, owned};
use crate::cron;
use crate::error::{Code, codes};

/// The refusals of a request's signature or token.
const UNPROVEN: &[Code] = &[
    codes::ATHLETE_TOKEN_INVALID,
    codes::SIGNATURE_INVALID,
    codes::REQUEST_STALE,
    codes::REQUEST_REPLAYED,
];

/// The refusals of a request's signature or token, and of a draft beyond the limit.
const DRAFTING: &[Code] = &[
    codes::ATHLETE_TOKEN_INVALID,
    codes::SIGNATURE_INVALID,
    codes::REQUEST_STALE,
    codes::REQUEST_REPLAYED,
    codes::TOO_MANY_DRAFTS,
];

pub(super) fn tasks() -> Vec<Entry> {
    extensions(vec![
        internal("core.internal.run_task", "POST /internal/cron/{task}", cron::run_task)
            .purpose("run one of the worker's tasks now")
            .says("Task finished"),
        internal("core.internal.run_round", "POST /internal/worker/run", cron::run_round)
            .purpose("run one round of the worker")
            .says("Round finished"),
    ])
}

/// While the feature is off, no model gets an athlete's data.
pub(super) fn tools() -> Vec<Entry> {
    extensions(owned(vec![
        model_host("core.ai_tools.deals", "POST /ai-tools/deals", hosting::deals)
            .purpose("list the athlete's deals and their statuses")
            .errors(UNPROVEN)
            .stops(),
        model_host("core.ai_tools.deliverables", "POST /ai-tools/deliverables", deliverables)
            .purpose("list the athlete's deliverables and their deadlines")
            .errors(UNPROVEN)
            .stops(),
        model_host("core.ai_tools.payments", "POST /ai-tools/payments", hosting::payments)
            .purpose("show what the athlete is owed, paid and paid out")
            .errors(UNPROVEN)
            .stops(),
        model_host("core.ai_tools.contract_terms", "POST /ai-tools/contract-terms", contract_terms)
            .purpose("show the contract terms of one of the athlete's jobs")
            .errors(UNPROVEN)
            .stops(),
        model_host(
            "core.ai_tools.draft_clarification",
            "POST /ai-tools/draft-clarification",
            hosting::draft_clarification,
        )
        .purpose("propose a question to the brand of a job, which only the athlete can send")
        .says("Draft saved")
        .errors(DRAFTING)
        .stops(),
    ]))
}
