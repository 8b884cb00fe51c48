//! What may have told a task that another one was done, though it need not have: what another lock protects, and a channel that is closed.

mod support;

use rvcheck_event::id::ObjectId;
use rvcheck_event::kind::EventKind::{Acquire, Closed, Release, SenderDrop};
use rvcheck_predict::{Limits, Prediction, Proof, predict};
use support::said::{Said, history, nested};

const OTHER: u32 = 9;

/// Task 1 takes two locks, then task 2 takes them the other way round; between that is what is said. What is predicted, and the lock that
/// may have told.
fn predicted(between: &[Said]) -> Option<(Prediction, Option<ObjectId>)> {
    let said: Vec<Said> =
        nested(1, 1, 2).into_iter().chain(between.iter().copied()).chain(nested(2, 2, 1)).collect();
    let history = history(&said);
    let predictions = predict(&history, &Limits::default());
    assert!(predictions.all.len() < 2 && predictions.unsound == 0, "{predictions:?}");
    let prediction = predictions.all.into_iter().next()?;
    let passed = prediction.passed.map(|it| history.lock(it).id);
    Some((prediction, passed))
}

/// A task takes a lock and lets go of it.
fn section(task: u32, lock: u32) -> [Said; 2] {
    [(Acquire, task, lock, 0), (Release, task, lock, 0)]
}

#[test]
fn a_lock_that_both_take_in_between_may_tell_the_later_one() {
    let cases: [(Vec<Said>, Option<u32>); 4] = [
        (Vec::new(), None),
        ([section(1, OTHER), section(2, OTHER)].concat(), Some(OTHER)),
        // It tells the earlier one, who does not care.
        ([section(2, OTHER), section(1, OTHER)].concat(), None),
        ([section(1, OTHER), section(2, OTHER + 1)].concat(), None),
    ];
    for (between, expected) in cases {
        let (prediction, passed) = predicted(&between).expect("nothing that is certain keeps them apart");
        assert!(matches!(prediction.proof, Proof::Witnessed(_)), "{between:?}");
        assert_eq!(passed, expected.map(ObjectId), "{between:?}");
    }
}

#[test]
fn a_channel_that_is_found_closed_was_closed_before() {
    assert!(predicted(&[(SenderDrop, 1, OTHER, 0), (Closed, 2, OTHER, 0)]).is_none());
    // Who has closed it was not seen.
    let (prediction, _) = predicted(&[(Closed, 2, OTHER, 0)]).expect("it is not ruled out");
    assert!(matches!(prediction.proof, Proof::Potential(_)), "{prediction:?}");
}
