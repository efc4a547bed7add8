//! Query strings and forms, as inputs of every operation.

#![no_main]

#[path = "../readers.rs"]
#[allow(dead_code, reason = "each target uses one")]
mod readers;

libfuzzer_sys::fuzz_target!(|text: &[u8]| readers::text_input(text));
