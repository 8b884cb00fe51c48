//! What is known of each body with those that it calls, to a fixpoint also where they call each other.

use crate::body::FunctionId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What was found of each body that was asked for.
#[derive(Debug)]
pub(super) struct Summaries<T> {
    known: RefCell<BTreeMap<FunctionId, Known<T>>>,
    /// The bodies that are being looked at, each called by the one before.
    open: RefCell<Vec<Open>>,
}

#[derive(Debug)]
struct Known<T> {
    found: Rc<Vec<T>>,
    /// It lacks what the open body at this place will find.
    lacks: Option<usize>,
}

#[derive(Debug)]
struct Open {
    id: FunctionId,
    /// The place of the first open body that was called again from here.
    first: usize,
    /// The bodies that were looked at from here, and that lack something.
    incomplete: BTreeSet<FunctionId>,
}

impl<T> Default for Summaries<T> {
    fn default() -> Summaries<T> {
        Summaries { known: RefCell::default(), open: RefCell::default() }
    }
}

impl<T: PartialEq> Summaries<T> {
    /// What is found of a body. `find` asks for those that it calls here, too, and each time finds what it found before, or more of it.
    pub(super) fn of(&self, id: FunctionId, find: &dyn Fn(FunctionId) -> Vec<T>) -> Rc<Vec<T>> {
        if let Some(known) = self.known.borrow().get(&id) {
            self.lacks(known.lacks);
            return Rc::clone(&known.found);
        }
        let again = self.open.borrow().iter().position(|it| it.id == id);
        if again.is_some() {
            self.lacks(again);
            return Rc::default();
        }
        let place = self.open.borrow().len();
        self.open.borrow_mut().push(Open { id, first: place, incomplete: BTreeSet::new() });
        let found = Rc::new(find(id));
        let closed = self.open.borrow_mut().pop();
        let Some(Open { first, mut incomplete, .. }) = closed else { return found };
        let lacks = (first < place).then_some(first);
        self.keep(id, Rc::clone(&found), lacks);
        self.lacks(lacks);
        if lacks.is_some() {
            incomplete.insert(id);
            if let Some(outer) = self.open.borrow_mut().last_mut() {
                outer.incomplete.extend(incomplete);
            }
            return found;
        }
        if incomplete.is_empty() {
            return found;
        }
        incomplete.insert(id);
        self.complete(&incomplete, find);
        self.of(id, find)
    }

    /// Looks at bodies that call each other until nothing more is found of any.
    fn complete(&self, bodies: &BTreeSet<FunctionId>, find: &dyn Fn(FunctionId) -> Vec<T>) {
        for it in bodies {
            if let Some(known) = self.known.borrow_mut().get_mut(it) {
                known.lacks = None;
            }
        }
        let mut is_more = true;
        while is_more {
            is_more = false;
            for it in bodies {
                let found = find(*it);
                if self.known.borrow().get(it).is_none_or(|known| *known.found != found) {
                    is_more = true;
                    self.keep(*it, Rc::new(found), None);
                }
            }
        }
    }

    fn keep(&self, id: FunctionId, found: Rc<Vec<T>>, lacks: Option<usize>) {
        self.known.borrow_mut().insert(id, Known { found, lacks });
    }

    /// What is being looked at lacks what the open body at that place will find.
    fn lacks(&self, place: Option<usize>) {
        if let (Some(place), Some(innermost)) = (place, self.open.borrow_mut().last_mut()) {
            innermost.first = innermost.first.min(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each body has, and whom it calls.
    type Calls = BTreeMap<u32, (u32, Vec<u32>)>;

    fn all(summaries: &Summaries<u32>, calls: &Calls, id: u32) -> Rc<Vec<u32>> {
        summaries.of(FunctionId(id), &|FunctionId(id)| {
            let (own, called) = &calls[&id];
            let mut found: BTreeSet<u32> =
                called.iter().flat_map(|it| all(summaries, calls, *it).to_vec()).collect();
            found.insert(*own);
            found.into_iter().collect()
        })
    }

    #[test]
    fn bodies_that_call_each_other_have_what_all_of_them_have() {
        // Two rings with one body in common, which calls one more.
        let calls = Calls::from([
            (0, (10, vec![1])),
            (1, (11, vec![2, 3])),
            (2, (12, vec![1])),
            (3, (13, vec![4])),
            (4, (14, vec![3, 1, 5])),
            (5, (15, vec![])),
        ]);
        for first in 0..6 {
            let summaries = Summaries::default();
            all(&summaries, &calls, first);
            assert_eq!(*all(&summaries, &calls, 0), [10, 11, 12, 13, 14, 15]);
            for of_ring in 1..5 {
                assert_eq!(
                    *all(&summaries, &calls, of_ring),
                    [11, 12, 13, 14, 15],
                    "{of_ring} after {first}"
                );
            }
            assert_eq!(*all(&summaries, &calls, 5), [15]);
        }
    }
}
