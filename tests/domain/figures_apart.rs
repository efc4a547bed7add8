//! What one institution does changes nothing that an officer of another one reads: no row, no count
//! and no total.

use std::collections::BTreeMap;

use nil_core::auth::Principal;
use nil_tests::{World, both, trust};
use serde_json::json;

use crate::figures_scope::{School, reads, taken, text};

/// Everything that an officer reads, by operation.
async fn seen(world: &World, who: &Principal) -> BTreeMap<&'static str, String> {
    let mut seen = BTreeMap::new();
    for name in reads() {
        let input = taken(name, json!({ "per_page": 100, "contracts": true }));
        let answer = world.call(name, who, input).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        seen.insert(name, text(&answer.bytes, &answer.body));
    }
    seen
}

/// Operations whose answers differ from call to call: the trail tells of the calls themselves.
const ANEW: [&str; 1] = ["compliance.audit.list"];

async fn what_one_institution_does_another_one_cannot_tell(world: World) {
    let ours = School::new(&world, "Zorblatt").await;
    seen(&world, &ours.owner).await;
    let before = seen(&world, &ours.owner).await;
    let theirs = School::new(&world, "Quixley").await;
    let shown = seen(&world, &theirs.owner).await;
    let after = seen(&world, &ours.owner).await;
    assert!(before.keys().eq(after.keys()));
    let mut compared = 0;
    for (name, answer) in &before {
        if ANEW.contains(name) {
            assert!(!after[name].contains(theirs.word), "{name}");
        } else {
            assert_eq!(answer, &after[name], "{name}");
            compared += 1;
        }
    }
    // The check is meaningful only if what they did is shown to themselves.
    let told = shown.values().filter(|answer| answer.contains(theirs.word)).count();
    assert!(told >= 9, "{told}");
    trust::tried("A18", "operations", compared);
}
both!(what_one_institution_does_another_one_cannot_tell);
