//! Signed requests, and secrets of webhooks.

#![no_main]

#[path = "../readers.rs"]
#[allow(dead_code, reason = "each target uses one")]
mod readers;

libfuzzer_sys::fuzz_target!(|text: &str| readers::signatures(text));
