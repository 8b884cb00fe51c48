//! Properties: what is compiled can be run over a trace.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::examine::examine;
use rvcheck_spec::graph::Graph;
use rvcheck_spec::{Limits, Monitor, Part, Property, PropertySource, UnitEnd, Vocabulary, compile};

use crate::places::is_in;
use crate::text;

/// Reads a property of lines `key: text` and compiles it. There is a property exactly where nothing is wrong, and stepping
/// it over some events twice gives the same verdicts.
pub fn property(input: &[u8]) {
    let source = source(&text(input));
    let known = Vocabulary::default();
    let (property, problems) = compile(&source, &known);
    assert_eq!((&property, &problems), (&compile(&source, &known).0, &compile(&source, &known).1));
    assert_eq!(property.is_some(), problems.is_empty(), "{source:?}");
    let is_placed = |part: Part| {
        matches!(part, Part::Formula | Part::ViewMessage(_) | Part::Rule(_) | Part::Per(_) | Part::Group)
    };
    for problem in problems.iter().filter(|it| is_placed(it.part)) {
        is_in(source.text(problem.part).unwrap_or_default(), problem.span, &problem.message);
    }
    let Some(property) = property else { return };
    // It takes the automaton of each part of a formula.
    if input.len() < 100 {
        examined(&source, &property);
    }
    let verdicts = || {
        let limits = Limits { instances: 50, work: 20_000, ..Limits::DEFAULT };
        let world = World::default();
        let mut monitor = Monitor::with(vec![property.clone()], limits, Options::ALL);
        for event in events() {
            monitor.step(&event, &world);
        }
        monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
        monitor.finish(&world)
    };
    assert_eq!(verdicts(), verdicts());
}

/// What is odd about a property is so at a place of it, and its automaton can be drawn.
fn examined(source: &PropertySource, property: &Property) {
    let known = examine(source, property);
    assert_eq!(known, examine(source, property));
    for remark in &known.remarks {
        if let (Part::Formula, Some(formula)) = (remark.part, &source.formula) {
            is_in(formula, remark.span, &remark.message);
        }
    }
    let graph = match property {
        Property::Automaton(automaton) => Graph::of_automaton(source, automaton),
        Property::Ltl(ltl) => match &ltl.machine {
            Ok(machine) => Graph::of_machine(ltl, machine),
            Err(_) => return,
        },
        Property::Lifestate(_) | Property::BuiltIn(_) => return,
    };
    assert_eq!(known.states, Some(graph.states.len()));
    assert!(graph.edges.iter().all(|it| it.from.max(it.to) < graph.states.len()), "{graph:?}");
    assert!(graph.dot().ends_with("}\n") && graph.table().starts_with("fuzzed"));
}

/// A property of lines `key: text`. Other lines are formulas.
fn source(text: &str) -> PropertySource {
    let mut source = PropertySource { id: "fuzzed".to_owned(), ..PropertySource::default() };
    for line in text.lines() {
        let (key, value) = line.split_once(':').unwrap_or(("formula", line));
        let value = value.trim_start().to_owned();
        match key {
            "params" => source.params.push(value),
            "vars" => {
                let (name, value) = value.split_once('=').unwrap_or((&value, "0"));
                source.vars.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            "initial" => source.initial = Some(value),
            "bad" => source.bad.push(value),
            "good" => source.good.push(value),
            "end_bad" => source.end_bad.push(value),
            "transitions" => source.transitions.push(value),
            "steps" => source.steps = Some(value),
            "scope" => source.scope = Some(value),
            "level" => source.level = Some(value),
            "message" => source.message = Some(value),
            "group" => source.group = Some(value),
            "per" => source.per.push(value),
            "view" => source.view.push(pair(&value)),
            "rule" => source.grammar.push(pair(&value)),
            "lifestate" => source.rules.push(value),
            "formula" => source.formula = Some(value),
            // Most colons are those of formulas.
            _ => source.formula = Some(line.to_owned()),
        }
    }
    let logic = match &source {
        PropertySource { formula: Some(_), .. } => "ltl",
        it if !it.rules.is_empty() => "lifestate",
        it if !it.view.is_empty() || !it.grammar.is_empty() => "grammar",
        _ => "automaton",
    };
    PropertySource { logic: logic.to_owned(), ..source }
}

/// A name and what it stands for.
fn pair(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (name.trim().to_owned(), value.trim().to_owned())
}

/// Some events of each kind about a few objects.
fn events() -> Vec<Event> {
    let event = |at: u64, kind: EventKind| Event {
        kind,
        flags: (at % 4) as u8,
        thread: ThreadId((at % 2) as u32),
        task: TaskId((1 + at % 3) as u32),
        unit: UnitId(1),
        site: SiteId::NONE,
        object: (1 + at % 4) as u32,
        number: at % 3,
        time: at * 7,
        ns: at,
        cpu: at / 2,
    };
    (0_u64..).zip(EventKind::ALL.iter().chain(EventKind::ALL)).map(|(at, kind)| event(at, *kind)).collect()
}
