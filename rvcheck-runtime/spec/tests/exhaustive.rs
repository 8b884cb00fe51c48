//! All short traces over small alphabets: properties of each shape, stepped, against the meaning of formulas and the reference
//! for automata.

mod kit;

use std::collections::BTreeMap;

use kit::{ltl_of, recorded, source, trace};
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::world::World;
use rvcheck_oracles::{automata, formulas};
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::{
    Automaton, Limits, Ltl, Monitor, Outlook, Property, PropertySource, UnitEnd, Verdict, Verdicts,
    compile_automaton,
};

/// How long the traces are at most.
const LENGTH: usize = 4;

const PLAIN: Options = Options { index: false, watch: false, minimal: false, rejoin: false, ..Options::ALL };

/// Formulas by the shape of what they bind, each with the events that its traces consist of.
const FORMULAS: &[(&str, &str)] = &[
    // No variables; with the future, with the past, and to be told by the first events.
    ("G (acquire(_, _) -> F release(_, _))", "acquire 1 1; acquire 2 2; release 1 1; poll 1"),
    ("G (release(_, _) -> O acquire(_, _))", "acquire 1 1; release 1 1; poll 1"),
    ("poll(_) W finish(_)", "poll 1; poll 2; finish 1; start 1"),
    ("X X poll(_) || WX finish(_)", "poll 1; finish 1; start 1"),
    // Each event binds everything.
    (
        "forall l: lock . G (request(_, l) -> F acquire(_, l))",
        "request 1 1; request 1 2; acquire 1 1; acquire 2 2; poll 1",
    ),
    ("exists t: task . G (poll(t) -> X finish(t))", "poll 1; poll 2; finish 1; finish 2"),
    // Each event binds everything in two ways.
    (
        "forall t: task, u: task where t != u . G (join(t, u) -> G !join(u, t))",
        "join 1 2; join 2 1; join 1 1; join 1 3; join 3 1",
    ),
    // Events bind a part.
    (
        "forall t: task, l: lock . G (acquire(t, l) -> G !finish(t))",
        "acquire 1 1; acquire 1 2; acquire 2 1; finish 1; finish 2",
    ),
    (
        "forall t: task, l: lock . G (finish(t) -> G !release(_, l)) || F poll(t)",
        "finish 1; finish 2; release 1 1; release 2 2; poll 1",
    ),
    // What is live is asked for values that are no parameters.
    (
        "forall t: task . G (finish(t) -> !holds(t, _))",
        "acquire 1 1; acquire 1 2; release 1 1; finish 1; release 1 2",
    ),
    (
        "forall t: task . F (holds(t, _) && running(_))",
        "acquire 1 1; release 1 1; poll 2; suspend 2; acquire 2 2",
    ),
    // Events that concern no binding matter.
    ("forall t: task . G (poll(t) -> X X finish(_))", "poll 1; poll 2; finish 1; start 1"),
    ("forall t: task . WX (poll(t) || X acquire(t, _))", "poll 1; poll 2; acquire 1 1; acquire 2 1"),
    // Quantifiers of both kinds, and restrictions.
    (
        "forall t: task . exists u: task where t != u . G !poll(t) || F finish(u)",
        "poll 1; poll 2; finish 1; finish 2; finish 3",
    ),
    ("exists t: task . forall l: lock . G !acquire(t, l)", "acquire 1 1; acquire 1 2; acquire 2 1; poll 3"),
    ("exists t: task, u: task where t != u . poll(t) && F finish(u)", "poll 1; poll 2; finish 1; finish 2"),
    // Four variables, and alternatives that do not share all of them.
    (
        "forall t: task, u: task, a: lock, b: lock where t != u && a != b .
            G !(acquire(t, b) && holds(t, a)) || G !(acquire(u, a) && holds(u, b))",
        "acquire 1 1; acquire 1 2; acquire 2 1; acquire 2 2; release 1 1; release 2 2",
    ),
    (
        "forall a: lock, b: lock where a != b . (forall t: task . G !(acquire(t, b) && holds(t, a))) ||
            (forall u: task . G !(acquire(u, a) && holds(u, b)))",
        "acquire 1 1; acquire 1 2; acquire 2 1; acquire 2 2; release 1 1",
    ),
];

/// A formula over the traces that begin with some events.
struct Descent<'a> {
    ltl: &'a Ltl,
    alphabet: &'a [Event],
    options: &'a [Options],
    traces: usize,
}

impl Descent<'_> {
    fn holds(&self, events: &[Event]) -> bool {
        let (positions, world) = (recorded(self.ltl, events), World::default());
        formulas::satisfies(self.ltl, &View::new(self.ltl, positions.iter().collect(), &world))
    }

    /// `certain` is what cannot change any more.
    fn go(&mut self, events: &mut Vec<Event>, monitors: &[Monitor], certain: Option<bool>) {
        self.traces += 1;
        let (holds, world) = (self.holds(events), World::default());
        let mut now = None;
        for (monitor, options) in monitors.iter().zip(self.options) {
            let mut monitor = monitor.clone();
            let outlook = monitor.outlook(0, UnitId(1), &world).expect("nothing stopped it");
            assert_eq!(*now.get_or_insert(outlook), outlook, "{options:?} after {events:?}");
            monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
            let verdicts = monitor.finish(&world);
            let verdict = verdicts.properties[0].units[0].verdict;
            assert_eq!(verdict != Verdict::Violated, holds, "{options:?} after {events:?}");
        }
        let now = now.expect("there are options");
        assert_eq!(now >= Outlook::PresumablyTrue, holds, "after {events:?}");
        assert!(certain.is_none_or(|known| known == holds), "it was certain before {events:?}");
        let certain = matches!(now, Outlook::True | Outlook::False).then_some(holds);
        if events.len() == LENGTH {
            return;
        }
        for letter in self.alphabet {
            let event = Event { time: events.len() as u64, ..*letter };
            events.push(event);
            let mut monitors = monitors.to_vec();
            for monitor in &mut monitors {
                monitor.step(&event, &world);
            }
            self.go(events, &monitors, certain);
            events.pop();
        }
    }
}

fn number_of_traces(letters: usize) -> usize {
    (0..=LENGTH).map(|length| letters.pow(length as u32)).sum()
}

fn check(steps: &str, wanted: impl Fn(&str) -> bool) {
    let options = [Options::ALL, PLAIN];
    for (formula, alphabet) in FORMULAS.iter().filter(|(formula, _)| wanted(formula)) {
        let source = PropertySource { steps: Some(steps.to_owned()), ..source(formula) };
        let ltl = ltl_of(&source);
        assert_eq!(Property::from(ltl.clone()).is_decided_at_end(), None, "{formula}");
        let monitors = options.map(|it| Monitor::with(vec![ltl.clone()], Limits::DEFAULT, it));
        let alphabet = trace(alphabet);
        let mut descent = Descent { ltl: &ltl, alphabet: &alphabet, options: &options, traces: 0 };
        descent.go(&mut Vec::new(), &monitors, None);
        assert_eq!(descent.traces, number_of_traces(alphabet.len()));
    }
}

#[test]
fn formulas_of_each_shape_are_decided_as_they_are_meant() {
    check("trace", |_| true);
}

#[test]
fn so_they_are_where_only_events_count_that_they_speak_of() {
    let few_variables = |formula: &str| !formula.contains("lock, b: lock");
    check("slice", |formula| few_variables(formula) && !formula.contains('X'));
}

fn automaton(params: &[&str], transitions: &[&str]) -> Automaton {
    let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let listed = |state: &str| {
        let named = transitions.iter().any(|it| it.ends_with(&format!("> {state}")));
        if named { owned(&[state]) } else { Vec::new() }
    };
    let source = PropertySource {
        id: "p".to_owned(),
        logic: "automaton".to_owned(),
        params: owned(params),
        vars: vec![("n".to_owned(), "0".to_owned())],
        initial: Some("start".to_owned()),
        bad: listed("bad"),
        end_bad: listed("stuck"),
        transitions: owned(transitions),
        ..PropertySource::default()
    };
    let (automaton, problems) = compile_automaton(&source);
    assert_eq!(problems, []);
    automaton.expect("there are no problems")
}

#[test]
fn automata_of_each_shape_run_as_the_reference_does() {
    let cases: &[(&[&str], &[&str], &str)] = &[
        (
            &[],
            &["start -- acquire(_, _) --> stuck", "stuck -- release(_, _) --> start"],
            "acquire 1 1; release 1 1; poll 1",
        ),
        (
            &["l: lock"],
            &[
                "start -- request(_, l) / n = n + 1 --> stuck",
                "stuck -- acquire(_, l) [n < 2] --> start",
                "stuck -- request(_, l) --> bad",
            ],
            "request 1 1; request 1 2; acquire 1 1; acquire 2 2; poll 1",
        ),
        (
            &["t: task", "u: task"],
            &["start -- join(t, u) --> seen", "seen -- join(u, t) --> bad"],
            "join 1 2; join 2 1; join 1 1; join 1 3; join 3 1",
        ),
        (
            &["t: task", "l: lock"],
            &[
                "start -- finish(t) --> over",
                "over -- acquire(t, l) --> bad",
                "start -- release(_, l) --> stuck",
            ],
            "acquire 1 1; acquire 2 1; finish 1; finish 2; release 1 1; release 1 2",
        ),
        (
            &["t: task", "u: task", "l: lock"],
            &[
                "start -- spawn(t, u) --> kept",
                "kept -- acquire(t, l) --> held",
                "held -- acquire(u, l) --> bad",
            ],
            "spawn 1 2; spawn 2 3; acquire 1 1; acquire 2 1; acquire 2 2; acquire 3 2",
        ),
    ];
    let ends = BTreeMap::from([(UnitId(1), UnitEnd::Complete)]);
    let world = World::default();
    for (params, transitions, alphabet) in cases {
        let automaton = automaton(params, transitions);
        let alphabet = trace(alphabet);
        let mut traces: Vec<Vec<Event>> = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..LENGTH {
            let until = traces.len();
            for place in from..until {
                for letter in &alphabet {
                    let mut longer = traces[place].clone();
                    longer.push(Event { time: longer.len() as u64, ..*letter });
                    traces.push(longer);
                }
            }
            from = until;
        }
        assert_eq!(traces.len(), number_of_traces(alphabet.len()));
        for trace in traces {
            let wanted = automata::evaluate(&automaton, &trace, &ends, &world);
            for index in [true, false] {
                let options = Options { index, ..Options::ALL };
                let mut monitor = Monitor::with(vec![automaton.clone()], Limits::DEFAULT, options);
                for event in &trace {
                    monitor.step(event, &world);
                }
                monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
                let found = monitor.finish(&world);
                assert_eq!(found.properties, wanted.properties, "{transitions:?} {trace:?}");
                let of = |it: &Verdicts| {
                    let mut all: Vec<_> = it.violations.iter().map(|it| it.binding.clone()).collect();
                    all.sort();
                    all
                };
                assert_eq!(of(&found), of(&wanted), "{transitions:?} {trace:?}");
            }
        }
    }
}
