//! See `rvcheck_fuzz::rows`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::rows(input));
