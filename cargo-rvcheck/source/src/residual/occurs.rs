//! `never-occurs`: properties whose every violation needs something that is nowhere in the build.
//!
//! What is looked for are types: a call of a primitive has a value of its type among the locals of its body, whatever macro or path it
//! came by.

use super::{Reason, Verdict};
use crate::flow::Program;
use crate::marker::Number;
use rvcheck_event::site::SiteKind;

/// What every violation of a property needs: by property, words one of which has to be in the type of some local, and the kind of the
/// sites that it is about.
const NEEDS: &[(&str, &[&str], SiteKind)] = &[
    ("guard-across-await", &["{async", "{coroutine"], SiteKind::Lock),
    ("semaphore", &["Semaphore"], SiteKind::Semaphore),
    ("lost-error", &["JoinHandle", "JoinSet", "TaskTracker", "AbortHandle"], SiteKind::Spawn),
    ("task-leak", &["JoinHandle", "JoinSet", "TaskTracker", "AbortHandle"], SiteKind::Spawn),
];

/// The verdicts of the sites of properties that cannot be violated at all.
pub(super) fn verdicts(programs: &[&Program]) -> Vec<(&'static str, Number, Verdict)> {
    let mut found = Vec::new();
    for (property, needed, kind) in NEEDS {
        if programs.iter().any(|it| occurs(it, needed)) {
            continue;
        }
        for program in programs {
            let functions = program.functions().map(|(_, it)| it);
            let marks = functions.flat_map(|it| it.calls().filter_map(|(block, ..)| it.site(block)));
            let of_kind = marks.filter(|it| program.site(*it).is_some_and(|it| it.kind == *kind));
            found.extend(of_kind.map(|it| (*property, it, Verdict::Proved(Reason::NeverOccurs))));
        }
    }
    found
}

fn occurs(program: &Program, needed: &[&str]) -> bool {
    program
        .functions()
        .any(|(_, function)| function.body.locals.iter().any(|ty| needed.iter().any(|it| ty.contains(it))))
}
