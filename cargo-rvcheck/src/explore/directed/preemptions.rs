//! Preemptions: at a point where others could have gone on, one of them does.

use super::conflicts::is_operation;
use crate::explore::seed::sample;
use rvcheck_event::exploration::name::Name;
use rvcheck_event::exploration::outcome::{Choice, Outcome};
use rvcheck_event::exploration::plan::Switch;
use rvcheck_event::exploration::word::Operation;
use std::collections::{BTreeMap, BTreeSet};

/// From how many schedules with one preemption those with two are made, and how many points of one participant are taken for the second.
const FIRST: usize = 200;

/// A schedule with one preemption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Single {
    /// Who stops, and who goes on.
    pub switch: Switch,
    /// It is before an operation on something that others use, too, or before somebody begins.
    pub matters: bool,
}

/// How many schedules with one preemption there are: each choice, with each candidate that was not taken.
pub fn count(outcome: &Outcome) -> usize {
    outcome.choices.iter().map(|it| it.candidates.len()).sum()
}

/// These schedules. Where there are more than so many, they are of choices that are spread over the run.
pub fn singles(outcome: &Outcome, most: usize) -> Vec<Single> {
    let mut users: BTreeMap<u64, BTreeSet<_>> = BTreeMap::new();
    for choice in &outcome.choices {
        users.entry(choice.object).or_default().insert(&choice.from.of);
    }
    let is_shared = |object: u64| object != 0 && users.get(&object).is_some_and(|it| it.len() > 1);
    let matters = |it: &Choice| {
        let begins = matches!(it.operation, Operation::Start | Operation::End);
        begins || (is_operation(it.operation) && is_shared(it.object))
    };
    let single = |choice: &Choice| {
        let (from, at, matters) = (choice.from.clone(), choice.at.clone(), matters(choice));
        let candidates = choice.candidates.clone().into_iter();
        candidates.map(move |to| Single {
            switch: Switch { from: from.clone(), to, at: Some(at.clone()) },
            matters,
        })
    };
    let open: Vec<&Choice> = outcome.choices.iter().filter(|it| !it.candidates.is_empty()).collect();
    let each = count(outcome).div_ceil(open.len().max(1)).max(1);
    sample(open, (most / each).max(1)).into_iter().flat_map(single).take(most).collect()
}

/// Schedules with two preemptions, no more than so many, spread over all of them. First those in which one stops, another goes on for a
/// while, and then the first one again; these need not be choices of the run by the default order, where the first one was long over. Then
/// any two of these single ones.
pub fn doubles(outcome: &Outcome, singles: &[Switch], most: usize) -> Vec<[Switch; 2]> {
    let mut points: BTreeMap<&Name, Vec<&Choice>> = BTreeMap::new();
    for choice in outcome.choices.iter().filter(|it| is_operation(it.operation)) {
        points.entry(&choice.from.of).or_default().push(choice);
    }
    // There may be millions of pairs, of which these are enough.
    for its in points.values_mut() {
        *its = sample(std::mem::take(its), FIRST);
    }
    let singles = &sample(singles.to_vec(), FIRST);
    let back = |first: &Switch| -> Vec<[Switch; 2]> {
        let later = points.get(&first.to).into_iter().flatten();
        let returns = later.map(|it| Switch {
            from: it.from.clone(),
            to: first.from.of.clone(),
            at: Some(it.at.clone()),
        });
        returns.map(|it| [first.clone(), it]).collect()
    };
    let there_and_back = sample(singles.iter().flat_map(back).collect(), most);
    let rest = most - there_and_back.len();
    there_and_back.into_iter().chain(any_two(singles, rest)).collect()
}

/// Any two of these in their order, no more than so many.
fn any_two(singles: &[Switch], most: usize) -> Vec<[Switch; 2]> {
    let count = singles.len();
    let possible = count * count.saturating_sub(1) / 2;
    if most == 0 || possible == 0 {
        return Vec::new();
    }
    // There may be millions: only the numbers of those that are taken are made.
    let step = possible.div_ceil(most).max(1);
    let numbers = (0..possible).step_by(step).collect();
    let pair = |number: usize| {
        let (first, second) = pair_of(number, count);
        let [first, second] = [singles.get(first)?, singles.get(second)?];
        (first.from != second.from).then(|| [first.clone(), second.clone()])
    };
    sample(numbers, most).into_iter().filter_map(pair).collect()
}

/// The two indices below `count`, the smaller one first, that come at this place in the list of all of them.
fn pair_of(mut number: usize, count: usize) -> (usize, usize) {
    let mut first = 0;
    while first + 1 < count && number >= count - first - 1 {
        number -= count - first - 1;
        first += 1;
    }
    (first, first + 1 + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_a_number() {
        let all: Vec<_> = (0..6).map(|it| pair_of(it, 4)).collect();
        assert_eq!(all, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    }
}
