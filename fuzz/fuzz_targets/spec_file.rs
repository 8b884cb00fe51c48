//! See `rvcheck_fuzz::spec_file`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| rvcheck_fuzz::spec_file(input));
