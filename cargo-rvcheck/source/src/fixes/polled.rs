//! Who polls a state machine: only tasks of tokio, or perhaps somebody else, who has no timer of tokio.

use crate::body::walk;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Operand, Rvalue, Statement};
use crate::program::Program;
use rvcheck_primitives::Action;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow::{Break, Continue};

/// The ways to the polls of the state machines of a program.
#[derive(Debug)]
pub(super) struct Polled {
    /// By state machine that is made somewhere: the machines that await it; `None` where somebody unknown may poll it, too.
    ways: BTreeMap<FunctionId, Option<BTreeSet<FunctionId>>>,
}

impl Polled {
    /// Of this program.
    pub(super) fn of(program: &Program) -> Polled {
        let mut ways: BTreeMap<FunctionId, Option<BTreeSet<FunctionId>>> = BTreeMap::new();
        if program.functions().any(|(_, it)| makes_context(it)) {
            return Polled { ways };
        }
        for (id, function) in program.functions() {
            for (machine, is_known) in in_body(program, id, function) {
                let way = ways.entry(machine).or_insert_with(|| Some(BTreeSet::new()));
                if !is_known {
                    *way = None;
                } else if let Some(by) = way {
                    by.extend(awaits(program, function, machine).next().map(|_| id));
                }
            }
            // Whoever calls it from outside, through a trait or as a value may do anything with the machine.
            if let Some((machine, _)) = program.machine_made_by(id)
                && (program.is_open(id) || program.trait_of(id).is_some() || is_value(program, id))
            {
                ways.insert(machine, None);
            }
        }
        Polled { ways }
    }

    /// Whether each way to a poll of that state machine begins in a task of tokio, and there is one.
    pub(super) fn by_tokio(&self, machine: FunctionId) -> bool {
        let otherwise = walk::search([machine], |it| match self.ways.get(&it) {
            Some(Some(by)) => Continue(by.iter().copied().collect::<Vec<_>>()),
            _ => Break(()),
        });
        otherwise.is_none()
    }
}

/// Whether a body makes the `Context` for a poll itself.
fn makes_context(function: &Function) -> bool {
    function.calls().any(|(.., callee)| {
        let path = callee.path();
        path.ends_with("Context::from_waker") || path.ends_with("ContextBuilder::from_waker")
    })
}

/// The state machines that a body makes, and whether it is known what becomes of each: it is awaited, or given to tokio.
fn in_body(program: &Program, id: FunctionId, function: &Function) -> Vec<(FunctionId, bool)> {
    let called = function
        .calls()
        .filter_map(|(block, ..)| Some(program.machine_made_by(program.called(function, block)?)?.0));
    // What an `async fn` makes of itself is given to its callers.
    let own = program.machine_made_by(id).map(|it| it.0);
    let blocks = function.blocks().flat_map(|(_, it)| it.assignments()).filter_map(|(into, value)| {
        if let Rvalue::Made(..) = value { program.body_of(function.type_of(into)?) } else { None }
    });
    let is_machine = |it: &FunctionId| program.function(*it).kind == Kind::Coroutine && Some(*it) != own;
    let mut made: BTreeMap<FunctionId, usize> = BTreeMap::new();
    for machine in called.chain(blocks).filter(is_machine) {
        *made.entry(machine).or_default() += 1;
    }
    let is_known = |machine: FunctionId, count: usize| {
        let given = given(program, function, machine);
        let all_are_tokios = given.iter().all(|it| runs_on_tokio(function, *it));
        all_are_tokios && given.len() + awaits(program, function, machine).count() >= count
    };
    made.into_iter().map(|(machine, count)| (machine, is_known(machine, count))).collect()
}

/// The awaits of a state machine in a body.
fn awaits(program: &Program, function: &Function, machine: FunctionId) -> impl Iterator<Item = BlockId> {
    let all = function.suspensions.iter().filter(move |it| {
        it.awaited.as_ref().is_some_and(|it| program.machine_in(function, it) == Some(machine))
    });
    all.map(|it| it.block)
}

/// The calls of a body that are given a state machine, in a pin or not.
fn given(program: &Program, function: &Function, machine: FunctionId) -> Vec<BlockId> {
    let passes = function.calls().filter(|(_, call, callee)| {
        let is_awaited = callee.hands_on() || callee.is_poll();
        let mut slots = call.places().map(Slot::at);
        !is_awaited
            && callee.name() != "new_unchecked"
            && slots.any(|it| program.machine_in(function, &it) == Some(machine))
    });
    passes.map(|it| it.0).collect()
}

/// Whether what the call at the end of a block is given to run is polled where the timer of tokio is.
fn runs_on_tokio(function: &Function, block: BlockId) -> bool {
    function
        .callee(block)
        .row()
        .is_some_and(|it| it.owner.has_timer && matches!(it.operation.action, Action::Spawn(_) | Action::Run))
}

/// Whether a function is used as a value somewhere.
fn is_value(program: &Program, id: FunctionId) -> bool {
    let is_it = |it: &Operand| program.function_in(it) == Some(id);
    program.functions().any(|(_, function)| {
        function.calls().any(|(_, call, _)| call.arguments.iter().any(is_it))
            || function.blocks().flat_map(|(_, it)| &it.statements).any(|it| match it {
                Statement::Assign(_, Rvalue::Use(it) | Rvalue::Cast(it, _)) => is_it(it),
                Statement::Assign(_, Rvalue::Made(_, parts)) => parts.iter().any(is_it),
                _ => false,
            })
    })
}
