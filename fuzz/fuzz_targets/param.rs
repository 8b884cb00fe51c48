//! See `rvcheck_fuzz::param`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::param(input));
