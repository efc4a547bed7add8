//! Athlete search with an account: filters, sorts, pages, words, and visibility.

use nil_core::accounts::suspension;
use nil_core::kernel::UserId;
use nil_tests::{Person, World, both};
use serde_json::{Value, json};

const SEARCH: &str = "core.athlete.search";
const NOBODY: [i64; 0] = [];

async fn find(world: &World, who: &Person, input: Value) -> Vec<i64> {
    let found = world.call(SEARCH, &who.principal, input).await.data();
    let found = found.as_array().expect("a page").iter();
    found.map(|one| one["id"].as_i64().expect("an id")).collect()
}

async fn edit(world: &World, athlete: &Person, input: Value) -> Value {
    world.call("core.athlete.edit", &athlete.principal, input).await.data()
}

async fn each_filter_finds_whom_it_describes(world: World) {
    let (zoe, ida) = (world.athlete("Zoe Okafor").await, world.athlete("Ida Novak").await);
    let fan = world.fan("Casey Field").await;
    let colleges = [world.college().await, world.college().await];
    for (college, conference, state) in [(colleges[0], "Lake", "OH"), (colleges[1], "Coast", "CA")]
    {
        world.script(&format!(
                "UPDATE college SET conference = '{conference}', state = '{state}' WHERE id = {college}"
            )).await;
    }
    edit(&world, &zoe, json!({
            "sport_id": 2, "university_id": colleges[0], "class_year": "senior", "gender": "female",
            "tags": ["Surf", " vegan "], "min_rate_cents": 20_000, "available": true,
            "socials": [{ "platform": "tiktok", "handle": "@zoe", "followers": 9_000, "engagement_rate": 300 }],
            "activities": [{ "activity": "autograph", "min_price_cents": 5_000 }],
        })).await;
    edit(&world, &ida, json!({
            "sport_id": 3, "university_id": colleges[1], "class_year": "junior", "gender": "non_binary",
            "tags": ["chess"], "available": false, "activities": [{ "activity": "lesson" }],
            "socials": [
                { "platform": "youtube", "handle": "ida", "followers": 600, "engagement_rate": 900 },
                { "platform": "twitch", "handle": "ida", "followers": 500 },
            ],
        })).await;
    for (hers, idas) in [
        (json!({ "sport_ids": [2] }), json!({ "sport_ids": [3, 9] })),
        (json!({ "university_ids": [colleges[0]] }), json!({ "university_ids": [colleges[1]] })),
        (json!({ "conferences": ["Lake"] }), json!({ "conferences": ["Coast", "Other"] })),
        (json!({ "states": ["oh"] }), json!({ "states": ["CA", "TX"] })),
        (json!({ "genders": ["female"] }), json!({ "genders": ["non_binary"] })),
        (json!({ "class_years": ["senior"] }), json!({ "class_years": ["junior"] })),
        (json!({ "min_followers": 1_101 }), json!({ "max_followers": 1_100 })),
        (json!({ "platforms": ["tiktok"] }), json!({ "platforms": ["twitch", "threads"] })),
        (json!({ "is_available": true }), json!({ "is_available": false })),
        (json!({ "tags": ["SURF"] }), json!({ "tags": ["chess", "go"] })),
        (
            json!({ "activities": ["autograph"] }),
            json!({ "activities": ["lesson", "camp_clinic"] }),
        ),
        (json!({ "q": "okaf" }), json!({ "q": "novak ida" })),
    ] {
        assert_eq!(find(&world, &fan, hers.clone()).await, [zoe.id], "{hers}");
        assert_eq!(find(&world, &fan, idas.clone()).await, [ida.id], "{idas}");
    }
    // A minimum that is not set filters nothing.
    assert_eq!(find(&world, &fan, json!({ "max_rate_cents": 19_999 })).await, [ida.id]);
    assert_eq!(find(&world, &fan, json!({ "max_rate_cents": 20_000 })).await, [ida.id, zoe.id]);
    assert_eq!(find(&world, &fan, json!({ "tags": ["surf"], "q": "ida" })).await, NOBODY);
    for (sort, expected) in [
        ("newest", [ida.id, zoe.id]),
        ("-newest", [zoe.id, ida.id]),
        ("name", [ida.id, zoe.id]),
        ("-name", [zoe.id, ida.id]),
        ("followers", [ida.id, zoe.id]),
        ("-followers", [zoe.id, ida.id]),
        ("engagement_rate", [zoe.id, ida.id]),
        ("-engagement_rate", [ida.id, zoe.id]),
        ("relevance", [ida.id, zoe.id]),
    ] {
        assert_eq!(find(&world, &fan, json!({ "sort": sort })).await, expected, "{sort}");
    }
    for wrong in [
        json!({ "sort": "salary" }),
        json!({ "sport_ids": [0] }),
        json!({ "genders": ["x"] }),
        json!({ "sport_ids": [] }),
        json!({ "per_page": 101 }),
        json!({ "q": "x".repeat(201) }),
    ] {
        assert_eq!(world.call(SEARCH, &fan.principal, wrong.clone()).await.status, 422, "{wrong}");
    }
    world.search_rows_are_right().await;
}
both!(each_filter_finds_whom_it_describes);

async fn pages_cut_the_list_and_say_where_they_stand(world: World) {
    world.populate(250, 1, 1).await;
    let fan = world.fan("Casey Field").await;
    let mut seen = Vec::new();
    for page in 1..=6 {
        let mut input = json!({ "page": page, "per_page": 40, "sort": "-followers" });
        let quick = world.call(SEARCH, &fan.principal, input.clone()).await;
        let ahead = 225.min(page * 40 + 100);
        assert_eq!(quick.body["pagination"]["total"], ahead, "100 behind the page are counted");
        assert_eq!(quick.body["total_is_exact"], ahead == 225);
        input["exact_total"] = json!(true);
        let answer = world.call(SEARCH, &fan.principal, input).await;
        let expected = json!({ "page": page, "per_page": 40, "total": 225, "pages": 6 });
        assert_eq!(answer.body["pagination"], expected);
        assert_eq!(answer.body["total_is_exact"], true);
        assert_eq!(answer.body["data"], quick.body["data"]);
        let page = answer.data();
        seen.extend(page.as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()));
    }
    assert_eq!(seen.len(), 225);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 225);
    assert_eq!(find(&world, &fan, json!({ "page": 7, "per_page": 40 })).await, NOBODY);
}
both!(pages_cut_the_list_and_say_where_they_stand);

async fn names_weigh_more_than_what_else_is_said(world: World) {
    let mentions = world.athlete("Jordan Miles").await;
    let named = world.athlete("Marlow Reed").await;
    let newer = world.athlete("Robin Lake").await;
    let about = json!({ "bio": "Trains with Marlow every single morning, and Marlow knows it." });
    edit(&world, &mentions, about.clone()).await;
    edit(&world, &newer, json!({ "bio": "Nothing of the kind." })).await;
    let fan = world.fan("Casey Field").await;
    assert_eq!(find(&world, &fan, json!({ "q": "marlow" })).await, [named.id, mentions.id]);
    assert_eq!(
        find(&world, &fan, json!({ "q": "marl", "sort": "-newest" })).await,
        [mentions.id, named.id]
    );
    // Only the last word may be a prefix.
    assert_eq!(find(&world, &fan, json!({ "q": "marl reed" })).await, NOBODY);
    assert_eq!(find(&world, &fan, json!({ "q": "reed marl" })).await, [named.id]);
}
both!(names_weigh_more_than_what_else_is_said);

async fn accents_and_case_do_not_count(world: World) {
    let athlete = world.athlete("Zoë Muñoz").await;
    let fan = world.fan("Casey Field").await;
    for typed in ["zoe", "ZOË", "munoz", "MUÑOZ zo", "zoe\u{308}", "  zoe ,, munoz!"] {
        assert_eq!(find(&world, &fan, json!({ "q": typed })).await, [athlete.id], "{typed}");
    }
}
both!(accents_and_case_do_not_count);

async fn nothing_that_can_be_typed_is_an_error(world: World) {
    world.populate(30, 1, 10).await;
    let fan = world.fan("Casey Field").await;
    let marks = [
        "\"",
        "'",
        "*",
        "(",
        ")",
        ":",
        "&",
        "|",
        "!",
        "<->",
        "^",
        "-",
        "+",
        "{",
        "}",
        "~",
        "\\",
        "%",
        "_",
        "NEAR(",
        "AND",
        "OR",
        "NOT",
        "rowid:",
        "name:",
        "{a b}:",
        ";--",
        "$1",
        "?",
        "\u{301}",
        "🏈",
        "क्षेत्र",
        "日本",
        "مرحبا",
        "ᾳ",
        "İ",
        "ß",
        "ﬁ",
        "\u{200b}",
        "\t\n",
    ];
    let mut typed: Vec<String> =
        vec![String::new(), "a".repeat(200), "\"".repeat(200), "& ".repeat(100)];
    for (at, one) in marks.iter().enumerate() {
        let two = marks[(at * 7 + 3) % marks.len()];
        typed.extend([
            (*one).to_owned(),
            format!("{one}ana"),
            format!("ana{one}"),
            format!("ana {one} reyes"),
            format!("{one}{two}"),
            format!("x{one}y{two}z"),
        ]);
    }
    assert!(typed.len() > 200);
    for q in typed {
        for name in [
            SEARCH,
            "core.job.search",
            "core.public.search_athletes",
            "core.public.brand_directory",
        ] {
            let answer = world.call(name, &fan.principal, json!({ "q": q })).await;
            assert_eq!(answer.status, 200, "{name} {q:?}: {}", answer.body);
        }
    }
    let nul = world.call(SEARCH, &fan.principal, json!({ "q": "a\0b" })).await;
    assert_eq!(nul.status, 422);
    // Text without words filters nothing.
    assert_eq!(find(&world, &fan, json!({ "q": "*** \"'" })).await.len(), 20);
}
both!(nothing_that_can_be_typed_is_an_error);

async fn only_accounts_in_use_are_found(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    let fan = world.fan("Casey Field").await;
    world.start("athlete", "Jordan Early").await;
    assert_eq!(find(&world, &fan, json!({ "q": "jordan" })).await, [athlete.id]);
    let user = UserId::new(athlete.user_id).unwrap();
    suspension::suspend(&world.platform, user).await.expect("a suspension");
    assert_eq!(find(&world, &fan, json!({ "q": "jordan" })).await, NOBODY);
    suspension::restore(&world.platform, user).await.expect("a restoration");
    assert_eq!(find(&world, &fan, json!({ "q": "jordan" })).await, [athlete.id]);
    world.search_rows_are_right().await;
}
both!(only_accounts_in_use_are_found);

async fn unlisted_athletes_are_found_by_those_they_deal_with(world: World) {
    let minor = world.minor("Robin Young").await;
    let listed = world.athlete("Robin Lake").await;
    let partner = world.partner("Corner Bakery").await;
    let (agent, stranger) = (world.agent("Summit Sports").await, world.partner("Other Shop").await);
    let q = || json!({ "q": "robin" });
    for who in [&partner, &agent, &stranger, &listed, &world.fan("Casey Field").await] {
        assert_eq!(find(&world, who, q()).await, [listed.id]);
    }
    // A brand cannot find a minor by guessing the id.
    let job = world.open_job(&partner, json!({})).await;
    let invite = json!({ "job_id": job, "athlete_ids": [minor.id, listed.id] });
    let invited =
        world.call("core.application.invite_bulk", &partner.principal, invite).await.data();
    let message = format!("There is no athlete {} that you may see.", minor.id);
    assert_eq!(
        invited["refused"],
        json!([{ "id": minor.id, "code": "not_found", "message": message }])
    );
    assert_eq!(invited["invited"].as_array().unwrap().len(), 1);
    assert_eq!(find(&world, &partner, q()).await, [listed.id]);

    let social = json!({ "socials": [{ "platform": "instagram", "handle": "r", "followers": 3 }] });
    edit(&world, &minor, social).await;
    let application = world.apply(&minor, job).await;
    let both = world.call(SEARCH, &partner.principal, q()).await;
    assert_eq!(both.body["pagination"]["total"], 2);
    let mut both = both.data().as_array().unwrap().clone();
    assert!(
        both.iter().all(|one| one["date_of_birth"].is_null() && one["payout_account"].is_null())
    );
    both.sort_by_key(|one| one["id"].as_i64());
    assert_eq!(both[0]["id"], minor.id);
    for sort in ["name", "-followers", "newest", "-newest", "relevance"] {
        let input = json!({ "q": "robin", "sort": sort, "per_page": 1 });
        let mut pages = find(&world, &partner, input.clone()).await;
        let mut second = input;
        second["page"] = json!(2);
        pages.extend(find(&world, &partner, second).await);
        pages.sort_unstable();
        assert_eq!(pages, [minor.id, listed.id], "{sort}");
    }
    assert_eq!(find(&world, &stranger, q()).await, [listed.id]);
    let detail = json!({ "athlete_id": minor.id });
    let seen = world.call("core.athlete.detail", &partner.principal, detail.clone()).await.data();
    assert_eq!((&seen["contact"], &seen["date_of_birth"]), (&Value::Null, &Value::Null));

    world.represent(&agent, &minor, 1_000).await;
    assert_eq!(find(&world, &agent, q()).await.len(), 2);
    assert_eq!(find(&world, &minor, q()).await.len(), 2);

    let withdraw = json!({ "id": application });
    world.call("core.application.withdraw", &minor.principal, withdraw).await.data();
    assert_eq!(find(&world, &partner, q()).await, [listed.id]);
    assert_eq!(world.call("core.athlete.detail", &partner.principal, detail).await.status, 404);
}
both!(unlisted_athletes_are_found_by_those_they_deal_with);

async fn what_is_found_is_shown_as_to_strangers(world: World) {
    let athlete = world.athlete("Jordan Miles").await;
    edit(
        &world,
        &athlete,
        json!({ "activities": [
            { "activity": "lesson", "min_price_cents": 4_000, "price_shown": true },
            { "activity": "autograph", "min_price_cents": 9_000 },
        ] }),
    )
    .await;
    let fan = world.fan("Casey Field").await;
    let found = world.call(SEARCH, &fan.principal, json!({})).await.data();
    for hidden in ["date_of_birth", "payout_account"] {
        assert_eq!(found[0][hidden], Value::Null);
    }
    let text = found.to_string();
    assert!(!text.contains(&athlete.email) && !text.contains("+1217"));
    assert_eq!(
        found[0]["activities"],
        json!([
            { "activity": "autograph", "min_price_cents": null, "price_shown": false },
            { "activity": "lesson", "min_price_cents": 4_000, "price_shown": true },
        ])
    );
    let anonymous = nil_core::auth::Principal::Anonymous;
    assert_eq!(world.call(SEARCH, &anonymous, json!({})).await.status, 401);
}
both!(what_is_found_is_shown_as_to_strangers);

async fn what_is_said_elsewhere_is_found_at_once(world: World) {
    let college = world.college().await;
    let athlete = world.athlete_of("Jordan Miles", college).await;
    let fan = world.fan("Casey Field").await;
    assert_eq!(find(&world, &fan, json!({ "q": "tundra" })).await, NOBODY);
    let operator = world.operator(&[nil_core::auth::Permission::Accounts]);
    let renamed = json!({
        "id": college, "name": "Tundra College", "division": "D3", "state": "AK",
        "time_zone": "America/Anchorage", "conference": "North",
    });
    world.call("admin.college.save", &operator, renamed).await.data();
    for asked in
        [json!({ "q": "tundra" }), json!({ "states": ["AK"] }), json!({ "conferences": ["North"] })]
    {
        assert_eq!(find(&world, &fan, asked).await, [athlete.id]);
    }
    world.script("UPDATE sport SET name = 'Underwater Hockey' WHERE id = 1").await;
    assert_eq!(find(&world, &fan, json!({ "q": "underwater" })).await, [athlete.id]);
    world
        .script(&format!(
            "UPDATE athlete_social SET followers = 77 WHERE athlete_id = {}",
            athlete.id
        ))
        .await;
    assert_eq!(find(&world, &fan, json!({ "max_followers": 77 })).await, [athlete.id]);
    world.search_rows_are_right().await;
}
both!(what_is_said_elsewhere_is_found_at_once);
