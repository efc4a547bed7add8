//! The operators' library: a folder with its items, uploads, and what can be done with items.

use maud::{Markup, html};
use nil_core::error::codes;
use nil_core::{Error, Result};
use serde_json::{Value, json};

use crate::console::call::{Page, Shown, one};
use crate::console::icons;
use crate::console::part::Part as _;
use crate::console::query::Query;
use crate::console::screens::acts::{Act, act};
use crate::console::screens::list::{Around, List, PLAIN, Seen, column};
use crate::console::screens::{Form, Outcome};
use crate::console::table::rows_of;
use crate::console::texts::{key, say, tell};
use crate::console::{refusal, words};

/// The largest file of a form, in bytes.
const LARGEST: usize = 50 * 1024 * 1024;

static ITEMS: List = List {
    title: key!("nav-library"),
    operation: "content.browse",
    usual: &[("parent_id", "0"), ("sort", "name"), ("deleted", "false")],
    columns: &[
        column(key!("col-name"), "", |seen, row| {
            let (id, name) = (row.number("id"), row.text("name"));
            html! {
                @if is_folder(row) {
                    (icons::FOLDER.show()) " " (seen.to(&format!("/library?parent_id={id}"), name))
                } @else {
                    (icons::DOCUMENT.show()) " "
                    (seen.to(&format!("/file/content.download?id={id}"), name))
                }
            }
        })
        .sorted("name"),
        column(key!("type"), "p2", |_, row| {
            html! { @if is_folder(row) { (say!("folder")) } @else { (row.part("file").text("media_type")) } }
        }),
        column(key!("size"), "n p2", |_, row| {
            html! { @if is_folder(row) { "\u{2013}" } @else {
                (words::size(row.part("file").number("size")))
            } }
        })
        .sorted("size"),
        column(key!("col-version"), "n p3", |_, row| {
            html! { @if is_folder(row) { "\u{2013}" } @else { (row.part("file").number("version")) } }
        }),
        column(key!("changed"), "w p2", |seen, row| seen.when(row, "updated_at"))
            .sorted("updated_at"),
    ],
    menu: Some(of_item),
    ..PLAIN
};

fn is_folder(row: &Value) -> bool {
    row.text("kind") == "folder"
}

fn of_item(seen: &Seen<'_>, row: &Value) -> Vec<Act> {
    let id = row.number("id");
    if is_deleted(seen.page) {
        return Vec::new();
    }
    let name = Query::default().with("id", Some(&id.to_string()));
    let name = name.with("name", Some(row.text("name")));
    let name = name.with("revision", Some(row.text("revision")));
    let mut acts = vec![act(
        "content.save",
        format!("/op/content.save{}", name.address()),
        say!("rename-new-version"),
    )];
    if !is_folder(row) {
        acts.push(act(
            "content.download",
            format!("/file/content.download?id={id}"),
            say!("download"),
        ));
        acts.push(act(
            "content.versions",
            format!("/op/content.versions?id={id}"),
            say!("versions"),
        ));
    }
    acts
}

/// Whether the page shows what was deleted.
fn is_deleted(page: &Page<'_>) -> bool {
    page.query.get("deleted") == Some("true")
}

fn folder(page: &Page<'_>) -> i64 {
    page.query.get("parent_id").and_then(|id| id.parse().ok()).unwrap_or_default()
}

pub(in crate::console::screens) async fn get(page: &Page<'_>) -> Result<Outcome> {
    Ok(show(page, None).await?.into())
}

async fn show(page: &Page<'_>, refused: Option<&Error>) -> Result<Shown> {
    let list = ITEMS.read(page).await?;
    let seen = list.seen(page);
    let path = list.answer.list("path");
    let here = path.last().filter(|_| folder(page) != 0);
    let said = refused.map(|error| {
        html! {
            (refusal::note(&[], error))
        }
    });
    let around = Around {
        said,
        before: (!is_deleted(page)).then(|| entering(page)),
        bulk: Some(bulk(&seen, path)),
        head: Some(head(
            &seen,
            &here.map_or_else(|| say!("nav-library"), |here| here.text("name").to_owned()),
        )),
        ..Around::default()
    };
    let mut shown = ITEMS.show(&seen, list.refused.as_ref(), around);
    if let Some(here) = here {
        here.text("name").clone_into(&mut shown.title);
        shown = shown.below(page.at("/library"), say!("nav-library"));
    }
    for one in path.iter().rev().skip(1).rev() {
        let address = page.at(&format!("/library?parent_id={}", one.number("id")));
        shown = shown.below(address, one.text("name"));
    }
    if let Some(error) = refused {
        shown.status = error.kind().status();
    }
    Ok(shown)
}

fn head(seen: &Seen<'_>, title: &str) -> Markup {
    let page = seen.page;
    let deleted = page.query.without(&["page"]).with("deleted", Some("true"));
    html! {
        div.head {
            div {
                h1 { (title) @if is_deleted(page) { ", " (say!("deleted-small")) } }
                p {
                    (say!("library-about", items = seen.counted(key!("count-items"))))
                }
            }
            div.row {
                @if is_deleted(page) {
                    a.btn href=(page.here(&page.query.without(&["page", "deleted"]))) {
                        (say!("back-to-the-folder"))
                    }
                } @else {
                    a.btn href=(page.here(&deleted)) { (say!("deleted")) }
                }
            }
        }
    }
}

/// The forms that bring a file or a folder here. The script sends larger files in parts.
fn entering(page: &Page<'_>) -> Markup {
    html! {
        @if page.allowed("content.save").is_some() {
            form.drop method="post" enctype="multipart/form-data" action=(page.here(&page.query))
                data-parts=(page.at("/library/parts")) data-most=(LARGEST)
                data-stop=(say!("cancel")) data-over=(say!("o-cancelled")) {
                (page.hidden())
                input type="hidden" name="parent_id" value=(folder(page));
                label for="f-content" {
                    b { (say!("put-a-file-here")) }
                    " " (say!("upload-about"))
                }
                p.row {
                    input type="file" id="f-content" name="content" required;
                    button.pri name="act" value="upload" { (say!("upload")) }
                }
            }
            form.row method="post" action=(page.here(&page.query)) {
                (page.hidden())
                label for="f-name" { (say!("new-folder")) }
                input.w id="f-name" name="name" maxlength="200" required autocomplete="off";
                button name="act" value="folder" { (say!("make-it")) }
            }
        }
    }
}

/// What can be done with the items that are selected.
fn bulk(seen: &Seen<'_>, path: &[Value]) -> Markup {
    let page = seen.page;
    let here = folder(page);
    let folders = rows_of(seen.answer).iter().filter(|row| is_folder(row));
    let above = path.iter().filter(|one| one.number("id") != here);
    html! {
        div.bulk data-bulk {
            b { (tell!("selected", count = html! { span data-count { "0" } })) }
            @if is_deleted(page) {
                button name="act" value="restore" { (say!("bring-back")) }
            } @else {
                label.vh for="to" { (say!("move-to")) }
                select id="to" name="to" {
                    option value="" { (say!("o-move-to")) }
                    @if here != 0 { option value="0" { (say!("nav-library")) } }
                    @for one in above.chain(folders) {
                        option value=(one.number("id")) { (one.text("name")) }
                    }
                }
                button name="act" value="move" { (say!("move")) }
                button.danger name="act" value="delete" { (say!("delete")) }
            }
        }
    }
}

pub(in crate::console::screens) async fn post(page: &Page<'_>, form: Form) -> Result<Outcome> {
    let Form { fields: sent, file } = form;
    let ids: Vec<i64> = sent.all("ids").filter_map(|id| id.parse().ok()).collect();
    let ids = || one("ids", json!(ids));
    let here = || one("parent_id", json!(folder(page)));
    let done = match (sent.get("act"), file) {
        (Some("upload"), Some(file)) => {
            page.write_file("content.save", here(), (file, &sent)).await
        }
        (Some("folder"), _) => {
            let mut input = here();
            input.insert("name".into(), sent.get("name").unwrap_or_default().into());
            page.write("content.save", input, &sent).await
        }
        (Some("move"), _) => {
            let mut input = ids();
            let to = sent.get("to").and_then(|id| id.parse::<i64>().ok());
            if let Some(to) = to {
                input.insert("parent_id".into(), to.into());
            }
            page.write("content.move", input, &sent).await
        }
        (Some("delete"), _) => page.write("content.delete", ids(), &sent).await,
        (Some("restore"), _) => page.write("content.restore", ids(), &sent).await,
        _ => Err(codes::NOT_FOUND.into()),
    };
    match done {
        Ok(_) => Ok(Outcome::to(&page.here(&page.query))),
        Err(error) => Ok(show(page, Some(&error)).await?.into()),
    }
}
