//! Completion: the scripts are short, and know every command, flag and word.

use std::process::Command;

use nil_core::catalog::catalog;

use crate::nil::{NIL, Nil};

/// What can stand at the place of the last word.
fn completed(words: &[&str]) -> Vec<String> {
    let arguments = [&["complete", "bash", "--"], words].concat();
    let lines = Nil::alone().run(&arguments).good().text();
    lines.lines().map(str::to_owned).collect()
}

#[test]
fn the_scripts_are_short() {
    let nil = Nil::alone();
    for shell in ["bash", "zsh", "fish"] {
        let script = nil.run(&["completions", shell]).good().stdout;
        assert!(script.len() < 1_000, "{shell}: {}", script.len());
    }
    // Shells without a script of this kind get the list of all commands.
    let script = nil.run(&["completions", "elvish"]).good().text();
    assert!(script.contains("invite-bulk"));
}

#[test]
fn commands_and_operations_are_completed_by_name() {
    assert_eq!(completed(&["us"]), ["user"]);
    assert_eq!(completed(&["user", "s"]), ["show", "suspend"]);
    assert_eq!(completed(&["call", "core.application.hire_b"]), ["core.application.hire_bulk"]);
    assert_eq!(completed(&["ops", "show", "core.job.sea"]), ["core.job.search"]);
    assert_eq!(completed(&["call", "core.job.search", "sport"]), ["sport_ids="]);
    assert_eq!(completed(&["call", ""]).len(), catalog().iter().count());
    for entry in catalog().iter() {
        let words: Vec<String> = entry.name.split('.').map(|w| w.replace('_', "-")).collect();
        if words[1] == "job" {
            let typed: Vec<&str> = words.iter().map(String::as_str).collect();
            assert!(completed(&typed).contains(&words[2]), "{}", entry.name);
        }
    }
    let nowhere: [&str; 0] = [];
    assert_eq!(completed(&["frob", ""]).first(), None);
    assert_eq!(
        completed(&["core", "job", "save", "--data", "x"]),
        nowhere,
        "files are the shell's"
    );
}

#[test]
fn flags_and_their_words_are_completed() {
    assert_eq!(completed(&["core", "job", "save", "--comp"]), ["--compensation"]);
    assert_eq!(completed(&["core", "job", "save", "--data"]), ["--database", "--data"]);
    let pays = ["cash", "product", "service", "mixed", "royalty", "commission"];
    assert_eq!(completed(&["core", "job", "save", "--compensation", ""]), pays);
    assert_eq!(completed(&["core", "job", "save", "--compensation", "=", "ca"]), ["cash"]);
    assert_eq!(
        completed(&["core", "job", "search", "--kinds", "ongoing,a"]),
        ["ongoing,appearance"]
    );
    assert_eq!(completed(&["api-key", "create", "--scopes", "a"]), ["ai_tools", "affiliate"]);
    assert_eq!(completed(&["operator", "create", "--permissions", "jobs,f"]), ["jobs,finance"]);
    assert_eq!(completed(&["--data", "x", "openapi", "co"]), ["core", "compliance"]);
    assert_eq!(completed(&["user", "find", "--js"]), ["--json"]);
}

#[test]
fn zsh_and_fish_are_told_what_a_word_means() {
    let nil = Nil::alone();
    let told = |shell| nil.run(&["complete", shell, "--", "core", "job", "sav"]).good().text();
    assert_eq!(told("zsh"), "save:create or edit a job\n");
    assert_eq!(told("fish"), "save\tcreate or edit a job\n");
}

#[test]
fn bash_completes_with_the_script() {
    let nil = Nil::alone();
    std::fs::write(nil.path("nil.bash"), nil.run(&["completions", "bash"]).good().stdout).unwrap();
    let typed = |words: &str| {
        let run = format!(
            "source ./nil.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _nil {NIL}; echo \"${{COMPREPLY[*]}}\""
        );
        let ended = Command::new("bash").args(["-c", &run]).current_dir(&nil.folder).output();
        String::from_utf8(ended.unwrap().stdout).unwrap()
    };
    assert_eq!(typed("nil core job sa"), "save\n");
    assert_eq!(typed("nil core job save --kind ''"), "one_time ongoing appearance licensing\n");
    // `*` is a word here, not the files of the folder.
    assert_eq!(typed("nil operator create --permissions '*'"), "*\n");
}
