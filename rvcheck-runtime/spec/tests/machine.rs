//! Machines of formulas: they say on every trace what the formula means, and they are as small as can be.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::EventKind;
use rvcheck_event::record::flag;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::ltl::machine::{Atom, Machine, Options, Unsteppable};
use rvcheck_spec::ltl::node::Node;
use rvcheck_spec::ltl::record::{Position, Recording};
use rvcheck_spec::ltl::tree::{Binary, Unary};
use rvcheck_spec::ltl::view::View;
use rvcheck_spec::ltl::{Ltl, meaning};
use rvcheck_spec::{Property, PropertySource, Role, Vocabulary, compile};

fn ltl(formula: &str) -> Ltl {
    let source = PropertySource {
        id: "p".to_owned(),
        logic: "ltl".to_owned(),
        formula: Some(formula.to_owned()),
        ..PropertySource::default()
    };
    match compile(&source, &Vocabulary::default()) {
        (Some(Property::Ltl(ltl)), _) => ltl,
        (_, problems) => panic!("{formula}: {problems:?}"),
    }
}

fn machine(formula: &str) -> Machine {
    Machine::of(&ltl(formula), Options::DEFAULT).unwrap_or_else(|why| panic!("{formula}: {why:?}"))
}

fn event(kind: EventKind, flags: u8, task: u32, object: u32) -> Event {
    Event {
        kind,
        flags,
        thread: ThreadId(1),
        task: TaskId(task),
        unit: UnitId(1),
        site: SiteId(1),
        object,
        number: 1,
        time: 0,
        ns: 0,
        cpu: 0,
    }
}

fn recorded(ltl: &Ltl, events: &[Event]) -> Vec<Position> {
    let mut recording = Recording::new([ltl], usize::MAX);
    for event in events {
        recording.push(event, &World::default());
    }
    recording.positions().to_vec()
}

/// The states before and after each position of a view under a binding.
fn states(machine: &Machine, view: &View<'_>, binding: &[Value]) -> Vec<usize> {
    let after = |state: usize, at: usize| {
        let position = view.positions[at];
        machine.after(state, position.event.kind, |atom| match &machine.atoms[atom] {
            Atom::Event(pattern, only) => view.matches(pattern, at, binding) && position.allows(*only),
            Atom::Live(fluent, arguments) => {
                let node = Node::Fluent(fluent.clone(), arguments.clone(), None);
                meaning::holds(&node, view, at, &mut binding.to_vec())
            }
        })
    };
    let mut states = vec![0];
    for at in 0..view.len() {
        states.push(after(states[at], at));
    }
    states
}

/// All formulas of at most `size` operators, constants and atoms, by their size.
fn formulas(size: usize, leaves: &[Node]) -> Vec<Vec<Node>> {
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
    found
}

/// All traces of at most this length over these events.
fn traces(length: usize, events: &[Event]) -> Vec<Vec<Event>> {
    let mut found: Vec<Vec<Event>> = vec![Vec::new()];
    let mut begin = 0;
    for _ in 0..length {
        let end = found.len();
        for shorter in begin..end {
            for event in events {
                let mut trace = found[shorter].clone();
                trace.push(*event);
                found.push(trace);
            }
        }
        begin = end;
    }
    found
}

/// How large the formulas are, and how long the traces, that are all looked at.
fn extent() -> (usize, usize) {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    (number("RVCHECK_FORMULA_SIZE").unwrap_or(4), number("RVCHECK_TRACE_LENGTH").unwrap_or(3))
}

#[test]
fn machines_agree_with_the_meaning_on_all_small_formulas_and_traces() {
    let (size, length) = extent();
    // Two atoms that events of one kind make true independently of each other.
    let example = ltl("acquire(_, _, mode = ::read) && acquire(_, _, try = true)");
    let Node::Binary(_, _, p, q) = &example.formula else { panic!("it is a conjunction") };
    let leaves = [Node::Constant(true), (**p).clone(), (**q).clone()];
    let letters = [0, 1, flag::TRY, 1 | flag::TRY].map(|flags| event(EventKind::Acquire, flags, 1, 1));
    let world = World::default();
    let positions: Vec<Vec<Position>> =
        traces(length, &letters).iter().map(|it| recorded(&example, it)).collect();
    let views: Vec<View<'_>> =
        positions.iter().map(|it| View::new(&example, it.iter().collect(), &world)).collect();
    let (mut cases, mut decided) = (0_u64, 0_u64);
    for formula in formulas(size, &leaves).concat() {
        let ltl = Ltl { formula, ..example.clone() };
        let machines = [true, false]
            .map(|minimal| Machine::of(&ltl, Options { minimal, ..Options::DEFAULT }).expect("it is small"));
        for view in &views {
            let expected = meaning::satisfies(&ltl, view);
            for machine in &machines {
                let roles: Vec<Role> =
                    states(machine, view, &[]).iter().map(|state| machine.states[*state].roles[0]).collect();
                let last = roles[view.len()];
                assert_eq!(matches!(last, Role::Neutral | Role::Good), expected, "{:?}", ltl.formula);
                let first = roles.iter().position(|it| matches!(it, Role::Good | Role::Bad));
                // What is decided stays so.
                assert!(first.is_none_or(|first| roles[first] == last), "{:?}: {roles:?}", ltl.formula);
                decided += u64::from(first.is_some());
            }
            cases += 1;
        }
    }
    println!("{cases} cases, {decided} decided early");
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
fn what_cannot_be_stepped_says_why() {
    let cases = [
        ("G (poll(_) -> F[0ns,10ns] suspend(_))", Unsteppable::Interval),
        ("forall t: task . G (start(t) -> exists l: lock . F acquire(t, l))", Unsteppable::Quantifier),
        ("forall t: task, u: task . G !(poll(t) if (t != u))", Unsteppable::Condition),
        (
            "forall a: task, b: task, c: task, d: task, e: task, f: task . G !(poll(a) && poll(b) && poll(c) && poll(d) && poll(e) && poll(f))",
            Unsteppable::Variables { limit: 5 },
        ),
    ];
    for (formula, why) in cases {
        assert_eq!(Machine::of(&ltl(formula), Options::DEFAULT), Err(why), "{formula}");
    }
    let few = Options { states: 2, ..Options::DEFAULT };
    assert_eq!(Machine::of(&ltl("X X X poll(_)"), few), Err(Unsteppable::States { limit: 2 }));
    let few = Options { atoms: 1, ..Options::DEFAULT };
    let two = ltl("F acquire(_, _, mode = ::read) && F acquire(_, _, try = true)");
    assert_eq!(Machine::of(&two, few), Err(Unsteppable::Letters { limit: 1 }));
}
