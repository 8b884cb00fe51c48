use newest::{NumberedLock, Spinning};
use parking_lot::{Mutex, ReentrantMutex, RwLock};
use std::sync::Arc;

#[test]
fn one_changes_and_another_one_pays() {
    assert_eq!(newest::change_and_pay(), 0);
}

#[test]
fn a_worker_gets_its_job() {
    assert_eq!(newest::queue(), 7);
}

#[test]
fn readers_become_writers() {
    let table = RwLock::new(Vec::new());
    assert_eq!((newest::upgrade(&table), newest::upgrade(&table)), (1, 1));
    assert_eq!(table.into_inner_with_raw().1, [1]);
}

#[test]
fn guards_go_on_their_ways() {
    let lock = Mutex::new((1, "one".to_owned()));
    newest::part(&lock).make_ascii_uppercase();
    assert_eq!(lock.lock().1, "ONE");
    let kept = newest::kept(&Arc::new(Mutex::new(3)));
    assert_eq!(*kept, 3);
}

#[test]
fn locks_are_taken_again() {
    assert_eq!(newest::again(&ReentrantMutex::new(2)), 4);
    assert_eq!(newest::read_again(), 2);
}

#[test]
fn locks_over_other_raw_ones_are_locked() {
    let (numbered, spinning) = (NumberedLock::new(1), Spinning::new(2));
    *numbered.lock() += *spinning.lock();
    assert_eq!(*numbered.lock(), 3);
}

#[test]
fn numbers_are_summed() {
    assert_eq!(newest::sum(vec![1, 2, 3]), 6);
    assert_eq!(newest::pooled(), 6);
}
