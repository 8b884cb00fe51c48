//! See `rvcheck_fuzz::formula`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::formula(input));
