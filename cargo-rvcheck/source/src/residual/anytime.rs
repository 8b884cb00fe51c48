//! What code of the workspace may be called at any time, on any stack: signal handlers, hooks of panics, allocators, whatever others keep.
//!
//! A function that others are given without being known to call it at once may be called while any lock is held. So may be the methods of a
//! value that they are given. What is behind a trait object that they are given is anything that the workspace makes such an object of; what
//! has the type of a parameter is anything that the function with the parameter is called with.

use super::block_effect::Traits;
use super::effect::{Effect, Effects};
use super::erased::Erased;
use super::known::call_effect_at;
use super::members::{Members, Whose};
use super::values::Values;
use crate::body::walk::Lattice;
use crate::body::{Function, FunctionId, Kind};
use crate::mir::{Call, Local, Operand, Rvalue, Statement};
use crate::program::Program;
use crate::ty::{Ty, canonical, last};
use rvcheck_primitives::code::CallEffect;
use rvcheck_primitives::code::functions::is_called_back;
use std::collections::{BTreeSet, HashMap};

/// What may be called at any time.
#[derive(Clone, Default, Debug)]
pub(super) struct Anytime {
    /// What it can do.
    pub(super) effect: Effect,
    /// The functions that can do something, by their names.
    pub(super) functions: Vec<String>,
}

/// What is kept by others in a program.
#[derive(Default)]
struct Kept {
    values: Values,
    /// The functions that give others what they are given themselves.
    handing: BTreeSet<FunctionId>,
    /// The traits of the trait objects that are given.
    objects: BTreeSet<String>,
    /// The types that are given, and whether something in them has the type of a parameter.
    known: HashMap<Ty, bool>,
}

impl Anytime {
    /// Looks for it in all targets of a build.
    pub(super) fn of(members: Members<'_>, effects: &[Effects], erased: Erased) -> Anytime {
        let programs = || members.programs.iter().copied().zip(effects);
        let mut all: Vec<Kept> =
            programs().map(|(it, effects)| Kept::of(members, it, effects, erased)).collect();
        if all.iter().any(|it| !it.handing.is_empty()) {
            // Which of their functions hands on what it is given is not told apart.
            for (kept, (program, effects)) in all.iter_mut().zip(programs()) {
                kept.calls(members, program, effects, erased, Whose::Member);
                kept.handed_on(program, erased);
            }
        }
        let objects: BTreeSet<&String> = all.iter().flat_map(|it| &it.objects).collect();
        let mut found = Anytime::default();
        for ((program, effects), kept) in programs().zip(&all) {
            let mut kept = kept.values.clone();
            take(&mut kept, Values::kept(program, erased, behind(program, &objects)));
            for id in kept.runs {
                found.take(effects.of_values(vec![id], Traits::default()), || program.item(id));
            }
            for ty in kept.types {
                let traits = Traits { types: BTreeSet::from([ty.clone()]), to_show: true, to_write: false };
                found.take(effects.of_values(Vec::new(), traits), || ty);
            }
        }
        found.functions.sort();
        found.functions.dedup();
        found
    }

    fn take(&mut self, mut effect: Effect, name: impl FnOnce() -> String) {
        // Others call of the workspace what they were given, and that counts already.
        effect.open = effect.open.filter(|_| effect.is_indirect);
        effect.is_indirect = effect.open.is_some();
        if effect != Effect::default() {
            self.effect.join(&effect);
            self.functions.push(name());
        }
    }

    /// The functions, for a sentence.
    pub(super) fn names(&self) -> String {
        let named: Vec<String> = self.functions.iter().take(3).map(|it| format!("`{it}`")).collect();
        named.join(", ")
    }
}

impl Kept {
    fn of(members: Members<'_>, program: &Program, effects: &Effects, erased: Erased) -> Kept {
        let mut kept = Kept::default();
        for (id, function) in program.functions() {
            if program.trait_of(id).is_some_and(is_called_back) {
                kept.values.runs.insert(id);
            }
            // What the harness of tests calls is called by nobody else.
            if !function.body.type_of(Local(0)).names("TestDescAndFn") {
                kept.pointed_to(program, function);
            }
        }
        kept.calls(members, program, effects, erased, Whose::Nobody);
        kept.handed_on(program, erased);
        kept
    }

    /// Takes in what functions are given that may keep it.
    fn calls(
        &mut self,
        members: Members<'_>,
        program: &Program,
        effects: &Effects,
        erased: Erased,
        of: Whose,
    ) {
        for (id, function) in program.functions() {
            for (block, call, callee) in function.calls().filter(|(block, ..)| effects.keeps(id, *block)) {
                let registers = call_effect_at(program, callee.path()) == Some(CallEffect::Registers);
                if registers || members.whose(program, function, block) == of {
                    self.given(program, erased, id, function, call);
                }
            }
        }
    }

    /// Takes in what is given to functions that hand it on to others.
    fn handed_on(&mut self, program: &Program, erased: Erased) {
        loop {
            let before = self.handing.len();
            for (id, function) in program.functions() {
                for (block, call, _) in function.calls() {
                    if program.called(function, block).is_some_and(|it| self.handing.contains(&it)) {
                        self.given(program, erased, id, function, call);
                    }
                }
            }
            if self.handing.len() == before {
                return;
            }
        }
    }

    /// Takes in the functions that a body makes pointers to, or puts into something.
    fn pointed_to(&mut self, program: &Program, function: &Function) {
        for statement in function.blocks().flat_map(|(_, it)| &it.statements) {
            match statement {
                Statement::Assign(_, Rvalue::Cast(from @ Operand::Constant(_), to))
                    if to.has(Ty::is_function) =>
                {
                    self.values.runs.extend(named(program, from));
                }
                Statement::Assign(_, Rvalue::Cast(Operand::Place(from), to)) if to.has(Ty::is_function) => {
                    let closure = function.type_of(from).and_then(|it| program.body_of(it));
                    self.values.runs.extend(closure);
                }
                Statement::Assign(_, Rvalue::Made(_, parts)) => {
                    let named = parts.iter().flat_map(|it| named(program, it));
                    self.values.runs.extend(named);
                }
                _ => {}
            }
        }
    }

    /// Takes in what others are given by a call.
    fn given(&mut self, program: &Program, erased: Erased, id: FunctionId, function: &Function, call: &Call) {
        self.values.runs.extend(call.arguments.iter().flat_map(|it| named(program, it)));
        let given = call.places().filter_map(|it| function.type_of(it));
        for ty in given.chain(call.callee.generics().iter().copied()) {
            if let std::collections::hash_map::Entry::Vacant(e) = self.known.entry(ty) {
                let values = Values::kept(program, erased, [ty]);
                e.insert(values.has_parameters);
                self.objects.extend(values.objects.iter().cloned());
                take(&mut self.values, values);
            }
            if self.known[&ty] {
                self.handing.extend(with_those_around(program, id));
            }
        }
    }
}

fn take(into: &mut Values, values: Values) {
    into.runs.extend(values.runs);
    into.types.extend(values.types);
}

/// The functions that an operand may name: all methods of a name where it is not known of which type.
fn named(program: &Program, operand: &Operand) -> Vec<FunctionId> {
    let Operand::Constant(text) = operand else { return Vec::new() };
    let text = text.trim_start_matches("ZeroSized: ");
    if text.starts_with('{') {
        let closure = program.body_written(text).filter(|it| program.function(*it).kind == Kind::Closure);
        return closure.into_iter().collect();
    }
    // A function at the root of the crate has no path.
    if !text.starts_with(|it: char| it.is_alphabetic() || matches!(it, '_' | '<')) {
        return Vec::new();
    }
    match program.function_named(text) {
        Some(id) => vec![id],
        None if text.starts_with('<') => program.functions_named(last(&canonical(text))).collect(),
        None => Vec::new(),
    }
}

/// A body with those that it is a closure or state machine of.
fn with_those_around(program: &Program, id: FunctionId) -> BTreeSet<FunctionId> {
    let name = program.function(id).body.name.as_str();
    let is_around = |function: &Function| {
        let of = function.body.name.as_str();
        function.kind == Kind::Function
            && name.strip_prefix(of).is_some_and(|it| it.starts_with("::{closure"))
    };
    let around = program.functions().filter(|(_, it)| is_around(it)).map(|(id, _)| id);
    around.chain([id]).collect()
}

/// The types of all that a program makes objects of these traits of.
fn behind(program: &Program, traits: &BTreeSet<&String>) -> Vec<Ty> {
    let mut found = Vec::new();
    for (_, function) in program.functions() {
        for statement in function.blocks().flat_map(|(_, it)| &it.statements) {
            if let Statement::Assign(_, Rvalue::Cast(Operand::Place(from), to)) = statement
                && objects_in(*to).iter().any(|it| traits.contains(it))
            {
                found.extend(function.type_of(from));
            }
        }
    }
    found
}

/// The last segments of the traits of the trait objects in a type.
pub(super) fn objects_in(ty: Ty) -> BTreeSet<String> {
    ty.text()
        .match_indices("dyn ")
        .map(|(at, _)| {
            let rest = &ty.text()[at + 4..];
            let rest =
                if rest.starts_with("for<") { rest.split_once("> ").map_or(rest, |it| it.1) } else { rest };
            let end = rest
                .find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | ':')))
                .unwrap_or(rest.len());
            last(&canonical(&rest[..end])).to_owned()
        })
        .collect()
}
