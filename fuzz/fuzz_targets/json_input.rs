//! A JSON body, read as the input of every operation: an answer or a 4xx, never a panic; and what
//! was read once reads the same again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nil_core::catalog::catalog;
use nil_core::operation::Fields;

fuzz_target!(|body: &[u8]| {
    let Ok(fields) = Fields::from_json(body) else {
        return;
    };
    for entry in catalog().iter() {
        let once = entry.check(&fields);
        if let Err(error) = &once {
            assert!(error.kind().status() < 500, "{}: {error}", entry.name);
        }
        assert_eq!(once.is_ok(), entry.check(&fields).is_ok(), "{}", entry.name);
    }
    assert_eq!(fields.canonical(), fields.clone().canonical());
});
