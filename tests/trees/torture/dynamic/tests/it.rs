#[test]
fn threads_share() {
    assert_eq!(dynamic::spread(3), [0, 1, 2]);
}
