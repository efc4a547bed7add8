//! The figures of a process for monitoring: their names, units and meanings in one place.
//! `/metrics` shows them; without a recorder (a host that installs none) they cost next to nothing.

#![expect(missing_docs, reason = "only the packages of this library use it")]

use metrics::Unit;

/// The upper bounds of the buckets of all histograms, in seconds. Those of several servers can be
/// added up.
pub const BUCKETS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

pub const REQUESTS: &str = "nil_http_requests_total";
pub const REQUEST_TIME: &str = "nil_http_request_seconds";
pub const THROTTLED: &str = "nil_http_throttled_total";
pub const THROTTLE_STORE_ERRORS: &str = "nil_throttle_store_errors_total";
pub const THROTTLE_FALLBACK: &str = "nil_throttle_fallback";
pub const REPLICA_AGE: &str = "nil_replica_age_seconds";
pub const REPLICA_READS: &str = "nil_replica_reads_total";
pub const SIGN_ONS: &str = "nil_sign_on_total";
pub const STREAMS: &str = "nil_live_streams";
pub const DATABASE_WAIT: &str = "nil_database_wait_seconds";
pub const OUTBOX_PENDING: &str = "nil_outbox_pending";
pub const OUTBOX_OVERDUE: &str = "nil_outbox_overdue_seconds";
pub const OUTBOX_ATTEMPTS: &str = "nil_outbox_attempts_total";
pub const AUDIT_UNSEALED_AGE: &str = "nil_audit_unsealed_seconds";
pub const BOOKS_UNBALANCED: &str = "nil_books_unbalanced_transfers";
pub const VERIFIED: &str = "nil_verified_timestamp_seconds";
pub const DELIVERY_REPORTS: &str = "nil_delivery_reports_total";
pub const DIFFERENCES: &str = "nil_processor_differences";
pub const DIFFERENCES_AGE: &str = "nil_processor_difference_seconds";
pub const PARTITION_ROOM: &str = "nil_partition_room_rows";
pub const PROCESSOR_REQUESTS: &str = "nil_processor_requests_total";
pub const TELEMETRY_BATCHES: &str = "nil_telemetry_batches_total";
pub const UNSETTLED_AGE: &str = "nil_processor_unsettled_seconds";
pub const WEBHOOK_DELIVERIES: &str = "nil_webhook_deliveries_total";
pub const WEBHOOKS_OVERDUE: &str = "nil_webhook_undelivered_seconds";
pub const WORKER_RUNS: &str = "nil_worker_runs_total";
pub const WORKER_TIME: &str = "nil_worker_run_seconds";
pub const WORKER_AGE: &str = "nil_worker_age_seconds";
const BUILD: &str = "nil_build_info";

/// A count as a gauge takes it.
pub fn figure(number: i64) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The counters and their meanings.
const COUNTERS: &[(&str, &str)] = &[
    (REQUESTS, "Requests answered, by operation and status"),
    (THROTTLED, "Requests refused because the caller asked too often, by class"),
    (THROTTLE_STORE_ERRORS, "Requests that Redis did not count"),
    (REPLICA_READS, "Reads that a replica may answer, by who did: replica, primary"),
    (
        SIGN_ONS,
        "Sign-ons that came back from an identity provider, or could not begin because it does not \
         answer, by interface and outcome: signed_on or an error's code",
    ),
    (
        OUTBOX_ATTEMPTS,
        "Messages handed to a courier, by channel and outcome: sent, try_again, never, unknown",
    ),
    (
        DELIVERY_REPORTS,
        "Reports about mails and text messages that had left, by channel and outcome: bounced, \
         complained, deferred, opted_out, no_such_number, failed, delivered, under_way",
    ),
    (
        PROCESSOR_REQUESTS,
        "Requests that move money, sent to the processor, by kind and answer: taken, not_now, \
         refused, unknown",
    ),
    (
        TELEMETRY_BATCHES,
        "Batches sent to the collector, by signal and outcome: taken, refused, unanswered",
    ),
    (
        WEBHOOK_DELIVERIES,
        "Tries to deliver to endpoints of webhooks, by outcome: delivered, failed, given_up, gone",
    ),
    (WORKER_RUNS, "Runs of a task of the worker, by outcome: done, failed, panicked, timed_out"),
];

/// Names the version, and tells the recorder of this process what each figure means. Call it once,
/// after the recorder was installed.
pub fn describe() {
    for (name, meaning) in COUNTERS {
        metrics::describe_counter!(*name, Unit::Count, *meaning);
    }
    let histograms = [
        (REQUEST_TIME, "Time from a request's head to its answer's head, by operation"),
        (
            DATABASE_WAIT,
            "Time until a caller got a connection of PostgreSQL, or its turn to write SQLite",
        ),
        (WORKER_TIME, "Time that a run of a task of the worker took"),
    ];
    for (name, meaning) in histograms {
        metrics::describe_histogram!(name, Unit::Seconds, meaning);
    }
    let gauges = [
        (STREAMS, Unit::Count, "Live streams open at this server"),
        (
            THROTTLE_FALLBACK,
            Unit::Count,
            "1 while this server counts requests alone because Redis does not answer, else 0",
        ),
        (
            REPLICA_AGE,
            Unit::Seconds,
            "How old the data of the replica are; without an answer, since they were last known",
        ),
        (
            OUTBOX_PENDING,
            Unit::Count,
            "Messages that wait, by channel; 10,001 stands for more than 10,000",
        ),
        (
            OUTBOX_OVERDUE,
            Unit::Seconds,
            "How long the oldest waiting message has been due, by channel",
        ),
        (
            WORKER_AGE,
            Unit::Seconds,
            "Time since a task last succeeded here or was left to another server",
        ),
        (
            DIFFERENCES,
            Unit::Count,
            "Open differences between the processor's statement and our rows; 10,001 stands for more",
        ),
        (DIFFERENCES_AGE, Unit::Seconds, "How long the oldest of them has been open"),
        (
            UNSETTLED_AGE,
            Unit::Seconds,
            "How long the oldest movement of money has had no outcome, by kind; those that wait for \
             a cardholder or are in transit are left out",
        ),
        (
            WEBHOOKS_OVERDUE,
            Unit::Seconds,
            "How long the oldest event that an endpoint of webhooks has not taken has waited",
        ),
        (
            AUDIT_UNSEALED_AGE,
            Unit::Seconds,
            "How long the oldest entry of the audit trail has not been covered by the hash chain",
        ),
        (
            BOOKS_UNBALANCED,
            Unit::Count,
            "How many of the newest 500 transfers of the ledger do not sum to zero",
        ),
        (
            PARTITION_ROOM,
            Unit::Count,
            "Ids that are left in the ranges of a divided table of PostgreSQL; at 0 rows go to its rest",
        ),
        (VERIFIED, Unit::Seconds, "When `nil verify` last found nothing wrong, or 0 if never"),
        (BUILD, Unit::Count, "1, with the version as a label"),
    ];
    for (name, unit, meaning) in gauges {
        metrics::describe_gauge!(name, unit, meaning);
    }
    // Shown from the first moment on.
    metrics::gauge!(STREAMS).increment(0.0);
    metrics::gauge!(THROTTLE_FALLBACK).set(0.0);
    metrics::counter!(THROTTLE_STORE_ERRORS).increment(0);
    metrics::gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}
