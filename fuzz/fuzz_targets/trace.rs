//! See `rvcheck_fuzz::trace`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::trace(input));
