//! See `rvcheck_fuzz::property`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::property(input));
