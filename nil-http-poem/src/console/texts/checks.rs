//! What holds for the files of texts: each key that the sources use is in English, each key in
//! English is used, with the variables that the sources give it, and other languages follow
//! English.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::*;
use crate::console::texts::{say, tell};

/// The variables of each message, by its key.
type Messages = BTreeMap<String, BTreeSet<String>>;

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

/// The messages of a folder but for the files whose names begin so; it is an error if one cannot be
/// read or is there twice.
fn messages(language: &str, embedded: &[&str], skip: Option<&str>) -> Messages {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/console/texts").join(language);
    let mut all = Messages::new();
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(embedded.contains(&&*text), "{} is not in `files.rs`", file.display());
        let read = FluentResource::try_new(text.clone());
        assert!(read.is_ok(), "{}: {:?}", file.display(), read.err().map(|(_, errors)| errors));
        let name = file.file_name().unwrap().to_string_lossy();
        if skip.is_some_and(|skip| name.starts_with(skip)) {
            continue;
        }
        let mut key = String::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                name.clone_into(&mut key);
                let before = all.insert(key.clone(), BTreeSet::new());
                assert!(before.is_none(), "{}: {key} is there twice", file.display());
            }
            let names = line.split('$').skip(1).map(|rest| rest.split(|c| !is_of_name(c)).next());
            if let Some(message) = all.get_mut(&key) {
                message.extend(names.flatten().map(str::to_owned));
            }
        }
    }
    all
}

fn sources(folder: &Path, all: &mut Vec<(String, String)>) {
    for path in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs")
            && !path.ends_with("texts/mod.rs")
        {
            all.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The text up to the bracket that closes what is open.
fn call(text: &str) -> &str {
    let (mut depth, mut is_text) = (1, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => is_text = !is_text,
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The names before a `=` at the outermost level of a macro's call.
fn names(call: &str) -> BTreeSet<String> {
    let (mut depth, mut is_text, mut names, mut name) = (0, false, BTreeSet::new(), String::new());
    let mut letters = call.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => is_text = !is_text,
            _ if is_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => name.clear(),
            '=' if depth == 0 && name.chars().all(is_of_name) && letters.peek() == Some(&' ') => {
                names.insert(std::mem::take(&mut name));
            }
            _ if depth == 0 && !letter.is_whitespace() => name.push(letter),
            _ => {}
        }
    }
    names.remove("");
    names
}

/// The keys that the sources use, each with where it stands and its variables; those of a table
/// (`key!`) are given by whoever says them.
fn used() -> Vec<(String, String, Option<BTreeSet<String>>)> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/console"), &mut files);
    let mut used = Vec::new();
    for (file, source) in &files {
        for name in ["say", "tell", "key"] {
            for after in source.split(&format!("{name}!(")).skip(1) {
                let call = call(after);
                if let Some(key) =
                    call.trim_start().strip_prefix('"').and_then(|it| it.split('"').next())
                {
                    let given = (name != "key").then(|| names(call));
                    used.push((key.to_owned(), file.clone(), given));
                }
            }
        }
    }
    used
}

#[test]
fn each_key_that_is_used_is_in_english_and_the_reverse() {
    let english = messages("en", files::ENGLISH, None);
    let used = used();
    let mut wrong = Vec::new();
    for (key, file, given) in &used {
        match english.get(key) {
            None => wrong.push(format!("{file}: {key} is not in English")),
            Some(wanted) if given.as_ref().is_some_and(|given| wanted != given) => {
                wrong.push(format!("{file}: {key} takes {wanted:?} and gets {given:?}"));
            }
            Some(_) => {}
        }
    }
    let keys: BTreeSet<&String> = used.iter().map(|(key, _, _)| key).collect();
    wrong.extend(
        english.keys().filter(|key| !keys.contains(key)).map(|key| format!("{key} is not used")),
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn other_languages_say_what_english_says() {
    let english = messages("en", files::ENGLISH, None);
    for (key, variables) in messages("es", files::SPANISH, Some("catalog")) {
        assert_eq!(english.get(&key), Some(&variables), "{key}");
    }
}

#[test]
fn words_of_the_catalog_are_those_of_something_in_it() {
    let [.., words, of_money] = files::SPANISH else { panic!("two files of the catalog") };
    let key = |name: &str| name.replace(['_', '.', ' '], "-").to_lowercase();
    let operations: BTreeSet<String> =
        nil_core::catalog::catalog().iter().map(|entry| key(entry.name)).collect();
    let lines = words.lines().chain(of_money.lines());
    for line in lines.filter(|line| !line.starts_with(['#', ' ']) && !line.is_empty()) {
        let (kind, name) = line.split_once(" =").unwrap().0.split_once('-').unwrap();
        match kind {
            "title" | "verb" | "says" | "happens" | "stays" | "purpose" | "deed" => {
                assert!(operations.contains(name), "{line}");
            }
            "reason" => {
                let code = name.replace('-', "_");
                assert_ne!(nil_core::wording::dispute_reason(&code), code, "{line}");
            }
            _ => {
                let kinds = ["choice", "label", "hint", "error", "section", "group"];
                assert!(kinds.contains(&kind), "{line}");
            }
        }
    }
}

#[tokio::test]
async fn a_language_without_a_text_falls_to_english() {
    let in_spanish = async { (say!("nav-inbox"), plain("no-such-key")) };
    let (inbox, none) = in_language(Language::Spanish, in_spanish).await;
    assert_eq!((inbox.as_str(), none.as_str()), ("Bandeja de entrada", "no-such-key"));
}

#[test]
fn markup_stands_in_its_sentence_and_the_rest_is_escaped() {
    let bold = maud::html! { b { "<" } };
    let said =
        tell!("only-print", house = "A & B", title = bold, name = "N", at = "x", request = "1");
    let said = said.into_string();
    assert!(said.contains("A &amp; B") && said.contains("<b>&lt;</b>"), "{said}");
}
