//! Searching and sorting filings.

use nil_tests::{Person, World, a_filing, both};
use serde_json::json;

use crate::filings::{SUBMIT, list, school};

async fn filings_are_found_and_sorted(world: World) {
    let (college, officer, zoe) = school(&world).await;
    let ida = world.athlete_of("Ida Nováková", college).await;
    let file = async |athlete: &Person, agent: &str, signed: &str, submit: bool| {
        let filing = a_filing(
            athlete.id,
            json!({ "submit": submit, "agent": { "name": agent },
                "contract": { "signed_at": signed, "from": "2026-01-01" },
                "acknowledgement_signed_at": signed, "notices": { "agent_at": null, "athlete_at": null } }),
        );
        world.call(SUBMIT, &officer, filing).await.data()["id"].clone()
    };
    let first = file(&zoe, "Dana Summit", "2026-11-19T03:00:00Z", true).await;
    let second = file(&ida, "Ángel Ruiz", "2026-11-10T12:00:00Z", true).await;
    let third = file(&zoe, "Lee O'Brien", "2026-11-20T06:00:00Z", false).await;
    let blank =
        world.call(SUBMIT, &officer, json!({ "athlete_id": ida.id })).await.data()["id"].clone();
    for (input, found) in [
        (json!({}), vec![&blank, &third, &second, &first]),
        (json!({ "sort": "-newest" }), vec![&first, &second, &third, &blank]),
        (json!({ "sort": "notice_due_at" }), vec![&second, &first, &third, &blank]),
        (json!({ "sort": "-signed_on" }), vec![&third, &first, &second, &blank]),
        (json!({ "sort": "athlete_name", "statuses": ["submitted"] }), vec![&second, &first]),
        (json!({ "statuses": ["draft"] }), vec![&blank, &third]),
        (json!({ "athlete_ids": [ida.id] }), vec![&blank, &second]),
        (json!({ "sport_ids": [2] }), vec![]),
        // 03:00 UTC on the 19th is the evening of the 18th in Chicago.
        (json!({ "from": "2026-11-18", "to": "2026-11-18" }), vec![&first]),
        (json!({ "from": "2026-11-19" }), vec![&third]),
        (json!({ "q": "ANGEL novak" }), vec![&second]),
        (json!({ "q": "summit agency okafor" }), vec![&third, &first]),
        (json!({ "q": "obrien" }), vec![&third]),
        (json!({ "q": "brien" }), vec![&third]),
        (json!({ "q": "%" }), vec![&blank, &third, &second, &first]),
        (json!({ "q": "1234", "per_page": 1, "page": 2 }), vec![&second]),
        (json!({ "late": true }), vec![&second]),
    ] {
        let got = list(&world, &officer, input.clone()).await;
        assert_eq!(got.iter().map(|one| &one["id"]).collect::<Vec<_>>(), found, "{input}");
    }
    let page = world.call("compliance.disclosure.list", &officer, json!({ "per_page": 3 })).await;
    assert_eq!(
        page.body["pagination"],
        json!({ "page": 1, "per_page": 3, "total": 4, "pages": 2 })
    );
    for wrong in
        [json!({ "per_page": 101 }), json!({ "sort": "price" }), json!({ "statuses": ["lost"] })]
    {
        assert_eq!(world.call("compliance.disclosure.list", &officer, wrong).await.status, 422);
    }
}
both!(filings_are_found_and_sorted);
