#[test]
fn numbers_are_added_up() {
    assert_eq!((native::rvcheck_torture_add(2), native::rvcheck_torture_add(3)), (2, 5));
}
