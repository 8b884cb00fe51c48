//! State machines that threads wait for, which run nothing else meanwhile.

use crate::body::walk;
use crate::body::{FunctionId, Kind};
use crate::program::Program;
use rvcheck_primitives::Action;
use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};

/// Who drives the state machines of a program.
pub(crate) struct Drivers {
    /// By state machine that is given to somebody: whether that is a thread each time, which waits for it.
    to_threads: BTreeMap<FunctionId, bool>,
    /// By state machine: those that await it.
    awaiting: BTreeMap<FunctionId, Vec<FunctionId>>,
}

impl Drivers {
    /// The drivers in a program.
    pub(crate) fn of(program: &Program) -> Drivers {
        let mut found = Drivers { to_threads: BTreeMap::new(), awaiting: BTreeMap::new() };
        for (id, function) in program.functions() {
            if function.kind == Kind::Coroutine {
                let awaited = function.suspensions.iter().filter_map(|it| it.awaited.as_ref());
                for machine in awaited.filter_map(|it| program.machine_in(function, it)) {
                    found.awaiting.entry(machine).or_default().push(id);
                }
            }
            for (_, call, callee) in function.calls() {
                let polls = callee.is_poll() || callee.owner() == "Pin";
                if polls || callee.hands_on() {
                    continue;
                }
                let places = call.places();
                for given in places.filter_map(|it| program.body_of(function.type_of(it)?)) {
                    let waits = callee.may(|it| it.action == Action::Run && it.may_wait());
                    found.to_threads.entry(given).and_modify(|it| *it &= waits).or_insert(waits);
                }
            }
        }
        found
    }

    /// Whether all that becomes of a state machine, and of those that await it, is that some thread waits for it.
    pub(crate) fn are_threads(&self, machine: FunctionId) -> bool {
        let otherwise = walk::search([machine], |it| {
            let awaiting = self.awaiting.get(&it).cloned().unwrap_or_default();
            match self.to_threads.get(&it) {
                Some(true) => Continue(awaiting),
                None if !awaiting.is_empty() => Continue(awaiting),
                _ => Break(()),
            }
        });
        otherwise.is_none()
    }
}
