//! Outcomes: what a function of the workspace says of the state that it has looked at, by the variant or flag that it gives.

use super::Signals;
use super::decision::Condition;
use super::waiter::{Leaves, leaves};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::text::{canonical, head, last};
use crate::body::{Function, FunctionId, Slot};
use crate::mir::{BlockId, Local, Operand, Rvalue, Statement, Terminator};
use crate::program::abstract_object::AbstractObject;
use std::collections::BTreeSet;

/// How deep helpers of helpers are followed.
const DEEPEST: usize = 3;

/// A way in which a function ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    Flag(bool),
    Variant(String),
}

impl Signals<'_> {
    /// Adds the values with which a helper of the workspace gives what leads past a wait.
    pub(super) fn leaves_by_helpers(&self, id: FunctionId, paths: &Paths, wait: BlockId, found: &mut Leaves) {
        let function = self.program.function(id);
        for (at, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            let Some((called, leads)) = self.asks_helper(id, at) else { continue };
            let waits = |to: BlockId| paths.from(&[to], &|it| it == at).contains(&wait);
            let (waiting, past): (Vec<_>, Vec<_>) = leads.into_iter().partition(|(_, to)| waits(*to));
            if waiting.is_empty() || past.is_empty() {
                continue;
            }
            let waiting: BTreeSet<Outcome> = waiting.into_iter().map(|(it, _)| it).collect();
            for (state, values) in self.leaves_with(called, &waiting, DEEPEST) {
                if let Some(state) = self.seen_from(state, called, id, at) {
                    found.entry(self.same(state)).or_default().extend(values);
                }
            }
        }
    }

    /// Adds the values with which a closure says that it is enough, where a call waits while that says otherwise.
    pub(super) fn leaves_by_predicate(&self, id: FunctionId, wait: BlockId, found: &mut Leaves) {
        let function = self.program.function(id);
        let Some((call, callee)) = function.call(wait) else { return };
        if !callee.name().contains("while") {
            return;
        }
        let Some(closure) = call.arguments.iter().find_map(|it| self.program.closure_of(function, it)) else {
            return;
        };
        let guard = call.arguments.get(1).and_then(Operand::place);
        for (state, values) in self.leaves_with(closure, &BTreeSet::from([Outcome::Flag(true)]), DEEPEST) {
            // What it is given is what the guard is of.
            let state = match state {
                AbstractObject::Value(of, _) if of == closure => guard.and_then(|it| self.based(id, it)),
                it => Some(it),
            };
            if let Some(state) = state {
                found.entry(self.same(state)).or_default().extend(values);
            }
        }
    }

    /// By state: the values with which a body does not give one of those.
    fn leaves_with(&self, id: FunctionId, waiting: &BTreeSet<Outcome>, depth: usize) -> Leaves {
        let function = self.program.function(id);
        let mut blocks = BTreeSet::new();
        let mut conditions = Leaves::new();
        for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            // What another function gives for it.
            let hands_on = function.call(at).is_some_and(|(call, _)| call.into.local == Local(0));
            let inner = if hands_on && depth > 0 { self.bodies_at(id, at) } else { Vec::new() };
            if let [inner] = inner.as_slice() {
                blocks.insert(at);
                for (state, values) in self.leaves_with(*inner, waiting, depth - 1) {
                    if let Some(state) = self.seen_from(state, *inner, id, at) {
                        conditions.entry(self.same(state)).or_default().extend(values);
                    }
                }
            }
            for statement in &block.statements {
                if gives(function, statement, waiting) {
                    blocks.insert(at);
                }
            }
            let Some(condition) = self.given_as_flag(id, at) else { continue };
            blocks.insert(at);
            let past = if waiting.contains(&Outcome::Flag(true)) {
                condition.when_false
            } else {
                condition.when_true
            };
            conditions.entry(condition.state).or_default().insert(past);
        }
        if blocks.is_empty() {
            return conditions;
        }
        let mut found = leaves(&Paths::of(function), &self.decisions(id), &blocks);
        for (state, values) in conditions {
            found.entry(state).or_default().extend(values);
        }
        found
    }

    /// The condition that a block gives as the flag that its body results in.
    fn given_as_flag(&self, id: FunctionId, at: BlockId) -> Option<Condition> {
        let function = self.program.function(id);
        let result = Local(0);
        if function.body.type_of(result) != "bool" {
            return None;
        }
        let by_statement = function.body.block(at)?.statements.iter().find_map(|it| match it {
            Statement::Assign(into, value) if into.local == result => Some(value),
            _ => None,
        });
        if let Some(value) = by_statement {
            return self.condition_of(id, value);
        }
        let (call, _) = function.call(at)?;
        if call.into.local == result { self.asked_at(id, at) } else { None }
    }

    /// The helper whose result the branch at the end of a block goes by, and where each outcome leads.
    fn asks_helper(&self, id: FunctionId, at: BlockId) -> Option<(FunctionId, Vec<(Outcome, BlockId)>)> {
        let function = self.program.function(id);
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } =
            &function.body.block(at)?.terminator
        else {
            return None;
        };
        let asked = source(function, &Slot::at(on))?;
        let called = self.program.called(function, asked)?;
        let ty = self.program.function(called).body.type_of(Local(0));
        let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(*otherwise);
        let name = last(&head(ty)).to_owned();
        let leads = match name.as_str() {
            "bool" => vec![(Outcome::Flag(false), to(0)?), (Outcome::Flag(true), to(1)?)],
            "Option" => vec![(variant("None"), to(0)?), (variant("Some"), to(1)?)],
            "Result" => vec![(variant("Ok"), to(0)?), (variant("Err"), to(1)?)],
            _ => {
                let names = self.program.variants(&name)?;
                names.iter().zip(0..).filter_map(|(it, at)| Some((variant(it), to(at)?))).collect()
            }
        };
        Some((called, leads))
    }
}

fn variant(name: &str) -> Outcome {
    Outcome::Variant(name.to_owned())
}

/// Whether a statement makes the result of its body as one of those.
fn gives(function: &Function, statement: &Statement, outcomes: &BTreeSet<Outcome>) -> bool {
    let Statement::Assign(into, value) = statement else { return false };
    let result = function.body.type_of(Local(0));
    if function.type_of(into) != Some(result) {
        return false;
    }
    match value {
        Rvalue::Use(Operand::Constant(text)) if text == "true" || text == "false" => {
            into.local == Local(0) && outcomes.contains(&Outcome::Flag(text == "true"))
        }
        Rvalue::Made(text, _) | Rvalue::Use(Operand::Constant(text)) => {
            let path = canonical(text);
            let name = last(&path);
            outcomes.contains(&variant(name.split('(').next().unwrap_or(name)))
        }
        _ => false,
    }
}
