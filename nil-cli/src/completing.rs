//! Completion of a command line by a shell. The scripts are short: they ask `nil complete` what can
//! stand at the place of the last word, which knows every command, flag and word of this version.
//! Scripts that list everything would have nearly a megabyte, and every new shell would read it.

use clap::{Arg, ArgAction, Command, CommandFactory as _};
use clap_complete::Shell;
use nil_core::catalog::{Interface, catalog};

use crate::args::Args;
use crate::generated;
use crate::out::{self, say};

const BASH: &str = r#"_nil() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <("$1" complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [[ "${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o bashdefault -o default -F _nil nil
"#;

const ZSH: &str = r#"#compdef nil
_nil() {
    local -a found
    found=("${(@f)$("${words[1]}" complete zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -z "$found" ]]; then
        _files
    elif [[ "${found[1]}" == *= ]]; then
        compadd -S '' -- "${(@)found}"
    else
        _describe -V 'nil' found
    fi
}
if [ "$funcstack[1]" = "_nil" ]; then
    _nil "$@"
else
    compdef _nil nil
fi
"#;

const FISH: &str = r#"function __nil_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    set -l token (commandline --current-token --cut-at-cursor)
    set -l program $words[1]
    set -e words[1]
    set -l found ($program complete fish -- $words "$token" 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path "$token"
    end
end
complete --command nil --no-files --keep-order --arguments '(__nil_complete)'
"#;

/// `nil completions SHELL`.
pub(crate) fn script(shell: Shell) {
    match shell {
        Shell::Bash => out::bytes(BASH.as_bytes()),
        Shell::Zsh => out::bytes(ZSH.as_bytes()),
        Shell::Fish => out::bytes(FISH.as_bytes()),
        // A list of all commands with their flags.
        _ => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut crate::grammar(), "nil", &mut script);
            out::bytes(&script);
        }
    }
}

/// A word that can stand at the place of the last one.
#[derive(Debug, PartialEq, Eq)]
struct Candidate {
    word: String,
    about: String,
}

impl Candidate {
    fn new(word: impl Into<String>, about: &str) -> Self {
        let line = about.lines().next().unwrap_or_default();
        Self { word: word.into(), about: line.to_owned() }
    }
}

/// `nil complete SHELL -- WORD…`: a candidate a line, for zsh and fish with what it means.
pub(crate) fn complete(shell: Shell, words: &[String]) {
    for Candidate { word, about } in candidates(words) {
        match shell {
            _ if about.is_empty() || word.ends_with('=') => say!("{word}"),
            Shell::Zsh => say!("{}:{about}", word.replace(':', "\\:")),
            Shell::Fish => say!("{word}\t{about}"),
            _ => say!("{word}"),
        }
    }
}

/// Where the last word stands.
struct Place {
    /// The command that the words before it name.
    command: Command,
    /// The flag whose value it is.
    flag: Option<Arg>,
    /// The arguments before it that belong to no flag.
    arguments: Vec<String>,
}

fn candidates(words: &[String]) -> Vec<Candidate> {
    let Some((last, before)) = words.split_last() else { return Vec::new() };
    let place = place(before);
    let mut found = match &place.flag {
        Some(flag) => values(flag, last),
        None if last.starts_with('-') => flags(&place.command),
        None => arguments(&place, last),
    };
    found.retain(|candidate| candidate.word.starts_with(last.as_str()));
    found
}

/// Follows the words to the command that they name.
fn place(before: &[String]) -> Place {
    let mut root = Args::command();
    root.build();
    let shared: Vec<Arg> = root.get_arguments().filter(|it| it.is_global_set()).cloned().collect();
    let mut place = Place { command: root, flag: None, arguments: Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for word in before {
        if place.flag.is_some() {
            // Bash parts `--flag=value` into three words.
            if word != "=" {
                place.flag = None;
            }
            continue;
        }
        if word.starts_with('-') {
            place.flag = awaiting(&place.command, word);
            continue;
        }
        let Some(command) = place.command.find_subcommand(word).cloned() else {
            place.arguments.push(word.clone());
            continue;
        };
        names.push(word.clone());
        let interface = names.first().and_then(|name| Interface::named(name));
        place.command = match (interface, names.as_slice()) {
            (Some(interface), [_]) => generated::names(interface),
            (Some(interface), [_, noun, verb]) => generated::named(interface, noun, verb)
                .map_or(command, |operation| operation.args(shared.clone())),
            _ => command,
        };
    }
    place
}

/// The flag, if its value is the next word.
fn awaiting(command: &Command, word: &str) -> Option<Arg> {
    let name = word.strip_prefix("--")?;
    let flag = command.get_arguments().find(|it| it.get_long() == Some(name))?;
    (takes_value(flag) && !flag.is_require_equals_set()).then(|| flag.clone())
}

fn takes_value(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::Set | ArgAction::Append)
}

/// The words that a flag or an argument accepts; of a list, those behind what is typed of it.
fn values(flag: &Arg, last: &str) -> Vec<Candidate> {
    let before = match flag.get_value_delimiter().and_then(|comma| last.rfind(comma)) {
        Some(comma) => last.get(..=comma).unwrap_or_default(),
        None => "",
    };
    let about = |help: Option<&clap::builder::StyledStr>| help.map(ToString::to_string);
    let possible = flag.get_possible_values();
    let shown = possible.iter().filter(|value| !value.is_hide_set());
    shown
        .map(|value| {
            let about = about(value.get_help()).unwrap_or_default();
            Candidate::new(format!("{before}{}", value.get_name()), &about)
        })
        .collect()
}

fn flags(command: &Command) -> Vec<Candidate> {
    let about = |flag: &Arg| flag.get_help().map(ToString::to_string).unwrap_or_default();
    let mut flags: Vec<Candidate> = command
        .get_arguments()
        .filter(|flag| !flag.is_hide_set())
        .filter_map(|flag| Some(Candidate::new(format!("--{}", flag.get_long()?), &about(flag))))
        .collect();
    if !flags.iter().any(|flag| flag.word == "--help") {
        flags.push(Candidate::new("--help", "Print help"));
    }
    flags
}

/// Commands, names of operations and their fields, and words that an argument accepts.
fn arguments(place: &Place, last: &str) -> Vec<Candidate> {
    let Place { command, arguments, .. } = place;
    let mut found: Vec<Candidate> = Vec::new();
    if arguments.is_empty() {
        let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
        found.extend(shown.map(|it| {
            let about = it.get_about().map(ToString::to_string).unwrap_or_default();
            Candidate::new(it.get_name(), &about)
        }));
    }
    match (command.get_name(), arguments.as_slice()) {
        ("call" | "show", []) if takes_operation(command) => {
            found.extend(catalog().iter().map(|entry| Candidate::new(entry.name, entry.purpose)));
        }
        ("call", [name, ..]) => {
            let fields = catalog().named(name).map(generated::fields_of).unwrap_or_default();
            found.extend(fields.iter().map(|field| Candidate::new(format!("{field}="), "")));
        }
        _ => {
            let argument = command.get_positionals().nth(arguments.len());
            found.extend(argument.map(|it| values(it, last)).unwrap_or_default());
        }
    }
    found
}

/// Whether the first argument is the name of an operation.
fn takes_operation(command: &Command) -> bool {
    let first = command.get_positionals().next();
    first.is_some_and(|it| it.get_id() == "name")
}
