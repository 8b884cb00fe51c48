//! A crate whose tests run under the standard harness.

#[test]
fn a_test_sees_the_shim() {
    let lock = std::sync::Mutex::new(1);
    *lock.lock().unwrap() += 1;
    assert_eq!(lock.into_inner().unwrap(), 2);
}

#[test]
fn a_test_may_return_an_error() -> Result<(), std::num::ParseIntError> {
    "5".parse::<u8>().map(drop)
}

#[test]
#[should_panic(expected = "as it should")]
fn a_test_may_panic() {
    panic!("as it should");
}

#[test]
#[ignore = "must not run"]
fn a_test_may_be_ignored() {
    std::process::abort();
}
