//! Lock-order inversions that no test shows alone.

use super::TestDependency;
use rvcheck_event::lock_dependency::{LockDependency, cycles};
use std::collections::{BTreeMap, BTreeSet};

/// How many locks a cycle has at most.
const LONGEST: usize = 4;
/// How many steps are searched.
const MOST: u64 = 1 << 20;

/// Cycles of lock dependencies of one package, one for each set of locks. Those that one test has shown all together are left
/// out: whether they meet there is known from its events.
pub fn inversions(dependencies: &[TestDependency]) -> Vec<Vec<&TestDependency>> {
    let mut packages: BTreeMap<&str, Vec<&TestDependency>> = BTreeMap::new();
    let mut sorted: Vec<&TestDependency> = dependencies.iter().collect();
    sorted.sort();
    for it in sorted {
        packages.entry(&it.package).or_default().push(it);
    }
    let mut found: BTreeMap<BTreeSet<&str>, Vec<&TestDependency>> = BTreeMap::new();
    for of_package in packages.into_values() {
        let tests = Tests::of(&of_package);
        let dependencies: Vec<_> = of_package.iter().map(|it| &it.dependency).collect();
        cycles(&dependencies, LONGEST, MOST, |cycle| {
            let cycle: Vec<&TestDependency> = cycle.iter().map(|it| of_package[*it as usize]).collect();
            if !tests.shows_all(&cycle) {
                let locks = cycle.iter().map(|it| it.dependency.held.class.as_str()).collect();
                found.entry(locks).or_insert(cycle);
            }
        });
    }
    found.into_values().collect()
}

/// The classes of the two locks of a dependency.
type Pair<'a> = (&'a str, &'a str);

/// Which tests of a package have shown that one lock was requested while the other was held.
struct Tests<'a>(BTreeMap<Pair<'a>, BTreeSet<&'a str>>);

impl<'a> Tests<'a> {
    fn of(dependencies: &[&'a TestDependency]) -> Tests<'a> {
        let mut tests: BTreeMap<Pair<'a>, BTreeSet<&str>> = BTreeMap::new();
        for it in dependencies {
            tests.entry(pair(&it.dependency)).or_default().insert(&it.test);
        }
        Tests(tests)
    }

    /// Whether one test has shown all of a cycle.
    fn shows_all(&self, cycle: &[&TestDependency]) -> bool {
        let mut tests = cycle.iter().filter_map(|it| self.0.get(&pair(&it.dependency)));
        let Some(first) = tests.next().cloned() else { return false };
        let common = tests.fold(first, |common, it| common.intersection(it).copied().collect());
        !common.is_empty()
    }
}

fn pair(dependency: &LockDependency<super::NamedLock>) -> Pair<'_> {
    (&dependency.held.class, &dependency.wanted.class)
}

#[cfg(test)]
mod tests {
    use super::super::NamedLock;
    use super::*;
    use crate::finding::Location;

    fn dependency(held: &str, wanted: &str, test: &str) -> TestDependency {
        let end = |class: &str| NamedLock {
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
        let dependency = LockDependency { held: end(held), wanted: end(wanted), gates: BTreeSet::new() };
        TestDependency { package: "shop".into(), dependency, test: test.to_owned() }
    }

    fn found(dependencies: &[TestDependency]) -> Vec<String> {
        let names = |it: &Vec<&TestDependency>| {
            it.iter().map(|it| it.dependency.held.name.as_str()).collect::<String>()
        };
        inversions(dependencies).iter().map(names).collect()
    }

    #[test]
    fn dependencies_of_different_tests_that_exclude_each_other_are_an_inversion() {
        let (ab, ba) = (dependency("a", "b", "one"), dependency("b", "a", "two"));
        assert_eq!(found(&[ab.clone(), ba.clone()]), ["ab"]);
        assert_eq!(found(&[ba, ab]), ["ab"]);
        assert_eq!(
            found(&[dependency("b", "c", "x"), dependency("c", "a", "y"), dependency("a", "b", "z")]),
            ["abc"]
        );
    }

    #[test]
    fn what_cannot_meet_or_is_known_better_is_none() {
        let (ab, ba) = (dependency("a", "b", "one"), dependency("b", "a", "two"));
        assert!(found(std::slice::from_ref(&ab)).is_empty());
        let same_test = [ab.clone(), ba.clone(), dependency("b", "a", "one")];
        assert!(found(&same_test).is_empty(), "one test shows both");
        let other_package = TestDependency { package: "bank".into(), ..ba.clone() };
        assert!(found(&[ab.clone(), other_package]).is_empty());
        let gated = |it: &TestDependency| {
            let mut gated = it.clone();
            gated.dependency.gates.insert("src/lib.rs:g".to_owned());
            gated
        };
        assert!(found(&[gated(&ab), gated(&ba)]).is_empty());
        assert_eq!(found(&[gated(&ab), ba.clone()]), ["ab"]);
        let mut readers = [ab, ba];
        for it in &mut readers {
            (it.dependency.held.shared, it.dependency.wanted.shared) = (true, true);
        }
        assert!(found(&readers).is_empty());
    }

    #[test]
    fn many_dependencies_take_no_long_time() {
        let all = (0..60).flat_map(|a| {
            (0..60).map(move |b| dependency(&format!("{a:02}"), &format!("{b:02}"), &format!("{a}-{b}")))
        });
        assert!(
            !inversions(&all.filter(|it| it.dependency.held != it.dependency.wanted).collect::<Vec<_>>())
                .is_empty()
        );
    }
}
