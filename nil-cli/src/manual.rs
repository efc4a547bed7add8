//! `nil man`: the manual pages.

use std::io::Write as _;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};

use crate::failure::Failure;
use crate::out::{self, say};

/// What the page of `nil` itself shows beside its commands: what somebody does, and how.
const EXAMPLES: &[(&str, &str)] = &[
    ("Try a whole deal in a scratch database:", "nil demo"),
    ("Serve a year of sample data:", "nil serve --demo"),
    (
        "Serve on PostgreSQL behind a TLS proxy:",
        "NIL_DATABASE=postgres://nil@db/nil nil serve --public-url https://nil.example",
    ),
    ("See which operations are about payouts:", "nil ops payout"),
    (
        "Call one as an account:",
        "nil core job posted --as partner:brand@example.com --columns id,title,status",
    ),
    ("Check the books, the files and the audit trail, every night:", "nil verify"),
];

const FILES: &[(&str, &str)] = &[
    ("./nil.toml", "The settings, unless --config or NIL_CONFIG names another file."),
    ("./nil-data/nil.db", "The database, unless --database or NIL_DATABASE names another one."),
    ("./nil-data/secret.key", "The key that seals what is secret, unless NIL_SECRET_KEY holds it."),
    ("./nil-data/objects/", "The files that users uploaded, unless they are in a bucket."),
];

const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "The command did what it was asked to do."),
    (
        "1",
        "It was refused or failed, or a check found something. Standard error has the error's code.",
    ),
    ("2", "It was called wrongly."),
];

/// `nil man`: the page of `nil` itself, or the pages of all commands in a folder.
pub(crate) fn man(folder: Option<&Path>) -> Result<(), Failure> {
    let mut command = crate::grammar();
    let Some(folder) = folder else {
        command.build();
        out::bytes(&page(command)?);
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(Failure::at(folder))?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let pages = write(command, folder)?;
    say!("wrote {pages} pages to {}", folder.display());
    Ok(())
}

/// Writes the page of a command and those of its own commands; returns how many there are.
fn write(command: Command, folder: &Path) -> Result<usize, Failure> {
    let mut pages = 1;
    let own: Vec<Command> =
        command.get_subcommands().filter(|own| !own.is_hide_set()).cloned().collect();
    for own in own {
        pages += write(own, folder)?;
    }
    let path = folder.join(Man::new(command.clone()).get_filename());
    std::fs::write(&path, page(command)?).map_err(Failure::at(&path))?;
    Ok(pages)
}

fn page(command: Command) -> Result<Vec<u8>, Failure> {
    let is_nil = command.get_name() == "nil";
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    let mut more = Roff::new();
    if is_nil {
        more.control("SH", ["EXAMPLES"]);
        for (purpose, command) in EXAMPLES {
            more.control("PP", []).text([roman(*purpose)]);
            more.control("RS", ["4"]).text([bold(*command)]).control("RE", []);
        }
    }
    more.control("SH", ["FILES"]);
    listed(&mut more, FILES);
    more.control("SH", ["EXIT STATUS"]);
    listed(&mut more, EXIT_STATUS);
    page.write_all(more.to_roff().as_bytes())?;
    Ok(page)
}

fn listed(page: &mut Roff, entries: &[(&str, &str)]) {
    for (name, meaning) in entries {
        let text: [Inline; 1] = [bold(*name)];
        page.control("TP", []).text(text).text([roman(*meaning)]);
    }
}
