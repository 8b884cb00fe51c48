//! See `rvcheck_fuzz::lines`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::lines(input));
