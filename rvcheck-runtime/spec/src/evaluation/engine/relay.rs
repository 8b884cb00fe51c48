//! Hands what automata emit to the other automata of their file, in the step of the event that caused it.

use rvcheck_event::event::Event;

use crate::evaluation::engine::routes::Routes;
use crate::evaluation::engine::{Guarded, Running};
use crate::evaluation::limits::Limits;
use crate::model::property::Property;
use crate::semantics::emission::{Emitted, EmittedFacts, because_of};
use crate::semantics::facts::Facts;
use crate::verdict::{Fault, Violation};

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Relay {
    /// The automata that emit, in their order.
    emitters: Vec<usize>,
    /// What was emitted because of the current event, and by which automaton.
    queue: Vec<(usize, Emitted)>,
}

impl Relay {
    /// A relay, if any of the properties emits.
    pub(super) fn of(properties: &[Property]) -> Option<Relay> {
        let emits = |it: &Property| matches!(it, Property::Automaton(automaton) if automaton.emits());
        let emitters: Vec<usize> = (0..properties.len()).filter(|it| emits(&properties[*it])).collect();
        (!emitters.is_empty()).then_some(Relay { emitters, queue: Vec::new() })
    }

    /// All automata have taken the event; those on the routes take what was emitted because of it.
    pub(super) fn pass<F: Facts>(
        &mut self,
        properties: &mut [Running],
        routes: &Routes,
        (event, facts): (&Event, &F),
        limits: &Limits,
        out: &mut Vec<Violation>,
    ) {
        self.queue.clear();
        self.gather(properties, limits);
        let mut next = 0;
        while let Some((emitter, emitted)) = self.queue.get(next) {
            next += 1;
            let caused = because_of(event);
            let Some(Running::Guarded(from)) = properties.get(*emitter) else { continue };
            let name = emitted.emission(&from.automaton).map_or("", |it| it.event.as_str());
            let Some(route) = routes.of_name(name) else { continue };
            for (index, plan) in route.plans.iter().filter(|(index, _)| index != emitter) {
                let Ok([Running::Guarded(from), Running::Guarded(to)]) =
                    properties.get_disjoint_mut([*emitter, *index])
                else {
                    continue;
                };
                let Some(emission) = emitted.emission(&from.automaton) else { continue };
                let arguments = &emitted.arguments[..emission.arguments.len()];
                let of_emitted = EmittedFacts { facts, name: &emission.event, arguments };
                let Guarded { automaton, slicer, .. } = &mut **to;
                if automaton.family == from.automaton.family {
                    slicer.step_because(automaton, Some(*plan), &caused, event, &of_emitted, out);
                }
            }
            self.gather(properties, limits);
        }
    }

    /// Takes what was emitted. An action that several instances carry out with the same arguments emits one event.
    fn gather(&mut self, properties: &mut [Running], limits: &Limits) {
        for index in &self.emitters {
            let Running::Guarded(guarded) = &mut properties[*index] else { continue };
            let slicer = &mut guarded.slicer;
            if slicer.emitted.is_empty() {
                continue;
            }
            slicer.emitted.sort_unstable();
            slicer.emitted.dedup();
            if self.queue.len() + slicer.emitted.len() > limits.instances {
                // Nobody has read the file if there is a cycle.
                slicer.fault = Some(Fault::Work { limit: limits.instances as u64 });
            } else {
                self.queue.extend(slicer.emitted.iter().map(|it| (*index, *it)));
            }
            slicer.emitted.clear();
        }
    }
}
