//! Formulas with whole blocks of quantifiers against the meaning of the language: stepped event by event, decided by tables, and
//! while a unit goes on.
//!
//! `RVCHECK_QUANTIFIER_CASES` is how many pairs of a formula and a trace there are, `RVCHECK_QUANTIFIER_SEED` where the random
//! numbers begin.

#[path = "../kit/mod.rs"]
mod kit;
mod random;
mod sentence;
mod story;

use std::collections::{BTreeMap, BTreeSet};

use rvcheck_event::id::{StringId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_oracles::formulas;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::evaluation::tables::record::Recording;
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::model::formula::{Node, Steps};
use rvcheck_spec::{
    EventSource, FluentSource, Limits, Ltl, Monitor, Outlook, Property, PropertySource, Scope, UnitEnd,
    Verdict, Verdicts, Vocabulary, compile,
};

use random::Random;
use sentence::{Class, sentence};
use story::{Happening, Moment, story};

/// How many traces each formula is tried on.
const TRACES: usize = 6;

const UNITS: [u32; 3] = [0, 1, 2];

fn vocabulary() -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let strings = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let events: [(&str, &[&str]); 5] = [
        ("tick", &[]),
        ("flag", &["n: int", "on: bool"]),
        ("say", &["what: str", "n: int"]),
        ("put", &["it: any"]),
        ("pair", &["n: int", "m: int"]),
    ];
    for (name, params) in events {
        let source = EventSource { name: name.to_owned(), params: strings(params) };
        assert_eq!(vocabulary.declare_event(&source), []);
    }
    let fluents: [(&str, &[&str], &str, &str); 2] = [
        ("up", &["n: int"], "event flag(n, true)", "event flag(n, false)"),
        ("said", &["s: str", "n: int"], "event say(s, n)", "event pair(n, _)"),
    ];
    for (name, params, from, to) in fluents {
        let source = FluentSource {
            name: name.to_owned(),
            params: strings(params),
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
        };
        assert_eq!(vocabulary.declare_fluent(&source), []);
    }
    vocabulary
}

fn formula(text: &str, process: bool, slice: bool, vocabulary: &Vocabulary) -> Option<Ltl> {
    let source = PropertySource {
        scope: process.then(|| "process".to_owned()),
        steps: slice.then(|| "slice".to_owned()),
        ..kit::source(text)
    };
    match compile(&source, vocabulary) {
        (Some(Property::Ltl(ltl)), _) => Some(ltl),
        _ => None,
    }
}

/// `die` says that objects die after the last event that speaks of them.
fn monitored(ltl: &Ltl, trace: &[Happening], moment: &mut Moment, options: Options, die: bool) -> Verdicts {
    let last = if die { last_uses(trace) } else { BTreeMap::new() };
    let mut monitor = Monitor::with(vec![ltl.clone()], Limits::DEFAULT, options);
    for (at, (event, arguments)) in trace.iter().enumerate() {
        moment.arguments.clone_from(arguments);
        monitor.step(event, moment);
        monitor.collect(last.iter().filter(|(_, end)| **end == at).map(|(object, _)| *object));
    }
    for unit in UNITS {
        monitor.end_of_unit(UnitId(unit), UnitEnd::Complete);
    }
    monitor.finish(moment)
}

/// By object the last event that speaks of it.
fn last_uses(trace: &[Happening]) -> BTreeMap<(Sort, u32), usize> {
    let mut last = BTreeMap::new();
    for (at, (event, own)) in trace.iter().enumerate() {
        let thread = Value::Object(Sort::Thread, event.thread.0);
        let built_in = (0..event.kind.signature().params.len()).map(|it| event.argument(it));
        for value in built_in.chain(own.iter().copied()).chain([thread]) {
            if let Value::Object(sort, id) = value {
                last.insert((sort, id), at);
            }
        }
    }
    last
}

fn recorded(ltl: &Ltl, trace: &[Happening], moment: &mut Moment) -> Recording {
    let mut recording = Recording::new([ltl], usize::MAX);
    for (event, arguments) in trace {
        moment.arguments.clone_from(arguments);
        recording.push(event, moment);
    }
    recording
}

fn view_of<'a>(ltl: &Ltl, recording: &'a Recording, unit: u32, moment: &'a Moment) -> View<'a> {
    let all = recording.positions().iter();
    let of_unit = all.filter(|it| ltl.scope == Scope::Process || it.event.unit == UnitId(unit));
    View::new(ltl, of_unit.collect(), moment)
}

/// By unit whether it satisfies the formula, by the meaning.
fn meant(ltl: &Ltl, trace: &[Happening], moment: &mut Moment) -> BTreeMap<UnitId, bool> {
    let recording = recorded(ltl, trace, moment);
    let process = ltl.scope == Scope::Process;
    let of_unit = |unit: u32| formulas::satisfies(ltl, &view_of(ltl, &recording, unit, moment));
    let units = if process { &UNITS[..1] } else { &UNITS[1..] };
    units.iter().map(|unit| (UnitId(*unit), of_unit(*unit))).collect()
}

/// What has to be the same however a formula is decided: by unit the verdict, and the counts.
fn counts(verdicts: &Verdicts) -> Vec<(UnitId, Verdict, u64, u64, u64, bool)> {
    let units = verdicts.properties[0].units.iter();
    units
        .map(|it| (it.unit, it.verdict, it.bindings, it.violated, it.bindings_exercised, it.exercised))
        .collect()
}

/// The bindings that were reported. A text is one value, however it is kept.
fn broken(verdicts: &Verdicts, moment: &Moment) -> BTreeSet<(UnitId, Vec<String>)> {
    let shown = |value: &Value| match value {
        Value::Str(text) => format!("{:?}", moment.names.text(*text)),
        Value::Symbol(text) => format!("{text:?}"),
        other => format!("{other:?}"),
    };
    verdicts.violations.iter().map(|it| (it.unit, it.binding.iter().map(shown).collect())).collect()
}

/// The first thing in which the engine differs from the meaning, or from itself.
fn difference(ltl: &Ltl, trace: &[Happening], moment: &mut Moment) -> Option<String> {
    let found = monitored(ltl, trace, moment, Options::ALL, false);
    if let Some(fault) = &found.properties[0].fault {
        return Some(format!("{fault:?}"));
    }
    let meant = meant(ltl, trace, moment);
    for (unit, holds) in meant {
        let verdict = found.properties[0].units.iter().find(|it| it.unit == unit).map(|it| it.verdict);
        if (verdict != Some(Verdict::Violated)) != holds {
            return Some(format!("{unit:?} holds: {holds}, and the verdict is {verdict:?}"));
        }
    }
    let plain = Options { index: false, rejoin: false, watch: false, minimal: false, ..Options::ALL };
    let others = [(Options { step: false, ..Options::ALL }, false), (plain, false), (Options::ALL, true)];
    for (options, die) in others {
        let other = monitored(ltl, trace, moment, options, die);
        if counts(&found) != counts(&other) {
            return Some(format!("{:?} and with {options:?} {:?}", counts(&found), counts(&other)));
        }
        if broken(&found, moment) != broken(&other, moment) {
            return Some(format!(
                "{:?} and with {options:?} {:?}",
                broken(&found, moment),
                broken(&other, moment)
            ));
        }
    }
    wrong_witness(ltl, trace, moment, &found).or_else(|| certainty(ltl, trace, moment))
}

/// A witness of a leading `exists` for which the rest of the formula does not hold.
fn wrong_witness(ltl: &Ltl, trace: &[Happening], moment: &mut Moment, verdicts: &Verdicts) -> Option<String> {
    let recording = recorded(ltl, trace, moment);
    for unit in verdicts.properties[0].units.iter().filter(|it| !it.witness.is_empty()) {
        let view = view_of(ltl, &recording, unit.unit.0, moment);
        let mut binding = vec![Value::Absent; ltl.variables.len()];
        binding[..unit.witness.len()].copy_from_slice(&unit.witness);
        // The formula in front of which these quantifiers stand.
        let mut left = unit.witness.len();
        let mut rest = &ltl.formula;
        while let Node::Quantified(it) = rest
            && left > 0
        {
            if it.restriction.as_ref().is_some_and(|it| !view.holds(it, &binding)) {
                return Some(format!("{:?} is no witness: the condition", unit.witness));
            }
            left = left.checked_sub(it.variables.len())?;
            rest = &it.body;
        }
        if ltl.steps == Steps::Trace && !view.is_empty() && !formulas::holds(rest, &view, 0, &mut binding) {
            return Some(format!("{:?} is no witness", unit.witness));
        }
    }
    None
}

/// The first thing that is said of a unit that goes on and is not so in the end.
fn certainty(ltl: &Ltl, trace: &[Happening], moment: &mut Moment) -> Option<String> {
    let mut monitor = Monitor::new(vec![ltl.clone()]);
    let mut certain: BTreeMap<UnitId, bool> = BTreeMap::new();
    for length in 0..=trace.len() {
        if length > 0 {
            let (event, arguments) = &trace[length - 1];
            moment.arguments.clone_from(arguments);
            monitor.step(event, moment);
        }
        for (unit, holds) in meant(ltl, &trace[..length], moment) {
            let now = monitor.outlook(0, unit, moment)?;
            if (now >= Outlook::PresumablyTrue) != holds {
                return Some(format!("{unit:?} after {length} is {now:?}, and holds: {holds}"));
            }
            if certain.get(&unit).is_some_and(|known| *known != holds) {
                return Some(format!("{unit:?} was certain before {length} and changed"));
            }
            if matches!(now, Outlook::True | Outlook::False) {
                certain.insert(unit, holds);
            }
        }
    }
    None
}

/// A part of the trace on which the engine differs as well.
fn smaller(ltl: &Ltl, mut trace: Vec<Happening>, moment: &mut Moment) -> Vec<Happening> {
    let mut at = 0;
    while at < trace.len() {
        let mut less = trace.clone();
        less.remove(at);
        if difference(ltl, &less, moment).is_some() {
            trace = less;
            at = 0;
        } else {
            at += 1;
        }
    }
    trace
}

fn shown(trace: &[Happening], moment: &Moment) -> String {
    let lines = trace.iter().map(|(event, arguments)| {
        let own = event.kind == EventKind::User;
        let name = if own { moment.names.text(StringId(event.object)) } else { "" };
        let (task, thread) = (event.task, event.thread);
        format!(
            "{:?} {:?} {name} {task:?} {thread:?} {} {} {arguments:?}",
            event.unit, event.kind, event.object, event.number
        )
    });
    lines.collect::<Vec<_>>().join("\n  ")
}

/// A number from the environment, for longer runs by hand.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

/// How many cases there were.
#[derive(Default, Debug)]
struct Seen {
    cases: u64,
    formulas: u64,
    stepped: u64,
    /// Formulas.
    of_class: BTreeMap<Class, u64>,
    /// Traces without events.
    empty: u64,
    violated: u64,
}

impl Seen {
    fn formula(&mut self, classes: &BTreeSet<Class>, ltl: &Ltl) {
        self.formulas += 1;
        self.stepped += u64::from(Property::from(ltl.clone()).is_decided_at_end().is_none());
        for class in classes {
            *self.of_class.entry(*class).or_default() += 1;
        }
    }

    fn has_all(&self) -> bool {
        let counts = [self.stepped, self.formulas - self.stepped, self.empty, self.violated];
        counts.iter().all(|it| *it > 0) && Class::ALL.iter().all(|it| self.of_class.contains_key(it))
    }
}

#[test]
fn blocks_of_quantifiers_are_decided_as_they_are_meant() {
    let cases = number("RVCHECK_QUANTIFIER_CASES", 600);
    let mut random = Random(number("RVCHECK_QUANTIFIER_SEED", 1));
    let vocabulary = vocabulary();
    let mut seen = Seen::default();
    let mut failures = Vec::new();
    while seen.cases < cases && failures.len() < 5 {
        let (text, classes) = sentence(&mut random);
        let (process, slice) = (random.chance(12), random.chance(12));
        let Some(ltl) = formula(&text, process, slice, &vocabulary) else { continue };
        seen.formula(&classes, &ltl);
        for _ in 0..TRACES {
            let mut moment = Moment::default();
            let trace = story(&mut random, &mut moment, 9);
            seen.cases += 1;
            seen.empty += u64::from(trace.is_empty());
            seen.violated += u64::from(meant(&ltl, &trace, &mut moment).values().any(|it| !it));
            if difference(&ltl, &trace, &mut moment).is_none() {
                continue;
            }
            let trace = smaller(&ltl, trace, &mut moment);
            let what = difference(&ltl, &trace, &mut moment).expect("it differed before");
            failures.push(format!(
                "{text} {:?} {:?}\n  {}\n{what}",
                ltl.scope,
                ltl.steps,
                shown(&trace, &moment)
            ));
            break;
        }
    }
    println!("{seen:?}");
    assert!(failures.is_empty(), "{seen:?}\n\n{}", failures.join("\n\n"));
    assert!(seen.has_all(), "a class is missing: {seen:?}");
}

#[test]
fn a_condition_on_outer_variables_alone_makes_a_quantifier_vacuous() {
    // Formula, trace, and whether it is satisfied. `send` has the number 1.
    let cases = [
        ("exists n: int . forall t: task where n >= 2 . F finish(t)", "send 1 7", true),
        ("exists n: int . forall t: task where n >= 1 . F finish(t)", "send 1 7", false),
        ("forall n: int . exists t: task where n >= 2 . G send(t, _, _)", "send 1 7", false),
        ("forall n: int . exists t: task where n < 2 . G send(t, _, _)", "send 1 7", true),
        ("exists n: int . forall t: task where 1 == 2 . F (send(t, _, n) && finish(t))", "send 1 7", true),
        ("forall n: int . exists t: task where 1 == 2 . G send(t, _, n)", "send 1 7", false),
        // Nobody can be a witness where there is nobody.
        ("exists n: int . forall t: task where n >= 2 . F finish(t)", "poll 1", false),
        ("forall n: int . exists t: task where n >= 2 . F finish(t)", "poll 1", true),
    ];
    for (formula, script, satisfied) in cases {
        let (ltl, trace) = (kit::ltl(formula), kit::trace(script));
        assert_eq!(kit::satisfies(&ltl, &trace), satisfied, "{formula} on {script}, by the meaning");
        assert_eq!(kit::monitored(&ltl, &trace), satisfied, "{formula} on {script}");
    }
}
