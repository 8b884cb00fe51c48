//! See `rvcheck_fuzz::output`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::output(input));
