//! What services call with an API key: the worker's tasks, and the assistant's tools.

use crate::assistant::hosting;
use crate::assistant::hosting::{contract_terms, deliverables};
use crate::catalog::table::service::internal;
use crate::catalog::table::{Entry, extensions, model_host, owned};
use crate::cron;
use crate::error::{Code, codes};

/// What is wrong with the proof of a signed request.
const UNPROVEN: &[Code] = &[
    codes::ATHLETE_TOKEN_INVALID,
    codes::SIGNATURE_INVALID,
    codes::REQUEST_STALE,
    codes::REQUEST_REPLAYED,
];

/// The same, and too many drafts.
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
            .says("The task has run"),
        internal("core.internal.run_round", "POST /internal/worker/run", cron::run_round)
            .purpose("run one round of the worker")
            .says("The round is over"),
    ])
}

pub(super) fn tools() -> Vec<Entry> {
    extensions(owned(vec![
        model_host("core.ai_tools.deals", "POST /ai-tools/deals", hosting::deals)
            .purpose("the athlete's deals and their states")
            .errors(UNPROVEN),
        model_host("core.ai_tools.deliverables", "POST /ai-tools/deliverables", deliverables)
            .purpose("what the athlete has to do, and until when")
            .errors(UNPROVEN),
        model_host("core.ai_tools.payments", "POST /ai-tools/payments", hosting::payments)
            .purpose("what the athlete is owed, paid and paid out")
            .errors(UNPROVEN),
        model_host("core.ai_tools.contract_terms", "POST /ai-tools/contract-terms", contract_terms)
            .purpose("what the contract of a job of the athlete's says")
            .errors(UNPROVEN),
        model_host(
            "core.ai_tools.draft_clarification",
            "POST /ai-tools/draft-clarification",
            hosting::draft_clarification,
        )
        .purpose("propose a question to the brand of a job, which only the athlete sends")
        .says("Draft saved")
        .errors(DRAFTING),
    ]))
}
