//! Dependencies between the files of `nil-core`: nouns lie under stores, and few files use each
//! other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::complain;
use crate::uses::{File, Place, Tree};

/// The most circles in all folders together.
const MOST: usize = 20;
/// The most files in one circle.
const LARGEST: usize = 4;

fn is_store(file: &File) -> bool {
    file.path.contains("/store/") || file.path.ends_with("/store.rs")
}

fn holds_operations(file: &File) -> bool {
    !is_store(file) && ["cx: Cx<", "cx: &Cx<"].iter().any(|cx| file.code.contains(cx))
}

/// A type that a store needs stands in the file of its noun, beside the rules for it: then an
/// operation can be read, moved and changed without the store.
#[test]
fn no_store_uses_a_file_that_holds_operations() {
    let tree = Tree::read();
    let stores = tree.files().filter(|(_, file)| is_store(file));
    let upward = stores.flat_map(|(module, store)| {
        let uses = tree.uses(module).into_iter();
        let uses = uses.map(|(other, names)| (tree.file(other), names));
        uses.filter(|(file, _)| holds_operations(file)).map(|(file, names)| {
            let names: Vec<String> = names.into_iter().collect();
            format!(
                "{} uses {} of {}, which holds operations",
                store.path,
                names.join(", "),
                file.path
            )
        })
    });
    complain(upward.collect());
}

/// Which module uses which of the same folder. A module and its own child may use each other.
fn arrows(tree: &Tree) -> BTreeMap<&Place, BTreeSet<&Place>> {
    let are_kin = |one: &Place, other: &Place| one.split_last().is_some_and(|(_, up)| up == other);
    let arrows = tree.files().map(|(module, _)| {
        let others = tree.uses(module).into_keys().filter(|other| {
            other[0] == module[0] && !are_kin(module, other) && !are_kin(other, module)
        });
        (module, others.collect())
    });
    arrows.collect()
}

/// All that can be reached from a module.
fn reached<'t>(
    arrows: &BTreeMap<&'t Place, BTreeSet<&'t Place>>,
    from: &'t Place,
) -> BTreeSet<&'t Place> {
    let (mut found, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(module) = next.pop() {
        next.extend(arrows[module].iter().filter(|other| found.insert(**other)));
    }
    found
}

/// The circles: in each, every module can be reached from every other.
fn circles(tree: &Tree) -> Vec<(usize, String)> {
    let arrows = arrows(tree);
    let reached: BTreeMap<&Place, _> =
        arrows.keys().map(|module| (*module, reached(&arrows, module))).collect();
    let circle = |module: &&Place| -> BTreeSet<&Place> {
        reached[*module]
            .iter()
            .filter(|other| reached[**other].contains(*module))
            .copied()
            .collect()
    };
    let circles: BTreeSet<BTreeSet<&Place>> = reached.keys().map(circle).collect();
    let named = circles.iter().filter(|circle| circle.len() > 1).map(|circle| {
        let paths: Vec<&str> = circle.iter().map(|module| &*tree.file(module).path).collect();
        let size = circle.len();
        (size, format!("{size} files: {}", paths.join(" ")))
    });
    named.collect()
}

#[test]
fn few_files_use_each_other_in_a_circle() {
    let circles = circles(&Tree::read());
    let large = circles.iter().filter(|(size, _)| *size > LARGEST);
    let mut wrong: Vec<String> = large.map(|(_, named)| format!("a circle of {named}")).collect();
    if circles.len() > MOST {
        wrong.push(format!("{} circles, {MOST} are allowed:", circles.len()));
        wrong.extend(circles.into_iter().map(|(_, named)| named));
    }
    complain(wrong);
}
