#[test]
fn both_locks_work() {
    let (lock, other) = exact::both();
    assert_eq!(*lock.lock().unwrap() + *other.read().unwrap(), 9);
}
