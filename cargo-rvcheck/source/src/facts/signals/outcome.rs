//! Outcomes: what a function of the workspace says of the state that it has looked at, by the variant or flag that it gives.

use super::Signals;
use super::condition::Condition;
use super::waiter::{Leaves, leaves};
use crate::body::paths::Paths;
use crate::body::provenance::source;
use crate::body::{Function, FunctionId, Kind, Slot};
use crate::mir::{BlockId, Local, Made, Operand, Rvalue, Statement, Terminator};
use crate::program::abstract_object::AbstractObject;
use crate::ty::{Ty, canonical, last};
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
    pub(super) fn leaves_by_helpers(
        &self,
        id: FunctionId,
        paths: &Paths,
        waits: &BTreeSet<BlockId>,
        looks: &dyn Fn(BlockId) -> bool,
        found: &mut Leaves,
    ) {
        let function = self.program.function(id);
        for (at, _) in function.blocks().filter(|(_, it)| !it.cleanup) {
            let Some(Asked { called, made, ty, leads }) = self.asks_helper(id, at) else { continue };
            if !looks(at) {
                continue;
            }
            let waits = |to: BlockId| paths.reach(&[to], &|it| it == at, &|it| waits.contains(&it));
            let (waiting, past): (Vec<_>, Vec<_>) = leads.into_iter().partition(|(_, to)| waits(*to));
            if waiting.is_empty() || past.is_empty() {
                continue;
            }
            let waiting: BTreeSet<Outcome> = waiting.into_iter().map(|(it, _)| it).collect();
            for (state, values) in self.leaves_with(called, ty, &waiting, DEEPEST) {
                if let Some(state) = self.seen_from(state, called, id, made) {
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
        let guard = call.place(1);
        let past = BTreeSet::from([Outcome::Flag(true)]);
        for (state, values) in self.leaves_with(closure, Ty::read("bool"), &past, DEEPEST) {
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

    /// By state: the values with which a body does not give one of those, in the part of its result that has such a type.
    fn leaves_with(&self, id: FunctionId, ty: Ty, waiting: &BTreeSet<Outcome>, depth: usize) -> Leaves {
        let function = self.program.function(id);
        let Some(part) = part_of(result_of(function), ty) else { return Leaves::new() };
        let mut blocks = BTreeSet::new();
        let mut conditions = Leaves::new();
        for (at, block) in function.blocks().filter(|(_, it)| !it.cleanup) {
            // What another function gives for it.
            let hands_on = function.call(at).is_some_and(|(call, _)| call.into.local == Local(0));
            let inner = if hands_on && depth > 0 { self.bodies_at(id, at) } else { Vec::new() };
            if let [inner] = inner.as_slice() {
                blocks.insert(at);
                for (state, values) in self.leaves_with(*inner, ty, waiting, depth - 1) {
                    if let Some(state) = self.seen_from(state, *inner, id, at) {
                        conditions.entry(self.same(state)).or_default().extend(values);
                    }
                }
            }
            for statement in &block.statements {
                if gives(function, statement, part, waiting) {
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
        let mut found = leaves(Paths::of(function), &self.decisions(id), &blocks);
        for (state, values) in conditions {
            found.entry(state).or_default().extend(values);
        }
        found
    }

    /// The condition that a block gives as the flag that its body results in.
    fn given_as_flag(&self, id: FunctionId, at: BlockId) -> Option<Condition> {
        let function = self.program.function(id);
        let result = Local(0);
        if !function.body.type_of(result).is_bool() {
            return None;
        }
        let mut assigned = function.body.block(at)?.assignments();
        if let Some((_, value)) = assigned.find(|(into, _)| into.local == result) {
            return self.condition_of(id, value);
        }
        let (call, _) = function.call(at)?;
        if call.into.local == result { self.asked_at(id, at) } else { None }
    }

    /// What the branch at the end of a block asks a helper of the workspace for.
    fn asks_helper(&self, id: FunctionId, at: BlockId) -> Option<Asked> {
        let function = self.program.function(id);
        let block = function.body.block(at)?;
        let Terminator::Switch { on: Operand::Place(on), cases, otherwise } = &block.terminator else {
            return None;
        };
        let made = source(function, &Slot::at(on))?;
        let called = self.program.one_called(function, made)?;
        let called = self.program.machine_made_by(called).map_or(called, |(it, _)| it);
        let whole = result_of(self.program.function(called));
        let of = match function.definition(&Slot::at(on)).and_then(|it| function.assigned(it)) {
            Some(Rvalue::Discriminant(of)) => function.type_of(of)?,
            _ => Ty::read("bool"),
        };
        let to = |number: i128| cases.iter().find(|(it, _)| *it == number).map(|(_, to)| *to).or(*otherwise);
        // Of an error that is handed on the first way is the one that goes on.
        let goes_on = of.name() == "ControlFlow";
        let ty = if goes_on { whole } else { part_of(whole, of)? };
        let leads = match ty.name() {
            "bool" => vec![(Outcome::Flag(false), to(0)?), (Outcome::Flag(true), to(1)?)],
            "Option" if goes_on => vec![(variant("Some"), to(0)?), (variant("None"), to(1)?)],
            "Option" => vec![(variant("None"), to(0)?), (variant("Some"), to(1)?)],
            "Result" => vec![(variant("Ok"), to(0)?), (variant("Err"), to(1)?)],
            name => {
                let names = self.program.variants(name)?;
                names.iter().zip(0..).filter_map(|(it, at)| Some((variant(it), to(at)?))).collect()
            }
        };
        Some(Asked { called, made, ty, leads })
    }
}

/// What a branch asks a helper for.
struct Asked {
    /// The body that answers.
    called: FunctionId,
    /// The block that calls it.
    made: BlockId,
    /// The type of the part of its result that the branch goes by.
    ty: Ty,
    /// Where each answer leads.
    leads: Vec<(Outcome, BlockId)>,
}

/// The type of what a body gives; of a state machine, in the end.
fn result_of(function: &Function) -> Ty {
    let ty = function.body.type_of(Local(0));
    match function.kind {
        Kind::Coroutine if ty.is_poll() => ty.argument(0).unwrap_or(ty),
        _ => ty,
    }
}

/// The part of a type that is made like another one, if there is one such part: the type itself, or one that it is made of.
fn part_of(whole: Ty, asked: Ty) -> Option<Ty> {
    let is_it = |it: Ty| it.name() == asked.name();
    if is_it(whole) {
        return Some(whole);
    }
    let mut parts = whole.arguments().iter().copied().filter(|it| is_it(*it));
    parts.next().filter(|_| parts.next().is_none())
}

fn variant(name: &str) -> Outcome {
    Outcome::Variant(name.to_owned())
}

/// Whether a statement makes the part of the result of its body that is of this type, as one of those.
fn gives(function: &Function, statement: &Statement, part: Ty, outcomes: &BTreeSet<Outcome>) -> bool {
    let Statement::Assign(into, value) = statement else { return false };
    if function.type_of(into) != Some(part) {
        return false;
    }
    match value {
        Rvalue::Use(Operand::Constant(text)) if text == "true" || text == "false" => {
            into.local == Local(0) && outcomes.contains(&Outcome::Flag(text == "true"))
        }
        Rvalue::Made(Made::Value(by), _) => outcomes.contains(&variant(by.name())),
        Rvalue::Use(Operand::Constant(text)) => {
            let path = canonical(text);
            let name = last(&path);
            outcomes.contains(&variant(name.split('(').next().unwrap_or(name)))
        }
        _ => false,
    }
}
