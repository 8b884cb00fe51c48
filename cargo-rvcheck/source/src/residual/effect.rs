//! What running a piece of code can do to locks: which classes it may request, whether it may wait, and whether it may run code that is
//! not known.

use super::class::Class;
use super::step::{Step, Traits, step};
use crate::flow::{FunctionId, Program};
use crate::mir::BlockId;
use std::collections::{BTreeMap, BTreeSet};

/// What running some code can do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Effect {
    /// The classes that it may request.
    pub(super) requests: BTreeSet<Class>,
    /// What else it may wait for, if anything.
    pub(super) waits: Option<String>,
    /// What it calls that is not known, if anything.
    pub(super) open: Option<String>,
}

impl Effect {
    pub(super) fn opened(by: impl Into<String>) -> Effect {
        Effect { open: Some(by.into()), ..Effect::default() }
    }

    pub(super) fn waiting(on: impl Into<String>) -> Effect {
        Effect { waits: Some(on.into()), ..Effect::default() }
    }

    /// Takes in what other code can do. Whether anything changed.
    pub(super) fn join(&mut self, other: &Effect) -> bool {
        let before = (self.requests.len(), self.waits.is_some(), self.open.is_some());
        self.requests.extend(other.requests.iter().cloned());
        self.waits = self.waits.take().or_else(|| other.waits.clone());
        self.open = self.open.take().or_else(|| other.open.clone());
        before != (self.requests.len(), self.waits.is_some(), self.open.is_some())
    }
}

/// What each body of a program can do.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    steps: Vec<Vec<Step>>,
    bodies: Vec<Effect>,
    /// What the methods of traits can do, by type, and whether they show a value; those of a type that is not known under an empty
    /// name.
    traits: BTreeMap<(String, bool), Effect>,
}

impl Effects {
    pub(super) fn of(program: &Program) -> Effects {
        let steps: Vec<Vec<Step>> = program
            .functions()
            .map(|(_, function)| function.blocks().map(|(block, _)| step(program, function, block)).collect())
            .collect();
        let mut effects =
            Effects { bodies: vec![Effect::default(); steps.len()], steps, traits: BTreeMap::new() };
        let implementing: Vec<FunctionId> =
            program.functions().map(|(id, _)| id).filter(|id| program.implements_foreign(*id)).collect();
        loop {
            let mut changed = false;
            for at in 0..effects.bodies.len() {
                let mut effect = std::mem::take(&mut effects.bodies[at]);
                for block in 0..effects.steps[at].len() {
                    let step = effects.step(at, block);
                    changed |= effect.join(&step);
                }
                effects.bodies[at] = effect;
            }
            for id in &implementing {
                let effect = effects.bodies[id.0 as usize].clone();
                let of = program.type_of(*id).unwrap_or_default().to_owned();
                let shows = program.trait_of(*id).is_some_and(|it| matches!(it, "Debug" | "Display"));
                changed |= effects.traits.entry((of, shows)).or_default().join(&effect);
            }
            if !changed {
                return effects;
            }
        }
    }

    /// Whether the call at the end of a block is of something of which nothing is known.
    pub(super) fn is_foreign(&self, id: FunctionId, block: BlockId) -> bool {
        let step = self.steps.get(id.0 as usize).and_then(|it| it.get(block.0 as usize));
        step.is_none_or(|it| it.own.open.is_some())
    }

    /// What the terminator of a block can do.
    pub(super) fn at(&self, id: FunctionId, block: BlockId) -> Effect {
        self.step(id.0 as usize, block.0 as usize)
    }

    fn step(&self, body: usize, block: usize) -> Effect {
        let Some(step) = self.steps.get(body).and_then(|it| it.get(block)) else {
            return Effect::opened("a block that is not there");
        };
        let mut effect = step.own.clone();
        for id in &step.runs {
            effect.join(&self.bodies[id.0 as usize]);
        }
        let called = self.traits.iter().filter(|((of, shows), _)| match &step.traits {
            Traits::None => false,
            Traits::Of(types, to_show) => (of.is_empty() || types.contains(of)) && (*to_show || !shows),
            Traits::All => true,
        });
        for (_, other) in called {
            effect.join(other);
        }
        effect
    }
}
