//! A test is called after the property that it violates, or says that all hold.

use boundary::reader::Reader;
use boundary::toolkit::{Button, Listener, Refused};

const READER: Reader = Reader { panics: false };

fn is_caught(run: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
}

fn pressed(times: u32) -> Button {
    let button = Button::default();
    for _ in 0..times {
        button.press(&READER);
    }
    button
}

#[test]
fn refused_violated_by_a_panic() {
    let button = pressed(2);
    assert!(is_caught(|| button.press(&READER)));
}

#[test]
fn refused_violated_by_a_panic_at_the_callers_place() {
    assert!(is_caught(|| Button::default().strict()));
}

#[test]
fn refused_violated_by_a_rule_and_a_panic() {
    let button = Button::default();
    assert!(is_caught(|| button.strict()) && is_caught(|| button.strict()));
}

#[test]
fn refused_violated_by_some_errors() {
    assert_eq!(pressed(2).stop(), Err(Refused::Late(2)));
}

#[test]
fn all_hold_where_an_error_is_no_refusal() {
    assert_eq!(Button::default().stop(), Err(Refused::Busy));
}

#[test]
fn all_hold_where_a_callback_panics() {
    let button = Button::default();
    assert!(is_caught(|| button.press(&Reader { panics: true })));
}

#[test]
fn all_hold_where_a_closure_panics() {
    let button = Button::default();
    assert!(is_caught(|| button.with(|_| panic!("the program's own"))));
}

#[test]
fn all_hold_where_the_library_calls_itself() {
    assert_eq!(pressed(1).check_more(), 4);
}

#[test]
fn refused_violated_where_the_program_calls_as_often() {
    let button = pressed(1);
    assert_eq!(button.check() + button.check() + button.check(), 3);
}

#[test]
fn all_hold_where_a_closure_calls_back() {
    let button = pressed(1);
    assert_eq!(button.check() + button.with(|it| it.check()) + button.check(), 3);
}

#[test]
fn all_hold_where_the_program_calls_itself() {
    READER.on_click(&Button::default());
}

#[test]
fn clicked_refuted_where_nobody_knows_who_calls() {
    let reader: &dyn Listener = &READER;
    reader.on_click(&Button::default());
}

#[test]
fn named_violated_by_an_error() {
    assert_eq!(Button::default().start(10), Err(Refused::Late(10)));
}

#[test]
fn named_violated_by_an_error_at_a_question_mark() {
    let button = pressed(2);
    assert_eq!(button.start(1), Err(Refused::Busy));
}

#[test]
fn named_violated_by_rule() {
    let button = Button::default();
    assert_eq!((button.start(7), button.start(8), button.start(7)), (Ok(7), Ok(8), Ok(7)));
}
