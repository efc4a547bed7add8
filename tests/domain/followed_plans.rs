//! A page of a list that is followed by key costs the same however far the list goes: it counts
//! nothing, skips nothing, and begins in an index.

use nil_core::auth::{Permission, Principal};
use nil_core::seed::{self, Size};
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::figures::officer;
use crate::figures_plans::whole_reads;
use crate::filings::SUBMIT;
use crate::followed_lists::seeded_officer;

pub(crate) const HERE: i64 = 1_000_001;

/// Lists, and whether an index has the order of their rows.
const LISTS: &[(&str, &str, bool)] = &[
    ("compliance.transaction.list", "-occurred_at", true),
    ("compliance.transaction.list", "occurred_at", true),
    ("compliance.transaction.list", "-gross_cents", false),
    ("compliance.athlete.list", "name", true),
    ("compliance.athlete.list", "-created_at", true),
    ("compliance.athlete.list", "-gross_cents", false),
    ("compliance.disclosed_job.list", "", true),
    ("compliance.clearance.list", "", true),
    ("compliance.disclosure.list", "newest", true),
    ("compliance.disclosure.list", "-newest", true),
    ("compliance.records_request.list", "", true),
    ("compliance.portal_user.list", "", true),
    ("admin.audit.list", "-created_at", true),
    ("admin.audit.list", "created_at", true),
    ("admin.support.list", "-updated_at", true),
    ("admin.support.list", "updated_at", true),
];

/// The caller who reads a list.
pub(crate) fn reader(world: &World, name: &str) -> Principal {
    if name.starts_with("admin.") { world.operator(&[Permission::All]) } else { officer(HERE, &[]) }
}

/// The lines of a plan that sort rows.
pub(crate) fn sorts(plan: &str) -> bool {
    plan.contains("TEMP B-TREE") || plan.lines().any(|line| line.contains("Sort"))
}

/// Two institutions with thousands of athletes and transactions.
pub(crate) async fn populate(world: &World) {
    let size = Size {
        athletes: 4_000,
        brands: 100,
        jobs: 200,
        institutions: 2,
        transactions: 12_000,
        seed: 1,
    };
    seed::write(&world.platform, size, "none".into(), &mut |_, _| {}).await.expect("a population");
}

/// What the population lacks: filings, requests for public records and portal users of both
/// institutions, athletes who joined at different times, conversations with operators, and an audit
/// trail.
pub(crate) async fn beside(world: &World) {
    let somebody = format!("SELECT MIN(id) AS id FROM athlete WHERE university_id = {HERE}");
    let athlete = world.id(&somebody).await;
    world.call(SUBMIT, &seeded_officer(), json!({ "athlete_id": athlete })).await.data();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)";
    let athlete = "(SELECT MIN(a.id) FROM athlete a WHERE a.university_id = c.id)";
    let first = "(SELECT particulars, file_ids FROM athlete_agent_filing) f";
    world
        .script(&format!(
            "UPDATE athlete SET created_at = ('20' || (10 + id % 16) || '-0' || (1 + id % 9) || '-1' || (id % 10) \
             || 'T12:00:00+00:00')::timestamptz; \
             {many} INSERT INTO athlete_agent_filing (college_id, athlete_id, particulars, file_ids, search_text, \
             status, version, filed_by, created_at, updated_at) SELECT c.id, {athlete}, f.particulars, f.file_ids, \
             'words', 'draft', 1, 'portal_user:1', c.created_at, c.created_at FROM n, college c, {first}; \
             {many} INSERT INTO public_records_request (college_id, requester, legal_basis, received_on, noted_by, \
             created_at) SELECT c.id, 'Dana', 'A law', '2026-11-01', c.id, c.created_at FROM n, college c; \
             {many} INSERT INTO portal_user (college_id, email, name, role, sport_ids, status, created_at, updated_at) \
             SELECT c.id, 'p' || i || '-' || c.id, 'Pat', 'viewer', '[]'::jsonb, 'invited', c.created_at, c.created_at \
             FROM n, college c; \
             INSERT INTO conversation (topic, kind, created_at) \
             SELECT 'support:' || id, 'support', created_at FROM app_user; \
             INSERT INTO message (conversation_id, sender_id, text, file_ids, created_at) \
             SELECT c.id, u.id, 'Hello', '[]'::jsonb, c.created_at \
             FROM conversation c JOIN app_user u ON c.topic = 'support:' || u.id; \
             INSERT INTO participant (conversation_id, user_id, last_message_id, unread_count, active_at) \
             SELECT m.conversation_id, m.sender_id, m.id, 0, m.created_at FROM message m; \
             {many} INSERT INTO audit_entry (at, actor, operation, subject_kind, subject_id, action, request_id) \
             SELECT c.created_at, 'host', 'host.test', 'college', c.id, 'seen', 'r' || i FROM n, college c"
        ))
        .await;
}

async fn a_page_after_a_row_is_found_in_an_index(world: World) {
    populate(&world).await;
    beside(&world).await;
    world.vacuum().await;
    for (name, sort, ordered) in LISTS {
        let who = reader(&world, name);
        let mut input = json!({ "per_page": 20 });
        if !sort.is_empty() {
            input["sort"] = json!(sort);
        }
        let first = world.call(name, &who, input.clone()).await;
        input["after"] = first.body["next"].clone();
        assert!(input["after"].is_string(), "{name} {sort}: {}", first.body);
        let call = world.call(name, &who, input.clone());
        let (answer, watched) = world.platform.db().watched(call).await.unwrap();
        assert_eq!(answer.status, 200, "{name} {sort}: {}", answer.body);
        assert_eq!(answer.body["data"].as_array().map(Vec::len), Some(20), "{name} {sort}");
        let of_page = |text: &str| text.contains("list_key_1");
        let pages: Vec<_> = watched.plans.iter().filter(|(text, _)| of_page(text)).collect();
        let [(text, plan)] = pages.as_slice() else {
            panic!("{name} {sort} reads {} pages", pages.len());
        };
        for (text, _) in &watched.plans {
            assert!(!text.contains("list_total") && !text.contains("OFFSET"), "{name}: {text}");
        }
        if *ordered {
            let whole = whole_reads(plan);
            assert_eq!(whole, Vec::<String>::new(), "{name} {sort}\n{text}\n{plan}");
            assert!(!sorts(plan), "{name} {sort} sorts\n{text}\n{plan}");
        }
    }
}
both!(a_page_after_a_row_is_found_in_an_index);

async fn a_page_after_a_row_takes_no_more_statements_than_the_first(world: World) {
    let size =
        Size { athletes: 60, brands: 5, jobs: 5, institutions: 2, transactions: 900, seed: 1 };
    seed::write(&world.platform, size, "none".into(), &mut |_, _| {}).await.expect("a population");
    beside(&world).await;
    for (name, sort, _) in LISTS {
        let who = reader(&world, name);
        let mut input = json!({ "per_page": 3 });
        if !sort.is_empty() {
            input["sort"] = json!(sort);
        }
        let read = async |input: Value| {
            let (answer, cost) = world.platform.db().counted(world.call(name, &who, input)).await;
            (answer.body["next"].clone(), cost)
        };
        let (next, first) = read(input.clone()).await;
        input["after"] = next;
        let (next, second) = read(input).await;
        assert!(next.is_string(), "{name} {sort}");
        assert_eq!(first, second, "{name} {sort}");
    }
}
both!(a_page_after_a_row_takes_no_more_statements_than_the_first);
