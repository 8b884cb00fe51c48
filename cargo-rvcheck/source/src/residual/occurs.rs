//! `never-occurs`: properties whose every violation needs something that is nowhere in the build.
//!
//! What is looked for are types: a call of a primitive has a value of its type among the locals of its body, whatever macro or path it
//! came by. What tasks do that other crates make on behalf of the workspace is not seen, so that nothing is reported of properties that
//! such a task could violate.

use super::effect::Effects;
use super::members::{Members, Whose};
use crate::marker::Number;
use crate::program::Program;
use rvcheck_event::site::SiteKind;
use rvcheck_primitives::{Ending, Is, Owner, names_of};
use std::collections::BTreeSet;

/// Words of types.
type Words = fn() -> Vec<&'static str>;

/// What every violation of a property needs: words one of which has to be in the type of some local. The kind of the sites that it is
/// about. And whether code that is not looked at could have it, too.
const NEEDS: &[(&str, Words, SiteKind, bool)] = &[
    ("guard-across-await", suspending, SiteKind::Lock, false),
    ("semaphore", of_permits, SiteKind::Semaphore, true),
];

/// A property of which the workspace has nothing that a violation needs.
pub(super) struct Absent {
    pub(super) property: &'static str,
    /// The marked sites that it is about.
    pub(super) sites: BTreeSet<Number>,
    /// Why it may be violated all the same.
    pub(super) doubt: Option<String>,
}

/// What there has to be for a task to suspend in code of the workspace: something that is async, or that polls or runs what is.
fn suspending() -> Vec<&'static str> {
    let runs = |it: &Owner| matches!(it.is, Is::Runtime | Is::Tasks(_) | Is::Handle(Ending::Detaches));
    ["{async", "{coroutine", "Poll<", "Context<", "Future"].into_iter().chain(names_of(runs)).collect()
}

fn of_permits() -> Vec<&'static str> {
    names_of(|it| matches!(it.is, Is::Semaphore(_) | Is::Permits | Is::Place)).into_iter().collect()
}

/// The properties that nothing in the workspace can violate.
pub(super) fn absent(members: Members<'_>, effects: &[Effects]) -> Vec<Absent> {
    let Members { programs, .. } = members;
    let absent = NEEDS.iter().filter(|(_, needed, ..)| !programs.iter().any(|it| occurs(it, &needed())));
    let found = absent.map(|(property, _, kind, is_elsewhere)| Absent {
        property,
        sites: sites(programs, *kind),
        doubt: is_elsewhere.then(|| elsewhere(members, effects)).flatten(),
    });
    found.collect()
}

/// What may be in code that is not looked at, if the workspace calls any.
fn elsewhere(members: Members<'_>, effects: &[Effects]) -> Option<String> {
    let mut all = members.programs.iter().zip(effects);
    all.find_map(|(program, effects)| {
        program.functions().find_map(|(id, function)| {
            let mut calls = function.calls().filter(|(block, ..)| effects.keeps(id, *block));
            let (.., callee) = calls.find(|it| members.whose(program, function, it.0) == Whose::Nobody)?;
            let path = callee.path();
            (!path.is_empty()).then(|| format!("`{path}` may wait for permits of its own"))
        })
    })
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
    program.functions().any(|(_, function)| {
        function.body.locals.iter().any(|ty| needed.iter().any(|it| ty.text().contains(it)))
    })
}
