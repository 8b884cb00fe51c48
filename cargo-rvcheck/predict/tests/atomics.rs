//! What tasks see in atomics orders them.

mod support;

use rvcheck_event::kind::EventKind::{AtomicLoad, AtomicStore, Ended, Finish};
use rvcheck_event::record::flag::{DECIDES, MADE_ONCE};
use rvcheck_predict::{Limits, Proof, predict};
use support::said::{Said, history, nested};

const FLAG: u32 = 9;

/// Task 1 takes two locks, then task 2 takes them the other way round; between that is what is said. Whether that is witnessed, if it is
/// predicted.
fn predicted(between: &[Said]) -> Option<bool> {
    let said: Vec<Said> =
        nested(1, 1, 2).into_iter().chain(between.iter().copied()).chain(nested(2, 2, 1)).collect();
    let predictions = predict(&history(&said), &Limits::default());
    assert!(predictions.all.len() < 2 && predictions.unsound == 0, "{predictions:?}");
    predictions.all.first().map(|it| matches!(it.proof, Proof::Witnessed(_)))
}

#[test]
fn who_decides_by_what_another_has_stored_comes_after_that() {
    let cases: [(&[Said], Option<bool>); 7] = [
        (&[(AtomicStore, 1, FLAG, 0), (AtomicLoad, 2, FLAG, DECIDES)], None),
        (&[(AtomicStore, 1, FLAG, 0)], Some(true)),
        // It may have been a mere number.
        (&[(AtomicStore, 1, FLAG, 0), (AtomicLoad, 2, FLAG, 0)], Some(false)),
        (&[(AtomicStore, 1, FLAG, 0), (AtomicLoad, 2, FLAG + 1, DECIDES)], Some(true)),
        (&[(AtomicLoad, 2, FLAG, DECIDES), (AtomicStore, 1, FLAG, 0)], Some(true)),
        // The last to count down comes after all who did, by way of a third one or not.
        (&[(AtomicStore, 1, FLAG, 0), (AtomicStore, 3, FLAG, 0), (AtomicLoad, 2, FLAG, DECIDES)], None),
        (
            &[
                (AtomicStore, 1, FLAG, 0),
                (AtomicLoad, 3, FLAG, DECIDES),
                (AtomicStore, 3, FLAG + 1, 0),
                (AtomicLoad, 2, FLAG + 1, DECIDES),
            ],
            None,
        ),
    ];
    for (between, expected) in cases {
        assert_eq!(predicted(between), expected, "{between:?}");
    }
}

#[test]
fn where_atomics_are_followed_no_more_the_history_says_so() {
    assert!(!history(&[(AtomicStore, 1, FLAG, 0)]).overlooks_atomics());
    assert!(history(&[(AtomicLoad, 1, 0, 0)]).overlooks_atomics());
}

#[test]
fn who_finds_that_another_has_ended_comes_after_its_end() {
    let cases: [(&[Said], Option<bool>); 4] = [
        (&[(Finish, 1, 0, 0), (Ended, 2, 1, 0)], None),
        (&[(Finish, 1, 0, 0)], Some(true)),
        // Another one has ended; another one was told.
        (&[(Finish, 1, 0, 0), (Finish, 3, 0, 0), (Ended, 2, 3, 0)], Some(true)),
        (&[(Finish, 1, 0, 0), (Ended, 3, 1, 0)], Some(true)),
    ];
    for (between, expected) in cases {
        assert_eq!(predicted(between), expected, "{between:?}");
    }
}

/// How many cycles the program keeps apart, whatever its tests do.
fn apart(between: &[Said]) -> usize {
    let said: Vec<Said> =
        nested(1, 1, 2).into_iter().chain(between.iter().copied()).chain(nested(2, 2, 1)).collect();
    predict(&history(&said), &Limits::default()).ordered.len()
}

#[test]
fn what_is_made_once_keeps_its_users_behind_its_maker_and_an_atomic_may_not() {
    let made = [(AtomicStore, 1, FLAG, 0), (AtomicLoad, 2, FLAG, DECIDES | MADE_ONCE)];
    assert_eq!((predicted(&made), apart(&made)), (None, 1));
    let flag = [(AtomicStore, 1, FLAG, 0), (AtomicLoad, 2, FLAG, DECIDES)];
    assert_eq!((predicted(&flag), apart(&flag)), (None, 0));
}
