//! Networks of communicating automata, as the paper builds them, agree with the meaning of formulas on the paper's fragment; and
//! where the paper says something else, it is known what.

mod kit;

use kit::{ltl, monitored, satisfies, trace, with_view};
use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::kind::EventKind;
use rvcheck_event::world::World;
use rvcheck_oracles::deac::{Configuration, Detection, Network, Outcome, Reached, run, specification};
use rvcheck_spec::Ltl;
use rvcheck_spec::evaluation::tables::view::View;

fn ran(formula: &str, script: &str, detection: Detection) -> Outcome {
    let ltl = ltl(formula);
    let outcome = with_view(&ltl, &trace(script), |view| run(&ltl, view, detection));
    outcome.unwrap_or_else(|| panic!("{formula} is of the fragment"))
}

#[test]
fn the_fragment_is_negations_and_conjunctions_of_safe_formulas_under_one_quantifier() {
    let cases = [
        ("forall t: task . G (poll(t) -> running(t))", true),
        ("forall t: task . poll(t) W finish(t)", true),
        ("forall t: task . finish(t) R running(t)", true),
        ("exists t: task . F poll(t)", true),
        ("!(forall t: task . WX poll(t)) || exists t: task . F (poll(t) && X finish(t))", true),
        ("forall t: task, l: lock where t != t . G !holds(t, l)", true),
        ("forall t: task . forall l: lock . G !holds(t, l)", true),
        ("(forall t: task . G poll(t)) <-> exists t: task . F finish(t)", true),
        ("!(poll(_) U finish(_))", true),
        ("poll(_) U finish(_)", true),
        ("forall t: task . poll(t) U finish(t)", false),
        ("forall t: task . F finish(t)", false),
        ("exists t: task . G poll(t)", false),
        ("G exists t: task . poll(t)", false),
        ("forall t: task . exists l: lock . F holds(t, l)", false),
        ("forall t: task . G[0ns,10ns] poll(t)", false),
        ("forall t: task . G (finish(t) -> O poll(t))", false),
        ("(G poll(_)) U finish(_)", false),
    ];
    for (formula, belongs) in cases {
        assert_eq!(specification(&ltl(formula)).is_some(), belongs, "{formula}");
    }
}

#[test]
fn where_the_paper_reads_a_trace_differently_it_is_by_one_of_four_reasons() {
    use Detection::{Informative, Tight};
    let verdict = |formula: &str, script: &str| satisfies(&ltl(formula), &trace(script));
    // A next position: the paper's trace always has one.
    let strong = "forall t: task . G (finish(t) -> X panic(t))";
    assert!(specification(&ltl(strong)).is_some_and(|it| it.has_strong_next));
    assert!(!verdict(strong, "finish 1"));
    assert_eq!(ran(strong, "finish 1", Informative).reached, Reached::Neither);
    assert!(ran(strong, "finish 1", Informative).at_end);
    // Nothing more is wrong with it than that.
    assert!(verdict(strong, "finish 1; panic 1") && ran(strong, "finish 1; panic 1", Informative).at_end);
    assert!(!verdict(strong, "finish 1; poll 1") && !ran(strong, "finish 1; poll 1", Informative).at_end);
    // What cannot be mended: an infinite trace goes on and is false, the finite one has ended and is true.
    let doomed = "forall t: task . G (finish(t) -> WX (panic(t) && poll(t)))";
    assert!(verdict(doomed, "finish 1"));
    assert_eq!(ran(doomed, "finish 1", Informative).reached, Reached::Neither);
    assert_eq!(ran(doomed, "finish 1", Tight).reached, Reached::Neither);
    assert_eq!(ran("WX false", "finish 1", Informative).reached, Reached::Neither);
    assert_eq!(ran("WX false", "finish 1", Tight).reached, Reached::Bad);
    assert!(verdict("WX false", "finish 1"));
    // The empty trace.
    for (formula, expected) in [("poll(_)", false), ("!poll(_)", true)] {
        assert_eq!(verdict(formula, ""), expected);
        assert_eq!(ran(formula, "", Tight).reached, Reached::Neither, "{formula}");
    }
    // Late by two steps: the verdicts arrive in one, and are counted in the next.
    let all = "forall t: task . poll(t) || start(t)";
    assert_eq!(ran(all, "poll 1", Tight).reached, Reached::Neither);
    assert_eq!(ran(all, "poll 1", Tight).settled, Reached::Accepting);
    assert_eq!(ran(all, "poll 1; suspend 1", Tight).reached, Reached::Neither);
    assert_eq!(ran(all, "poll 1; suspend 1; poll 1", Tight).reached, Reached::Accepting);
    // A bad state of one automaton is one of the network, with no delay.
    assert_eq!(ran(all, "finish 1", Tight).reached, Reached::Bad);
}

/// A formula of the fragment behind its quantifier, as text.
fn safe() -> impl Strategy<Value = String> {
    let atoms = ["poll(t)", "poll(_)", "acquire(t, l)", "holds(t, l)", "running(t)", "[t == u]"];
    let literal = (prop::sample::select(atoms.to_vec()), any::<bool>())
        .prop_map(|(atom, positive)| if positive { atom.to_owned() } else { format!("!{atom}") });
    literal.prop_recursive(3, 8, 2, |inner| {
        let unary = prop::sample::select(vec!["WX", "G", "!F !", "!X !"]);
        let binary = prop::sample::select(vec!["&&", "||", "W", "R"]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(sign, it)| format!("{sign} ({it})")),
            (inner.clone(), binary, inner.clone()).prop_map(|(l, sign, r)| format!("(({l}) {sign} ({r}))")),
            (inner.clone(), inner).prop_map(|(l, r)| format!("!(!({l}) U !({r}))")),
        ]
    })
}

/// A quantified formula.
fn quantified() -> impl Strategy<Value = String> {
    (safe(), any::<bool>(), any::<bool>()).prop_map(|(body, universal, different)| {
        let restriction = if different { " where t != u" } else { "" };
        // All variables are used, and nothing is said by that.
        let body = format!("({body}) && (true || [t == u] || poll(t) || acquire(_, l))");
        if universal {
            format!("(forall t: task, u: task, l: lock{restriction} . {body})")
        } else {
            format!("(exists t: task, u: task, l: lock{restriction} . !({body}))")
        }
    })
}

/// The same with other variables.
fn renamed(formula: &str) -> String {
    [
        ("t:", "v:"),
        ("u:", "w:"),
        ("l:", "m:"),
        ("(t)", "(v)"),
        ("(t,", "(v,"),
        (" l)", " m)"),
        ("t == u", "v == w"),
    ]
    .iter()
    .fold(formula.replace("t != u", "v != w"), |text, (from, to)| text.replace(from, to))
}

/// A formula of the fragment.
fn property() -> impl Strategy<Value = Ltl> {
    let connective = prop::sample::select(vec!["&&", "||", "->", "<->"]);
    let top = prop_oneof![
        3 => quantified(),
        1 => quantified().prop_map(|it| format!("!{it}")),
        1 => (quantified(), connective, quantified())
            .prop_map(|(left, sign, right)| format!("{left} {sign} {}", renamed(&right))),
    ];
    top.prop_map(|text: String| ltl(&text))
}

fn events(length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Event>> {
    let kinds = [EventKind::Poll, EventKind::Acquire, EventKind::Release, EventKind::Suspend];
    let one = (prop::sample::select(kinds.to_vec()), 1..3_u32, 1..3_u32);
    prop::collection::vec(one, length).prop_map(|events| {
        let of_each = events.into_iter().map(|(kind, task, object)| kit::event(kind, task, object));
        let mut events: Vec<Event> = of_each.collect();
        kit::number_times(&mut events);
        events
    })
}

/// The network of a formula for the objects of a view, after its first positions.
fn after(ltl: &Ltl, view: &View<'_>, positions: usize, detection: Detection) -> Option<Network> {
    let mut network = Network::of(&specification(ltl)?, ltl, view, detection)?;
    for at in 0..positions {
        let letter = network.letter(view, at);
        network.step(Some(&letter));
    }
    Some(network)
}

/// `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn networks_agree_with_the_meaning_at_the_end(ltl in property(), events in events(1..10)) {
        let Some(outcome) = with_view(&ltl, &events, |view| run(&ltl, view, Detection::Informative)) else {
            return Err(TestCaseError::reject("the automaton is too large"));
        };
        prop_assert!(!specification(&ltl).is_some_and(|it| it.has_strong_next));
        let expected = satisfies(&ltl, &events);
        prop_assert_eq!(outcome.at_end, expected);
        prop_assert_eq!(monitored(&ltl, &events), expected);
        match outcome.settled {
            Reached::Accepting => prop_assert!(expected),
            Reached::Bad => prop_assert!(!expected),
            Reached::Neither => {}
        }
    }

    /// Of all that can follow, one continuation is tried. It is long enough for every `WX` of these formulas.
    #[test]
    fn what_a_network_is_certain_of_stays_so(ltl in property(), events in events(12..16), at in 1..6_usize) {
        let positions = kit::recorded(&ltl, &events);
        let world = World::default();
        let view = View::new(&ltl, positions.iter().collect(), &world);
        let networks = (after(&ltl, &view, at, Detection::Informative), after(&ltl, &view, at, Detection::Tight));
        let (Some(mut plain), Some(mut tight)) = networks else {
            return Err(TestCaseError::reject("the automaton is too large"));
        };
        plain.settle();
        tight.settle();
        let expected = if satisfies(&ltl, &events) { Reached::Accepting } else { Reached::Bad };
        prop_assert!([Reached::Neither, expected].contains(&tight.reached()));
        // What events tell by themselves is certain.
        prop_assert!([Reached::Neither, tight.reached()].contains(&plain.reached()));
    }

    #[test]
    fn side_by_side_automata_move_as_their_product(body in safe(), events in events(1..6)) {
        let ltl = ltl(&format!("forall t: task . ({}) && (true || poll(t))", body.replace("u]", "t]").replace(", l)", ", _)")));
        let positions = kit::recorded(&ltl, &events);
        let world = World::default();
        let view = View::new(&ltl, positions.iter().collect(), &world);
        let network = after(&ltl, &view, 0, Detection::Tight);
        let Some((mut network, product)) = network.and_then(|it| Some((it.clone(), it.product(300)?))) else {
            return Ok(());
        };
        let mut whole = Configuration::of(&product);
        // Two more steps without an event bring the messages home.
        for at in 0..events.len() + 2 {
            let letter = (at < events.len()).then(|| network.letter(&view, at));
            network.step(letter.as_ref());
            whole.step(&product, letter.as_ref());
            prop_assert_eq!(network.reached(), product.states[whole.state]);
        }
    }
}

/// All formulas of one quantifier, two atoms and two levels of operators, on all traces of two events, and those of one level on
/// all of three.
#[test]
fn networks_agree_with_the_meaning_on_all_small_formulas_and_traces() {
    let literals = ["poll(t)", "!poll(t)", "finish(t)", "!finish(t)"].map(str::to_owned);
    let over = |left: &[String]| -> Vec<String> {
        let unary = left.iter().flat_map(|it| ["WX", "G"].map(|sign| format!("{sign} ({it})")));
        let pairs = left.iter().flat_map(|one| literals.iter().map(move |other| (one, other)));
        let binary =
            pairs.flat_map(|(one, other)| ["&&", "||", "W"].map(|sign| format!("({one}) {sign} ({other})")));
        unary.chain(binary).collect()
    };
    let mut traces = vec![vec![String::new()]];
    for length in 0..3 {
        let words = ["poll 1", "finish 1", "poll 2", "finish 2"];
        let longer = traces[length].iter().flat_map(|it| words.map(|word| format!("{it}{word};")));
        traces.push(longer.collect());
    }
    let small = over(&literals);
    let mut cases = 0;
    for (formulas, length) in [(over(&small), 2), (small, 3)] {
        for (formula, (quantifier, sign)) in
            formulas.iter().flat_map(|it| [("forall", ""), ("exists", "!")].map(|how| (it, how)))
        {
            let ltl = ltl(&format!("{quantifier} t: task . {sign}({formula})"));
            for script in &traces[length] {
                let events = trace(script);
                let outcome = with_view(&ltl, &events, |view| run(&ltl, view, Detection::Informative));
                let at_end = outcome.map(|it| it.at_end);
                assert_eq!(at_end, Some(satisfies(&ltl, &events)), "{quantifier}: {formula} on {script}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 2 * (784 * 16 + 56 * 64));
}
