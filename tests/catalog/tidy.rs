//! Rules for the text of all source files.

use std::path::{Path, PathBuf};

use nil_tests::Frozen;

/// The maximum number of lines of a source file.
const LONGEST: usize = 450;

/// Files that are longer. The list may only get shorter.
const LONGER: &[&str] = &[];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tree").to_owned()
}

fn visit(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir()
            && !name.starts_with('.')
            && !matches!(name, "target" | "corpus" | "artifacts")
        {
            visit(&path, files);
        } else if path.is_file() {
            files.push(path);
        }
    }
}

/// All files with this ending, as paths within the tree, with their text.
pub(crate) fn sources(ending: &str) -> Vec<(String, String)> {
    let root = root();
    let mut files = Vec::new();
    visit(&root, &mut files);
    files.retain(|path| path.to_string_lossy().ends_with(ending));
    files.sort();
    assert!(!files.is_empty());
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a text");
            let path = path.strip_prefix(&root).expect("within the tree");
            (path.to_string_lossy().into_owned(), text)
        })
        .collect()
}

pub(crate) fn complain(about: Vec<String>) {
    assert!(about.is_empty(), "\n{}", about.join("\n"));
}

/// The code of a file without its unit tests, which are at its end.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn files_are_short_enough_to_read() {
    let long = sources(".rs").into_iter().filter_map(|(path, text)| {
        let lines = text.lines().count();
        let listed = LONGER.contains(&path.as_str());
        match (lines > LONGEST, listed) {
            (true, false) => Some(format!("{path} has {lines} lines")),
            (false, true) => Some(format!("{path} is short enough now: take it off the list")),
            _ => None,
        }
    });
    complain(long.collect());
}

#[test]
fn files_are_called_after_what_is_in_them() {
    let vague = ["utils", "util", "helpers", "helper", "common", "misc", "shared", "stuff"];
    let named = sources(".rs").into_iter().filter(|(path, _)| {
        Path::new(path)
            .with_extension("")
            .components()
            .any(|part| vague.contains(&part.as_os_str().to_string_lossy().as_ref()))
    });
    complain(named.map(|(path, _)| path).collect());
}

#[test]
fn nothing_is_left_for_later() {
    // Assembled here, so that this file does not match.
    let marks = [
        ["to", "do!("],
        ["unimple", "mented!("],
        ["FIX", "ME"],
        ["XX", "X"],
        ["#[ig", "nore"],
        ["TO", "DO:"],
    ]
    .map(|parts| parts.concat());
    let mut found = Vec::new();
    for (path, text) in sources(".rs") {
        for (number, line) in text.lines().enumerate() {
            if marks.iter().any(|mark| line.contains(mark.as_str())) {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    complain(found);
}

/// Casts silently truncate values; `try_from` reports an error.
#[test]
fn numbers_are_never_cast() {
    let types =
        ["i64", "u64", "i32", "u32", "i16", "u16", "i8", "u8", "usize", "isize", "f32", "f64"];
    let mut found = Vec::new();
    for (path, text) in sources(".rs") {
        if !path.starts_with("nil-core/src/") || path.ends_with("tests.rs") {
            continue;
        }
        for (number, line) in without_tests(&text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let cast = code.split(" as ").skip(1).any(|after| {
                let word: String = after.chars().take_while(char::is_ascii_alphanumeric).collect();
                types.contains(&word.as_str())
            });
            if cast {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    complain(found);
}

#[test]
fn every_module_begins_by_saying_what_it_is() {
    let silent = sources(".rs").into_iter().filter(|(path, text)| {
        let inner = path.ends_with("tests.rs") && path.starts_with("nil-core/src/");
        !inner && !text.starts_with("//!")
    });
    complain(silent.map(|(path, _)| path).collect());
}

#[test]
fn both_databases_have_the_same_migrations() {
    let names = |engine: &str| -> Vec<String> {
        let folder = format!("nil-core/migrations/{engine}/");
        let all = sources(".sql").into_iter();
        all.filter_map(|(path, _)| path.strip_prefix(&folder).map(Into::into)).collect()
    };
    assert_eq!(names("sqlite"), names("postgres"));
}

/// Databases that are in use have applied them.
#[test]
fn released_migrations_stay_as_they_are() {
    let versions = Frozen::all();
    assert!(!versions.is_empty());
    let changed: Vec<String> = versions.iter().flat_map(Frozen::changed).collect();
    assert!(
        changed.is_empty(),
        "Released migrations are never edited: add a new pair to nil-core/migrations instead.\n{}",
        changed.join("\n")
    );
}

#[test]
fn lines_end_where_their_text_ends() {
    let mut found = Vec::new();
    for ending in [".rs", ".md", ".sql", ".toml"] {
        for (path, text) in sources(ending) {
            if text.lines().any(|line| line.ends_with([' ', '\t'])) {
                found.push(format!("{path} has blanks at the end of a line"));
            }
            if !text.is_empty() && !text.ends_with('\n') {
                found.push(format!("{path} does not end with a line break"));
            }
        }
    }
    complain(found);
}

/// The UTC day of an instant is rarely the day that counts. `day_in` names the zone, and `utc_day`
/// says that UTC is meant; decision 45 names the uses of the latter.
#[test]
fn a_day_is_taken_from_an_instant_by_name_of_its_zone() {
    let folders = ["nil-core/src/", "nil-cli/src/", "nil-http-warp/", "nil-http-poem/"];
    let mut found = Vec::new();
    for (path, text) in sources(".rs") {
        let is_ours = folders.iter().any(|folder| path.starts_with(folder));
        if !is_ours || path == "nil-core/src/kernel/time.rs" || path.ends_with("tests.rs") {
            continue;
        }
        for (number, line) in without_tests(&text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let taken = [".date_naive()", "::date_naive", ".naive_utc().date()"];
            if taken.iter().any(|taken| code.contains(taken)) {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    complain(found);
}

/// Every use of the UTC day is one of those that decision 45 gives a reason for.
#[test]
fn utc_days_are_named_in_the_decision() {
    let decision = root().join("docs/decisions/0045-a-day-is-the-day-where-it-counts.md");
    let decision = std::fs::read_to_string(decision).expect("the decision");
    let uses = sources(".rs").into_iter().filter(|(path, text)| {
        path.starts_with("nil-core/src/")
            && path != "nil-core/src/kernel/time.rs"
            && !path.starts_with("nil-core/src/seed/")
            && without_tests(text).contains("utc_day(")
    });
    let unnamed = uses.filter(|(path, _)| {
        let within = path.trim_start_matches("nil-core/src/");
        !decision.contains(&format!("`{within}`"))
    });
    complain(unnamed.map(|(path, _)| path).collect());
}

/// The page about generated clients names the versions that its test installs.
#[test]
fn the_versions_of_generated_clients_are_those_that_are_tested() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("a file");
    let page = read("docs/clients.md");
    let package = read("tests/clients/typescript/package.json");
    let python = read("tests/clients/python/requirements.txt").replace("==", " ");
    let rust = read("tests/clients/rust/Cargo.toml").replace("= \"", "").replace('"', "");
    let typescript = package.replace("\": \"", " ").replace(['"', ','], "");
    let named = |text: &str, generator: &str| {
        let line = text.lines().map(str::trim).find(|line| line.starts_with(generator));
        let line = line.expect("a version").to_owned();
        (!page.contains(&line)).then_some(line)
    };
    let missing = [
        named(&typescript, "openapi-typescript"),
        named(&typescript, "openapi-fetch"),
        named(&python, "openapi-python-client"),
        named(&rust, "progenitor-impl"),
    ];
    complain(missing.into_iter().flatten().collect());
}

/// `docs/states.md` shows the machines of this list, a unit test examines their laws, and the walks
/// watch them.
#[test]
fn every_state_machine_is_in_the_list() {
    let sources = sources(".rs");
    let text = |path: &str| sources.iter().find(|(found, _)| found == path).map(|(_, text)| text);
    let list = text("nil-core/src/catalog/machines.rs").expect("the list");
    let machines: Vec<_> = sources
        .iter()
        .filter(|(path, _)| path.starts_with("nil-core/src/"))
        .flat_map(|(_, text)| without_tests(text).lines())
        .filter_map(|line| line.strip_prefix("impl Machine for ")?.strip_suffix(" {"))
        .collect();
    assert!(machines.len() > 20, "{machines:?}");
    let missing = machines.iter().filter(|name| {
        let declared = machines.iter().filter(|other| other == name).count();
        list.matches(&format!("::{name}>(")).count() != declared
    });
    complain(missing.map(|name| format!("{name} is not in the list")).collect());
}

/// `cargo fmt` does not wrap comments. Rows of tables cannot be wrapped.
#[test]
fn comments_fit_on_the_lines_of_the_code() {
    let mut found = Vec::new();
    for (path, text) in sources(".rs") {
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let words = line.trim_start().strip_prefix("//");
            let is_row = |words: &str| words.trim_start_matches(['/', '!', ' ']).starts_with('|');
            if words.is_some_and(|words| !is_row(words)) && line.chars().count() > 100 {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    complain(found);
}
