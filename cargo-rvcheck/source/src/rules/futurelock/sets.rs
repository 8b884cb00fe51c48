//! A loop over the results of a `FuturesUnordered` awaits a lock that the futures in it ask for: while it does nobody polls those, and
//! one of them may be next, or have the lock.

use super::{Certainty, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::awaited_at;
use crate::body::{Function, FunctionId, Slot, owner};
use crate::mir::{BlockId, Operand, Rvalue};
use crate::program::Program;
use crate::program::access::{AccessPath, AccessPaths};
use crate::program::code_ref::{await_ref, call_ref};
use crate::program::locks::{Mode, Waits};
use std::collections::BTreeSet;

/// A future that is put into a set.
struct Pushed {
    /// The call that puts it in.
    made: BlockId,
    set: Slot,
    /// What it asks for.
    locks: Vec<(AccessPath, Mode)>,
}

/// Finds such loops in a body.
pub(super) fn check(program: &Program, id: FunctionId, function: &Function) -> Vec<Hit> {
    let access_paths = AccessPaths::of(program, function);
    let mut pushed: Vec<Pushed> = Vec::new();
    for (block, call, callee) in function.calls() {
        let [on, future] = call.arguments.as_slice() else { continue };
        if callee.name() != "push" || owner(&callee.path) != "FuturesUnordered" {
            continue;
        }
        let machine = future.place().and_then(|it| access_paths.captured_in(&Slot::at(it)));
        let (Some(set), Some((machine, captured))) = (set(function, on), machine) else { continue };
        let requests = program.locks().requests(machine).iter().filter(|(_, it)| it.waits == Waits::Task);
        let locks = requests.filter_map(|(_, it)| Some((it.lock.seen_from(&[], &captured)?, it.mode)));
        pushed.push(Pushed { made: block, set, locks: locks.collect() });
    }
    if pushed.is_empty() {
        return Vec::new();
    }
    let paths = Paths::of(function);
    let requests = program.locks().requests(id);
    let mut hits = Vec::new();
    for (next, call, callee) in function.calls() {
        let of = call.arguments.first().and_then(|it| set(function, it)).filter(|_| callee.name() == "next");
        let (Some(of), Some(poll)) = (of, awaited_at(function, next)) else { continue };
        let between: BTreeSet<BlockId> =
            &paths.from(paths.next(poll), &|it| it == next) & &paths.to(&[next], &|it| it == poll);
        let wait = pushed.iter().filter(|it| it.set == of).find_map(|it| {
            let (at, _) = requests.iter().find(|(at, request)| {
                let both_read = |mode: Mode| mode != Mode::Write && request.mode != Mode::Write;
                request.waits == Waits::Task
                    && between.contains(at)
                    && it.locks.iter().any(|(lock, mode)| *lock == request.lock && !both_read(*mode))
            })?;
            Some((it.made, *at))
        });
        if let Some((made, wait)) = wait {
            hits.push(Hit {
                certainty: Certainty::Usually,
                message: "this waits for a lock for which a future of the set may be next, and nothing polls those meanwhile".to_owned(),
                primary: (await_ref(program, id, wait), "waits here".to_owned()),
                related: vec![
                    (call_ref(program, id, made), "this future asks for the lock, too".to_owned()),
                    (await_ref(program, id, poll), "only this polls it".to_owned()),
                ],
                advice: "collect what the loop needs and take the lock behind it, or spawn the futures as tasks".to_owned(),
            });
        }
    }
    hits
}

/// The set that a reference is to.
fn set(function: &Function, operand: &Operand) -> Option<Slot> {
    let mut slot = Slot::at(operand.place()?);
    for _ in 0..8 {
        match function.definition(&slot).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Reference(of, _) | Rvalue::Use(Operand::Place(of))) => slot = Slot::at(of),
            _ => break,
        }
    }
    let of_set = function.body.locals.iter().any(|it| it.contains("FuturesUnordered<"));
    of_set.then_some(slot)
}
