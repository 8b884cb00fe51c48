//! Predictions against brute force over all reorderings of small histories.
//!
//! A million histories of each kind show no difference: `PREDICT_HISTORIES=1000000 cargo test --release -p rvcheck-predict --test
//! oracle` takes a quarter of an hour.

mod support;

use std::collections::BTreeMap;
use support::random::{Rng, history};
use support::reference::{abstract_cycles, is_reachable, positions, sync_preserving};
use support::{events, show};

use rvcheck_event::observer::Observer;
use rvcheck_event::world::World;
use rvcheck_predict::history::History;
use rvcheck_predict::{Blocked, Facts, Filters, Gather, Limits, Predictions, Proof, Survey, Wanted, predict};

/// How many histories are tried; `PREDICT_HISTORIES` says how many else.
fn count() -> u64 {
    std::env::var("PREDICT_HISTORIES").ok().and_then(|it| it.parse().ok()).unwrap_or(4000)
}

const ALL: Limits =
    Limits { waits: u64::MAX, cycles: u64::MAX, steps: u64::MAX, distinct: false, filters: Filters::ALL };

#[test]
fn what_is_witnessed_can_be_reached_and_what_is_sync_preserving_is_witnessed() {
    let (mut witnessed, mut reordered) = (0, 0);
    for seed in 0..count() {
        let history = history(&mut Rng::new(seed), false);
        let predictions = predict(&history, &ALL);
        assert_eq!(predictions.unsound, 0, "{seed}: {}", show(&history));
        let expected = sync_preserving(&history);
        let mut found = std::collections::BTreeSet::new();
        for prediction in &predictions.all {
            let Proof::Witnessed(witness) = &prediction.proof else { continue };
            let front = positions(&history, &witness.steps);
            let steps: Vec<u32> = prediction.blocked.iter().map(|it| it.step).collect();
            assert!(is_reachable(&history, &front, &[]), "{seed}: {prediction:?}\n{}", show(&history));
            found.extend(
                abstract_cycles(&history, &front)
                    .into_iter()
                    .filter(|(_, it)| same(it, &steps))
                    .map(|it| it.0),
            );
            witnessed += 1;
            reordered += u64::from(front.iter().sum::<u32>() < history.len() as u32);
        }
        assert_eq!(found, expected, "{seed}: {}", show(&history));
    }
    eprintln!("{witnessed} witnessed, {reordered} of them earlier than the end");
    assert!(witnessed * 50 > count() && reordered > 0, "{witnessed} of {}", count());
}

#[test]
fn where_threads_poll_several_tasks_what_is_witnessed_can_be_reached() {
    let mut witnessed = 0;
    for seed in 0..count() {
        let history = history(&mut Rng::new(seed), true);
        for prediction in predict(&history, &ALL).all {
            let Proof::Witnessed(witness) = &prediction.proof else { continue };
            let front = positions(&history, &witness.steps);
            assert!(
                is_reachable(&history, &front, &witness.asking),
                "{seed}: {prediction:?}\n{}",
                show(&history)
            );
            witnessed += 1;
        }
    }
    assert!(witnessed > 0);
}

#[test]
fn one_of_many_at_the_same_places_is_enough_for_the_verdict() {
    let one = Limits { distinct: true, ..ALL };
    let mut alike = 0;
    for seed in 0..count() / 2 {
        let history = history(&mut Rng::new(seed), seed % 2 == 0);
        let (all, some) = (predict(&history, &ALL), predict(&history, &one));
        let verdict =
            |it: &Predictions| it.all.iter().map(|it| matches!(it.proof, Proof::Witnessed(_))).max();
        assert_eq!(verdict(&all), verdict(&some), "{seed}: {}", show(&history));
        assert!(some.all.len() <= all.all.len(), "{seed}: {}", show(&history));
        alike += some.alike;
    }
    assert!(alike > 0);
}

/// One task of a deadlock, apart from where it stands.
type Part = (u32, Wanted, Option<u32>);

/// The deadlocks, each from its least task on, and whether they are witnessed.
fn verdicts(history: &History, limits: &Limits) -> BTreeMap<Vec<Part>, bool> {
    let mut found = BTreeMap::new();
    for prediction in predict(history, limits).all {
        let part = |it: &Blocked| (it.task, it.wanted, it.holds.map(|it| it.0));
        let mut parts: Vec<Part> = prediction.blocked.iter().map(part).collect();
        let least = (0..parts.len()).min_by_key(|at| parts[*at]).unwrap_or(0);
        parts.rotate_left(least);
        *found.entry(parts).or_default() |= matches!(prediction.proof, Proof::Witnessed(_));
    }
    found
}

#[test]
fn what_is_passed_over_changes_no_verdict() {
    let without = [
        Filters { compatible: false, ..Filters::ALL },
        Filters { involved: false, ..Filters::ALL },
        Filters { patterns: false, ..Filters::ALL },
        Filters { connected: false, ..Filters::ALL },
        Filters { compatible: false, involved: false, patterns: false, connected: false },
    ];
    let mut found = 0;
    for seed in 0..count() / 2 {
        let history = history(&mut Rng::new(seed), seed % 2 == 0);
        let expected = verdicts(&history, &ALL);
        found += expected.len();
        for filters in without {
            let other = verdicts(&history, &Limits { filters, ..ALL });
            assert_eq!(other, expected, "{seed}, {filters:?}: {}", show(&history));
        }
    }
    assert!(found > 0);
}

/// Whether two cycles are the same but for where they begin.
fn same(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && (0..a.len()).any(|by| (0..a.len()).all(|at| a[(at + by) % a.len()] == b[at]))
}

#[test]
fn a_first_look_that_sees_nothing_overlooks_nothing() {
    let (mut passed, mut found) = (0, 0);
    for seed in 0..count() {
        let history = history(&mut Rng::new(seed), false);
        let events = events(&history);
        let (mut survey, mut gather) = (Survey::new(), Gather::new(Facts::default()));
        for event in &events {
            survey.observe(event, &World::default());
            gather.observe(event, &World::default());
        }
        let predictions = predict(&gather.finish(), &ALL);
        match survey.suspicion() {
            None => {
                assert!(predictions.all.is_empty(), "{seed}: {}", show(&history));
                passed += 1;
            }
            Some(_) => found += u64::from(!predictions.all.is_empty()),
        }
    }
    assert!(passed > 0 && found > 0, "{passed} and {found}");
}
