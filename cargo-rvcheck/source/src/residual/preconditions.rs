//! What proofs rest on.

use crate::body::Function;
use crate::mir::Operand;
use crate::program::Program;
use rvcheck_event::site::SiteKind;
use rvcheck_primitives::code::functions::{is_lock_of_its_own, is_trick, keeps_from_dropping};

/// What the proofs rest on, as it was found. A proof is given only where each of them holds for its site.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preconditions {
    /// How many requests for locks have a mark, and how many there are. What is not marked is not distinguished from others, so its class
    /// has no proof.
    pub marked: (usize, usize),
    /// The bodies that were not understood. With any of them there is no proof.
    pub unknown: Vec<String>,
    /// The functions with marks in the source that no body has. Nothing is proved of what they do; where a request for a lock is among
    /// those, no order is.
    pub lost: Vec<String>,
    /// Of those the ones that request a lock.
    pub lost_requests: Vec<String>,
    /// The functions that hold or free locks without a guard, or keep guards from being dropped, and are called. Their classes have
    /// no proof.
    pub tricks: Vec<String>,
    /// The traits by which the workspace says what a lock is. With any of them no order is proved.
    pub own_locks: Vec<String>,
    /// What of the workspace others may call at any time, such as an allocator or a handler of signals, and requests locks, waits or runs
    /// what is not known. Whatever it does may be done while any lock is held.
    pub callbacks: Vec<String>,
}

impl Preconditions {
    /// Looks for them in all targets of a build.
    pub(super) fn of(programs: &[&Program]) -> Preconditions {
        let mut found = Preconditions::default();
        for program in programs {
            for (id, kinds) in program.lost() {
                found.lost.push(program.item(*id));
                found.lost_requests.extend(kinds.contains(&SiteKind::Lock).then(|| program.item(*id)));
            }
            for (id, function) in program.functions() {
                if let Some(unknown) = &function.body.unknown {
                    found.unknown.push(format!("{} ({})", program.item(id), unknown.text));
                }
                for (block, call, callee) in function.calls() {
                    let path = callee.path();
                    if crate::program::locks::request_of(callee).is_some() {
                        found.marked.1 += 1;
                        found.marked.0 += usize::from(function.site(block).is_some());
                    }
                    let keeps = || call.arguments.iter().any(|it| may_have_guard(program, function, it));
                    if is_trick(path) || keeps_from_dropping(path) && keeps() {
                        found.tricks.push(format!("{} in {}", path, program.item(id)));
                    }
                }
                if let Some(of_trait) = program.trait_of(id).filter(|it| is_lock_of_its_own(it)) {
                    found.own_locks.push(of_trait.to_owned());
                }
            }
        }
        let Preconditions { unknown, lost, lost_requests, tricks, own_locks, .. } = &mut found;
        for list in [unknown, lost, lost_requests, tricks, own_locks] {
            list.sort();
            list.dedup();
        }
        found
    }

    /// What they are, in words, for the report that goes with a proof.
    pub fn sentences(&self) -> Vec<String> {
        let list = |what: &[String]| if what.is_empty() { "none".to_owned() } else { what.join(", ") };
        vec![
            "the proof is of this build: its targets, features and conditions of compilation".to_owned(),
            format!("requests for locks that are marked: {} of {}", self.marked.0, self.marked.1),
            format!("bodies that were not understood: {}", list(&self.unknown)),
            format!("functions with marks that the compiler's MIR does not show: {}", list(&self.lost)),
            format!("guards that are forgotten, locks that are freed without one: {}", list(&self.tricks)),
            format!("traits by which the workspace says what a lock is: {}", list(&self.own_locks)),
            format!("what others may call at any time, and takes locks or is not known: {}", list(&self.callbacks)),
            "no lock is poisoned: what is done with the guard of one after a panic is not followed".to_owned(),
            "locks inside other crates are held by nobody while code of the workspace runs, but for closures and traits that they are \
             given; what they do to wake a task takes no lock of the workspace, unless that makes wakers"
                .to_owned(),
        ]
    }
}

/// Whether there may be a guard in what a call is given. It is not where the type is a parameter: a guard that gets there was given to a
/// function, and is not followed from where that was done.
fn may_have_guard(program: &Program, function: &Function, given: &Operand) -> bool {
    let Some(ty) = given.place().map(|it| function.type_of(it)) else { return false };
    ty.is_none_or(|it| it.has_object() || program.guards().owns(program, it))
}
