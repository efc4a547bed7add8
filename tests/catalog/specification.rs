//! The catalog has every row of the specification's list, in its order and wording.

use nil_core::catalog::{Effect, Entry, Interface, Method, Needs, Owned, catalog};

/// The number of specified operations that are not built yet. Each number may only fall.
const MISSING: [(Interface, usize); 3] =
    [(Interface::Core, 0), (Interface::Compliance, 0), (Interface::Admin, 0)];

struct Row<'a> {
    interface: &'a str,
    method: &'a str,
    path: &'a str,
    operation: &'a str,
    caller: &'a str,
    throttle: &'a str,
    purpose: &'a str,
}

fn specified() -> Vec<Row<'static>> {
    include_str!("../endpoints.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [interface, method, path, operation, caller, throttle, purpose] = columns[..]
            else {
                panic!("seven columns: {line}")
            };
            Row { interface, method, path, operation, caller, throttle, purpose }
        })
        .collect()
}

/// The list's wording for callers.
fn caller_of(entry: &Entry) -> String {
    match (entry.callers, entry.needs) {
        (_, Needs::Role(role)) => role.to_string(),
        (_, Needs::Permission(permission)) => format!("operator:{permission}"),
        (["athlete", "partner", "agent", "fan"], _) => "user".into(),
        (["athlete", "partner", "agent"], _) => "athlete,agent,partner".into(),
        (callers, _) => callers.join(","),
    }
}

fn sorted(caller: &str) -> Vec<&str> {
    let mut callers: Vec<&str> = caller.split(',').collect();
    callers.sort_unstable();
    callers
}

#[test]
fn rows_say_what_the_specification_says() {
    for row in specified() {
        let Some(entry) = catalog().named(row.operation) else {
            continue;
        };
        assert_eq!(entry.interface.as_str(), row.interface, "{}", row.operation);
        assert_eq!(entry.method.as_str(), row.method, "{}", row.operation);
        assert_eq!(entry.path, row.path, "{}", row.operation);
        assert_eq!(entry.purpose, row.purpose, "{}", row.operation);
        assert_eq!(entry.throttle.as_str(), row.throttle, "{}", row.operation);
        assert_eq!(sorted(&caller_of(entry)), sorted(row.caller), "{}", row.operation);
        assert!(!entry.extension, "{} is specified", row.operation);
    }
}

#[test]
fn rows_stand_in_the_specifications_order() {
    let specified = specified();
    let order = |name: &str| specified.iter().position(|row| row.operation == name);
    for interface in Interface::ALL {
        let built: Vec<_> = catalog().of(interface).filter_map(|entry| order(entry.name)).collect();
        assert!(built.is_sorted(), "{interface:?} is out of order: {built:?}");
    }
}

#[test]
fn rows_beyond_the_specification_are_marked() {
    let specified = specified();
    for entry in catalog().iter() {
        let known = specified.iter().any(|row| row.operation == entry.name);
        assert_eq!(entry.extension, !known, "{}", entry.name);
    }
}

#[test]
fn fewer_and_fewer_are_missing() {
    for (interface, expected) in MISSING {
        let missing: Vec<_> = specified()
            .into_iter()
            .filter(|row| row.interface == interface.as_str())
            .filter(|row| catalog().named(row.operation).is_none())
            .map(|row| row.operation)
            .collect();
        println!("{}: {} missing; next: {:?}", interface.as_str(), missing.len(), missing.first());
        assert_eq!(missing.len(), expected, "write the new, smaller number here: {missing:?}");
    }
}

#[test]
fn names_and_addresses_are_unique() {
    let mut names = std::collections::HashSet::new();
    let mut addresses = std::collections::HashSet::new();
    for entry in catalog().iter() {
        assert!(names.insert(entry.name), "{} twice", entry.name);
        let address = (entry.interface, entry.method, entry.path);
        assert!(addresses.insert(address), "{} {} twice", entry.method.as_str(), entry.path);
        assert_eq!(entry.name.split('.').count(), 3, "{}", entry.name);
    }
}

#[test]
fn only_these_gets_change_something() {
    let named = |effect| {
        let gets = catalog().iter().filter(|entry| entry.method == Method::Get);
        gets.filter(|entry| entry.effect == effect).map(|entry| entry.name).collect::<Vec<_>>()
    };
    let guarded = [
        "admin.auth.log_out",
        "admin.athlete.send_verification",
        "admin.agent.unlink_athlete",
        "admin.payout.trigger",
        "admin.payout.retry",
        "admin.university_admin.send_verification",
        "admin.export.process",
    ];
    assert_eq!(named(Effect::WritesByGet), guarded);
    // The GET of the CSRF token makes a session, but grants no rights.
    assert_eq!(named(Effect::Writes), ["admin.auth.csrf_token"]);
}

/// A row whose input takes an owned record's id declares it; the stranger's-id test checks those
/// rows.
#[test]
fn rows_with_ids_behind_a_door_say_whose_they_are() {
    let mut generator = nil_core::catalog::openapi::Generator::default();
    for entry in catalog().iter() {
        if entry.owned == Owned::Caller {
            let mut input = (entry.input)(&mut generator).to_value().to_string();
            input.push_str(&serde_json::to_string(generator.definitions()).unwrap());
            let names_one =
                input.contains("id\"") || input.contains("ids\"") || entry.path.contains('{');
            assert!(names_one, "{} takes no id", entry.name);
            assert!(!entry.is_open(), "{} is open", entry.name);
        }
    }
}
