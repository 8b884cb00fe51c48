use std::sync::RwLock;

#[test]
fn everything_is_counted() {
    assert_eq!(boundary::counted(), 2);
    assert_eq!(boundary::working().join().unwrap(), 1);
    assert_eq!(boundary::reading(&RwLock::new(3)), 3);
}
