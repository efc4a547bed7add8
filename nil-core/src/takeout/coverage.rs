//! Every table with personal data has an area of the takeout, or a reason why it has none.

use std::collections::BTreeSet;

use super::{areas, deal_areas, record_areas};
use crate::departures::retention;

/// Tables with personal data that no area reads, with the reason. Names are separated by blanks.
const EXCUSED: &[(&str, &str)] = &[
    ("athlete_search athlete_tag partner_search", "copies of the profile, for searching"),
    (
        "registration one_time_code link_token login_failure login_turn known_log_in mail_allowance",
        "marks of secrets and limits of attempts, which end by themselves and say nothing that the person does not know",
    ),
    (
        "undeliverable",
        "what a mail service or a provider said of an address or a number; both are in the account",
    ),
    ("departure", "written when the account is closed, after which nothing is taken along"),
    (
        "outbox digest_item idempotency",
        "messages and answers under way, sealed; notifications are an area",
    ),
    (
        "direct_upload",
        "an upload under way; once it is complete, it is among the deal folders and the files",
    ),
    (
        "charge movement",
        "the processor's numbers of charges, and requests to it; payments, payouts and invoices are areas",
    ),
    (
        "statement_line processor_difference",
        "the processor's references of charges, and how they differ from ours; payments and payouts are areas",
    ),
    (
        "payment_payee refund_withheld tax_return",
        "what counts on returns, made of payments and refunds, and returns as they were filed: payments, refunds and tax forms \
         are areas, and payees are sent their returns",
    ),
    ("ledger_account", "names of accounts, which the ledger's entries repeat"),
    (
        "athlete_agent_filing_version",
        "the institution's own notes on a filing; what is filed is an area",
    ),
    (
        "college_transaction",
        "the institution's figures, made of payments and disclosures, which are areas",
    ),
    (
        "portal_user portal_recovery_code portal_registration operator operator_recovery_code \
         sign_on_identity",
        "people who act for an institution or for the platform, whose accounts have no takeout",
    ),
    (
        "announcement publication privacy_policy_edit legal_document content_item content_version multipart_upload \
         export_report",
        "texts and files of the operators",
    ),
    ("webhook_delivery", "what was sent to the brand's own receiver; the endpoints are an area"),
    ("squad_member", "the institutions' own lists of people with and without accounts"),
    ("calendar_feed", "the hash of a secret address; the deadlines behind it are in other areas"),
    ("public_records_request", "requests of others to an institution"),
];

/// The tables that a statement reads.
fn read_by(statement: &str) -> BTreeSet<&str> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let after = |pair: &[&'static str; 2], word: &str| pair.contains(&word);
    words
        .windows(2)
        .filter(|pair| after(&["FROM", "JOIN"], pair[0]))
        .map(|pair| pair[1].trim_matches(['(', ')', ',']))
        .filter(|name| !name.is_empty() && *name != "SELECT")
        .collect()
}

fn statements() -> impl Iterator<Item = &'static str> {
    [areas::STATEMENTS, deal_areas::STATEMENTS, record_areas::STATEMENTS].concat().into_iter()
}

#[test]
fn tables_are_found_in_statements() {
    let statement = "SELECT a FROM (SELECT b FROM one x JOIN two y ON y.id = x.id) n WHERE a > 1";
    assert_eq!(read_by(statement), BTreeSet::from(["one", "two"]));
}

#[test]
fn every_personal_table_has_an_area_or_a_reason() {
    let read: BTreeSet<&str> = statements().flat_map(read_by).collect();
    let excused: BTreeSet<&str> =
        EXCUSED.iter().flat_map(|(names, _)| names.split_whitespace()).collect();
    let personal: BTreeSet<&str> = retention::tables()
        .filter(|columns| !columns.personal.is_empty())
        .map(|columns| columns.table)
        .collect();
    let missing: Vec<_> =
        personal.iter().filter(|name| !read.contains(*name) && !excused.contains(*name)).collect();
    assert!(missing.is_empty(), "have neither an area nor a reason: {missing:?}");
    let needless: Vec<_> =
        excused.iter().filter(|name| read.contains(*name) || !personal.contains(*name)).collect();
    assert!(needless.is_empty(), "need no reason: {needless:?}");
}

#[test]
fn no_area_reads_a_secret() {
    for statement in statements() {
        for secret in ["tin_sealed", "password_hash", "sealed_token", "token_hash", "object_key"] {
            assert!(!statement.contains(secret), "{secret}: {statement}");
        }
    }
}
