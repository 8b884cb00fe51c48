//! See `rvcheck_fuzz::event`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::event(input));
