#[test]
fn the_lock_works() {
    assert_eq!(layout::read(), 1);
}
