//! From a violation to a finding: names, places, level, and what to do next.

use super::context::Moment;
use super::lifestates::text;
use super::monitors::LOST_ERROR;
use super::scene::Scene;
use super::units::{PROCESS, Units};
use crate::analysis::HitLocation;
use crate::finding::{
    CodeLocation, Draft, Finding, Level, Location, NextStep, Proof, Witness, WitnessEvent, finding,
};
use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, StringId, TaskId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_spec::derivation::{Telling, derivation};
use rvcheck_spec::evaluation::lifestate::history::Reason;
use rvcheck_spec::evaluation::lifestate::message::values;
use rvcheck_spec::language::lifestate::Kind;
use rvcheck_spec::message::filled;
use rvcheck_spec::{Automaton, Lifestate, Property, Violation};

/// The call by which a program has had a formula checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Where it is.
    pub(super) site: SiteId,
    /// It asks for what happened before, too.
    pub(super) tail: bool,
}

/// Who demands a property.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin<'a> {
    /// The library.
    Library,
    /// The workspace, which declares it here.
    Workspace(&'a Location),
    /// The program, while it runs.
    Program(Asked),
}

/// The finding that a violation is for people; `None` if there is no place in the user's own source to point at, which happens
/// only to properties of the library.
pub(super) fn finding_of(
    violation: &Violation,
    property: &Property,
    units: &Units<'_>,
    scene: &Scene<'_>,
    origin: Origin<'_>,
) -> Option<Finding> {
    let offence = property.offence(violation)?;
    let parameters = property.parameters();
    let recorded = scene.world.names().unit(violation.unit).map_or("", |id| scene.world.names().text(id));
    let test = units.test(recorded);
    let mut message = filled(offence.message, |name| {
        let index = parameters.iter().position(|it| *it == name)?;
        violation.binding.get(index).map(|value| scene.name(*value))
    });
    if matches!(origin, Origin::Program(asked) if asked.tail) {
        message.push_str(", since the tail");
    }
    // A test may well provoke a panic, or catch one; and who throws one again means to report it.
    let catch = caught(violation, scene);
    let provoked = catch.iter().chain(&panicked(violation, scene)).any(|it| it.in_test)
        || catch.is_none() && is_panic_of_a_test(violation, scene)
        || is_thrown_again(violation, scene);
    let draft = Draft {
        property: property.id().to_owned(),
        level: if provoked { Level::Note } else { level(offence.level) },
        proof: Proof::Observed,
        message,
        test: test.map_or_else(|| PROCESS.to_owned(), |test| units.name(test)),
        witness: witness(violation, property, offence.state, scene),
        next: NextStep {
            advice: property.presentation().next.clone().unwrap_or_default(),
            command: units.again(test),
        },
    };
    let (mut candidates, mut related) = places(violation, property, scene);
    related.extend(catch);
    let started = tasks(violation).next().and_then(|it| scene.started(it));
    let is_given_out = is_detached(violation) && started.is_some_and(|it| it.is_given_out);
    let draft = if is_given_out { in_hands_of_callers(draft) } else { draft };
    let speaks = draft.property == LOST_ERROR && started.is_some_and(|it| it.speaks) && returns(violation);
    let draft = if speaks { checked_before(draft) } else { draft };
    if let Some(by) = started.and_then(|it| it.by.as_ref()) {
        let through = spawned_by(by, violation, scene, candidates.iter_mut().chain(&mut related));
        related.extend(through);
    }
    match origin {
        Origin::Library => return finding(draft, &candidates, &related),
        Origin::Workspace(definition) => {
            candidates.push(CodeLocation { location: definition.clone(), own: true, in_test: false });
        }
        Origin::Program(asked) => {
            let label = if asked.tail { "checked since the tail" } else { "checked from here on" };
            let place = scene.compiled_site(asked.site).map(|at| scene.sources.place(at, label));
            candidates.extend(place.clone());
            related.extend(place);
        }
    }
    // The author of a property decides how bad it is, also in tests.
    finding(draft, &candidates, &related).map(|it| Finding { level: level(offence.level), ..it })
}

/// Whether somebody has dropped the handle of a task.
fn is_detached(violation: &Violation) -> bool {
    violation.witness.iter().any(|it| it.kind == EventKind::Detach)
}

/// The handle is returned to whoever calls the library, and it is for them to decide what they do with it.
fn in_hands_of_callers(draft: Draft) -> Draft {
    let message = format!("{}, by a caller that may do without it", draft.message);
    Draft { level: draft.level.min(Level::Note), message, ..draft }
}

/// Whether what was lost is an error that a task returned.
fn returns(violation: &Violation) -> bool {
    violation.witness.iter().any(|it| it.kind == EventKind::Finish)
}

/// The task has looked at its error, and may have told somebody.
fn checked_before(draft: Draft) -> Draft {
    let message = format!("{}; it had checked the error itself before", draft.message);
    Draft { level: draft.level.min(Level::Note), message, ..draft }
}

/// Says of places that a task was spawned by its caller, where that is a function that spawns what it is given; and where that does it.
fn spawned_by<'p>(
    by: &HitLocation,
    violation: &Violation,
    scene: &Scene<'_>,
    places: impl Iterator<Item = &'p mut CodeLocation>,
) -> Option<CodeLocation> {
    let site = scene.spawned_at(tasks(violation).next()?);
    let through = scene.sources.place(scene.compiled_site(site)?, "which spawns what it is given here");
    let is_it = |it: &Location| {
        (&it.file, it.line, it.column)
            == (&through.location.file, through.location.line, through.location.column)
    };
    for place in places.filter(|it| is_it(&it.location)) {
        let label = std::mem::take(&mut place.location.label);
        place.location = Location { label, ..by.location.clone() };
        place.in_test = by.in_test;
    }
    Some(through)
}

/// Where the panic arose that led here, if there was one.
fn panicked(violation: &Violation, scene: &Scene<'_>) -> Option<CodeLocation> {
    let panic = violation.witness.iter().rev().find(|it| it.kind == EventKind::Panic)?;
    Some(scene.sources.place(scene.compiled_site(panic.site)?, ""))
}

/// Whether what was caught here may have been thrown again: `resume_unwind` tells no place, and neither does a panic of a dependency.
fn is_thrown_again(violation: &Violation, scene: &Scene<'_>) -> bool {
    let panic = violation.witness.iter().rev().find(|it| it.kind == EventKind::Panic);
    panic.is_some_and(|it| it.flags & flag::CAUGHT != 0 && scene.compiled_site(it.site).is_none())
}

/// Whether the panic that led here arose in a test's own task and was caught by nobody who is seen. Then code of another crate has caught
/// it, such as the future of `catch_unwind` of `futures`, and it is the test that has called that, where nothing else does.
fn is_panic_of_a_test(violation: &Violation, scene: &Scene<'_>) -> bool {
    let panic = violation.witness.iter().rev().find(|it| it.kind == EventKind::Panic);
    panic.is_some_and(|it| it.flags & flag::CAUGHT != 0 && scene.is_test(it.task))
        && !scene.sources.calls_outside_tests("catch_unwind")
}

/// Where the program caught the panic that led here, if that is in the user's own source.
fn caught(violation: &Violation, scene: &Scene<'_>) -> Option<CodeLocation> {
    let site = violation.witness.iter().rev().find_map(Event::caught_at)?;
    Some(scene.sources.place(scene.compiled_site(site)?, "and caught here")).filter(|it| it.own)
}

/// The level of the property language as a finding has it.
pub(super) const fn level(level: rvcheck_spec::Level) -> Level {
    match level {
        rvcheck_spec::Level::Note => Level::Note,
        rvcheck_spec::Level::Warning => Level::Warning,
        rvcheck_spec::Level::Error => Level::Error,
    }
}

/// The places that may be the primary one, the best first, and those to name beside it.
fn places(
    violation: &Violation,
    property: &Property,
    scene: &Scene<'_>,
) -> (Vec<CodeLocation>, Vec<CodeLocation>) {
    let shown = property.presentation();
    let place = |site: SiteId, event: Option<&str>| {
        let label = event.and_then(|event| shown.label(event)).unwrap_or("");
        scene.compiled_site(site).map(|at| scene.sources.place(at, label))
    };
    // The latest event of a name is the one that a person would ask for first, in the function of the primary place if there is
    // one. A spawn is known to the world even where it moved nothing.
    let named = |name: &String, near: Option<SiteId>| {
        let seen = violation.witness.iter().rev().filter(|event| scene.event(event) == *name);
        let is_spawn = name == EventKind::Spawn.signature().name;
        let spawns = tasks(violation).map(|task| scene.spawned_at(task)).filter(|_| is_spawn);
        let sites: Vec<SiteId> = seen.map(|event| event.site).chain(spawns.take(1)).collect();
        let beside = near.and_then(|near| sites.iter().find(|site| scene.are_together(near, **site)));
        let site = beside.into_iter().chain(&sites).find(|site| scene.compiled_site(**site).is_some())?;
        Some((*site, place(*site, Some(name))?))
    };
    let first: Vec<(SiteId, CodeLocation)> =
        shown.primary.iter().filter_map(|name| named(name, None)).collect();
    let near = first.first().map(|(site, _)| *site);
    let mut candidates: Vec<CodeLocation> = first.into_iter().map(|(_, place)| place).collect();
    let shown =
        shown.primary.iter().map(|name| (name, None)).chain(shown.related.iter().map(|name| (name, near)));
    let related = shown.filter_map(|(name, near)| Some(named(name, near)?.1)).collect();
    // Where none of these is the user's, whatever else led here is better than nothing.
    let witnessed =
        violation.witness.iter().rev().filter_map(|event| place(event.site, Some(&scene.event(event))));
    let acting = violation.witness.iter().rev().map(|event| event.task);
    let awaits =
        acting.chain(tasks(violation)).filter_map(|task| place(scene.recent.awaited_at(task)?, None));
    candidates.extend(witnessed.chain(awaits));
    let spawn = Some(EventKind::Spawn.signature().name);
    candidates.extend(tasks(violation).filter_map(|task| place(scene.spawned_at(task), spawn)));
    // Where nothing says where it was, its trace is the place to look at.
    candidates.extend(scene.sources.of_trace());
    (candidates, related)
}

/// The tasks that the violation is about.
fn tasks(violation: &Violation) -> impl Iterator<Item = TaskId> + '_ {
    violation.binding.iter().rev().filter_map(|value| match value {
        Value::Object(Sort::Task, id) => Some(TaskId(*id)),
        _ => None,
    })
}

/// What the tasks run that the violation is about.
pub(super) fn runs(violation: &Violation, moment: Moment<'_>) -> Vec<StringId> {
    let known = |task| moment.world.task(task).or_else(|| moment.recent.departed(task));
    tasks(violation).filter_map(|it| Some(known(it)?.runs)).collect()
}

/// Why the trace is not a word of the grammar, if the property is one.
fn derived(violation: &Violation, property: &Property, scene: &Scene<'_>) -> Vec<String> {
    if let Property::Lifestate(lifestate) = property {
        return prohibited(violation, lifestate, scene);
    }
    let Property::Automaton(Automaton { grammar: Some(grammar), .. }) = property else { return Vec::new() };
    let telling = Telling {
        name: &|value| scene.name(value),
        event: &|event| scene.event(event),
        arguments: scene.world.arguments(),
        callee: scene.world.callee(),
    };
    derivation(grammar, violation, &telling)
}

/// Why the rules of a lifestate prohibit the last message.
fn prohibited(violation: &Violation, lifestate: &Lifestate, scene: &Scene<'_>) -> Vec<String> {
    let Some(event) = violation.witness.iter().next_back() else { return Vec::new() };
    let message = text::message(event, &values(event, scene.world), scene);
    let refused = scene.event(event).starts_with(Kind::REFUSED);
    let since = violation.witness.iter().next().filter(|_| violation.witness.iter().count() > 1);
    let rule = |it: &Value| if let Value::Int(it) = it { usize::try_from(*it).unwrap_or(0) } else { 0 };
    let reason = match violation.registers[..] {
        [permits, prohibits] => Some(Reason::Inconsistent(rule(&permits), rule(&prohibits))),
        _ if violation.state < lifestate.rules.len() => Some(Reason::Rule(violation.state, since)),
        _ => None,
    };
    let why = reason.map(|it| text::reason(lifestate, it, |event| text::event(event, scene)));
    match (refused, why) {
        (false, Some(why)) => vec![format!("`{message}` is prohibited by {why}")],
        (true, Some(why)) => vec![format!("the library refuses `{message}`, which is prohibited by {why}")],
        (_, None) => {
            let how = text::refusal(event, &values(event, scene.world), scene);
            vec![how.map_or_else(
                || format!("the call is `{message}`"),
                |how| format!("the call is `{message}`: {how}"),
            )]
        }
    }
}

fn witness(violation: &Violation, property: &Property, state: &str, scene: &Scene<'_>) -> Witness {
    let shown = |event: &Event, arguments: &[Value]| WitnessEvent {
        event: scene.event(event),
        task: scene.task(event.task),
        object: object(event).map(|value| scene.name(value)),
        arguments: arguments.iter().map(|value| scene.name(*value)).collect(),
        time: event.time,
        site: scene.position(event.site),
    };
    Witness {
        state: state.to_owned(),
        events: violation.witness.iter().map(|event| shown(event, &[])).collect(),
        omitted: violation.witness.skipped,
        derivation: derived(violation, property, scene),
        tail: scene.tail.iter().map(|it| shown(&it.event, &it.arguments)).collect(),
        locks: Vec::new(),
    }
}

/// What the event was done to, if that is not the task itself.
fn object(event: &Event) -> Option<Value> {
    let value = event.argument(1);
    matches!(value, Value::Object(..)).then_some(value)
}
