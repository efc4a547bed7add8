//! Every state machine is in some walk: a new one without a walk fails here.

use nil_core::catalog::state_diagrams;
use nil_tests::walking::Watched;

use crate::{
    content_walks, disclosure_walks, dispute_walks, export_walks, file_walks, filing_walks,
    money_walks, party_walks, subscription_walks, walks,
};

const WALKS: [&[Watched]; 10] = [
    content_walks::WATCHED,
    disclosure_walks::WATCHED,
    dispute_walks::WATCHED,
    export_walks::WATCHED,
    file_walks::WATCHED,
    filing_walks::WATCHED,
    money_walks::WATCHED,
    party_walks::WATCHED,
    subscription_walks::WATCHED,
    walks::WATCHED,
];

#[test]
fn every_state_machine_is_in_a_walk() {
    let diagrams = state_diagrams();
    let machines: Vec<_> = diagrams.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert!(machines.len() > 20, "{machines:?}");
    let is_walked =
        |machine: &str| WALKS.iter().copied().flatten().any(|rows| rows.machine == machine);
    let missing: Vec<_> = machines.into_iter().filter(|machine| !is_walked(machine)).collect();
    assert!(missing.is_empty(), "no walk watches {missing:?}");
}
