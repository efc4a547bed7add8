//! One fold for searches, pick lists and comparisons: without case, accents and apostrophes, the
//! same on both databases.

use nil_core::auth::{Permission, Principal};
use nil_core::kernel::{fold, fold_words};
use nil_tests::{World, both};
use serde_json::{Value, json};

use crate::disclosing::disclose;

/// Names as their owners write them, and what others type for them.
const NAMES: &[(&str, &[&str])] = &[
    ("Łukasz Żółtowski", &["Łukasz", "lukasz", "ŁUKASZ", "zoltowski", "Zółt"]),
    ("Örn Þórsson", &["Örn", "orn", "ÖRN", "thorsson", "þórs"]),
    ("École Élan", &["École", "ecole", "ÉLAN", "e\u{301}cole"]),
    ("Søren Ærø Đorđević", &["soren", "Ærø", "aero", "dordevic", "ĐORĐE"]),
    ("Işık Strauß", &["isik", "IŞIK", "strauss", "STRAUSS", "Strauß"]),
    ("Shaquille O’Neal", &["oneal", "O'Neal", "O’NEAL", "oʻneal", "O`Neal", "neal", "o neal"]),
    ("D'Andre Kaʻimi", &["DAndre", "dandre", "d’andre", "Kaimi", "Ka'imi", "kaʻimi", "imi"]),
];

async fn athletes_are_found_however_their_names_are_typed(world: World) {
    let fan = world.fan("Casey Field").await;
    let operator = world.operator(&[Permission::All]);
    world.athlete("Robin Lake").await;
    let mut known = Vec::new();
    for (name, _) in NAMES {
        known.push(world.athlete(name).await.id);
    }
    for ((name, typed), id) in NAMES.iter().zip(known) {
        for q in *typed {
            let found = world.call("core.athlete.search", &fan.principal, json!({ "q": q })).await;
            assert_eq!(ids(&found.data()), [id], "search: {name} by {q}");
            // Lists look for the text as a whole, and so for no word of its own.
            if *q == "neal" || *q == "o neal" || *q == "imi" {
                continue;
            }
            let found = world
                .call("admin.athlete.list", &operator, json!({ "status": "all", "id": 0, "q": q }))
                .await
                .data();
            assert_eq!(found.as_array().unwrap().len(), 1, "list: {name} by {q}");
            assert_eq!(found[0]["display_name"], *name);
        }
    }
    world.search_rows_are_right().await;
}
both!(athletes_are_found_however_their_names_are_typed);

fn ids(found: &Value) -> Vec<i64> {
    found.as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect()
}

async fn colleges_are_found_however_their_names_are_typed(world: World) {
    let operator = world.operator(&[Permission::All]);
    for name in
        ["San José State", "Universität Mānoa", "Hawaiʻi Pacific", "St. John’s", "Texas A&M"]
    {
        let college = json!({
            "name": name, "short_name": "X", "division": "D1", "state": "il",
            "time_zone": "America/Chicago", "email_domains": ["lakeshore.example"]
        });
        world.call("admin.college.save", &operator, college).await.data();
    }
    for (q, name, slug) in [
        ("san jose", "San José State", "san-jose-state"),
        ("SAN JOSÉ", "San José State", "san-jose-state"),
        ("Manoa", "Universität Mānoa", "universitat-manoa"),
        ("universitat", "Universität Mānoa", "universitat-manoa"),
        ("Hawai'i", "Hawaiʻi Pacific", "hawaii-pacific"),
        ("hawaii  pacific", "Hawaiʻi Pacific", "hawaii-pacific"),
        ("St. John's", "St. John’s", "st-johns"),
        ("st. johns", "St. John’s", "st-johns"),
        ("texas a and m", "Texas A&M", "texas-a-and-m"),
        ("A&M", "Texas A&M", "texas-a-and-m"),
        ("A & M", "Texas A&M", "texas-a-and-m"),
    ] {
        let found = world
            .call("core.public.colleges", &Principal::Anonymous, json!({ "q": q }))
            .await
            .data();
        assert_eq!(found.as_array().unwrap().len(), 1, "{q}: {found}");
        assert_eq!((&found[0]["name"], &found[0]["slug"]), (&json!(name), &json!(slug)), "{q}");
    }
    for q in ["%", "_", "\\", "san%jose", "s_n"] {
        let found = world
            .call("core.public.colleges", &Principal::Anonymous, json!({ "q": q }))
            .await
            .data();
        assert_eq!(found, json!([]), "{q} is no pattern");
    }
}
both!(colleges_are_found_however_their_names_are_typed);

async fn one_payor_in_two_spellings_is_added_up(world: World) {
    for (one, other) in [
        ("AT&T", "AT and T"),
        ("Nestlé", "Nestle"),
        ("José’s", "Jose's"),
        ("Ørsted Inc.", "ORSTED"),
        ("Müller & Söhne", "Muller and Sohne Ltd"),
    ] {
        let athlete = world.athlete("Zoe Okafor").await;
        for payer in [one, other] {
            let deal = json!({ "payer_name": payer, "amount_cents": 30_000 });
            disclose(&world, &athlete, deal).await;
        }
        for job in crate::disclosing::own(&world, &athlete).await {
            assert_eq!(job["clearinghouse"]["status"], "due", "{one} and {other}: {job}");
        }
    }
}
both!(one_payor_in_two_spellings_is_added_up);

/// Letters and marks that are composed once what stands between them is gone.
const COMPOSED: [&str; 3] = ["ᄀ'ᅡ", "x\u{1e026}'\u{a3c}", "x\u{1e026}\"\u{a3c}"];

/// PostgreSQL folds with functions of its own: they say what this program says, for letters of
/// every script.
#[tokio::test]
async fn postgresql_folds_as_this_program_does() {
    let world = World::on(nil_tests::Engine::Postgres).await;
    let scripts = [
        0x20..=0x24f,
        0x250..=0x2af,
        0x2b0..=0x36f,
        0x370..=0x3ff,
        0x400..=0x52f,
        0x531..=0x556,
        0x561..=0x587,
        0x5d0..=0x5f4,
        0x620..=0x64a,
        0x904..=0x939,
        0x1e00..=0x1fff,
        0x2000..=0x206f,
        0x3000..=0x30ff,
        0x4e00..=0x4e80,
        0xa78b..=0xa78c,
        0xac00..=0xac80,
        0xfb00..=0xfb06,
        0xff01..=0xffdc_u32,
    ];
    let letters: Vec<char> = scripts.into_iter().flatten().filter_map(char::from_u32).collect();
    let mut texts: Vec<String> = letters.iter().map(|letter| format!("a{letter}b")).collect();
    texts.extend(NAMES.iter().flat_map(|(name, typed)| {
        std::iter::once(*name).chain(typed.iter().copied()).map(str::to_owned)
    }));
    texts
        .extend(["AT&T", "A & B", "& Sons", "rock'n'roll", "a \"b\" c", "x\ty"].map(str::to_owned));
    texts.extend(COMPOSED.map(str::to_owned));
    let mut differ = Vec::new();
    for (text, folded) in world.folded("fold_text", &texts).await {
        if fold(&text) != folded {
            differ.push(format!("{text:?}: {:?}, PostgreSQL {folded:?}", fold(&text)));
        }
    }
    assert!(differ.is_empty(), "{} of {}: {differ:#?}", differ.len(), texts.len());
    let words = NAMES
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .chain(["rock`n`roll AT&T", "a–b “c” d", "'x' y'z", "Über-straße"].map(str::to_owned))
        .chain(COMPOSED.map(str::to_owned));
    let words: Vec<String> = words.collect();
    for (text, folded) in world.folded("search_fold", &words).await {
        let folded: Vec<&str> = folded.split_whitespace().collect();
        assert_eq!(folded.join(" "), fold_words(&text), "{text}");
    }
}
