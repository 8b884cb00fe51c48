//! What running a piece of code can do to locks: which classes it may request, whether it may wait, and whether it may run code that is
//! not known.

use super::block_effect::{BlockEffect, Traits, step};
use super::class::Class;
use super::erased::Erased;
use crate::body::walk::Lattice;
use crate::body::{Function, FunctionId};
use crate::mir::{BlockId, Terminator};
use crate::program::Program;
use crate::program::summaries::{self, Domain};
use crate::ty::Ty;
use rvcheck_primitives::code::functions::is_of_std;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What running some code can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Effect {
    /// The classes that it may request.
    pub(super) requests: BTreeSet<Class>,
    /// What else it may wait for, if anything.
    pub(super) waits: Option<String>,
    /// What it calls that is not known, if anything.
    pub(super) open: Option<String>,
    /// That may be any code of the workspace: it is behind a pointer, a trait object or a parameter.
    pub(super) is_indirect: bool,
}

impl Effect {
    pub(super) fn opened(by: impl Into<String>) -> Effect {
        Effect { open: Some(by.into()), is_indirect: true, ..Effect::default() }
    }

    pub(super) fn waiting(on: impl Into<String>) -> Effect {
        Effect { waits: Some(on.into()), ..Effect::default() }
    }
}

impl Lattice for Effect {
    fn join(&mut self, other: &Effect) -> bool {
        let state = |it: &Effect| (it.requests.len(), it.waits.is_some(), it.open.is_some(), it.is_indirect);
        let before = state(self);
        self.requests.extend(other.requests.iter().cloned());
        self.waits = self.waits.take().or_else(|| other.waits.clone());
        self.open = self.open.take().or_else(|| other.open.clone());
        self.is_indirect |= other.is_indirect;
        before != state(self)
    }
}

/// What one step or body does by itself, and what it runs: numbers in [`Effects::known`].
#[derive(Clone, Debug, Default)]
struct Part {
    own: Effect,
    runs: Vec<usize>,
    /// What it does under a lock of others that has no guard here, and which one.
    inside: Option<Box<(Class, Part)>>,
    /// It calls something that may keep what it is given.
    keeps: bool,
    /// The classes of locks that are held while it is done.
    held: BTreeSet<Class>,
}

impl Domain for [Part] {
    type Summary = Effect;
    type Call = ();

    fn own(&self, body: FunctionId) -> Effect {
        self[body.0 as usize].own.clone()
    }

    fn calls(&self, body: FunctionId) -> Vec<(FunctionId, ())> {
        self[body.0 as usize].runs.iter().map(|it| (FunctionId(*it as u32), ())).collect()
    }

    fn at_call(&self, _: FunctionId, (): &(), callee: &Effect) -> Effect {
        callee.clone()
    }
}

/// What each body of a program can do.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// By body and block.
    steps: Vec<Vec<Part>>,
    /// What each body can do, and behind the bodies what the methods of traits can do that they implement.
    known: Vec<Effect>,
    methods: Methods,
}

impl Effects {
    pub(super) fn of(program: &Program, erased: Erased) -> Effects {
        let methods = Methods::of(program);
        // What a drop does depends on the type alone, and there are many more drops than types.
        let mut drops: HashMap<Option<Ty>, Part> = HashMap::new();
        let of_block =
            |function: &Function, block: BlockId| methods.part(step(program, erased, function, block));
        let mut steps: Vec<Vec<Part>> = Vec::new();
        for (_, function) in program.functions() {
            let of_body = function.blocks().map(|(id, block)| match &block.terminator {
                Terminator::Drop { place, .. } => {
                    drops.entry(function.type_of(place)).or_insert_with(|| of_block(function, id)).clone()
                }
                _ => of_block(function, id),
            });
            steps.push(of_body.collect());
        }
        let mut parts: Vec<Part> = steps.iter().map(|it| together(it)).collect();
        for id in program.lost().keys() {
            let lost = format!("`{}`, which the compiler's MIR does not show as a whole,", program.item(*id));
            parts[id.0 as usize].own.join(&Effect::opened(lost));
        }
        parts.extend(methods.parts());
        let known = summaries::solve(parts.as_slice(), parts.len());
        Effects { steps, known, methods }
    }

    /// What values can do whose methods may be called, functions be run.
    pub(super) fn of_values(&self, runs: Vec<FunctionId>, traits: Traits) -> Effect {
        let part = self.methods.part(BlockEffect { runs, traits, ..BlockEffect::default() });
        self.effect(&part)
    }

    /// The class of a lock of others that has no guard here, and what is done under it at the end of a block.
    pub(super) fn inside(&self, id: FunctionId, block: BlockId) -> Option<(&Class, Effect)> {
        let (class, part) = &**self.part(id, block)?.inside.as_ref()?;
        Some((class, self.effect(part)))
    }

    /// The classes of locks that are held while the terminator of a block does what it does.
    pub(super) fn held(&self, id: FunctionId, block: BlockId) -> impl Iterator<Item = &Class> {
        self.part(id, block).into_iter().flat_map(|it| &it.held)
    }

    /// Whether the call at the end of a block is of something that may keep what it is given.
    pub(super) fn keeps(&self, id: FunctionId, block: BlockId) -> bool {
        self.part(id, block).is_some_and(|it| it.keeps)
    }

    /// Whether the call at the end of a block is of something of which nothing is known.
    pub(super) fn is_foreign(&self, id: FunctionId, block: BlockId) -> bool {
        self.part(id, block).is_none_or(|it| it.own.open.is_some())
    }

    /// What the terminator of a block can do.
    pub(super) fn at(&self, id: FunctionId, block: BlockId) -> Effect {
        let Some(part) = self.part(id, block) else { return Effect::opened("a block that is not there") };
        self.effect(part)
    }

    fn effect(&self, part: &Part) -> Effect {
        let mut effect = part.own.clone();
        for other in &part.runs {
            effect.join(&self.known[*other]);
        }
        effect
    }

    fn part(&self, id: FunctionId, block: BlockId) -> Option<&Part> {
        self.steps.get(id.0 as usize)?.get(block.0 as usize)
    }
}

/// What the steps of a body do together.
fn together(steps: &[Part]) -> Part {
    let mut whole = Part::default();
    for step in steps {
        whole.own.join(&step.own);
        whole.runs.extend(&step.runs);
    }
    whole.runs.sort_unstable();
    whole.runs.dedup();
    whole
}

/// The methods of traits that other crates may call, by whose they are.
#[derive(Clone, Debug, Default)]
struct Methods {
    /// The number of the first of them.
    first: usize,
    bodies: BTreeMap<Method, Vec<usize>>,
}

/// Whose a method of a trait is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Method {
    /// The types of the workspace that it may be called by; none where they are not known.
    of: BTreeSet<String>,
    /// It shows a value.
    shows: bool,
    /// What is shown or hashed is written to it.
    writes: bool,
}

impl Methods {
    fn of(program: &Program) -> Methods {
        let mut bodies: BTreeMap<Method, Vec<usize>> = BTreeMap::new();
        let mut first = 0;
        for (id, _) in program.functions() {
            first += 1;
            if program.implements_foreign(id) {
                let of_trait = program.trait_of(id);
                // Std calls no method of a trait of the workspace.
                if of_trait.is_some_and(|it| program.knows_trait(it) && !is_of_std(it)) {
                    continue;
                }
                let method = Method {
                    of: program.types_of_impl(id),
                    shows: of_trait.is_some_and(|it| matches!(it, "Debug" | "Display")),
                    writes: of_trait.is_none_or(|it| matches!(it, "Write" | "Hasher")),
                };
                bodies.entry(method).or_default().push(id.0 as usize);
            }
        }
        Methods { first, bodies }
    }

    /// For each of them what they run.
    fn parts(&self) -> impl Iterator<Item = Part> {
        self.bodies.values().cloned().map(|runs| Part { runs, ..Part::default() })
    }

    /// A step, with the numbers of all that it runs.
    fn part(&self, step: BlockEffect) -> Part {
        let BlockEffect { own, runs, traits, inside, keeps, held } = step;
        let mut runs: Vec<usize> = runs.iter().map(|it| it.0 as usize).collect();
        self.extend(&mut runs, &traits);
        let inside = inside.map(|it| Box::new((it.0, self.part(it.1))));
        Part { own, runs, inside, keeps, held }
    }

    /// Takes in the numbers of those that may be called.
    fn extend(&self, runs: &mut Vec<usize>, called: &Traits) {
        let fits = |it: &Method| {
            // What is implemented for another crate's type has a type of the workspace in its trait.
            let is_any = it.of.is_empty() && !called.types.is_empty();
            let is_of = is_any || !it.of.is_disjoint(&called.types);
            is_of && (called.to_show || !it.shows) || called.to_write && it.writes
        };
        let all = (self.first..).zip(self.bodies.keys());
        runs.extend(all.filter(|(_, it)| fits(it)).map(|(at, _)| at));
    }
}
