//! Machines of formulas: they say on every trace what the formula means, and they are as small as can be.

mod kit;

use kit::{event, events, formula, ltl, ltl_of, recorded, source};
use proptest::prelude::*;
use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_oracles::formulas;
use rvcheck_spec::compilation::machine::Options;
use rvcheck_spec::evaluation::tables::record::Position;
use rvcheck_spec::evaluation::tables::view::View;
use rvcheck_spec::language::formula::tree::{Binary, Quantifier, Unary};
use rvcheck_spec::model::formula::{Node, Steps};
use rvcheck_spec::model::machine::{Atom, Class, Machine, Unsteppable};
use rvcheck_spec::model::pattern::Wanted;
use rvcheck_spec::{Ltl, Property, PropertySource, Role, Vocabulary, compile};

fn machine(formula: &str) -> Machine {
    Machine::of(&ltl(formula), Options::DEFAULT).unwrap_or_else(|why| panic!("{formula}: {why:?}"))
}

/// The state after the event of a position.
fn after(machine: &Machine, state: usize, view: &View<'_>, at: usize, binding: &[Value]) -> usize {
    let position = view.positions[at];
    machine.after(state, position.event.kind, |atom| match &machine.atoms[atom] {
        Atom::Event(pattern, only) => {
            let mut binding = binding.to_vec();
            for (source, wanted) in &pattern.arguments {
                match wanted {
                    Wanted::Variable(it) if !machine.binds(*it) => binding[*it] = view.read(*source, at),
                    _ => {}
                }
            }
            view.matches(pattern, at, &binding) && position.allows(*only)
        }
        Atom::Live(fluent, arguments) => {
            let node = Node::Fluent(fluent.clone(), arguments.clone(), None);
            formulas::holds(&node, view, at, &mut binding.to_vec())
        }
    })
}

/// The roles before and after each position of a view under a binding.
fn roles(machine: &Machine, view: &View<'_>, binding: &[Value]) -> Vec<Role> {
    let conditions = machine.conditions.iter().enumerate();
    let valuation = conditions.fold(0, |set, (bit, it)| set | usize::from(view.holds(it, binding)) << bit);
    let mut state = 0;
    let mut roles = vec![machine.states[0].roles[valuation]];
    for at in 0..view.len() {
        state = after(machine, state, view, at, binding);
        roles.push(machine.states[state].roles[valuation]);
    }
    roles
}

/// The last role, where what is decided before the end has to stay so.
fn last(roles: &[Role]) -> Role {
    let last = roles[roles.len() - 1];
    let first = roles.iter().find(|it| matches!(it, Role::Good | Role::Bad));
    assert!(first.is_none_or(|first| *first == last), "{roles:?}");
    last
}

fn holds(role: Role) -> bool {
    matches!(role, Role::Good | Role::Neutral)
}

/// What the machine of a formula says of a trace: each binding of its quantifiers is stepped through all of it.
fn satisfies(machine: &Machine, ltl: &Ltl, view: &View<'_>) -> bool {
    fn go(machine: &Machine, ltl: &Ltl, view: &View<'_>, depth: usize, binding: &mut Vec<Value>) -> bool {
        if depth == machine.written && ltl.steps == Steps::Slice {
            let slice = view.slice(ltl.formula.prefix().1, binding);
            let whole = Ltl { steps: Steps::Trace, ..ltl.clone() };
            return go(machine, &whole, &slice, depth, binding);
        }
        let Some(it) = machine.prefix.get(depth) else { return holds(last(&roles(machine, view, binding))) };
        let mut bindings = vec![binding.clone()];
        for (variable, sort) in &it.variables {
            let with = |binding: &Vec<Value>, value: Value| {
                let mut binding = binding.clone();
                binding[*variable] = value;
                binding
            };
            let values = view.values(*sort);
            bindings = bindings.iter().flat_map(|it| values.iter().map(|value| with(it, *value))).collect();
        }
        bindings.retain(|binding| it.restriction.as_ref().is_none_or(|it| view.holds(it, binding)));
        let mut truths = bindings.into_iter().map(|mut it| go(machine, ltl, view, depth + 1, &mut it));
        match it.quantifier {
            Quantifier::Forall => truths.all(|it| it),
            Quantifier::Exists => truths.any(|it| it),
        }
    }
    go(machine, ltl, view, 0, &mut vec![Value::Absent; ltl.variables.len()])
}

/// All formulas of at most `size` operators, constants and atoms, the smallest first.
fn formulas(size: usize, leaves: &[Node]) -> Vec<Node> {
    let mut found = vec![Vec::new(), leaves.to_vec()];
    for size in 2..=size {
        let mut of_size = Vec::new();
        for (operator, _) in Unary::ALL {
            of_size
                .extend(found[size - 1].iter().map(|it| Node::Unary(operator, None, Box::new(it.clone()))));
        }
        for (operator, ..) in Binary::ALL {
            for of_left in 1..size - 1 {
                for left in &found[of_left] {
                    of_size.extend(found[size - 1 - of_left].iter().map(|right| {
                        Node::Binary(operator, None, Box::new(left.clone()), Box::new(right.clone()))
                    }));
                }
            }
        }
        found.push(of_size);
    }
    found.concat()
}

/// All traces of at most this length over these events, each with the place of the trace that it continues.
fn traces(length: usize, events: &[Event]) -> Vec<(usize, Vec<Event>)> {
    let mut found: Vec<(usize, Vec<Event>)> = vec![(0, Vec::new())];
    let mut begin = 0;
    for _ in 0..length {
        let end = found.len();
        for shorter in begin..end {
            for event in events {
                let mut trace = found[shorter].1.clone();
                trace.push(*event);
                found.push((shorter, trace));
            }
        }
        begin = end;
    }
    found
}

/// A number from the environment, for longer runs by hand.
fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn machines_agree_with_the_meaning_on_all_small_formulas_and_traces() {
    let (size, length) = (number("RVCHECK_FORMULA_SIZE", 4), number("RVCHECK_TRACE_LENGTH", 3));
    // Two atoms that events of one kind make true independently of each other.
    let example = ltl("acquire(_, _, mode = ::read) && acquire(_, _, try = true)");
    let Node::Binary(_, _, p, q) = &example.formula else { panic!("it is a conjunction") };
    let leaves = [Node::Constant(true), (**p).clone(), (**q).clone()];
    let letters =
        [0, 1, flag::TRY, 1 | flag::TRY].map(|flags| Event { flags, ..event(EventKind::Acquire, 1, 1) });
    let world = World::default();
    let traces = traces(length, &letters);
    let positions: Vec<Vec<Position>> = traces.iter().map(|(_, it)| recorded(&example, it)).collect();
    let views: Vec<View<'_>> =
        positions.iter().map(|it| View::new(&example, it.iter().collect(), &world)).collect();
    let (mut cases, mut decided) = (0_u64, 0_u64);
    for formula in formulas(size, &leaves) {
        let ltl = Ltl { formula, ..example.clone() };
        let [small, large] = [true, false]
            .map(|minimal| Machine::of(&ltl, Options { minimal, ..Options::DEFAULT }).expect("it is small"));
        // By trace: the states of both machines.
        let mut states: Vec<(usize, usize)> = Vec::with_capacity(traces.len());
        for ((shorter, _), view) in traces.iter().zip(&views) {
            let before = states.get(*shorter).copied().filter(|_| !view.is_empty());
            let step = |machine, state| after(machine, state, view, view.len() - 1, &[]);
            let now = before.map_or((0, 0), |(s, l)| (step(&small, s), step(&large, l)));
            states.push(now);
            let role = small.states[now.0].roles[0];
            assert_eq!(role, large.states[now.1].roles[0], "{:?}", ltl.formula);
            assert_eq!(holds(role), formulas::satisfies(&ltl, view), "{:?}", ltl.formula);
            let is_decided = |role| matches!(role, Role::Good | Role::Bad);
            let earlier = before.map(|(s, _)| small.states[s].roles[0]);
            assert!(
                earlier.is_none_or(|earlier| !is_decided(earlier) || earlier == role),
                "{:?}",
                ltl.formula
            );
            decided += u64::from(is_decided(role));
            cases += 1;
        }
    }
    println!("{cases} cases without a difference, {decided} of them decided early");
    assert!(cases > 100_000 && decided > cases / 10, "{cases} cases, {decided} decided early");
}

#[test]
fn well_known_formulas_have_few_states() {
    let cases = [
        ("true", 1),
        ("false", 1),
        ("G !panic(_)", 2),
        ("F finish(_)", 2),
        ("X finish(_)", 4),
        ("start(_) U finish(_)", 3),
        ("start(_) W finish(_)", 3),
        // Response.
        ("G (start(_) -> F finish(_))", 2),
        // Precedence.
        ("!finish(_) W start(_)", 3),
        ("G (finish(_) -> O start(_))", 3),
        // Response between, absence between.
        ("G (start(_) -> X (!start(_) U finish(_)))", 3),
        ("forall t: task, l: lock . G (acquire(t, l) -> F release(t, l))", 2),
        ("forall t: task . G (block(t) -> !running(t))", 3),
        ("forall t: task, l: lock . G (finish(t) -> !holds(t, l))", 3),
        ("G (finish(_) -> !holds(_, _))", 2),
        // An atom that another one entails.
        ("forall t: task . G (poll(t) -> poll(_))", 1),
        ("G !(acquire(_, _, mode = ::read) && acquire(_, _, mode = ::write))", 1),
        ("forall t: task, u: task where t != u . G !(poll(t) && poll(u))", 1),
        ("forall t: task, u: task . G !(poll(t) && poll(u))", 2),
    ];
    for (formula, states) in cases {
        assert_eq!(machine(formula).states.len(), states, "{formula}: {:#?}", machine(formula).states);
    }
}

#[test]
fn formulas_are_classified() {
    let cases = [
        ("G !panic(_)", Class::Safety),
        ("!finish(_) W start(_)", Class::Safety),
        ("G (finish(_) -> O start(_))", Class::Safety),
        ("F finish(_)", Class::CoSafety),
        ("start(_) U finish(_)", Class::CoSafety),
        ("test_begin(_)", Class::Early),
        ("true", Class::Early),
        ("G (start(_) -> F finish(_))", Class::AtEnd),
        ("forall t: task . G !panic(t)", Class::Safety),
        ("exists t: task . F panic(t)", Class::CoSafety),
        // Another task may come.
        ("forall t: task . F finish(t)", Class::AtEnd),
        ("exists t: task . G !panic(t)", Class::AtEnd),
        ("forall t: task . exists l: lock . F acquire(t, l)", Class::AtEnd),
        ("forall t: task . G !(poll(t) && suspend(t))", Class::Early),
        ("forall t: task, u: task . [t == u] -> G !join(t, u)", Class::Safety),
    ];
    for (formula, class) in cases {
        assert_eq!(machine(formula).class(), class, "{formula}");
    }
}

#[test]
fn formulas_that_nothing_can_decide_otherwise_are_found() {
    let cases = [
        ("forall t: task . G (poll(t) -> poll(_))", Some(true)),
        ("forall t: task . F (poll(t) && suspend(t))", Some(false)),
        ("forall t: task . G (finish(t) -> X true) && F WX false", None),
        ("G F true", Some(true)),
        ("G X true", Some(false)),
        ("exists t: task . poll(t) || !poll(t)", Some(true)),
        ("F panic(_)", None),
    ];
    for (formula, constant) in cases {
        assert_eq!(machine(formula).constant(), constant, "{formula}");
    }
}

#[test]
fn formulas_that_the_order_of_concurrent_events_decides_are_found() {
    // Formula, and the kinds of the events that must not be swapped.
    use EventKind as K;
    let cases = [
        ("G !panic(_)", None),
        ("forall t: task . G (start(t) -> F finish(t))", None),
        ("forall t: task, l: lock . G (finish(t) -> !holds(t, l))", None),
        ("forall t: task . G (poll(t) -> O start(t))", None),
        ("G (test_begin(_) -> F poll(_))", None),
        ("G (start(_) -> F finish(_))", Some((Some(K::Finish), Some(K::Start)))),
        ("forall t: task, u: task . G (start(t) -> F finish(u))", Some((Some(K::Finish), Some(K::Start)))),
        ("forall t: task . G (poll(t) -> X suspend(t))", Some((Some(K::Poll), None))),
    ];
    for (formula, expected) in cases {
        let swap = machine(formula).swap();
        let kinds = swap.map(|it| (it.first.kind, it.second.kind));
        let sorted = |pair: Option<(Option<K>, Option<K>)>| {
            pair.map(|(one, other)| {
                let mut kinds = [one, other].map(|it| it.map(|it| it as u8));
                kinds.sort_unstable();
                kinds
            })
        };
        assert_eq!(sorted(kinds), sorted(expected), "{formula}");
    }
    // Only where the trace has nothing else is a task suspended right after it was polled.
    let slice = PropertySource {
        steps: Some("slice".to_owned()),
        ..source("forall t: task . G (poll(t) -> X suspend(t))")
    };
    assert_eq!(Machine::of(&ltl_of(&slice), Options::DEFAULT).expect("it is small").swap(), None);
}

#[test]
fn quantifiers_that_are_moved_inwards_keep_their_meaning() {
    let letters =
        [event(EventKind::Acquire, 1, 7), event(EventKind::Release, 1, 7), event(EventKind::Poll, 1, 0)];
    let world = World::default();
    let example = ltl("poll(_)");
    let positions: Vec<Vec<Position>> =
        traces(4, &letters).iter().map(|(_, it)| recorded(&example, it)).collect();
    let views: Vec<View<'_>> =
        positions.iter().map(|it| View::new(&example, it.iter().collect(), &world)).collect();
    let atoms = ["acquire(_, l)", "holds(_, l)", "!release(_, l)"];
    let unary = Unary::ALL.map(|(_, sign)| format!("{sign} (ATOM)")).to_vec();
    let binary = Binary::ALL.iter().flat_map(|(_, sign, _)| {
        ["(ATOM) SIGN (poll(_))", "(poll(_)) SIGN (ATOM)", "(ATOM) SIGN (release(_, l))"]
            .map(|shape| shape.replace("SIGN", sign))
    });
    let (mut cases, mut narrowed) = (0, 0);
    for shape in unary.into_iter().chain(binary) {
        for (atom, quantifier) in atoms.iter().flat_map(|it| [(it, "forall"), (it, "exists")]) {
            // Neither is moved out of an equivalence.
            let body = shape.replace("ATOM", atom);
            let ltl = ltl(&format!("G (poll(_) <-> {quantifier} l: lock . {body})"));
            let Ok(machine) = Machine::of(&ltl, Options::DEFAULT) else { continue };
            assert!(machine.prefix.is_empty(), "{quantifier} {body}");
            narrowed += 1;
            for view in &views {
                let expected = formulas::satisfies(&ltl, view);
                assert_eq!(satisfies(&machine, &ltl, view), expected, "{quantifier} {body}");
                cases += 1;
            }
        }
    }
    println!("{narrowed} formulas, {cases} cases without a difference");
    assert_eq!(narrowed, 32);
}

#[test]
fn what_some_object_does_is_one_atom_where_it_speaks_of_no_other() {
    let cases = [
        ("forall t: task . G (start(t) -> exists l: lock . F acquire(t, l))", Some("acquire(t, _)")),
        ("forall t: task . G (block(t) -> exists l: lock . holds(t, l))", Some("holds(t, _)")),
        ("G (poll(_) -> X exists t: task, l: lock . poll(_) && holds(t, l))", Some("holds(_, _)")),
        ("G (poll(_) -> !forall l: lock . !acquire(_, l))", Some("acquire(_, _)")),
        ("G (poll(_) -> exists o: any . waits(_, o))", Some("waits(_, _)")),
        ("G (poll(_) -> exists n: int . O send(_, _, n))", Some("send(_, _, _)")),
        // Other objects can be waited for, other values be compared, and the time is in no event.
        ("G (poll(_) -> exists l: lock . waits(_, l))", None),
        ("G (poll(_) -> exists n: int . O send(_, _, n) if (n > 3))", None),
        ("G (poll(_) -> exists n: int . O send(_, _, _, time = n))", None),
        ("G (poll(_) -> exists l: lock . O acquire(_, l) && !O release(_, l))", None),
        ("G (poll(_) -> exists l: lock . O acquire(_, l) || poll(_))", None),
        ("F (poll(_) && forall l: lock . X acquire(_, l))", None),
    ];
    for (formula, text) in cases {
        let ltl = ltl(formula);
        let machine = Machine::of(&ltl, Options::DEFAULT);
        let texts = machine.map(|machine| {
            (0..machine.atoms.len()).map(|atom| machine.atom_text(atom, &ltl)).collect::<Vec<_>>()
        });
        match text {
            Some(text) => assert!(texts.is_ok_and(|it| it.iter().any(|it| it == text)), "{formula}"),
            None => assert_eq!(texts, Err(Unsteppable::Quantifier), "{formula}"),
        }
    }
}

#[test]
fn atoms_are_written_as_in_formulas() {
    let cases = [
        ("G !acquire(_, _, mode = ::read)", "acquire(_, _, mode = ::read)"),
        (
            "forall t: task, n: int . G !(send(t, _, n) if (n > 3 && !(n == 5)))",
            "send(t, _, n) if (n > 3 && !(n == 5))",
        ),
        ("forall t: task . G !holds(t, _)", "holds(t, _)"),
        ("forall t: task . G !spawn(t, _, name = \"a b\")", "spawn(t, _, name = \"a b\")"),
    ];
    for (formula, text) in cases {
        let ltl = ltl(formula);
        assert_eq!(machine(formula).atom_text(0, &ltl), text);
    }
    let formula = "forall t: task, u: task . [t != u] -> G !(poll(t) && poll(u))";
    assert_eq!(machine(formula).condition_text(0, &ltl(formula)), "[t != u]");
}

#[test]
fn many_patterns_of_one_kind_can_be_stepped_where_few_match_together() {
    let with = |count: usize| {
        let names = (0..count).map(|it| format!("F spawn(_, _, name = \"{it}\")")).collect::<Vec<_>>();
        Machine::of(&ltl(&format!("{} || F panic(_)", names.join(" || "))), Options::DEFAULT)
    };
    assert_eq!(with(16).map(|it| it.states.len()), Ok(2));
    assert_eq!(with(17), Err(Unsteppable::Letters { limit: 16 }));
    let objects = ["t", "u", "v", "w"].map(|it| format!("{it}: task")).join(", ");
    let all =
        ["spawn(t, u)", "spawn(u, v)", "spawn(v, w)", "spawn(w, t)"].map(|it| format!("F {it}")).join(" && ");
    assert_eq!(machine(&format!("forall {objects} . {all}")).states.len(), 16);
}

#[test]
fn what_cannot_be_stepped_says_why() {
    let cases = [
        ("G (poll(_) -> F[0ns,10ns] suspend(_))", Unsteppable::Interval),
        (
            "forall t: task . G (start(t) -> exists l: lock . F acquire(t, l) && G !release(t, l))",
            Unsteppable::Quantifier,
        ),
        ("forall t: task, u: task . G !(poll(t) if (t != u))", Unsteppable::Condition),
        (
            "forall a: task, b: task, c: task, d: task, e: task, f: task . G !(poll(a) && poll(b) && poll(c) && poll(d) && poll(e) && poll(f))",
            Unsteppable::Variables { limit: 5 },
        ),
    ];
    for (formula, why) in cases {
        assert_eq!(Machine::of(&ltl(formula), Options::DEFAULT), Err(why), "{formula}");
    }
    // A function of what has to come that is exponentially large, because all of the first are decided before the second.
    let pairs = |sign: &str, first: &str, second: &str| {
        let pair = |at: usize| format!("({first} send(_, _, {at})) {sign} ({second} send(_, _, {at}))");
        (0..15).map(pair).collect::<Vec<_>>()
    };
    let ends = |first: &str| pairs("||", first, first).join(" || ");
    let large = format!(
        "(true || {} || {} || {}) && {} && {}",
        ends("F"),
        ends("F X"),
        ends("F X X"),
        pairs("<->", "F", "F X").join(" && "),
        pairs("<->", "F", "F X X").join(" && ")
    );
    let little = Options { effort: 10_000, ..Options::DEFAULT };
    assert_eq!(Machine::of(&ltl(&large), little), Err(Unsteppable::Effort { limit: 10_000 }));
    let chain = |count: usize| {
        Machine::of(&ltl(&vec!["poll(_)"; count].join(" && ")), Options::DEFAULT).map(|it| it.states.len())
    };
    assert_eq!((chain(201), chain(202)), (Ok(3), Err(Unsteppable::Depth { limit: 200 })));
    let few = Options { states: 2, ..Options::DEFAULT };
    assert_eq!(Machine::of(&ltl("X X X poll(_)"), few), Err(Unsteppable::States { limit: 2 }));
    let few = Options { atoms: 1, ..Options::DEFAULT };
    let two = ltl("F acquire(_, _, mode = ::read) && F acquire(_, _, try = true)");
    assert_eq!(Machine::of(&two, few), Err(Unsteppable::Letters { limit: 1 }));
}

#[test]
fn a_quantifier_is_moved_exactly_where_no_trace_shows_the_difference() {
    let letters =
        [event(EventKind::Acquire, 1, 7), event(EventKind::Acquire, 2, 8), event(EventKind::Poll, 1, 0)];
    let example = ltl("poll(_)");
    let positions: Vec<Vec<Position>> =
        traces(3, &letters).iter().map(|(_, it)| recorded(&example, it)).collect();
    let world = World::default();
    let views: Vec<View<'_>> =
        positions.iter().map(|it| View::new(&example, it.iter().collect(), &world)).collect();
    // Behind these, of which the second makes sure that there is a lock.
    for (front, expected) in [("", 19), ("forall k: lock . (acquire(_, k) || true) && ", 32)] {
        let (moved, cases) = moved_behind(front, &views);
        println!("{moved} rules, {cases} cases without a difference");
        assert_eq!(moved, expected, "behind {front:?}");
    }
}

/// How many quantifiers are moved out of single operators behind a beginning of a formula, and how many comparisons say so.
fn moved_behind(front: &str, views: &[View<'_>]) -> (usize, usize) {
    // What stands behind the front, at all positions of all traces and on the empty one, for each lock.
    let truths = |ltl: &Ltl| -> Vec<bool> {
        let (prefix, body) = ltl.formula.prefix();
        let (prefix, body) = match body {
            Node::Binary(Binary::And, _, _, body) if !front.is_empty() => (&prefix[..1], &**body),
            _ => (&[][..], &ltl.formula),
        };
        let ltl = Ltl { formula: body.clone(), ..ltl.clone() };
        let mut binding = vec![Value::Absent; ltl.variables.len()];
        let mut of_view = |view: &View<'_>| -> Vec<bool> {
            let locks = if prefix.is_empty() { &[Value::Absent][..] } else { view.values(Sort::Lock) };
            let mut truths = Vec::new();
            for lock in locks {
                binding[0] = *lock;
                match view.len() {
                    0 => truths.push(formulas::satisfies(&ltl, view)),
                    n => truths.extend((0..n).map(|at| formulas::holds(body, view, at, &mut binding))),
                }
            }
            truths
        };
        views.iter().flat_map(&mut of_view).collect()
    };
    let inner = [
        "acquire(_, l)",
        "!acquire(_, l)",
        "F acquire(_, l)",
        "Y acquire(_, l)",
        "acquire(_, _) || acquire(_, l)",
    ];
    let others = ["true", "poll(_)", "acquire(_, _)", "!poll(_)", "X acquire(_, _)"];
    let unary = Unary::ALL.map(|(_, sign)| format!("{sign} (INNER)")).to_vec();
    let binary = Binary::ALL
        .iter()
        .flat_map(|(_, sign, _)| [format!("(INNER) {sign} (OTHER)"), format!("(OTHER) {sign} (INNER)")]);
    let (mut moved, mut cases) = (0, 0);
    for shape in unary.into_iter().chain(binary) {
        for quantifier in ["forall", "exists"] {
            let others = if shape.contains("OTHER") { &others[..] } else { &others[..1] };
            let mut is_moved = true;
            // Whether `forall`, and `exists`, could stand outside.
            let mut could = [true, true];
            for (inner, other) in inner.iter().flat_map(|it| others.iter().map(move |other| (it, other))) {
                let with = |outside: &str, inner: &str| {
                    let shape = shape.replace("INNER", inner).replace("OTHER", other);
                    ltl(&format!("{front}({outside}{shape})"))
                };
                let inside = with("", &format!("{quantifier} l: lock . {inner}"));
                let expected = truths(&inside);
                for (could, outside) in could.iter_mut().zip(["forall l: lock . ", "exists l: lock . "]) {
                    *could = *could && truths(&with(outside, inner)) == expected;
                    cases += expected.len();
                }
                let machine = Machine::of(&inside, Options::DEFAULT);
                is_moved &= machine.is_ok_and(|it| it.prefix.len() == it.written + 1);
            }
            assert_eq!(is_moved, could.contains(&true), "{quantifier} in {front}{shape}: {could:?}");
            moved += usize::from(is_moved);
        }
    }
    (moved, cases)
}

/// A random property under quantifiers of any kind.
fn property() -> impl Strategy<Value = Ltl> {
    let prefixes = [
        "forall t: task, u: task, l: lock . ",
        "exists t: task . forall u: task, l: lock where t != u . ",
        "forall t: task where t == t . exists u: task, l: lock . ",
    ];
    let steps = prop::sample::select(vec!["trace", "trace", "slice"]);
    (prop::sample::select(prefixes.to_vec()), formula(&[""]), steps).prop_filter_map(
        "names clash",
        |(prefix, body, steps)| {
            // All variables are used.
            let text = format!("{prefix}([t == u] || true) && (acquire(_, l) || true) && ({body})");
            let source = PropertySource { steps: Some(steps.to_owned()), ..source(&text) };
            match compile(&source, &Vocabulary::default()) {
                (Some(Property::Ltl(ltl)), _) => Some(ltl),
                _ => None,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: number("RVCHECK_CASES", 512) as u32,
        failure_persistence: None,
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    })]

    #[test]
    fn machines_agree_with_the_meaning_on_random_formulas_and_traces(ltl in property(), events in events(9)) {
        // The tables cannot be too large for formulas of this size.
        let small = match Machine::of(&ltl, Options::DEFAULT) {
            Ok(machine) => machine,
            Err(why) => {
                prop_assert!(matches!(why, Unsteppable::Quantifier | Unsteppable::Condition | Unsteppable::Variables { .. }), "{:?}", why);
                return Err(TestCaseError::reject("it cannot be stepped"));
            }
        };
        let large = Machine::of(&ltl, Options { minimal: false, ..Options::DEFAULT });
        let large = large.expect("it is the same before it is made small");
        prop_assert!(small.states.len() <= large.states.len());
        let positions = recorded(&ltl, &events);
        let world = World::default();
        let view = View::new(&ltl, positions.iter().collect(), &world);
        let expected = formulas::satisfies(&ltl, &view);
        prop_assert_eq!(satisfies(&small, &ltl, &view), expected);
        prop_assert_eq!(satisfies(&large, &ltl, &view), expected);
    }
}
