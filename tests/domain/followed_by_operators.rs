//! The lists of operators that grow without end are followed by key.

use std::collections::BTreeSet;

use nil_core::auth::{Permission, Principal};
use nil_core::catalog::openapi::Generator;
use nil_core::catalog::{Entry, Interface, catalog};
use nil_tests::{PASSWORD, World, both};
use serde_json::json;

use crate::admin_lists::filled;
use crate::followed_lists::{both_ways, ids, page, with};

const AUDIT: &str = "admin.audit.list";

/// Lists that have numbered pages only: what operators write and set up themselves, the operators,
/// institutions, and sums.
const NUMBERED: [&str; 15] = [
    "admin.announcement.list",
    "admin.announcement.list_groups",
    "admin.category.list_business",
    "admin.category.list_job",
    "admin.category.list_sport",
    "admin.college.list",
    "admin.content.browse",
    "admin.email_template.list",
    "admin.inapp_template.list",
    "admin.notification.overview",
    "admin.operator.list",
    "admin.payment.revenue",
    "admin.roster.list",
    "admin.sms_template.list",
    "admin.subscription_plan.list",
];

/// Whether a list takes this field, in its address or its body.
fn takes(entry: &Entry, field: &str) -> bool {
    let schema = (entry.input)(&mut Generator::default()).to_value();
    schema["properties"].get(field).is_some()
}

/// The lists of operators that are followed.
fn followed() -> BTreeSet<&'static str> {
    let rows = catalog().iter().filter(|entry| entry.interface == Interface::Admin);
    rows.filter(|entry| takes(entry, "after")).map(|entry| entry.name).collect()
}

async fn a_list_of_operators_followed_to_its_end_is_the_list(world: World) {
    let email = world.chief_operator().await;
    let input = json!({ "email": email, "password": PASSWORD });
    let answer = world.call("admin.auth.log_in", &Principal::Anonymous, input).await;
    let chief = world.platform.authenticate_admin(&answer.session_cookie()).await.unwrap();
    let (mut numbered, followed) = (BTreeSet::new(), followed());
    for list in filled(&world, &chief).await {
        if !followed.contains(list.name) {
            numbered.insert(list.name);
            continue;
        }
        let mut input = with(&list.input, "per_page", 1);
        if list.name == AUDIT {
            // Every look at the trail is on record in it.
            input = with(&input, "operation", "admin.impersonation.start");
        }
        for sort in ["created_at", "-created_at"] {
            let sort = if list.name == "admin.support.list" {
                sort.replace("created", "updated")
            } else {
                sort.to_owned()
            };
            let input = with(&input, "sort", sort);
            let [numbered, followed] = both_ways(&world, list.name, &chief, input.clone()).await;
            assert!(numbered.len() > 1, "{} {input} has one page", list.name);
            assert_eq!(numbered, followed, "{} {input}", list.name);
        }
    }
    assert_eq!(numbered, BTreeSet::from(NUMBERED), "lists that are not followed");
}
both!(a_list_of_operators_followed_to_its_end_is_the_list);

async fn the_audit_log_is_followed_to_where_it_ended(world: World) {
    let operator = world.operator(&[Permission::All]);
    world.hired(json!({})).await;
    for sort in ["-created_at", "created_at"] {
        let whole = page(&world, AUDIT, &operator, &json!({ "per_page": 100 })).await;
        assert_eq!(whole.body["pagination"]["pages"], 1, "{}", whole.body["pagination"]);
        let there = ids(&whole);
        let input = json!({ "sort": sort, "per_page": 10 });
        let mut last = page(&world, AUDIT, &operator, &input).await;
        let mut seen = ids(&last);
        while let Some(next) = last.body["next"].as_str() {
            last = page(&world, AUDIT, &operator, &with(&input, "after", next)).await;
            seen.extend(ids(&last));
        }
        assert_eq!(last.body["pagination"]["total"], seen.len(), "{sort}");
        if sort == "created_at" {
            seen.reverse();
        }
        // The look at all of them is on record when the list begins; the looks at its pages come
        // later.
        assert_eq!(seen[1..], there, "{sort}");
    }
}
both!(the_audit_log_is_followed_to_where_it_ended);
