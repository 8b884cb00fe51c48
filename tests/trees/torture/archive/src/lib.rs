//! A library for a linker.

use std::sync::OnceLock;

static FIRST: OnceLock<i32> = OnceLock::new();

/// The first number that it was called with.
#[no_mangle]
pub extern "C" fn rvcheck_torture_first(number: i32) -> i32 {
    *FIRST.get_or_init(|| number)
}

#[test]
fn the_first_number_stays() {
    assert_eq!((rvcheck_torture_first(4), rvcheck_torture_first(5)), (4, 4));
}
