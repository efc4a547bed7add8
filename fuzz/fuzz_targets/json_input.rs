//! JSON bodies, as inputs of every operation.

#![no_main]

#[path = "../readers.rs"]
#[allow(dead_code, reason = "each target uses one")]
mod readers;

libfuzzer_sys::fuzz_target!(|body: &[u8]| readers::json_input(body));
