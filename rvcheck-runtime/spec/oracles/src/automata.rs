//! The meaning of automata, evaluated over a whole trace as simply as possible. It is slow; it is what the engine has to
//! agree with.
//!
//! For each unit and each way to give every parameter a value that some event binds it to, the automaton runs over all
//! events of the unit. A binding *exists* if one event matched a pattern that binds all parameters so, or if the events
//! that moved the automaton bind all of them together.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::value::Value;
use rvcheck_event::world::MAX_ARGUMENTS;

use rvcheck_spec::evaluation::limits::KEPT;
use rvcheck_spec::model::automaton::{Automaton, Mask, Role, Scope};
use rvcheck_spec::semantics::emission::{Emitted, EmittedFacts, because_of};
use rvcheck_spec::semantics::evaluate::{
    Instance, Overlap, Position, act, binds, enabled, plan_of, read, shape_matches,
};
use rvcheck_spec::semantics::facts::Facts;
use rvcheck_spec::verdict::{
    Fault, PropertyVerdict, UnitEnd, UnitVerdict, Verdict, Verdicts, Violation, Witness,
};

/// The verdicts of one automaton over a trace. Units of which `ends` says nothing count as cut. `facts` is one world for
/// all events.
pub fn evaluate<F: Facts>(
    automaton: &Automaton,
    trace: &[Event],
    ends: &BTreeMap<UnitId, UnitEnd>,
    facts: &F,
) -> Verdicts {
    let events: Vec<Taken> = trace.iter().map(|event| Taken::of_trace(*event)).collect();
    verdicts(automaton, &events, ends, facts)
}

/// The same for automata of one file, which take what the others emit; by automaton.
pub fn evaluate_file<F: Facts>(
    automata: &[Automaton],
    trace: &[Event],
    ends: &BTreeMap<UnitId, UnitEnd>,
    facts: &F,
) -> Vec<Verdicts> {
    let taken = with_emitted(automata, trace, facts);
    automata.iter().zip(taken).map(|(automaton, events)| verdicts(automaton, &events, ends, facts)).collect()
}

/// An event that an automaton takes.
#[derive(Clone, Copy, Debug)]
struct Taken<'a> {
    event: Event,
    /// The event of the trace that it is, or that caused it.
    cause: Event,
    /// The name and the arguments, if it was emitted.
    emitted: Option<(&'a str, [Value; MAX_ARGUMENTS])>,
}

impl<'a> Taken<'a> {
    fn of_trace(event: Event) -> Taken<'a> {
        Taken { event, cause: event, emitted: None }
    }

    /// Runs something on the event, and what is known of it.
    fn with_facts<T>(&self, facts: &dyn Facts, run: impl FnOnce(&Event, &EmittedFacts<'_>) -> T) -> T {
        let (name, arguments) = match &self.emitted {
            Some((name, arguments)) => (*name, arguments.as_slice()),
            None => ("", facts.arguments(&self.event)),
        };
        run(&self.event, &EmittedFacts { facts, name, arguments })
    }
}

/// What each of the automata takes: the events of the trace, and behind each of them what the others emit because of it.
fn with_emitted<'a>(automata: &'a [Automaton], trace: &[Event], facts: &dyn Facts) -> Vec<Vec<Taken<'a>>> {
    let mut taken: Vec<Vec<Taken<'a>>> = vec![Vec::new(); automata.len()];
    for event in trace {
        // The event, then what is emitted because of it, with who did.
        let mut waiting = VecDeque::from([(None, Taken::of_trace(*event))]);
        while let Some((emitter, next)) = waiting.pop_front() {
            for (index, automaton) in automata.iter().enumerate() {
                if emitter == Some(index) {
                    continue;
                }
                taken[index].push(next);
                waiting.extend(emissions(automaton, &taken[index], facts).into_iter().map(|it| {
                    let emission = it.emission(automaton);
                    let name = emission.map_or("", |it| it.event.as_str());
                    let emitted = Some((name, it.arguments));
                    (Some(index), Taken { event: because_of(event), cause: *event, emitted })
                }));
            }
        }
    }
    taken
}

/// What the automaton emits because of the last of these events: every binding, also of some parameters only, that it reached
/// by events which bind all of that.
fn emissions(automaton: &Automaton, events: &[Taken<'_>], facts: &dyn Facts) -> BTreeSet<Emitted> {
    let Some(last) = events.last() else { return BTreeSet::new() };
    let same_unit = |it: &&Taken<'_>| automaton.scope == Scope::Process || it.event.unit == last.event.unit;
    let events: Vec<&Taken<'_>> = events.iter().filter(same_unit).collect();
    let mut found = BTreeSet::new();
    for binding in all_bindings(automaton, &events, facts, true) {
        if let Ok(run) = run(automaton, &events, &binding, facts) {
            let known = binding.iter().enumerate().filter(|(_, value)| **value != Value::Absent);
            if run.covered == known.fold(0, |mask, (param, _)| mask | 1 << param) {
                found.extend(run.emitted_last);
            }
        }
    }
    found
}

fn verdicts(
    automaton: &Automaton,
    trace: &[Taken<'_>],
    ends: &BTreeMap<UnitId, UnitEnd>,
    facts: &dyn Facts,
) -> Verdicts {
    let mut units: BTreeMap<UnitId, Vec<&Taken<'_>>> = match automaton.scope {
        Scope::Process => BTreeMap::from([(UnitId::PROCESS, Vec::new())]),
        Scope::Test => ends.keys().map(|unit| (*unit, Vec::new())).collect(),
    };
    let concerns =
        |it: &&Taken<'_>| it.with_facts(facts, |event, facts| plan_of(automaton, event, facts).is_some());
    for taken in trace.iter().filter(concerns) {
        let unit = if automaton.scope == Scope::Process { UnitId::PROCESS } else { taken.event.unit };
        units.entry(unit).or_default().push(taken);
    }
    let (mut now, mut later) = (Vec::new(), Vec::new());
    let mut verdicts = Vec::new();
    let mut fault = None;
    for (unit, events) in &units {
        let complete = ends.get(unit) == Some(&UnitEnd::Complete);
        let (mut bindings, mut violated) = (0, 0);
        for binding in all_bindings(automaton, events, facts, false) {
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
                registers: run.registers,
                at_end,
                witness: witness(&run.moved[..moved]),
            };
            if at_end { later.push(violation) } else { now.push((since.max(run.bad_since), violation)) }
        }
        let exercised =
            events.iter().any(|it| it.with_facts(facts, |event, facts| matched(automaton, event, facts)));
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
            doubt: None,
            witness: Vec::new(),
        });
    }
    now.sort_by_key(|(since, violation)| (violation.unit, *since));
    later.sort_by(|left, right| (left.unit, &left.binding).cmp(&(right.unit, &right.binding)));
    let violations = now.into_iter().map(|(_, violation)| violation).chain(later).collect();
    Verdicts { properties: vec![PropertyVerdict { units: verdicts, fault }], violations }
}

fn matched<F: Facts>(automaton: &Automaton, event: &Event, facts: &F) -> bool {
    let shapes = plan_of(automaton, event, facts).map(|plan| plan.shapes.as_slice()).unwrap_or_default();
    shapes.iter().any(|shape| {
        shape.sources.iter().all(|(_, source)| read(*source, event, facts) != Value::Absent)
            && shape_matches(automaton, shape, event, facts)
    })
}

/// Every way to give each parameter a value that some event of the unit binds it to; with `partial` also none at all.
fn all_bindings(
    automaton: &Automaton,
    events: &[&Taken<'_>],
    facts: &dyn Facts,
    partial: bool,
) -> Vec<Vec<Value>> {
    let mut values: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); automaton.params.len()];
    for taken in events {
        let plan = taken.with_facts(facts, |event, facts| plan_of(automaton, event, facts));
        for shape in plan.iter().flat_map(|plan| &plan.shapes) {
            for (param, source) in &shape.sources {
                values[*param].insert(taken.with_facts(facts, |event, facts| read(*source, event, facts)));
            }
        }
    }
    let mut bindings = vec![Vec::new()];
    for values in values {
        let absent = partial.then_some(Value::Absent);
        let known = values.into_iter().filter(|value| *value != Value::Absent);
        let known: Vec<Value> = absent.into_iter().chain(known).collect();
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
    /// The parameters that are bound by the events that moved it, or by one event that bound them all.
    covered: Mask,
    /// The registers.
    registers: Vec<Value>,
    /// What the last event made it emit.
    emitted_last: Vec<Emitted>,
}

fn run(
    automaton: &Automaton,
    events: &[&Taken<'_>],
    binding: &[Value],
    facts: &dyn Facts,
) -> Result<Run, (Overlap, Event)> {
    let all = automaton.all_params();
    let initial: Vec<Value> = automaton.registers.iter().map(|it| it.initial).collect();
    let mut registers = initial.clone();
    let mut run = Run {
        state: automaton.initial,
        exists_since: None,
        bad_since: 0,
        moved_when_bad: 0,
        moved: Vec::new(),
        covered: 0,
        registers: Vec::new(),
        emitted_last: Vec::new(),
    };
    for (at, taken) in events.iter().enumerate() {
        run.emitted_last.clear();
        let plan = taken.with_facts(facts, |event, facts| plan_of(automaton, event, facts));
        let Some(plan) = plan else { continue };
        taken.with_facts(facts, |event, facts| {
            for shape in &plan.shapes {
                let whole = shape.mask == all && binds(shape, event, binding, facts);
                if whole && shape_matches(automaton, shape, event, facts) {
                    run.covered = all;
                }
            }
            let position = Position { state: run.state, registers: &registers, binding };
            let found = enabled(automaton, plan, position, false, event, facts);
            if let Some(index) = found.map_err(|overlap| (overlap, taken.event))? {
                let transition = &automaton.transitions[index];
                let instance = Instance { registers: &mut registers, binding };
                act(automaton, index, instance, event, facts, &mut run.emitted_last);
                run.covered |= plan.shapes[transition.shape].mask;
                run.state = transition.to;
                run.moved.push(taken.cause);
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
            if run.covered == all && seen && run.exists_since.is_none() {
                run.exists_since = Some(at);
            }
            Ok(())
        })?;
    }
    run.registers = registers;
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
