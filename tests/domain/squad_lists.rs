//! Squad lists: files as institutions' systems export them, compared with the list that is there.

use chrono::TimeDelta;
use nil_core::auth::Principal;
use nil_core::worker;
use nil_tests::workbook::SheetCell::{Day, Number, Text};
use nil_tests::workbook::workbook;
use nil_tests::{Answer, World, a_file, both};
use serde_json::{Value, json};

const IMPORT: &str = "compliance.squad_list.import";
const LIST: &str = "compliance.squad_list.list";

/// Imports a file with these further fields.
async fn answer(world: &World, who: &Principal, file: &[u8], over: Value) -> Answer {
    let mut input = over;
    input["content"] = a_file("", file)["content"].clone();
    world.call(IMPORT, who, input).await
}

async fn import(world: &World, who: &Principal, file: &[u8], over: Value) -> Value {
    answer(world, who, file, over).await.data()
}

async fn listed(world: &World, who: &Principal, input: Value) -> Vec<Value> {
    world.call(LIST, who, input).await.data().as_array().unwrap().clone()
}

async fn names(world: &World, who: &Principal) -> Vec<String> {
    let all = listed(world, who, json!({})).await;
    all.iter().map(|member| member["name"].as_str().unwrap().to_owned()).collect()
}

fn counts(numbers: [u64; 5]) -> Value {
    let [new, changed, unchanged, wrong, missing] = numbers;
    json!({
        "new": new, "changed": changed, "unchanged": unchanged, "wrong": wrong, "missing": missing,
    })
}

const ROSTER: &str = "\u{feff}2026-27 Roster;;;;;;;\r\n\
    No.;Name;Cl.;Pos.;Ht.;Hometown (High School);Team;Wt.\r\n\
    12;Okafor, Zoe;R-So.;G;5-11;Lagos, Nigeria (Lekki);Women's Basketball;150\r\n\
    4;\"Lake, Jordan, Jr.\";Fr.;F;188 cm;\"Toronto, Ont.\";womens basketball;\r\n\
    7;\"Kim\r\nJo\";Gr.;C;-;Chicago, Ill.;Women's Basketball;\r\n";

async fn a_file_is_compared_with_the_list(world: World) {
    let college = world.college().await;
    let officer = world.portal_user(college, "officer").await.0;
    let dry = import(&world, &officer, ROSTER.as_bytes(), json!({ "dry_run": true })).await;
    assert_eq!((&dry["written"], &dry["counts"]), (&json!(false), &counts([3, 0, 0, 0, 0])));
    assert_eq!(names(&world, &officer).await, Vec::<String>::new());
    let done = import(&world, &officer, ROSTER.as_bytes(), json!({})).await;
    assert_eq!((&done["written"], &done["counts"]), (&json!(true), &dry["counts"]));
    assert_eq!(done["rows"], dry["rows"], "a dry run says what would happen");
    assert_eq!(done["ignored_columns"], json!(["Wt."]));
    let rows: Vec<&Value> =
        done["rows"].as_array().unwrap().iter().map(|row| &row["row"]).collect();
    assert_eq!(rows, [3, 4, 5]);
    let all = listed(&world, &officer, json!({})).await;
    assert_eq!(names(&world, &officer).await, ["Jordan Lake Jr.", "Kim Jo", "Zoe Okafor"]);
    let zoe = &all[2];
    for (field, value) in [
        ("class_year", json!("sophomore")),
        ("redshirt", json!(true)),
        ("position", json!("G")),
        ("jersey_number", json!("12")),
        ("height_cm", json!(180)),
        ("hometown_city", json!("Lagos")),
        ("hometown_region", Value::Null),
        ("hometown_country", json!("Nigeria")),
        ("athlete_id", Value::Null),
    ] {
        assert_eq!(zoe[field], value, "{field}");
    }
    assert_eq!((&all[0]["hometown_region"], &all[0]["height_cm"]), (&json!("ON"), &json!(188)));

    // The same file changes nothing; another one says what is different.
    let again = import(&world, &officer, ROSTER.as_bytes(), json!({})).await;
    assert_eq!((&again["counts"], &again["rows"]), (&counts([0, 0, 3, 0, 0]), &json!([])));
    world.pass(TimeDelta::days(1));
    let later = "Name,Class,Sport,Email\nZoe Okafor,Jr.,Women's Basketball,zoe@lake.example\n\
        Sam Lee,Fr.,Women's Basketball,\n";
    let later = import(&world, &officer, later.as_bytes(), json!({})).await;
    assert_eq!(later["counts"], counts([1, 1, 0, 0, 2]));
    assert_eq!(later["rows"][0]["changed"], json!(["email", "class_year", "redshirt"]));
    let missing: Vec<&Value> =
        later["missing"].as_array().unwrap().iter().map(|member| &member["name"]).collect();
    assert_eq!(missing, ["Jordan Lake Jr.", "Kim Jo"]);
    // What the file has no column for stays, and so do members that it does not name.
    let all = listed(&world, &officer, json!({})).await;
    assert_eq!((all.len(), &all[3]["height_cm"]), (4, &json!(180)));
    let last = "Name,Sport,Email\nZoë O.,Women's Basketball,Zoe@Lake.example\n";
    let removing = json!({ "remove_missing": true });
    let last = import(&world, &officer, last.as_bytes(), removing).await;
    assert_eq!(last["counts"], counts([0, 1, 0, 0, 3]));
    assert_eq!(names(&world, &officer).await, ["Zoë O."]);

    // Another institution has a list of its own.
    let elsewhere = world.portal_user(world.college().await, "officer").await.0;
    assert_eq!(names(&world, &elsewhere).await, Vec::<String>::new());
    let id = json!({ "id": all[3]["id"] });
    let remove = "compliance.squad_list.remove";
    assert_eq!(world.call(remove, &elsewhere, id.clone()).await.status, 404);
    assert_eq!(world.call(remove, &officer, id.clone()).await.status, 200);
    assert_eq!(world.call(remove, &officer, id).await.status, 404);
    let viewer = world.portal_user(college, "viewer").await.0;
    assert_eq!(answer(&world, &viewer, ROSTER.as_bytes(), json!({})).await.status, 403);
}
both!(a_file_is_compared_with_the_list);

async fn a_wrong_row_is_named_and_nothing_is_written(world: World) {
    let officer = world.portal_user(world.college().await, "officer").await.0;
    let file = "Name,Yr,Ht,E-mail,Sport,ID\n\
        Zoe Okafor,So.,5-11,zoe@lake.example,Softball,1\n\
        Jordan Lake,Jr./Sr.,6-13,no mail,Quidditch,2\n\
        ,Fr.,,,Softball,3\n\
        Jo Kim,Fr.,,,Softball,1\n";
    let told = import(&world, &officer, file.as_bytes(), json!({})).await;
    assert_eq!((&told["written"], &told["counts"]), (&json!(false), &counts([1, 0, 0, 3, 0])));
    let wrong = |row: usize| -> Vec<String> {
        told["rows"][row]["errors"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(wrong(1), ["E-mail", "Ht", "Sport", "Yr"]);
    assert_eq!((wrong(2), wrong(3)), (vec!["Name".to_owned()], vec!["ID".to_owned()]));
    assert_eq!(told["rows"][3]["errors"]["ID"], json!(["names the same member as row 2"]));
    assert_eq!(names(&world, &officer).await, Vec::<String>::new());

    // Files that are no list at all.
    let many = format!("Name,Yr\n{}", "x,\n".repeat(5_001));
    let wide = format!("Name,{}\n", "x,".repeat(60));
    for file in [
        &b"no list"[..],
        b"Yr,Ht\nFr.,6-2\n",
        b"Name,Yr,Class\n",
        b"\xff\xfeN\0a\0m\0e\0",
        b"PK\x03\x04 no workbook",
        b"\xd0\xcf\x11\xe0 an old workbook",
        many.as_bytes(),
        wide.as_bytes(),
    ] {
        let refused = answer(&world, &officer, file, json!({ "sport_id": 1 })).await;
        assert_eq!(refused.status, 422, "{}", String::from_utf8_lossy(file));
        assert!(refused.body["errors"]["content"].is_array(), "{}", refused.body);
    }
}
both!(a_wrong_row_is_named_and_nothing_is_written);

async fn a_workbook_is_read_with_what_its_program_made_of_values(world: World) {
    let officer = world.portal_user(world.college().await, "officer").await.0;
    let header = [
        Text("Student-Athlete"),
        Text("Student ID"),
        Text("Ht."),
        Text("#"),
        Text("Enrollment Date"),
    ];
    let fine: &[_] = &[Text("Zoë Peña"), Number("4711"), Text("6'2\""), Number("12"), Day(46_258)];
    // The program took 6-2 for a day in June.
    let taken: &[_] = &[Text("Sam Lee"), Text("0042"), Day(46_175), Number("3"), Text("8/24/2026")];
    let sport = json!({ "sport_id": 2 });
    let told = import(&world, &officer, &workbook(&[&header, fine, taken]), sport.clone()).await;
    assert_eq!(told["counts"], counts([1, 0, 0, 1, 0]), "{told}");
    assert!(told["rows"][0]["warnings"]["Student ID"][0].as_str().unwrap().contains("zeros"));
    assert!(told["rows"][1]["errors"]["Ht."][0].as_str().unwrap().contains("is a date"));
    assert_eq!((&told["rows"][0]["row"], &told["rows"][1]["row"]), (&json!(2), &json!(3)));
    let told = import(&world, &officer, &workbook(&[&header, fine]), sport).await;
    assert_eq!(told["written"], true);
    let member = &listed(&world, &officer, json!({})).await[0];
    assert_eq!(
        [&member["name"], &member["student_id"], &member["height_cm"], &member["jersey_number"]],
        [&json!("Zoë Peña"), &json!("4711"), &json!(188), &json!("12")]
    );
    assert_eq!(member["enrolled_on"], "2026-08-24");
}
both!(a_workbook_is_read_with_what_its_program_made_of_values);

async fn a_list_names_athletes_by_their_verified_mail_and_ends(world: World) {
    let college = world.college().await;
    let owner = world.portal_user(college, "owner").await.0;
    let athlete = world.athlete_of("Zoe Okafor", college).await;
    let other = world.athlete("Jordan Lake").await;
    let file = format!(
        "Name,Email,Sport\nZoe O,{},Baseball\nJordan Lake,{},Baseball\nKim Jo,,Softball\n",
        athlete.email.to_uppercase(),
        other.email
    );
    import(&world, &owner, file.as_bytes(), json!({})).await;
    let registered = listed(&world, &owner, json!({ "registered": true })).await;
    assert_eq!((registered.len(), &registered[0]["athlete_id"]), (1, &json!(athlete.id)));
    // The other is no athlete of this institution.
    assert_eq!(listed(&world, &owner, json!({ "registered": false })).await.len(), 2);
    assert_eq!(listed(&world, &owner, json!({ "q": "kim" })).await.len(), 1);

    // An officer with one sport sees it, and imports it alone.
    let (limited, email) = world.portal_user(college, "officer").await;
    let Principal::Portal { id, college_id, role, session, .. } = limited else {
        panic!("a portal user: {email}")
    };
    let baseball = listed(&world, &owner, json!({ "q": "zoe" })).await[0]["sport_id"].clone();
    let sports = vec![serde_json::from_value(baseball).unwrap()];
    let limited = Principal::Portal { id, college_id, role, sports, session };
    assert_eq!(names(&world, &limited).await, ["Jordan Lake", "Zoe O"]);
    let told = import(&world, &limited, b"Name,Sport\nKim Jo,Softball\n", json!({})).await;
    assert_eq!((&told["written"], &told["counts"]["wrong"]), (&json!(false), &json!(1)));
    let told = import(&world, &limited, b"Name,Sport\nAn Bo,Baseball\n", json!({})).await;
    assert_eq!((&told["written"], &told["counts"]["missing"]), (&json!(true), &json!(2)));

    // Who closes the account is removed, and after long so is who stands in no file.
    crate::departures::close(&world, &athlete).await.data();
    assert_eq!(names(&world, &owner).await, ["An Bo", "Jordan Lake", "Kim Jo"]);
    world.pass(TimeDelta::days(390));
    import(&world, &owner, b"Name,Sport\nKim Jo,Softball\n", json!({})).await;
    world.pass(TimeDelta::days(11));
    worker::round(&world.platform).await.unwrap();
    assert_eq!(names(&world, &owner).await, ["Kim Jo"]);
}
both!(a_list_names_athletes_by_their_verified_mail_and_ends);
