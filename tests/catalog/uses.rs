//! Which file of `nil-core/src` uses which, read from its paths: `use` trees, `crate::`, `super::`,
//! re-exports, and paths in the code. Unit tests and comments do not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{sources, without_tests};

/// A module or an item as a path from the root of its package: `["jobs", "store", "job", "find"]`.
pub(crate) type Place = Vec<String>;

/// The packages of the library. Their roots are one: no two of them have a folder of the same name.
const PACKAGES: [&str; 4] = ["nil_ground", "nil_parties", "nil_business", "nil_domain"];

/// Whether a file is the root of a package, which names all its folders.
pub(crate) fn is_root(module: &str) -> bool {
    module == "lib" || PACKAGES.iter().any(|package| package.strip_prefix("nil_") == Some(module))
}

/// One file.
pub(crate) struct File {
    pub(crate) path: String,
    /// Everything but its imports.
    pub(crate) code: String,
    imports: Vec<Import>,
}

/// A leaf of a `use` tree.
struct Import {
    is_public: bool,
    path: Place,
    /// The name that it has in the file.
    name: String,
}

/// All files, by their modules.
pub(crate) struct Tree(BTreeMap<Place, File>);

impl Tree {
    /// The files of the library.
    pub(crate) fn read() -> Self {
        let files = sources(".rs").into_iter();
        Self::of(files.filter(|(path, _)| path.starts_with("nil-core/src/")))
    }

    pub(crate) fn of(files: impl Iterator<Item = (String, String)>) -> Self {
        let read = |(path, text): (String, String)| {
            let (code, imports) = divided(&text);
            (module(&path), File { path, code, imports })
        };
        Self(files.map(read).collect())
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (&Place, &File)> {
        self.0.iter()
    }

    pub(crate) fn file(&self, module: &Place) -> &File {
        &self.0[module]
    }

    /// The modules whose files this one uses, with the names of what it uses of each.
    pub(crate) fn uses(&self, module: &Place) -> BTreeMap<&Place, BTreeSet<String>> {
        let file = self.file(module);
        let (mut places, mut modules) = (Vec::new(), BTreeMap::new());
        for import in file.imports.iter().filter(|import| !import.is_public) {
            let Some(place) = self.rooted(module, &import.path) else { continue };
            match self.module_at(&place) {
                // What is used of a module shows in the code.
                Some(named) => drop(modules.insert(&import.name, named)),
                None => places.push(place),
            }
        }
        for path in paths(&file.code) {
            places.extend(match modules.get(&path[0]) {
                Some(named) => Some([named.as_slice(), &path[1..]].concat()),
                None => self.rooted(module, &path),
            });
        }
        let mut found: BTreeMap<&Place, BTreeSet<String>> = BTreeMap::new();
        for place in places {
            let other = self.module_of(&place).filter(|other| *other != module);
            if let Some(other) = other {
                found.entry(other).or_default().extend(place.last().cloned());
            }
        }
        found
    }

    /// What a module's paths begin with below the root, as they are written, its re-exports and the
    /// paths in its texts included.
    pub(crate) fn folders(&self, module: &Place) -> BTreeSet<String> {
        let file = self.file(module);
        let code = file.code.replace('"', " ");
        let imports = file.imports.iter().map(|import| import.path.clone());
        let rooted = imports.chain(paths(&code)).filter_map(|path| self.rooted(module, &path));
        rooted.filter_map(|place| place.into_iter().next()).collect()
    }

    /// A path of a module, from the root; none if it leads out of the library.
    fn rooted(&self, module: &[String], path: &[String]) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            package if PACKAGES.contains(&package) => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                Some([&module[..module.len().checked_sub(up)?], &path[up..]].concat())
            }
            _ => {
                let child = [module, &path[..1]].concat();
                self.0.contains_key(&child).then(|| [module, path].concat())
            }
        }
    }

    /// The module at a place, also if it is re-exported there; none if something else is there.
    fn module_at(&self, place: &[String]) -> Option<Place> {
        let shown = || {
            let (name, module) = place.split_last()?;
            self.shown(module, name)
        };
        let own = self.0.contains_key(place).then(|| place.to_vec());
        own.or_else(|| shown().filter(|place| self.0.contains_key(place)))
    }

    /// The module whose file has the item at a place, whichever modules re-export it.
    fn module_of(&self, place: &[String]) -> Option<&Place> {
        let mut divided = (1..=place.len()).rev().map(|length| place.split_at(length));
        let (module, rest) = divided.find(|(module, _)| self.0.contains_key(*module))?;
        let shown = rest.split_first().and_then(|(name, rest)| {
            let shown = self.shown(module, name)?;
            Some([&shown, rest].concat()).filter(|shown| shown != place)
        });
        match shown {
            Some(shown) => self.module_of(&shown),
            None => self.0.get_key_value(module).map(|(module, _)| module),
        }
    }

    /// What a module re-exports under a name.
    fn shown(&self, module: &[String], name: &str) -> Option<Place> {
        let imports = &self.0.get(module)?.imports;
        let import = imports.iter().find(|import| import.is_public && import.name == name)?;
        self.rooted(module, &import.path)
    }
}

/// The module that a file is.
fn module(path: &str) -> Place {
    let inside = path.trim_start_matches("nil-core/src/").trim_end_matches(".rs");
    inside.trim_end_matches("/mod").split('/').map(ToOwned::to_owned).collect()
}

/// The code of a file without its imports, and these.
fn divided(text: &str) -> (String, Vec<Import>) {
    let (mut code, mut imports, mut open) = (String::new(), Vec::new(), String::new());
    for line in without_tests(text).lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        if open.is_empty() && import(line).is_none() {
            code.extend([line, "\n"]);
            continue;
        }
        open.push_str(line);
        if line.ends_with(';') {
            let (is_public, tree) = import(&open).unwrap_or_default();
            let leaves = leaves(tree.trim_end_matches(';'));
            imports.extend(leaves.iter().map(|leaf| imported(is_public, leaf)));
            open.clear();
        }
    }
    (code, imports)
}

/// Whether a line that begins an import is public, and its tree.
fn import(line: &str) -> Option<(bool, &str)> {
    let public = line.strip_prefix("pub");
    let unlimited = public.map(|rest| match rest.strip_prefix('(') {
        Some(limited) => limited.split_once(')').map_or("", |(_, rest)| rest),
        None => rest,
    });
    let tree = unlimited.unwrap_or(line).trim_start().strip_prefix("use ")?;
    Some((public.is_some(), tree))
}

/// The leaves of a `use` tree, each with its whole path.
fn leaves(tree: &str) -> Vec<String> {
    let Some((stem, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0;
    let branches = inside.split(move |letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    let leaves = branches.filter(|branch| !branch.trim().is_empty()).flat_map(leaves);
    leaves.map(|leaf| format!("{}{leaf}", stem.trim())).collect()
}

fn imported(is_public: bool, leaf: &str) -> Import {
    let (path, other) =
        leaf.split_once(" as ").map_or((leaf, None), |(path, name)| (path, Some(name)));
    let path = path.strip_suffix("::self").unwrap_or(path);
    let path: Place = path.split("::").map(ToOwned::to_owned).collect();
    let name = other.map_or_else(|| path[path.len() - 1].clone(), ToOwned::to_owned);
    Import { is_public, path, name }
}

/// The paths in code that begin with a module. What begins with a quotation mark is a text.
fn paths(code: &str) -> impl Iterator<Item = Place> {
    let words =
        code.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | ':' | '"'));
    let paths = words.filter(|word| word.contains("::") && word.starts_with(char::is_lowercase));
    paths.map(|word| {
        word.split("::").filter(|part| !part.is_empty()).map(ToOwned::to_owned).collect()
    })
}

#[test]
fn files_and_what_they_use_are_found() {
    let tree = [
        (
            "jobs/mod.rs",
            "mod job;\npub mod posting;\nmod store;\n\npub use job::{Job, JobStatus as Status};\n",
        ),
        ("jobs/job.rs", "pub struct Job;\n#[cfg(test)]\nuse super::posting::post;\n"),
        (
            "jobs/posting.rs",
            "use super::store::{\n    self, search::{self as rows, Found},\n};\nfn post() { rows::all(); store::add(); }\n",
        ),
        (
            "jobs/store/mod.rs",
            "pub(super) mod search;\n// use super::posting::no;\npub fn add() -> super::Status { \"crate::jobs::posting::no\" }\n",
        ),
        (
            "jobs/store/search.rs",
            "use crate::jobs::{Job, posting};\nuse std::fmt;\nfn all() { posting::post() }\n",
        ),
        ("deals/mod.rs", "use nil_business::jobs::posting::post;\nuse crate::jobs::Status;\n"),
    ];
    let tree = Tree::of(
        tree.into_iter().map(|(path, text)| (format!("nil-core/src/{path}"), text.to_owned())),
    );
    let uses = |path: &str| -> Vec<String> {
        let uses = tree.uses(&module(path)).into_iter();
        uses.map(|(other, names)| {
            let names: Vec<_> = names.into_iter().collect();
            format!("{}: {}", tree.file(other).path.replace("nil-core/src/", ""), names.join(" "))
        })
        .collect()
    };
    assert_eq!(uses("jobs/mod.rs"), [""; 0]);
    assert_eq!(uses("jobs/job.rs"), [""; 0]);
    assert_eq!(
        uses("jobs/posting.rs"),
        ["jobs/store/mod.rs: add", "jobs/store/search.rs: Found all"]
    );
    assert_eq!(uses("jobs/store/mod.rs"), ["jobs/job.rs: Status"]);
    assert_eq!(uses("jobs/store/search.rs"), ["jobs/job.rs: Job", "jobs/posting.rs: post"]);
    assert_eq!(uses("deals/mod.rs"), ["jobs/job.rs: Status", "jobs/posting.rs: post"]);
}
