//! The meaning of automata, evaluated over a whole trace as simply as possible. It is slow; it is what the engine has to
//! agree with.
//!
//! For each unit and each way to give every parameter a value that some event binds it to, the automaton runs over all
//! events of the unit. A binding *exists* if one event matched a pattern that binds all parameters so, or if the events
//! that moved the automaton bind all of them together.

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;

use crate::automaton::{Automaton, Role, Scope};
use crate::engine::KEPT;
use crate::evaluate::{Overlap, Position, act, binds, enabled, read, shape_matches};
use crate::facts::Facts;
use crate::verdict::{Fault, PropertyVerdict, UnitEnd, UnitVerdict, Verdict, Verdicts, Violation, Witness};

/// The verdicts of one automaton over a trace. Units of which `ends` says nothing count as cut. `facts` is one world for
/// all events.
pub fn evaluate<F: Facts>(
    automaton: &Automaton,
    trace: &[Event],
    ends: &BTreeMap<UnitId, UnitEnd>,
    facts: &F,
) -> Verdicts {
    let mut units: BTreeMap<UnitId, Vec<&Event>> = match automaton.scope {
        Scope::Process => BTreeMap::from([(UnitId::PROCESS, Vec::new())]),
        Scope::Test => ends.keys().map(|unit| (*unit, Vec::new())).collect(),
    };
    for event in trace.iter().filter(|event| automaton.plan(event.kind).is_some()) {
        let unit = if automaton.scope == Scope::Process { UnitId::PROCESS } else { event.unit };
        units.entry(unit).or_default().push(event);
    }
    let (mut now, mut later) = (Vec::new(), Vec::new());
    let mut verdicts = Vec::new();
    let mut fault = None;
    for (unit, events) in &units {
        let complete = ends.get(unit) == Some(&UnitEnd::Complete);
        let (mut bindings, mut violated) = (0, 0);
        for binding in all_bindings(automaton, events, facts) {
            let run = match run(automaton, events, &binding, facts) {
                Ok(run) => run,
                Err((Overlap(first, second), event)) => {
                    let state = automaton.states[automaton.transitions[first].from].name.clone();
                    let event = Box::new(event);
                    fault.get_or_insert(Fault::Overlap { state, transitions: (first, second), event });
                    continue;
                }
            };
            let Some(since) = run.exists_since else { continue };
            bindings += 1;
            let role = automaton.states[run.state].role;
            if role != Role::Bad && !(role == Role::EndBad && complete) {
                continue;
            }
            violated += 1;
            let at_end = role == Role::EndBad;
            let moved = if at_end { run.moved.len() } else { run.moved_when_bad };
            let violation = Violation {
                property: 0,
                unit: *unit,
                binding,
                state: run.state,
                at_end,
                witness: witness(&run.moved[..moved]),
            };
            if at_end { later.push(violation) } else { now.push((since.max(run.bad_since), violation)) }
        }
        let exercised = events.iter().any(|event| matched(automaton, event, facts));
        let verdict = if violated > 0 {
            Verdict::Violated
        } else if !complete {
            Verdict::Inconclusive
        } else if exercised {
            Verdict::Held
        } else {
            Verdict::NotExercised
        };
        let events = events.len() as u64;
        let bindings_exercised = if exercised { bindings } else { 0 };
        verdicts.push(UnitVerdict {
            unit: *unit,
            verdict,
            bindings,
            violated,
            bindings_exercised,
            exercised,
            events,
            witness: Vec::new(),
        });
    }
    now.sort_by_key(|(since, violation)| (violation.unit, *since));
    later.sort_by(|left, right| (left.unit, &left.binding).cmp(&(right.unit, &right.binding)));
    let violations = now.into_iter().map(|(_, violation)| violation).chain(later).collect();
    Verdicts { properties: vec![PropertyVerdict { units: verdicts, fault }], violations }
}

fn matched<F: Facts>(automaton: &Automaton, event: &Event, facts: &F) -> bool {
    let shapes = automaton.plan(event.kind).map(|plan| plan.shapes.as_slice()).unwrap_or_default();
    shapes.iter().any(|shape| {
        shape.sources.iter().all(|(_, source)| read(*source, event, facts) != Value::Absent)
            && shape_matches(automaton, shape, event, facts)
    })
}

/// Every way to give each parameter a value that some event of the unit binds it to.
fn all_bindings<F: Facts>(automaton: &Automaton, events: &[&Event], facts: &F) -> Vec<Vec<Value>> {
    let mut values: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); automaton.params.len()];
    for event in events {
        for shape in automaton.plan(event.kind).iter().flat_map(|plan| &plan.shapes) {
            for (param, source) in &shape.sources {
                values[*param].insert(read(*source, event, facts));
            }
        }
    }
    let mut bindings = vec![Vec::new()];
    for values in values {
        let known: Vec<Value> = values.into_iter().filter(|value| *value != Value::Absent).collect();
        bindings = bindings
            .into_iter()
            .flat_map(|binding: Vec<Value>| {
                known.iter().map(move |value| [binding.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    bindings
}

/// Where the automaton is after the trace, under one binding.
struct Run {
    state: usize,
    /// The event since which the binding exists, if it does.
    exists_since: Option<usize>,
    /// The event that led to a state that is bad for good.
    bad_since: usize,
    /// How many events had moved it by then.
    moved_when_bad: usize,
    /// The events that moved it since it last was as in the beginning.
    moved: Vec<Event>,
}

fn run<F: Facts>(
    automaton: &Automaton,
    events: &[&Event],
    binding: &[Value],
    facts: &F,
) -> Result<Run, (Overlap, Event)> {
    let all = automaton.all_params();
    let initial: Vec<i64> = automaton.registers.iter().map(|it| it.initial).collect();
    let mut registers = initial.clone();
    let mut covered = 0;
    let mut run = Run {
        state: automaton.initial,
        exists_since: None,
        bad_since: 0,
        moved_when_bad: 0,
        moved: Vec::new(),
    };
    for (at, event) in events.iter().enumerate() {
        let Some(plan) = automaton.plan(event.kind) else { continue };
        for shape in &plan.shapes {
            let whole = shape.mask == all && binds(shape, event, binding, facts);
            if whole && shape_matches(automaton, shape, event, facts) {
                covered = all;
            }
        }
        let found = enabled(
            automaton,
            plan,
            Position { state: run.state, registers: &registers, binding },
            false,
            event,
            facts,
        );
        if let Some(index) = found.map_err(|overlap| (overlap, **event))? {
            let transition = &automaton.transitions[index];
            act(transition, &mut registers, binding, event, facts);
            covered |= plan.shapes[transition.shape].mask;
            run.state = transition.to;
            run.moved.push(**event);
            if run.state == automaton.initial && registers == initial {
                run.moved.clear();
            }
            if automaton.states[run.state].role == Role::Bad {
                run.bad_since = at;
                run.moved_when_bad = run.moved.len();
            }
        }
        // A property without parameters has one binding, and only if something matched.
        let seen = !automaton.params.is_empty() || matched(automaton, event, facts);
        if covered == all && seen && run.exists_since.is_none() {
            run.exists_since = Some(at);
        }
    }
    Ok(run)
}

/// The first and the last of the events, as the engine keeps them.
fn witness(moved: &[Event]) -> Witness {
    let kept = KEPT as usize;
    let first = moved[..moved.len().min(kept)].to_vec();
    let rest = &moved[first.len()..];
    let last = rest[rest.len().saturating_sub(kept)..].to_vec();
    Witness { first, skipped: (rest.len() - last.len()) as u64, last }
}
