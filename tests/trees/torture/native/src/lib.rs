//! A library for other languages.

use std::sync::Mutex;

static TOTAL: Mutex<u64> = Mutex::new(0);

/// Adds to a total.
#[no_mangle]
pub extern "C" fn rvcheck_torture_add(number: u64) -> u64 {
    let mut total = TOTAL.lock().unwrap_or_else(|it| it.into_inner());
    *total += number;
    *total
}
