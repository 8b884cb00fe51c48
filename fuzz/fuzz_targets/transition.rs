//! See `rvcheck_fuzz::transition`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::transition(input));
