//! Operators list brands and export them as a spreadsheet.

use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use nil_core::auth::Permission;
use nil_tests::{World, both};
use serde_json::{Value, json};

const LIST: &str = "admin.partner.list";
const EXPORT: &str = "admin.partner.export_xlsx";

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap().iter();
    list.map(|partner| partner["company_name"].as_str().unwrap()).collect()
}

/// The brands found, by the names of the first page.
async fn found(world: &World, over: Value) -> Vec<String> {
    let operator = world.operator(&[Permission::Accounts]);
    let mut input = json!({ "status": "all", "id": 0, "sort": "name" });
    input.as_object_mut().unwrap().extend(over.as_object().unwrap().clone());
    let list = world.call(LIST, &operator, input).await.data();
    names(&list).into_iter().map(Into::into).collect()
}

async fn brands_are_found_by_parts_of_names_as_they_are_written(world: World) {
    for name in
        ["100% Juice", "100 Juices", "Under_score", "Underscore", "Back\\slash", "Back slash"]
    {
        world.partner(name).await;
    }
    let q = async |q: &str| found(&world, json!({ "q": q })).await;
    assert_eq!(q("100%").await, ["100% Juice"]);
    assert_eq!(q("r_S").await, ["Under_score"]);
    assert_eq!(q("K\\s").await, ["Back\\slash"]);
    assert_eq!(q(" juice ").await, ["100 Juices", "100% Juice"]);
    assert_eq!(q("  ").await.len(), 6);
    assert_eq!(q("%").await, ["100% Juice"]);
}
both!(brands_are_found_by_parts_of_names_as_they_are_written);

async fn a_list_is_of_a_state_or_of_all_and_an_unknown_brand_is_missing(world: World) {
    let operator = world.operator(&[Permission::Accounts]);
    let bakery = world.partner("Corner Bakery").await;
    world.partner("Harbor Books").await;
    world.start("partner", "Early Bird").await;
    let list = async |input: Value| world.call(LIST, &operator, input).await;
    let all = list(json!({ "status": "all", "id": 0, "per_page": 2, "page": 2 })).await;
    let pages = json!({ "page": 2, "per_page": 2, "total": 3, "pages": 2 });
    assert_eq!(all.body["pagination"], pages);
    assert_eq!(all.data().as_array().unwrap().len(), 1);
    let beyond = list(json!({ "status": "all", "id": 0, "per_page": 2, "page": 9 })).await;
    assert_eq!(beyond.body["pagination"]["total"], 3);
    let one = list(json!({ "status": "active", "id": bakery.id })).await.data();
    assert_eq!(names(&one), ["Corner Bakery"]);
    assert_eq!((&one[0]["status"], &one[0]["jobs"]), (&json!("active"), &json!(0)));
    assert_eq!(one[0]["email"], bakery.email);
    let other = list(json!({ "status": "suspended", "id": bakery.id })).await;
    assert_eq!((other.status, other.code()), (404, "not_found"));
    for id in [999, -1] {
        assert_eq!(list(json!({ "status": "all", "id": id })).await.status, 404);
    }
    assert_eq!(list(json!({ "status": "open", "id": 0 })).await.status, 422);
    let nobody = world.operator(&[Permission::Finance]);
    let refused = world.call(LIST, &nobody, json!({ "status": "all", "id": 0 })).await;
    assert_eq!(refused.status, 403);
}
both!(a_list_is_of_a_state_or_of_all_and_an_unknown_brand_is_missing);

async fn a_spreadsheet_holds_every_brand_as_text_numbers_and_days(world: World) {
    let operator = world.operator(&[Permission::Reports]);
    let formula = "=HYPERLINK(\"A1\") <&> _x0041_";
    world.partner(formula).await;
    for number in 1..=3 {
        world.partner(&format!("Brand {number}")).await;
    }
    let file = world.call(EXPORT, &operator, json!({})).await;
    assert_eq!(file.body["data"], "partners-2026-11-20.xlsx");
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(file.bytes)).unwrap();
    let sheet = book.worksheet_range("Brands").unwrap();
    assert_eq!(sheet.height(), 5);
    let titles: Vec<String> =
        sheet.rows().next().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(titles[..3], ["Brand ID", "Company", "Business"]);
    let row = sheet.rows().nth(1).unwrap();
    assert_eq!(row[0], Data::Float(1.0));
    assert_eq!(row[1], Data::String(formula.into()));
    assert_eq!(row[6], Data::String("active".into()));
    let Data::DateTime(joined) = &row[11] else { panic!("{:?}", row[11]) };
    assert!((46_346.0..46_347.0).contains(&joined.as_f64()), "{joined}");
    let none = world.call(EXPORT, &operator, json!({ "q": "no such brand" })).await;
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(none.bytes)).unwrap();
    assert_eq!(book.worksheet_range("Brands").unwrap().height(), 1);
    let noted = "SELECT COUNT(*) FROM audit_entry WHERE action = 'partners_exported'";
    assert_eq!(world.id(noted).await, 2);
}
both!(a_spreadsheet_holds_every_brand_as_text_numbers_and_days);
