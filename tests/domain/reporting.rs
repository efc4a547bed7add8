//! The report of deliverables: filters, totals, and a table that is safe in spreadsheets.

use chrono::TimeDelta;
use nil_core::operation::{Body, Call, Fields};
use nil_tests::{Answer, Hire, World, both};
use serde_json::{Value, json};

async fn report(world: &World, hire: &Hire, input: Value) -> Answer {
    world.call("core.deliverable.report", &hire.partner.principal, input).await
}

async fn table(world: &World, hire: &Hire, input: Value) -> Vec<Vec<String>> {
    let file = world.call("core.deliverable.export_report", &hire.partner.principal, input).await;
    assert_eq!((file.status, &file.body["data"]), (200, &json!("deliverables-2026-11-20.csv")));
    let text = String::from_utf8(file.bytes).unwrap();
    let text = text.strip_prefix('\u{feff}').expect("the mark by which Excel knows UTF-8");
    assert!(text.ends_with("\r\n"));
    text.trim_end().split("\r\n").map(cells).collect()
}

/// The cells of a line without line breaks in cells.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = cells.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => last.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => last.push(other),
        }
    }
    cells
}

async fn page_totals_and_table_say_the_same(world: World) {
    let hire = world.active(json!({ "title": "=HYPERLINK(\"#A1\", \"here\")" })).await;
    world.approve(&hire, hire.deliverables[0]).await;
    let partner = &hire.partner;
    let second = world.athlete("Ida Novak").await;
    let job = world.open_job(partner, json!({ "title": "+Camp, day \"one\"" })).await;
    let other = world.hire(partner, &second, job).await;
    let stranger = world.active(json!({})).await;

    let all = report(&world, &hire, json!({})).await;
    assert_eq!(all.body["pagination"]["total"], 4);
    let totals = all.body["totals"].clone();
    assert_eq!(
        (&totals["pending"], &totals["approved"], &totals["overdue"]),
        (&json!(3), &json!(1), &json!(0))
    );
    assert_eq!(
        (
            &totals["amount_cents"],
            &totals["approved_cents"],
            &totals["paid_cents"],
            &totals["currency"]
        ),
        (&json!(100_000), &json!(25_000), &json!(0), &json!("usd"))
    );
    let rows = all.data();
    let newest: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["deliverable_id"].as_i64().unwrap())
        .collect();
    let mut expected = [hire.deliverables.clone(), other.deliverables.clone()].concat();
    expected.reverse();
    assert_eq!(newest, expected);
    assert_eq!(rows[3]["links"], json!(["https://www.instagram.com/p/C8x/"]));
    assert_eq!(report(&world, &stranger, json!({})).await.body["pagination"]["total"], 2);

    for (input, found) in [
        (json!({ "job_ids": [job] }), 2),
        (json!({ "athlete_ids": [hire.athlete.id] }), 2),
        (json!({ "job_ids": [job], "athlete_ids": [hire.athlete.id] }), 0),
        (json!({ "job_ids": [stranger.job] }), 0),
        (json!({ "statuses": ["approved"] }), 1),
        (json!({ "statuses": ["approved", "pending"] }), 4),
        (json!({ "from": "2026-12-11" }), 2),
        (json!({ "from": "2026-12-10", "to": "2026-12-10" }), 2),
        (json!({ "overdue": true }), 0),
        (json!({ "overdue": false }), 4),
    ] {
        let page = report(&world, &hire, input.clone()).await;
        assert_eq!(page.body["pagination"]["total"], found, "{input}");
        let lines = table(&world, &hire, input.clone()).await;
        let found = usize::try_from(found).unwrap();
        assert_eq!(
            (page.body["data"].as_array().unwrap().len(), lines.len()),
            (found, found + 1),
            "{input}"
        );
        let totals = &page.body["totals"];
        let amounts =
            lines[1..].iter().map(|line| line[16].replace('.', "").parse::<i64>().unwrap());
        assert_eq!(totals["amount_cents"], json!(amounts.sum::<i64>()), "{input}");
    }
    let lines = table(&world, &hire, json!({})).await;
    assert_eq!(lines[0].len(), 21);
    assert!(lines.iter().all(|line| line.len() == 21));
    assert_eq!(lines[1][2], "'+Camp, day \"one\"");
    assert_eq!(lines[4][2], "'=HYPERLINK(\"#A1\", \"here\")");
    assert_eq!(
        (lines[4][10].as_str(), lines[4][16].as_str(), lines[4][18].as_str()),
        ("approved", "250.00", "usd")
    );
    assert_eq!(
        (lines[4][12].as_str(), lines[4][13].as_str()),
        ("2026-12-10", "2026-11-20T12:00:00Z")
    );
    assert_eq!(report(&world, &hire, json!({ "statuses": ["lost"] })).await.status, 422);
    let athlete = world.call("core.deliverable.report", &hire.athlete.principal, json!({})).await;
    assert_eq!(athlete.status, 403);

    world.pass(TimeDelta::days(25));
    let late = report(&world, &hire, json!({ "overdue": true })).await;
    assert_eq!(
        (&late.body["pagination"]["total"], &late.body["totals"]["overdue"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(late.body["data"][0]["overdue"], true);
}
both!(page_totals_and_table_say_the_same);

async fn a_long_table_comes_in_pieces(world: World) {
    let hire = world.active(json!({})).await;
    world.call("core.deliverable.report", &hire.partner.principal, json!({})).await.data();
    // 4,900 more of them, written without the operations: enough for the first few, two full parts
    // and the end of a third.
    let now = "'2026-11-20T12:00:00+00:00'";
    let hashtags = if world.is_sqlite() { "'[]'" } else { "'[]'::jsonb" };
    world.id(&format!(
            "INSERT INTO milestone (job_id, position, title, activity, platform, media_kind, quantity, \
             due_on, hashtags, disclosure_required) SELECT {}, 10 + a.n + 70 * b.n, '@' || (a.n + 70 * b.n), \
             'social_post', 'instagram', 'post', 1, '2026-12-10', {hashtags}, {} FROM ({}) a, ({}) b \
             RETURNING id", hire.job, if world.is_sqlite() { "1" } else { "TRUE" }, series(70), series(70))).await;
    world.id(&format!(
            "INSERT INTO deliverable (contract_id, milestone_id, athlete_id, due_on, due_at, status, \
             amount_cents, post_urls, file_ids, revision, created_at, updated_at) SELECT {}, id, {}, \
             '2026-12-10', {now}, 'pending', 1, {hashtags}, {hashtags}, 0, {now}, {now} FROM milestone \
             WHERE job_id = {} AND position >= 10 RETURNING id", hire.contract, hire.athlete.id, hire.job)).await;
    let entry = nil_core::catalog::catalog().named("core.deliverable.export_report").unwrap();
    let call = Call {
        principal: hire.partner.principal.clone(),
        fields: Fields::default(),
        key: None,
        strict: false,
        address: None,
        request_id: "test".into(),
    };
    let reply = entry.answer(&world.platform, call).await.unwrap();
    let Body::File(mut file) = reply.body else { panic!("a file") };
    assert!(file.length.is_none());
    let (mut pieces, mut text) = (0, Vec::new());
    while let Some(piece) = futures::StreamExt::next(&mut file.bytes).await {
        let piece = piece.unwrap();
        assert!(piece.len() < 300_000, "{}", piece.len());
        pieces += 1;
        text.extend(piece);
    }
    let text = String::from_utf8(text).unwrap();
    // The titles come first.
    assert_eq!((pieces, text.lines().count()), (5, 1 + 2 + 70 * 70));
    assert_eq!(text.matches("\"'@").count(), 70 * 70);
    let total = report(&world, &hire, json!({})).await;
    assert_eq!(total.body["pagination"]["total"], 2 + 70 * 70);
}
both!(a_long_table_comes_in_pieces);

/// That many rows, numbered from 0.
fn series(count: usize) -> String {
    let rows: Vec<String> = (0..count).map(|n| format!("SELECT {n} AS n")).collect();
    rows.join(" UNION ALL ")
}
