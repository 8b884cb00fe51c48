//! See `rvcheck_fuzz::literal`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::literal(input));
