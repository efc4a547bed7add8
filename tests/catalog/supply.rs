//! What the programs are built of: packages of the registry alone, under licences that `deny.toml`
//! allows, and no unsafe code of ours. `cargo deny` checks more, where it is installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use nil_tests::trust;
use serde_json::Value;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every package, ours and others'.
fn packages() -> Vec<Value> {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(["metadata", "--locked", "--offline", "--format-version", "1"]);
    command.args(["--filter-platform", "x86_64-unknown-linux-gnu"]);
    let told = command.current_dir(top()).output().unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    told["packages"].as_array().unwrap().clone()
}

/// The licences that `deny.toml` allows everybody, and one package more.
struct Rules {
    allowed: BTreeSet<String>,
    exceptions: BTreeSet<(String, String)>,
}

impl Rules {
    fn read() -> Self {
        let text = std::fs::read_to_string(top().join("deny.toml")).unwrap();
        let quoted = |text: &str| -> Vec<String> {
            text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let list = text.split("\nallow = [").nth(1).unwrap().split("\n]").next().unwrap();
        // Not what a comment has in quotation marks.
        let lines = list.lines().filter_map(|line| line.split('#').next());
        let exceptions = text.lines().filter(|line| line.starts_with("    { crate = "));
        let exceptions = exceptions.filter(|line| line.contains("allow = ["));
        let exceptions = exceptions.map(|line| match &quoted(line)[..] {
            [name, licence] => (name.clone(), licence.clone()),
            other => panic!("{other:?}"),
        });
        Self { allowed: lines.flat_map(quoted).collect(), exceptions: exceptions.collect() }
    }

    /// Whether some choice of an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` is
    /// allowed.
    fn allow(&self, name: &str, expression: &str) -> bool {
        let flat = expression.replace(['(', ')'], " ").replace('/', " OR ");
        flat.split(" AND ").all(|part| {
            part.split(" OR ").map(str::trim).any(|licence| {
                let exception = (name.to_owned(), licence.to_owned());
                self.allowed.contains(licence) || self.exceptions.contains(&exception)
            })
        })
    }
}

#[test]
fn everything_has_a_licence_that_is_allowed() {
    let (rules, packages) = (Rules::read(), packages());
    let wrong: Vec<_> = packages
        .iter()
        .map(|package| (package["name"].as_str().unwrap(), package["license"].as_str()))
        .filter(|(name, licence)| !licence.is_some_and(|licence| rules.allow(name, licence)))
        .collect();
    assert!(packages.len() > 200 && rules.allowed.len() > 3, "{}", packages.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!rules.allow("x", "GPL-3.0-only") && !rules.allow("x", "MIT AND GPL-3.0-only"));
    trust::tried("A19", "rules", 1);
}

#[test]
fn everything_comes_from_the_registry() {
    let wrong: Vec<_> = packages()
        .iter()
        .filter(|package| {
            let source = package["source"].as_str();
            let ours = package["manifest_path"]
                .as_str()
                .is_some_and(|path| Path::new(path).starts_with(top()));
            !(source.is_some_and(|source| source.starts_with("registry+"))
                || source.is_none() && ours)
        })
        .map(|package| format!("{} from {}", package["name"], package["source"]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    trust::tried("A19", "rules", 1);
}

#[test]
fn no_package_of_ours_may_be_unsafe() {
    let mut ours = 0;
    for package in packages().iter().filter(|package| package["source"].is_null()) {
        let manifest = std::fs::read_to_string(package["manifest_path"].as_str().unwrap()).unwrap();
        let forbids = manifest.contains("unsafe_code = \"forbid\"");
        let shares = manifest.contains("[lints]\nworkspace = true");
        assert!(forbids || shares, "{}", package["name"]);
        ours += 1;
    }
    let shared = std::fs::read_to_string(top().join("Cargo.toml")).unwrap();
    assert!(shared.contains("unsafe_code = \"forbid\""));
    assert!(ours > 9, "{ours}");
    trust::tried("A19", "rules", 1);
}
