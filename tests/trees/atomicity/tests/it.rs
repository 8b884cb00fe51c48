//! Two who ask for lockers at the same time.

use atomicity::Lockers;
use std::sync::Arc;
use std::thread;

fn twice(ask: fn(&Lockers, &str) -> u32) -> [u32; 2] {
    let lockers = Arc::new(Lockers::default());
    let other = {
        let lockers = Arc::clone(&lockers);
        thread::spawn(move || ask(&lockers, "ada"))
    };
    let mine = ask(&lockers, "ada");
    [mine, other.join().unwrap()]
}

#[test]
fn a_guest_has_one_locker() {
    let [one, other] = twice(Lockers::of);
    assert_eq!(one, other);
}

#[test]
fn a_guest_has_one_locker_with_care() {
    let [one, other] = twice(Lockers::of_with_care);
    assert_eq!(one, other);
}
