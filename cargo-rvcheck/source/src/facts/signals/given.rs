//! The waker that a body is given: where it hands it on or keeps it, and where it ends without the task being done.

use crate::body::polling::made;
use crate::body::walk;
use crate::body::{Callee, Function, Kind};
use crate::mir::{BlockId, Call, Local, Operand, Rvalue, Terminator};
use crate::program::library::is_waker_type;
use std::collections::BTreeSet;

/// A body that is given a `Context` or a `Waker` to call back.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The blocks that keep it, compare it, or hand it to something else.
    pub(crate) uses: BTreeSet<BlockId>,
    /// The blocks that say that the task has to wait.
    pub(crate) waits: BTreeSet<BlockId>,
    /// The blocks that say that it need not.
    pub(crate) done: BTreeSet<BlockId>,
}

/// Whether a method of that name gives the same waker again, or another handle to it.
fn gives_it_again(callee: Callee) -> bool {
    callee.views() || callee.shares() || callee.wraps() || matches!(callee.name(), "waker" | "from_waker")
}

impl Given {
    /// What a body does with what it is given, if it is given such.
    pub(crate) fn of(function: &Function) -> Option<Given> {
        if !matches!(function.kind, Kind::Function | Kind::Closure) {
            return None;
        }
        let is_it = |it: &Local| {
            let ty = function.body.type_of(*it);
            let bare = ty.pointee();
            bare.is_context() || is_waker_type(bare)
        };
        let given: BTreeSet<Local> = (1..=function.body.arguments as u32).map(Local).filter(is_it).collect();
        if given.is_empty() {
            return None;
        }
        let result = function.body.type_of(Local(0));
        let (waits, done): (BTreeSet<BlockId>, BTreeSet<BlockId>) = match result.name() {
            "Poll" => (made(function, "Pending").collect(), made(function, "Ready").collect()),
            _ if result.is_unit() => {
                let ends = function.blocks().map(|(at, _)| at).filter(|it| function.returns_at(*it));
                (ends.collect(), BTreeSet::new())
            }
            _ => return None,
        };
        Some(Given { uses: uses(function, given), waits, done })
    }
}

fn uses(function: &Function, mut known: BTreeSet<Local>) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    walk::fixpoint(|| {
        let before = known.len();
        for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            for (into, value) in block.assignments() {
                if !value.places().any(|it| known.contains(&it.local))
                    || matches!(value, Rvalue::Discriminant(_))
                {
                    continue;
                }
                let own = into.projections.iter().all(|it| !matches!(it, crate::mir::Projection::Deref));
                if own {
                    known.insert(into.local);
                } else {
                    found.insert(at);
                }
            }
            let Terminator::Call(Call { arguments, into, callee, .. }) = &block.terminator else { continue };
            let mut given = arguments.iter().filter_map(Operand::place);
            if !given.any(|it| known.contains(&it.local)) {
                continue;
            }
            let callee = *callee;
            if gives_it_again(callee) || callee.hands_on() {
                known.insert(into.local);
            } else if !callee.is_named_drop() {
                found.insert(at);
            }
        }
        known.len() != before
    });
    found
}
