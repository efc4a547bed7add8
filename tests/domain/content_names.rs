//! Names of the site's content that would lead elsewhere: none does.

use std::collections::BTreeSet;

use nil_tests::{World, both, trust};
use serde_json::json;

use crate::content_library::{call, folder};

/// Names that would lead out of a folder, somewhere.
const TRAVERSALS: &[&str] = &[
    "../x",
    "../../x",
    "../../../../../../etc/passwd",
    "..\\x",
    "..\\..\\x",
    "/etc/passwd",
    "//etc/passwd",
    "\\\\server\\share\\x",
    "C:\\x",
    "C:x",
    "c:/x",
    "file:///etc/passwd",
    "~/x",
    "~root/x",
    "./x",
    "./../x",
    "a/../../x",
    "a/./../../x",
    "a\\..\\..\\x",
    "....//x",
    "..../x",
    ".../...//x",
    "..;/x",
    "..%2fx",
    "%2e%2e/x",
    "%2e%2e%2fx",
    "%252e%252e%252fx",
    "..%5cx",
    "..%c0%afx",
    "..%c1%9cx",
    "%uff0e%uff0e/x",
    "\u{ff0e}\u{ff0e}/x",
    "\u{2024}\u{2024}/x",
    "..\u{2215}x",
    "..\u{2044}x",
    "\u{2025}/x",
    "../x\0.png",
    "x\0/../../y",
    "..\r\n/x",
    "..\t/x",
    " ../x",
    "../ x",
    "..",
    ".",
    "...",
    "",
    "/",
    "\\",
    "//",
    "../",
    "..\\",
    "x/..",
    "x/.",
    "x/../..",
    "aux/../../x",
    "CON",
    "nul.png",
    "x.png::$DATA",
    ".htaccess",
    "..\u{202e}x",
    "objects/../nil.db",
    "nil.db",
    "new/x",
    "parts/x",
];

async fn no_name_leads_out_of_the_folder(world: World) {
    let data = &world.platform.config().data;
    let listed = || -> BTreeSet<String> {
        let entries = std::fs::read_dir(data).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let before = listed();
    let mut kept = 0;
    for (number, name) in TRAVERSALS.iter().enumerate() {
        let parent = folder(&world, &format!("f{number}"), 0).await;
        for content in [None, Some("iVBORw0KGgoAAAANSUhEUg==")] {
            let input = json!({ "name": name, "parent_id": parent, "content": content });
            let saved = call(&world, "save", input).await;
            match saved.status {
                200 => {
                    let stored = saved.data()["name"].as_str().unwrap().to_owned();
                    assert!(
                        !stored.contains(['/', '\\', '\0', ':']) && !stored.starts_with('.'),
                        "{stored}"
                    );
                    kept += 1;
                }
                // Nothing is left of the name, or the folder has taken it.
                422 | 409 => {}
                other => panic!("{name:?}: {other}"),
            }
        }
    }
    assert!(TRAVERSALS.len() >= 60 && kept > 60, "{kept}");
    let new: Vec<String> = listed().difference(&before).cloned().collect();
    assert!(new.iter().all(|name| name == "objects" || name.contains("nil.db")), "{new:?}");
    // In the store is nothing but objects under keys of the server's own.
    for shelf in std::fs::read_dir(data.join("objects")).unwrap() {
        let shelf = shelf.unwrap();
        let name = shelf.file_name().into_string().unwrap();
        for object in std::fs::read_dir(shelf.path()).unwrap() {
            let object = object.unwrap().file_name().into_string().unwrap();
            assert!(object.len() == 32 && object.starts_with(&name), "{name}/{object}");
        }
    }
    trust::tried("A14", "names", TRAVERSALS.len());
}
both!(no_name_leads_out_of_the_folder);
