//! Orders that exclude each other.

use super::Order;
use std::collections::{BTreeMap, BTreeSet};

/// How many locks are taken in a ring at most.
const LONGEST: usize = 4;
/// How many orders are followed in search of rings.
const MOST: u32 = 50_000;

/// Rings of orders, each of which ends with the lock that the next one begins with, and the last one with that of the first. One for
/// each set of locks. Orders that one test has shown all together are no ring: whether they meet there is known from its events.
pub fn exclusive(orders: &[Order]) -> Vec<Vec<&Order>> {
    let mut sorted: Vec<&Order> = orders.iter().collect();
    sorted.sort();
    let mut search =
        Search { from: BTreeMap::new(), tests: BTreeMap::new(), found: BTreeMap::new(), left: MOST };
    for order in &sorted {
        search.from.entry(start(order)).or_default().push(order);
        search.tests.entry((start(order), &order.wanted.class)).or_default().insert(&order.test);
    }
    for order in sorted {
        search.follow(&mut vec![order]);
    }
    search.found.into_values().collect()
}

type Start<'a> = (&'a str, &'a str);

/// The package, and the lock that is held.
fn start(order: &Order) -> Start<'_> {
    (&order.package, &order.held.class)
}

struct Search<'a> {
    from: BTreeMap<Start<'a>, Vec<&'a Order>>,
    /// The tests that have shown an order.
    tests: BTreeMap<(Start<'a>, &'a str), BTreeSet<&'a str>>,
    found: BTreeMap<BTreeSet<&'a str>, Vec<&'a Order>>,
    left: u32,
}

impl<'a> Search<'a> {
    fn follow(&mut self, path: &mut Vec<&'a Order>) {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
        if last.wanted.class == first.held.class {
            if meet(last, first) && !self.is_of_one_test(path) {
                let locks = path.iter().map(|it| it.held.class.as_str()).collect();
                self.found.entry(locks).or_insert_with(|| path.clone());
            }
            return;
        }
        let nexts = self.from.get(&(last.package.as_str(), last.wanted.class.as_str())).cloned();
        for next in nexts.unwrap_or_default() {
            // Each ring is found from the least of its locks.
            let is_new = next.held.class > first.held.class
                && path
                    .iter()
                    .all(|it| it.held.class != next.held.class && it.gates.is_disjoint(&next.gates));
            if path.len() == LONGEST || !is_new || !meet(last, next) {
                continue;
            }
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            path.push(next);
            self.follow(path);
            path.pop();
        }
    }

    fn is_of_one_test(&self, path: &[&Order]) -> bool {
        let mut tests = path.iter().filter_map(|it| self.tests.get(&(start(it), it.wanted.class.as_str())));
        let Some(first) = tests.next().cloned() else { return false };
        let common = tests.fold(first, |common, it| common.intersection(it).copied().collect());
        !common.is_empty()
    }
}

/// Whether the first has to wait for what the second holds.
fn meet(waiting: &Order, holding: &Order) -> bool {
    waiting.wanted.class == holding.held.class && !(waiting.wanted.shared && holding.held.shared)
}

#[cfg(test)]
mod tests {
    use super::super::End;
    use super::*;
    use crate::finding::Location;

    fn order(held: &str, wanted: &str, test: &str) -> Order {
        let end = |class: &str| End {
            class: format!("src/lib.rs:{class}"),
            name: class.to_owned(),
            shared: false,
            at: Location {
                file: "src/lib.rs".into(),
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 2,
                label: String::new(),
            },
        };
        Order {
            package: "shop".into(),
            held: end(held),
            wanted: end(wanted),
            gates: BTreeSet::new(),
            test: test.to_owned(),
        }
    }

    fn rings(orders: &[Order]) -> Vec<String> {
        let ring = |it: &Vec<&Order>| it.iter().map(|it| it.held.name.as_str()).collect::<String>();
        exclusive(orders).iter().map(ring).collect()
    }

    #[test]
    fn orders_of_different_tests_that_exclude_each_other_are_a_ring() {
        let (ab, ba) = (order("a", "b", "one"), order("b", "a", "two"));
        assert_eq!(rings(&[ab.clone(), ba.clone()]), ["ab"]);
        assert_eq!(rings(&[ba, ab]), ["ab"]);
        assert_eq!(rings(&[order("b", "c", "x"), order("c", "a", "y"), order("a", "b", "z")]), ["abc"]);
    }

    #[test]
    fn what_cannot_meet_or_is_known_better_is_none() {
        let (ab, ba) = (order("a", "b", "one"), order("b", "a", "two"));
        assert!(rings(std::slice::from_ref(&ab)).is_empty());
        let same_test = [ab.clone(), ba.clone(), order("b", "a", "one")];
        assert!(rings(&same_test).is_empty(), "one test shows both");
        let other_package = Order { package: "bank".into(), ..ba.clone() };
        assert!(rings(&[ab.clone(), other_package]).is_empty());
        let gated = |it: &Order| Order { gates: BTreeSet::from(["src/lib.rs:g".to_owned()]), ..it.clone() };
        assert!(rings(&[gated(&ab), gated(&ba)]).is_empty());
        assert_eq!(rings(&[gated(&ab), ba.clone()]), ["ab"]);
        let mut readers = [ab, ba];
        for it in &mut readers {
            (it.held.shared, it.wanted.shared) = (true, true);
        }
        assert!(rings(&readers).is_empty());
    }

    #[test]
    fn many_orders_take_no_long_time() {
        let all = (0..60).flat_map(|a| {
            (0..60).map(move |b| order(&format!("{a:02}"), &format!("{b:02}"), &format!("{a}-{b}")))
        });
        assert!(!exclusive(&all.filter(|it| it.held != it.wanted).collect::<Vec<_>>()).is_empty());
    }
}
