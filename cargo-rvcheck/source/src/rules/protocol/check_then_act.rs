//! A flag is read to decide whether to go on, but set only after an await: two callers can find it unset.

use super::super::{Certainty, CodeRef, Hit};
use crate::body::paths::Paths;
use crate::body::provenance::decided_by;
use crate::body::walk;
use crate::body::{Definition, Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Made, Rvalue, Statement, Terminator};
use crate::program::Program;
use crate::program::abstract_object::AbstractObject;
use crate::program::access::{AccessPaths, Hop};
use crate::program::callers::may_overlap;
use crate::program::code_ref::call_ref;
use crate::program::flags::{Flag, Flags, Operation};
use crate::program::suspending::suspends_at;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};

/// Finds such flags.
pub(super) fn check(program: &Program) -> Vec<Hit> {
    let flags = Flags::of(program);
    let machines = program.functions().filter(|(_, it)| it.kind == Kind::Coroutine);
    machines.flat_map(|(id, function)| in_body(program, &flags, id, function)).collect()
}

fn in_body(program: &Program, flags: &Flags<'_>, id: FunctionId, function: &Function) -> Vec<Hit> {
    let all: Vec<(BlockId, Flag, Operation)> = function
        .blocks()
        .filter(|(_, it)| !it.cleanup)
        .flat_map(|(at, _)| {
            flags.operations(id, at).into_iter().map(move |(flag, operation)| (at, flag, operation))
        })
        .collect();
    let mut hits = Vec::new();
    let sets: BTreeSet<&Flag> =
        all.iter().filter(|it| it.2 == Operation::Store(true)).map(|(_, flag, _)| flag).collect();
    for flag in sets {
        let of = |operation| all.iter().filter(move |it| it.1 == *flag && it.2 == operation).map(|it| it.0);
        if of(Operation::Both).next().is_some() || !flags.is_shared(id, flag) {
            continue;
        }
        let body = Body {
            program,
            id,
            function,
            paths: Paths::of(function),
            touches: all.iter().filter(|it| it.1 == *flag).map(|it| it.0).collect(),
            sets: of(Operation::Store(true)).collect(),
        };
        for check in of(Operation::Load) {
            let Some(act) = body.set_after(check) else { continue };
            if !may_overlap(program, id) {
                continue;
            }
            let certainty =
                if body.is_reset(flags, flag, act) { Certainty::Usually } else { Certainty::Doubt };
            hits.push(hit(program, id, flag, (check, act), certainty));
        }
    }
    hits
}

fn hit(
    program: &Program,
    id: FunctionId,
    flag: &Flag,
    (check, act): (BlockId, BlockId),
    certainty: Certainty,
) -> Hit {
    let flag = match flag {
        Flag::Locked(object) => Some(object.clone()),
        Flag::Atomic(path) => path.hops.iter().rev().find_map(|it| match it {
            Hop::Field(of, number) => Some(AbstractObject::Field(of.clone(), *number)),
            _ => None,
        }),
    };
    let flag = flag.map_or_else(|| "this flag".to_owned(), |it| it.called(program, "this flag"));
    Hit {
        certainty,
        message: format!(
            "{flag} is checked, but set only after an await: two callers can both find it unset, and both go on"
        ),
        primary: (place(program, id, check), "checked here".to_owned()),
        related: vec![(place(program, id, act), "set here, after an await".to_owned())],
        advice: "set it in the same step: `if flag.swap(true, …) { return }` before the first await, or hold a lock across both"
            .to_owned(),
    }
}

/// The place of what is done to a flag; behind a lock that of the lock's request.
fn place(program: &Program, id: FunctionId, block: BlockId) -> CodeRef {
    let function = program.function(id);
    let mut at = block;
    for _ in 0..4 {
        let given = function.call(at).and_then(|(call, _)| call.place(0));
        match given.and_then(|it| function.producer(&Slot::at(it))) {
            Some(Definition::Called(from)) if function.site(from).is_some() => {
                return call_ref(program, id, from);
            }
            Some(Definition::Called(from)) => at = from,
            _ => break,
        }
    }
    call_ref(program, id, block)
}

/// A body, and what it does to one flag.
struct Body<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a Function,
    paths: &'a Paths,
    /// The blocks that do something to it.
    touches: BTreeSet<BlockId>,
    /// Those that set it.
    sets: BTreeSet<BlockId>,
}

impl Body<'_> {
    /// Where the flag is set after a suspension, if the body only comes there when it was not set at the check.
    fn set_after(&self, check: BlockId) -> Option<BlockId> {
        self.function.blocks().filter(|(_, it)| !it.cleanup).find_map(|(at, block)| {
            let Terminator::Switch { cases, otherwise, .. } = &block.terminator else { return None };
            let [(0, unset)] = cases.as_slice() else { return None };
            let set = (*otherwise)?;
            if decided_by(self.function, at) != Some(check) {
                return None;
            }
            let act = self.first_set(*unset)?;
            let also = self.paths.from(&[set], &|it| it == check);
            (!also.contains(&act)).then_some(act)
        })
    }

    /// The first thing that is done to the flag from a block on, if that is to set it, and the task is suspended before without a lock.
    fn first_set(&self, start: BlockId) -> Option<BlockId> {
        walk::search([(start, false)], |(block, mut suspended)| {
            if self.touches.contains(&block) {
                let is_set = suspended && self.sets.contains(&block);
                return if is_set { Break(block) } else { Continue(Vec::new()) };
            }
            if suspends_at(self.program, self.function, block) {
                let held = self.program.holding(self.id).at(block);
                // Whoever holds a lock or permit may be the only one here.
                if held.is_some_and(|it| !it.guards().is_empty()) {
                    return Continue(Vec::new());
                }
                suspended = true;
            }
            Continue(self.paths.next(block).iter().map(|it| (*it, suspended)).collect())
        })
    }

    /// Whether the body takes the flag back after it has set it, itself or with something that it makes: then only one is meant to be
    /// here at a time.
    fn is_reset(&self, flags: &Flags<'_>, flag: &Flag, set: BlockId) -> bool {
        let access_paths = AccessPaths::of(self.program, self.function);
        self.paths.after(set).into_iter().any(|at| {
            let itself = flags.operations(self.id, at).contains(&(flag.clone(), Operation::Store(false)));
            let made = || {
                let statements = self.function.body.block(at).into_iter().flat_map(|it| &it.statements);
                statements.into_iter().any(|it| {
                    let Statement::Assign(into, Rvalue::Made(Made::Body(_), _)) = it else { return false };
                    let inner = access_paths.captured_in(&Slot::at(into));
                    inner.is_some_and(|(body, captured)| {
                        let blocks = self.program.function(body).blocks();
                        blocks.flat_map(|(at, _)| flags.operations(body, at)).any(|(of, operation)| {
                            let of = match of {
                                Flag::Atomic(access_path) => {
                                    access_path.seen_from(&[], &captured).map(Flag::Atomic)
                                }
                                locked @ Flag::Locked(_) => Some(locked),
                            };
                            operation == Operation::Store(false) && of.as_ref() == Some(flag)
                        })
                    })
                })
            };
            itself || made()
        })
    }
}
