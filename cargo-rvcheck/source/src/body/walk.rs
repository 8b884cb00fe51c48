//! Walks over graphs: the blocks of a body, the bodies of a program, the values that others are made of.
//!
//! All that the tool asks of graphs is asked of these. What is found last is looked at first, so that answers are the same each time.

use crate::mir::BlockId;
use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow::{self, Break, Continue};

/// Looks at all that is reached from these, each once. `visit` says what comes next, or breaks off with the answer.
pub(crate) fn search<N: Ord + Clone, T, I: IntoIterator<Item = N>>(
    starts: impl IntoIterator<Item = N>,
    visit: impl FnMut(N) -> ControlFlow<T, I>,
) -> Option<T> {
    search_by(starts, N::clone, visit)
}

/// Such a search in which nodes are the same if their keys are: the first one with a key goes on, with what it carries.
pub(crate) fn search_by<N, K: Ord, T, I: IntoIterator<Item = N>>(
    starts: impl IntoIterator<Item = N>,
    key: impl Fn(&N) -> K,
    mut visit: impl FnMut(N) -> ControlFlow<T, I>,
) -> Option<T> {
    let mut open: Vec<N> = starts.into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop() {
        if !seen.insert(key(&at)) {
            continue;
        }
        match visit(at) {
            Continue(next) => open.extend(next),
            Break(answer) => return Some(answer),
        }
    }
    None
}

/// All that is reached from these, themselves included.
pub(crate) fn reached<N: Ord + Clone, I: IntoIterator<Item = N>>(
    starts: impl IntoIterator<Item = N>,
    mut next: impl FnMut(N) -> I,
) -> BTreeSet<N> {
    let mut found = BTreeSet::new();
    search(starts, |at: N| -> ControlFlow<(), I> {
        found.insert(at.clone());
        Continue(next(at))
    });
    found
}

/// Whether something that is reached from these, themselves included, is what is looked for. `next` is not asked of that.
pub(crate) fn reaches<N: Ord + Clone, I: IntoIterator<Item = N>>(
    starts: impl IntoIterator<Item = N>,
    mut next: impl FnMut(N) -> I,
    mut is_it: impl FnMut(&N) -> bool,
) -> bool {
    let found = search(starts, |at: N| if is_it(&at) { Break(()) } else { Continue(next(at)) });
    found.is_some()
}

/// How many iterations for each block something is followed forward. More are needed by no program; it only bounds the time.
const MAX_ITERATIONS: usize = 64;

/// What is known at a place, joined where paths meet.
pub(crate) trait Lattice: Clone {
    /// Takes in what is known on another path. Whether anything changed.
    fn join(&mut self, other: &Self) -> bool;
}

/// What is known where each block begins, followed forward to a fixpoint. `leave` says what is known on each edge out of a block.
/// `None` where that takes more than [`MAX_ITERATIONS`] for each block.
pub(crate) fn forward<S: Lattice>(
    count: usize,
    first: S,
    mut leave: impl FnMut(BlockId, S) -> Vec<(BlockId, S)>,
) -> Option<Vec<Option<S>>> {
    let mut known: Vec<Option<S>> = vec![None; count];
    let mut open = vec![BlockId(0)];
    if let Some(entry) = known.first_mut() {
        *entry = Some(first);
    }
    let mut iterations = 0;
    while let Some(id) = open.pop() {
        iterations += 1;
        if iterations > MAX_ITERATIONS * count {
            return None;
        }
        let Some(here) = known.get(id.0 as usize).cloned().flatten() else { continue };
        for (to, after) in leave(id, here) {
            let Some(there) = known.get_mut(to.0 as usize) else { continue };
            let is_changed = match there {
                Some(it) => it.join(&after),
                None => {
                    *there = Some(after);
                    true
                }
            };
            if is_changed {
                open.push(to);
            }
        }
    }
    Some(known)
}

/// The nearest one of what is reached from these, themselves included, that is what is looked for.
pub(crate) fn nearest<N: Ord + Clone, I: IntoIterator<Item = N>>(
    starts: impl IntoIterator<Item = N>,
    mut next: impl FnMut(N) -> I,
    mut is_it: impl FnMut(&N) -> bool,
) -> Option<N> {
    let mut open: VecDeque<N> = starts.into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop_front() {
        if is_it(&at) {
            return Some(at);
        }
        if seen.insert(at.clone()) {
            open.extend(next(at));
        }
    }
    None
}

/// The strongly connected components of a graph, each before those that it leads to (Kosaraju's algorithm, as published by Sharir in 1981).
pub(crate) fn components<N: Iterator<Item = usize>, B: Iterator<Item = usize>>(
    count: usize,
    next: impl Fn(usize) -> N,
    before: impl Fn(usize) -> B,
) -> Vec<Vec<usize>> {
    let mut finished = Vec::new();
    let mut seen = vec![false; count];
    for root in 0..count {
        // A node with the number of its successors that were looked at.
        let mut open = vec![(root, 0)];
        while let Some((at, number)) = open.pop() {
            if number == 0 && std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match next(at).nth(number) {
                Some(to) => {
                    open.push((at, number + 1));
                    open.extend((seen.get(to) == Some(&false)).then_some((to, 0)));
                }
                None => finished.push(at),
            }
        }
    }
    let mut placed = vec![false; count];
    let component = |root| {
        let (mut part, mut open) = (Vec::new(), vec![root]);
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut placed[at], true) {
                part.push(at);
                open.extend(before(at));
            }
        }
        part
    };
    finished.into_iter().rev().map(component).filter(|it| !it.is_empty()).collect()
}

/// Repeats a step for as long as it says that something changed.
pub(crate) fn fixpoint(mut step: impl FnMut() -> bool) {
    while step() {}
}

/// Such a fixpoint, looked for in no more iterations than these.
pub(crate) fn fixpoint_within(iterations: usize, mut step: impl FnMut() -> bool) {
    let _ = (0..iterations).find(|_| !step());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Passed(BTreeSet<BlockId>);

    impl Lattice for Passed {
        fn join(&mut self, other: &Passed) -> bool {
            let before = self.0.len();
            self.0.extend(&other.0);
            self.0.len() != before
        }
    }

    proptest! {
        #[test]
        fn what_may_come_before_a_block_is_what_reaches_it(
            next in prop::collection::vec(prop::collection::vec(0_u32..8, 0..3), 8)
        ) {
            let after = |it: BlockId| next[it.0 as usize].iter().copied().map(BlockId);
            let known = forward(8, Passed(BTreeSet::new()), |id, mut passed| {
                passed.0.insert(id);
                after(id).map(|to| (to, passed.clone())).collect()
            });
            let known = known.expect("it ends");
            let all = reached([BlockId(0)], after);
            for to in (0..8).map(BlockId) {
                prop_assert_eq!(known[to.0 as usize].is_some(), all.contains(&to));
                for from in all.iter().copied() {
                    let leads = reaches(after(from), after, |it| *it == to);
                    prop_assert_eq!(known[to.0 as usize].as_ref().is_some_and(|it| it.0.contains(&from)), leads);
                }
            }
        }
    }

    #[test]
    fn a_search_goes_on_with_the_first_of_those_that_are_alike() {
        let mut seen = Vec::new();
        let found = search_by(
            [(1, 'a'), (1, 'b')],
            |it| it.0,
            |(number, name)| {
                seen.push((number, name));
                if number > 2 { Break(name) } else { Continue([(number + 1, name)]) }
            },
        );
        assert_eq!((found, seen), (Some('b'), vec![(1, 'b'), (2, 'b'), (3, 'b')]));
    }

    #[test]
    fn a_fixpoint_is_looked_for_as_often_as_is_said() {
        let mut left = 3;
        let mut step = || {
            left -= 1;
            left > 0
        };
        fixpoint_within(2, &mut step);
        fixpoint(&mut step);
        assert_eq!(left, 0);
    }

    #[test]
    fn the_nearest_one_has_the_fewest_steps_before_it() {
        let next = |it: u32| [it + 5, it * 2].into_iter().filter(|it| *it < 100);
        assert_eq!(nearest([1], next, |it| *it > 10), Some(11));
    }
}
