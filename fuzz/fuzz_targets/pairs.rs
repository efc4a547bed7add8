//! The pairs of a form before anything is decoded, a line each: what their names build is bounded,
//! is read and dropped without harm, and has one print.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nil_core::operation::Fields;

fuzz_target!(|text: &str| {
    let pairs = text.lines().map(|line| {
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        (name.to_owned(), value.to_owned())
    });
    let Ok(fields) = Fields::from_pairs(pairs) else {
        return;
    };
    let canonical = fields.canonical();
    assert_eq!(canonical, fields.clone().canonical());
    // Names quote and hash at worst as six bytes each; nothing multiplies.
    assert!(
        canonical.len() <= text.len() * 16 + 16,
        "{}",
        canonical.len()
    );
});
