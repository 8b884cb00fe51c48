//! `never-occurs`: properties whose every violation needs something that is nowhere in the build.
//!
//! What is looked for are types: a call of a primitive has a value of its type among the locals of its body, whatever macro or path it
//! came by. What tasks do that other crates make on behalf of the workspace is not seen, so that nothing is reported of properties that
//! such a task could violate.

use crate::marker::Number;
use crate::program::Program;
use rvcheck_event::site::SiteKind;
use rvcheck_primitives::{Ending, Is, Owner, names_of};
use std::collections::BTreeSet;

/// Words of types.
type Words = fn() -> Vec<&'static str>;

/// What every violation of a property needs: words one of which has to be in the type of some local. And the kind of the sites that
/// it is about.
const NEEDS: &[(&str, Words, SiteKind)] =
    &[("guard-across-await", suspending, SiteKind::Lock), ("semaphore", of_permits, SiteKind::Semaphore)];

/// What there has to be for a task to suspend in code of the workspace: something that is async, or that polls or runs what is.
fn suspending() -> Vec<&'static str> {
    let runs = |it: &Owner| matches!(it.is, Is::Runtime | Is::Tasks(_) | Is::Handle(Ending::Detaches));
    ["{async", "{coroutine", "Poll<", "Context<", "Future"].into_iter().chain(names_of(runs)).collect()
}

fn of_permits() -> Vec<&'static str> {
    names_of(|it| matches!(it.is, Is::Semaphore(_) | Is::Permits | Is::Place)).into_iter().collect()
}

/// The properties that cannot be violated at all, with the sites that they are about.
pub(super) fn proofs(programs: &[&Program]) -> Vec<(&'static str, BTreeSet<Number>)> {
    let absent = NEEDS.iter().filter(|(_, needed, _)| !programs.iter().any(|it| occurs(it, &needed())));
    absent.map(|(property, _, kind)| (*property, sites(programs, *kind))).collect()
}

/// The marked sites of a kind.
fn sites(programs: &[&Program], kind: SiteKind) -> BTreeSet<Number> {
    let mut found = BTreeSet::new();
    for program in programs {
        let functions = program.functions().map(|(_, it)| it);
        let marks = functions.flat_map(|it| it.calls().filter_map(|(block, ..)| it.site(block)));
        found.extend(marks.filter(|it| program.site(*it).is_some_and(|it| it.kind == kind)));
    }
    found
}

/// Whether one of these words is in the type of some local.
pub(super) fn occurs(program: &Program, needed: &[&str]) -> bool {
    program
        .functions()
        .any(|(_, function)| function.body.locals.iter().any(|ty| needed.iter().any(|it| ty.contains(it))))
}
