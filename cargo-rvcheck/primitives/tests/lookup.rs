//! Rows are found by paths, aliases and names.

use rvcheck_primitives::{Action, Does, Is, Mode, Part, Waits, adapter, named, operation, owner, row};

#[test]
fn a_row_is_found_by_its_path_and_by_its_aliases() {
    let lock = operation("lock_api::Mutex::lock").unwrap();
    assert_eq!((lock.action, lock.waits), (Action::Request(Mode::Exclusive), Waits::Thread));
    let one = row("crossbeam::channel::Receiver::recv").unwrap();
    assert_eq!(one, row("crossbeam_channel::Receiver::recv").unwrap());
    assert_eq!(one.documentation(), "crossbeam_channel/struct.Receiver.html#method.recv");
    assert!(matches!(owner("dashmap::Entry").unwrap().is, Is::Guard(_)));
    for path in
        ["", "::", "lock", "a::b::c", "std::sync::Mutex", "std::sync::Mutex::", "std::sync::Mutex::len"]
    {
        assert!(operation(path).is_none(), "{path}");
    }
}

#[test]
fn a_name_finds_the_rows_of_all_libraries() {
    assert!(named("try_send").len() > 5 && named("try_send").iter().all(|it| !it.operation.may_wait()));
    assert!(named("send").iter().any(|it| it.operation.may_wait_for_ever()));
    assert!(named("frobnicate").is_empty());
}

#[test]
fn an_adapter_is_found_by_the_last_segments() {
    assert_eq!(adapter("Result", "ok").unwrap().does, Does::Keeps(Part::Ok));
    assert!(adapter("Result", "map_err").unwrap().calls_at_once());
    assert!(!adapter("Iterator", "map").unwrap().calls_at_once());
    assert!(adapter("Arc", "clone").unwrap().is_transparent());
    assert!(adapter("Result", "frobnicate").is_none());
}
