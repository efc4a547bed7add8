//! A query string or an urlencoded form, read as the input of every operation.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nil_core::catalog::catalog;
use nil_core::operation::Fields;

fuzz_target!(|text: &[u8]| {
    let pairs = form_urlencoded::parse(text).into_owned();
    let Ok(fields) = Fields::from_pairs(pairs) else {
        return;
    };
    for entry in catalog().iter() {
        if let Err(error) = entry.check(&fields) {
            assert!(error.kind().status() < 500, "{}: {error}", entry.name);
        }
    }
});
