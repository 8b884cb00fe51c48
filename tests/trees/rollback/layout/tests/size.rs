use std::sync::Mutex;

const _: () = assert!(std::mem::size_of::<Mutex<u8>>() == 8);

#[test]
fn a_lock_is_small() {
    let own = Mutex::new(2);
    assert_eq!(*own.lock().unwrap() + layout::read(), 3);
}
