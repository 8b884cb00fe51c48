//! Temporal logic: formulas are printed as they are read, tables agree with the meaning, and the identities of the page hold.

mod kit;

use std::cell::Cell;

use kit::{event, events, formula, ltl, ltl_of, number_times, recorded, satisfies, source, trace};
use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::{EventKind, TaskKind};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::evaluation::engine;
use rvcheck_spec::evaluation::tables::table::{Tables, Truth};
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::language::formula::parser::parse_formula;
use rvcheck_spec::{
    FluentSource, Limits, Ltl, Monitor, Part, Property, PropertySource, UnitEnd, Verdict, Verdicts,
    Vocabulary, compile,
};

/// What tables say of the trace.
fn tabled(ltl: &Ltl, events: &[Event], open: bool) -> Truth {
    let positions = recorded(ltl, events);
    let world = World::default();
    let view = View::new(ltl, positions.iter().collect(), &world);
    let left = Cell::new(u64::MAX);
    let mut binding = vec![Value::Absent; ltl.variables.len()];
    Tables::new(&view, open, &left).at_start(&ltl.formula, &mut binding).expect("there is no limit")
}

const INTERVALS: [&str; 5] = ["", "", "[0ns,10ns]", "[10ns,30ns]", "[20ns,inf]"];

fn checked(source: &PropertySource, events: &[Event], end: UnitEnd) -> Verdicts {
    let world = World::default();
    let mut monitor = Monitor::new(vec![ltl_of(source)]);
    for event in events {
        monitor.step(event, &world);
    }
    monitor.end_of_unit(UnitId(1), end);
    monitor.finish(&world)
}

#[test]
fn each_construct_means_what_the_page_says() {
    // Formula, traces that satisfy it, traces that do not.
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("acquire(_, _)", &["acquire 1 7"], &["", "release 1 7", "release 1 7; acquire 1 7"]),
        ("X acquire(_, _)", &["poll 1; acquire 1 7"], &["", "acquire 1 7"]),
        ("WX acquire(_, _)", &["", "poll 1", "poll 1; acquire 1 7"], &["poll 1; poll 1"]),
        ("F acquire(_, _)", &["poll 1; acquire 1 7"], &["", "poll 1"]),
        ("G poll(_)", &["", "poll 1; poll 2"], &["poll 1; suspend 1"]),
        // The whole trace has the positions, not only the events that the formula names.
        ("G finish(_)", &["finish 1"], &["poll 1; finish 1"]),
        ("poll(_) U finish(_)", &["finish 1", "poll 1; finish 1"], &["", "poll 1", "start 1; finish 1"]),
        ("poll(_) W finish(_)", &["", "poll 1", "poll 1; finish 1; panic 1"], &["poll 1; panic 1; finish 1"]),
        ("finish(_) R poll(_)", &["", "poll 1; poll 1"], &["poll 1; finish 1"]),
        ("F (finish(_) && Y poll(_))", &["poll 1; finish 1"], &["finish 1", "poll 1; start 1; finish 1"]),
        ("G (finish(_) -> O poll(_))", &["poll 1; start 1; finish 1", ""], &["finish 1; poll 1"]),
        ("G (finish(_) -> H poll(_))", &["poll 1"], &["poll 1; finish 1"]),
        (
            "F (finish(_) && !poll(_) S start(_))",
            &["start 1; panic 1; finish 1"],
            &["start 1; poll 1; finish 1"],
        ),
        (
            "G (request(_, _) -> F[0ns,10ns] acquire(_, _))",
            &["request 1 7; acquire 1 7"],
            &["request 1 7; poll 1; acquire 1 7"],
        ),
        (
            "F (acquire(_, _) && O[20ns,inf] request(_, _))",
            &["request 1 7; poll 1; acquire 1 7"],
            &["request 1 7; acquire 1 7"],
        ),
        ("forall t: task . G (panic(t) -> O start(t))", &["", "start 1; panic 1"], &["start 2; panic 1"]),
        ("exists t: task . F finish(t) && !F panic(t)", &["panic 1; finish 2"], &["", "panic 1; finish 1"]),
        (
            "forall t: task, u: task where t != u . !F (poll(t) && F poll(u))",
            &["poll 1; poll 1"],
            &["poll 1; poll 2"],
        ),
        (
            "forall t: task . G (start(t) -> exists l: lock . F acquire(t, l))",
            &["start 1; acquire 1 7"],
            &["start 1; acquire 2 7"],
        ),
        ("G (acquire(_, _, mode = ::write) -> false)", &["poll 1"], &["acquire 1 7"]),
        (
            "forall n: int . G (send(_, _, n) if (n > 0) -> F recv(_, _, n))",
            &["send 1 7; recv 2 7"],
            &["send 1 7"],
        ),
        ("exists n: int . [n + 1 == 2]", &["send 1 7"], &["poll 1", ""]),
        // A fluent holds at its first event and no more at its last.
        ("forall t: task, l: lock . G (acquire(t, l) -> holds(t, l))", &["acquire 1 7"], &[]),
        ("G !holds(_, _)", &["request 1 7; release 1 7", ""], &["acquire 1 7; release 1 7"]),
        (
            "G (release(_, _) -> !holds(_, _))",
            &["acquire 1 7; release 1 7"],
            &["acquire 1 7; acquire 2 8; release 1 7"],
        ),
        (
            "forall t: task . G (finish(t) -> !exists l: lock . Y holds(t, l))",
            &["acquire 1 7; release 1 7; finish 1"],
            &["acquire 1 7; finish 1"],
        ),
        (
            "F waits(_, _) && G (acquire(_, _) -> !waits(_, _))",
            &["request 1 7; acquire 1 7"],
            &["acquire 1 7", "request 1 7; request 2 7; acquire 1 7"],
        ),
        ("G !running(_)", &["start 1"], &["poll 1"]),
    ];
    for (formula, good, bad) in cases {
        let ltl = ltl(formula);
        for (traces, expected) in [(good, true), (bad, false)] {
            for script in *traces {
                assert_eq!(satisfies(&ltl, &trace(script)), expected, "{formula} on {script:?}");
            }
        }
    }
}

#[test]
fn a_task_is_async_only_if_it_was_spawned_so() {
    let spawned = |kind: TaskKind| {
        let mut events = vec![
            Event { flags: kind as u8, ..event(EventKind::Spawn, 1, 2) },
            event(EventKind::Poll, 2, 0),
            event(EventKind::Block, 2, 0),
        ];
        number_times(&mut events);
        events
    };
    let ltl = ltl("forall t: task . G (block(t) -> !in_async(t))");
    assert!(!satisfies(&ltl, &spawned(TaskKind::Async)));
    assert!(!satisfies(&ltl, &spawned(TaskKind::Local)));
    assert!(satisfies(&ltl, &spawned(TaskKind::Blocking)));
}

#[test]
fn the_main_thread_is_the_one_that_entered_the_runtime() {
    let block_on = rvcheck_event::kind::What::BlockOn as u8;
    let mut events = vec![
        event(EventKind::Poll, 2, 0),
        event(EventKind::Suspend, 2, 0),
        Event { flags: block_on, ..event(EventKind::Block, 1, 0) },
        event(EventKind::Poll, 3, 0),
        Event { flags: block_on, ..event(EventKind::Unblock, 1, 0) },
    ];
    number_times(&mut events);
    assert!(satisfies(&ltl("forall t: task . G (on_main(t) -> O block(_, what = ::block_on))"), &events));
    assert!(satisfies(&ltl("F on_main(_)"), &events));
    assert!(!satisfies(&ltl("F on_main(_)"), &events[..3]));
}

#[test]
fn slices_have_only_the_events_of_their_binding() {
    let formula = "forall t: task . G (poll(t) -> X suspend(t))";
    let events = trace("poll 1; poll 2; suspend 1; suspend 2");
    assert!(!satisfies(&ltl(formula), &events));
    let slice = PropertySource { steps: Some("slice".to_owned()), ..source(formula) };
    assert!(satisfies(&ltl_of(&slice), &events));
    assert_eq!(checked(&slice, &events, UnitEnd::Complete).properties[0].units[0].verdict, Verdict::Held);
}

#[test]
fn a_declared_fluent_holds_between_its_events() {
    let mut vocabulary = Vocabulary::default();
    let busy = FluentSource {
        name: "busy".to_owned(),
        params: vec!["t: task".to_owned()],
        from: Some("event acquire(t, _)".to_owned()),
        to: Some("event finish(t)".to_owned()),
    };
    assert_eq!(vocabulary.declare_fluent(&busy), []);
    let (property, problems) = compile(&source("forall t: task . G (panic(_) -> !busy(t))"), &vocabulary);
    assert_eq!(problems, []);
    let Some(Property::Ltl(ltl)) = property else { panic!("it is a formula") };
    assert!(!satisfies(&ltl, &trace("acquire 1 7; panic 2")));
    assert!(satisfies(&ltl, &trace("acquire 1 7; finish 1; panic 2")));
    // What is wrong with a declaration points into its strings.
    let cases = [
        (FluentSource { name: "holds".to_owned(), ..busy.clone() }, Part::FluentName),
        (
            FluentSource { name: "other".to_owned(), params: vec!["t: tsk".to_owned()], ..busy.clone() },
            Part::FluentParam(0),
        ),
        (
            FluentSource { name: "other".to_owned(), from: Some("G panic(t)".to_owned()), ..busy.clone() },
            Part::FluentFrom,
        ),
        (
            FluentSource { name: "other".to_owned(), from: Some("panic(_)".to_owned()), ..busy.clone() },
            Part::FluentFrom,
        ),
        (FluentSource { name: "other".to_owned(), to: Some("finish(u)".to_owned()), ..busy }, Part::FluentTo),
    ];
    for (wrong, part) in cases {
        let problems = vocabulary.declare_fluent(&wrong);
        assert_eq!(problems.first().map(|it| it.part), Some(part), "{problems:?}");
    }
}

#[test]
fn an_error_in_a_formula_names_its_word() {
    // Formula, the word, the message, words of the help.
    let cases = [
        ("F panik(_)", "panik", "unknown event or fluent `panik`", "`panic`"),
        ("F event holds(_, _)", "holds", "unknown event `holds`", ""),
        ("F panic(t)", "t", "unbound variable `t`", "forall t"),
        ("forall task1: task . F panic(task)", "task", "unbound variable `task`", "`task1`"),
        ("forall l: lock . F panic(l)", "l", "`t` is of sort `task`, this of sort `lock`", ""),
        ("forall l: lokc . F acquire(_, l)", "lokc", "unknown sort `lokc`", "`lock`"),
        ("forall t: task . F panic(_)", "t", "the variable `t` is not used", "leave it out"),
        ("forall t: task . (F panic(t)) && exists t: task . F poll(t)", "t", "`t` is bound here already", ""),
        ("F panic(_, _)", "_", "`panic` has only 1 arguments", ""),
        ("F holds(_, _, _)", "_", "`holds` has only 2 arguments", ""),
        ("F acquire(_, _, mod = ::read)", "mod", "`acquire` has no attribute `mod`", "`mode`"),
        ("F acquire(_, _, mode = ::reed)", "::reed", "`mode` is never `reed`", "`read`"),
        (
            "forall t: task, n: int . F (send(t, _, n) if (t == n))",
            "t == n",
            "`task` cannot be compared with `int`",
            "",
        ),
        (
            "forall n: int . F (send(_, _, n) && [n + 1])",
            "n + 1",
            "expected a value of sort `bool`, found `int`",
            "",
        ),
    ];
    for (formula, word, message, help) in cases {
        let (property, problems) = compile(&source(formula), &Vocabulary::default());
        assert_eq!(property, None, "{formula}");
        assert_eq!(problems.len(), 1, "{formula}: {problems:?}");
        let problem = &problems[0];
        let found = (&formula[problem.span.start..problem.span.end], problem.message.as_str(), problem.part);
        assert_eq!(found, (word, message, Part::Formula), "{formula}");
        assert!(problem.help.clone().unwrap_or_default().contains(help), "{formula}: {problem:?}");
    }
    let slice = |formula: &str| PropertySource { steps: Some("slice".to_owned()), ..source(formula) };
    let (_, problems) = compile(&slice("G (poll(_) -> X exists t: task . poll(t))"), &Vocabulary::default());
    assert!(problems[0].message.starts_with("`X` has no meaning in slices"), "{problems:?}");
    let message =
        PropertySource { message: Some("{u} ends".to_owned()), ..source("forall t: task . F finish(t)") };
    assert_eq!(compile(&message, &Vocabulary::default()).1[0].part, Part::Message);
    let foreign = PropertySource { bad: vec!["x".to_owned()], ..source("true") };
    assert_eq!(
        compile(&foreign, &Vocabulary::default()).1[0].message,
        "`bad` belongs to the logic `automaton`"
    );
    let missing = PropertySource { formula: None, ..source("") };
    assert_eq!(compile(&missing, &Vocabulary::default()).1[0].message, "the key `formula` is missing");
}

#[test]
fn a_violation_names_its_binding_and_where_it_arose() {
    let lost = source("forall t: task, l: lock . G (request(t, l) -> F acquire(t, l))");
    let verdicts =
        checked(&lost, &trace("request 1 7; request 2 8; acquire 1 7; finish 2"), UnitEnd::Complete);
    let unit = &verdicts.properties[0].units[0];
    assert_eq!(
        (unit.verdict, unit.bindings, unit.bindings_exercised, unit.violated),
        (Verdict::Violated, 4, 2, 1)
    );
    assert_eq!(verdicts.violations.len(), 1);
    let violation = &verdicts.violations[0];
    let shown: Vec<_> = violation.witness.iter().map(|it| (it.kind, it.task.0)).collect();
    assert_eq!(shown, [(EventKind::Request, 2)]);
    assert_eq!(violation.binding.len(), 2);
}

#[test]
fn a_formula_that_is_decided_at_the_end_is_broken_where_its_last_way_out_fails() {
    // An interval, so that the formula is not stepped, and the tasks of the events that its violation tells.
    let cases: [(&str, &[u32]); 4] = [
        ("G[0ns,inf] !panic(_) || G !poll(_)", &[1, 2]),
        ("(!panic(_)) W[0ns,inf] acquire(_, _)", &[2]),
        ("G[0ns,inf] !panic(_)", &[2]),
        ("F[0ns,inf] acquire(_, _) || G !poll(_)", &[1]),
    ];
    for (formula, expected) in cases {
        let verdicts =
            checked(&source(formula), &trace("start 3; poll 1; panic 2; finish 3"), UnitEnd::Complete);
        let tasks: Vec<u32> = verdicts.violations[0].witness.iter().map(|it| it.task.0).collect();
        assert_eq!(tasks, expected, "{formula}");
    }
}

#[test]
fn a_unit_that_was_cut_is_violated_only_by_what_nothing_can_mend() {
    let cut = |formula: &str, script: &str| {
        checked(&source(formula), &trace(script), UnitEnd::Cut).properties[0].units[0].verdict
    };
    assert_eq!(cut("forall t: task . G !panic(t)", "panic 1"), Verdict::Violated);
    assert_eq!(cut("forall t: task . G !panic(t)", "poll 1"), Verdict::Inconclusive);
    assert_eq!(cut("G (start(_) -> F finish(_))", "start 1"), Verdict::Inconclusive);
}

#[test]
fn what_more_events_can_change_is_open() {
    // Formula, trace, and what is known of it while the trace goes on.
    let cases = [
        ("F[0ns,10ns] acquire(_, _)", "poll 1", Truth::Open),
        ("F[0ns,10ns] acquire(_, _)", "poll 1; acquire 1 7", Truth::True),
        ("poll(_) U[10ns,20ns] acquire(_, _)", "poll 1; poll 1", Truth::Open),
        ("poll(_) U[10ns,20ns] acquire(_, _)", "poll 1; finish 1", Truth::False),
        ("G[0ns,10ns] poll(_)", "poll 1", Truth::Open),
        ("G[0ns,10ns] poll(_)", "poll 1; finish 1", Truth::False),
        ("X poll(_)", "poll 1", Truth::Open),
        ("WX poll(_)", "poll 1", Truth::Open),
        ("Y poll(_)", "poll 1", Truth::False),
        ("exists t: task . finish(t)", "poll 1", Truth::Open),
        ("forall t: task . poll(t)", "poll 1", Truth::Open),
        ("forall t: task . finish(t)", "poll 1", Truth::False),
    ];
    for (formula, script, expected) in cases {
        assert_eq!(tabled(&ltl(formula), &trace(script), true), expected, "{formula} on {script}");
    }
}

#[test]
fn bindings_of_which_no_event_speaks_are_judged_by_their_conditions() {
    let formula = "forall t: task, l: lock . [t == t] -> F acquire(t, l)";
    let restricted = "forall t: task, u: task . F (poll(t) || exists v: task where v == u . poll(v))";
    let (events, calm) = (trace("acquire 1 7; acquire 2 8"), trace("start 1; start 2; start 3"));
    for (formula, events, violated) in [(formula, &events, 2), (restricted, &calm, 9)] {
        let verdicts = checked(&source(formula), events, UnitEnd::Complete);
        assert_eq!(verdicts.properties[0].units[0].violated, violated, "{formula}");
    }
}

#[test]
fn a_formula_that_speaks_of_nothing_that_happened_was_not_exercised() {
    let verdict = |formula: &str| {
        checked(&source(formula), &trace("poll 1"), UnitEnd::Complete).properties[0].units[0].verdict
    };
    assert_eq!(verdict("forall t: task . G !panic(t)"), Verdict::NotExercised);
    assert_eq!(verdict("forall t: task . G !finish(t) || poll(t)"), Verdict::Held);
}

#[test]
fn a_monitor_that_reaches_a_limit_says_which() {
    let ltl = ltl("forall t: task, u: task . G (poll(t) -> F poll(u))");
    let events = trace(&"poll 1; poll 2;".repeat(20));
    let fault = |limits: Limits| {
        let mut monitor =
            Monitor::with(vec![ltl.clone()], limits, engine::Options { step: false, ..engine::Options::ALL });
        for event in &events {
            monitor.step(event, &World::default());
        }
        monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
        let verdicts = monitor.finish(&World::default());
        assert!(verdicts.properties[0].units.iter().all(|it| it.verdict == Verdict::Inconclusive));
        verdicts.properties[0].fault.clone()
    };
    let work = fault(Limits { work: 100, ..Limits::DEFAULT });
    assert_eq!(work, Some(rvcheck_spec::Fault::Work { limit: 100 }));
    let kept = fault(Limits { events: 39, ..Limits::DEFAULT });
    assert_eq!(kept, Some(rvcheck_spec::Fault::Events { limit: 39 }));
}

/// A random formula without quantifiers inside quantifiers, under the variables that it uses.
fn property() -> impl Strategy<Value = Ltl> {
    let prefixes =
        ["forall t: task, u: task, l: lock . ", "exists t: task . forall u: task, l: lock where t != u . "];
    (prop::sample::select(prefixes.to_vec()), formula(&INTERVALS)).prop_filter_map(
        "names clash",
        |(prefix, body)| {
            // All of them are used.
            let text = format!("{prefix}([t == u] || true) && (acquire(_, l) || true) && ({body})");
            match compile(&source(&text), &Vocabulary::default()) {
                (Some(Property::Ltl(ltl)), _) => Some(ltl),
                _ => None,
            }
        },
    )
}

/// The tree without its places.
fn without_places(text: &str) -> String {
    let (formula, problems) = parse_formula(text, Part::Formula);
    assert_eq!(problems, [], "{text}");
    let shown = format!("{formula:?}");
    let mut out = String::new();
    for piece in shown.split("Span {") {
        out.push_str(if out.is_empty() { piece } else { piece.split_once('}').map_or("", |(_, rest)| rest) });
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_as_the_same_tree(text in formula(&INTERVALS)) {
        let printed = parse_formula(&text, Part::Formula).0.to_string();
        prop_assert_eq!(without_places(&printed), without_places(&text), "{}", printed);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-zGFXU()\\[\\]{}.,:=<>!&|0-9 \"_+*-]{0,60}") {
        let (_, problems) = parse_formula(&text, Part::Formula);
        for problem in problems {
            prop_assert!(problem.span.start <= problem.span.end && problem.span.end <= text.len());
        }
        let _ = compile(&source(&text), &Vocabulary::default());
    }

    #[test]
    fn tables_agree_with_the_meaning(ltl in property(), events in events(12)) {
        let expected = satisfies(&ltl, &events);
        prop_assert_eq!(tabled(&ltl, &events, false), Truth::of(expected));
        let verdicts = {
            let mut monitor = Monitor::new(vec![ltl.clone()]);
            for event in &events {
                monitor.step(event, &World::default());
            }
            monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
            monitor.finish(&World::default())
        };
        let violated = verdicts.properties[0].units[0].verdict == Verdict::Violated;
        prop_assert_eq!(violated, !expected);
    }

    #[test]
    fn what_is_decided_before_the_end_stays_so(ltl in property(), events in events(8), more in events(6)) {
        let early = tabled(&ltl, &events, true);
        let mut longer = events.clone();
        longer.extend(more);
        number_times(&mut longer);
        if early != Truth::Open {
            prop_assert_eq!(Truth::of(satisfies(&ltl, &events)), early);
            prop_assert_eq!(Truth::of(satisfies(&ltl, &longer)), early);
        }
    }

    #[test]
    fn the_identities_of_the_page_hold(a in formula(&INTERVALS), b in formula(&INTERVALS), events in events(9)) {
        let value = |body: &str| {
            let text = format!("forall t: task, u: task, l: lock . ([t == u] || true) && (acquire(_, l) || true) && ({body})");
            match compile(&source(&text), &Vocabulary::default()) {
                (Some(Property::Ltl(ltl)), _) => Some(satisfies(&ltl, &events)),
                _ => None,
            }
        };
        let same = |left: String, right: String| (value(&left), value(&right), left, right);
        for (left, right, one, other) in [
            same(format!("F ({a})"), format!("true U ({a})")),
            same(format!("G ({a})"), format!("!F !({a})")),
            same(format!("({a}) W ({b})"), format!("(({a}) U ({b})) || G ({a})")),
            same(format!("({a}) R ({b})"), format!("!(!({a}) U !({b}))")),
            same(format!("WX ({a})"), format!("!X !({a}) || !true")),
            same(format!("F O ({a})"), format!("F (true S ({a}))")),
            same(format!("G H ({a})"), format!("G !O !({a})")),
        ] {
            // On the empty trace `X` and `WX` are both as the page says, and dual.
            prop_assert_eq!(left, right, "{} and {}", one, other);
        }
    }

    #[test]
    fn the_past_is_the_future_of_the_reversed_trace(events in events(10), which in 0..4_usize) {
        // At the last position of a trace, and at the first of the reversed one.
        let (past, future) = [
            ("O acquire(_, _)", "F acquire(_, _)"),
            ("H poll(_)", "G poll(_)"),
            ("poll(_) S acquire(_, _)", "poll(_) U acquire(_, _)"),
            ("Y suspend(_)", "X suspend(_)"),
        ][which];
        let mut reversed: Vec<Event> = events.iter().rev().copied().collect();
        number_times(&mut reversed);
        let at_last = satisfies(&ltl(&format!("F (!X true && ({past}))")), &events);
        prop_assert_eq!(at_last, satisfies(&ltl(future), &reversed) && !events.is_empty());
    }
}
