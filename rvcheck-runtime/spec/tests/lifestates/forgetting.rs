//! Bindings of dead objects are forgotten, and that changes nothing of what is said.
//!
//! `LIFESTATE_MODELS` asks for more models.

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::evaluation::lifestate::validate::Validator;
use rvcheck_spec::{Facts, Limits, Monitor, Property, UnitEnd, Violation, Vocabulary, compile};

use super::agreement::wanted;
use super::kit::dice::Dice;
use super::lifestate;

/// Built-in events have no arguments of their own.
struct Nothing;

impl Facts for Nothing {
    fn attribute(&self, _: &Event, _: &'static str) -> Option<Value> {
        None
    }

    fn arguments(&self, _: &Event) -> &[Value] {
        &[]
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, _: StringId) -> Option<&str> {
        None
    }
}

/// What comes: events, and what has died.
enum Step {
    Event(Event),
    Death(Sort, u32),
}

fn event(kind: EventKind, task: u32, object: u32, time: u64) -> Step {
    Step::Event(Event {
        kind,
        flags: 0,
        thread: ThreadId(1),
        task: TaskId(task),
        unit: UnitId(1),
        site: SiteId(u32::try_from(time).expect("traces are short")),
        object,
        number: 0,
        time,
        ns: 0,
        cpu: 0,
    })
}

/// Many tasks and locks that live one after another, a few at a time.
fn trace(dice: &mut Dice) -> Vec<Step> {
    use EventKind as K;
    let mut steps = Vec::new();
    let (mut tasks, mut locks) = (vec![1, 2, 3], vec![1001, 1002]);
    let (mut next_task, mut next_lock) = (4, 1003);
    let mut gone = vec![1];
    for time in 1..600 {
        let (task, lock) = (tasks[dice.roll(tasks.len())], locks[dice.roll(locks.len())]);
        steps.push(match dice.roll(12) {
            0..=1 => event(K::Poll, task, 0, time),
            2 => event(K::Suspend, task, 0, time),
            3 => event(K::Finish, task, 0, time),
            4 => event(K::Request, task, lock, time),
            5 => event(K::Acquire, task, lock, time),
            6 => event(K::Release, task, lock, time),
            7 => event(K::Spawn, task, tasks[dice.roll(tasks.len())], time),
            // These two come also when a task is gone.
            8 => event(K::Abort, task, gone[dice.roll(gone.len())], time),
            9 => event(K::Ended, task, gone[dice.roll(gone.len())], time),
            10 => {
                let at = dice.roll(tasks.len());
                let dead = std::mem::replace(&mut tasks[at], next_task);
                (next_task, gone) =
                    (next_task + 1, [&gone[gone.len().saturating_sub(3)..], &[dead]].concat());
                Step::Death(Sort::Task, dead)
            }
            _ => {
                let at = dice.roll(locks.len());
                let dead = std::mem::replace(&mut locks[at], next_lock);
                next_lock += 1;
                Step::Death(Sort::Lock, dead)
            }
        });
    }
    steps
}

const MESSAGES: [&str; 10] = [
    "cb poll(t)",
    "cbret ::suspend = poll(t)",
    "cbret _ = poll(t)",
    "ci request(t, l)",
    "ciret acquire(t, l)",
    "ciret acquire(_, l)",
    "ci release(t, l)",
    "ci spawn(_, t)",
    "ci abort(_, t)",
    "ciret ended(_, t)",
];

fn rule(dice: &mut Dice) -> String {
    let message = |dice: &mut Dice| MESSAGES[dice.roll(MESSAGES.len())];
    let (first, second, last) = (message(dice), message(dice), message(dice));
    let history = match dice.roll(8) {
        0 => "true".to_owned(),
        1..=3 => format!("_*; {first}"),
        4 => format!("_*; {first}; {second}"),
        5 => format!("!(_*; {first}; _*)"),
        6 => format!("(_*; {first}; _*) & (_*; {second})"),
        _ => format!("true | _*; ({first} | {second})"),
    };
    format!("{history} {} {last}", ["|-", "|-", "|+"][dice.roll(3)])
}

/// The violations of a trace, and how many bindings there are at its end.
fn monitored(property: &Property, trace: &[Step], collect: bool) -> (Vec<Violation>, usize) {
    let options = Options { collect, ..Options::ALL };
    let mut monitor = Monitor::with(vec![property.clone()], Limits::DEFAULT, options);
    for step in trace {
        match step {
            Step::Event(event) => monitor.step(event, &Nothing),
            Step::Death(sort, id) => monitor.collect([(*sort, *id)]),
        }
    }
    let bindings = monitor.instances();
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    (monitor.finish(&Nothing).violations, bindings)
}

#[test]
fn what_dead_objects_leave_is_forgotten_and_nothing_else() {
    let (mut models, mut seed) = (0, 0);
    let (mut violated, mut refuted, mut forgot) = (0_u64, 0_u64, 0);
    while models < wanted(150) {
        seed += 1;
        let dice = &mut Dice::new(seed ^ 0xC_0000);
        let rules: Vec<String> = (0..=dice.roll(4)).map(|_| rule(dice)).collect();
        let texts: Vec<&str> = rules.iter().map(String::as_str).collect();
        let Some(property) = compile(&lifestate(&texts), &Vocabulary::default()).0 else { continue };
        models += 1;
        let trace = trace(dice);
        let place = format!("seed {seed}\n{rules:#?}");
        let (expected, kept) = monitored(&property, &trace, false);
        let (found, left) = monitored(&property, &trace, true);
        assert_eq!(found, expected, "{place}");
        assert!(left <= kept, "{place}");
        let validated = |collect: bool| {
            let mut validator = Validator::new(property.lifestate().expect("it is one"));
            for step in &trace {
                match step {
                    Step::Event(event) => validator.step(event, &Nothing),
                    Step::Death(sort, id) if collect => validator.collect([(*sort, *id)]),
                    Step::Death(..) => {}
                }
            }
            validator.finish()
        };
        let validation = validated(true);
        assert_eq!(validation, validated(false), "{place}");
        violated += u64::from(!found.is_empty());
        refuted += u64::from(validation.iter().any(|it| it.refutation.is_some()));
        forgot += u64::from(left * 2 < kept);
    }
    assert!(violated * 8 > models && refuted * 8 > models, "{violated} {refuted} of {models}");
    assert!(forgot * 4 > models, "{forgot} of {models}");
}

#[test]
fn a_binding_is_kept_as_long_as_something_can_name_its_object() {
    // Rules, and whether what is known of tasks that are gone is forgotten.
    let cases = [
        ("_*; cb poll(t) |- cb poll(t)", true),
        ("_*; ciret acquire(t, l) |- ci request(t, l)", true),
        // Who has a handle can ask for a task that is gone.
        ("_*; cb poll(t) |- ci abort(_, t)", false),
        ("_*; cbret ::finish = poll(t) |+ ciret ended(_, t)", false),
    ];
    for (rule, is_forgotten) in cases {
        let property = compile(&lifestate(&[rule]), &Vocabulary::default()).0.expect("it is a rule");
        let mut steps = Vec::new();
        for task in 1..=1000 {
            let time = u64::from(task) * 4;
            let kinds = [EventKind::Poll, EventKind::Acquire, EventKind::Finish];
            steps.extend((0..).zip(kinds).map(|(at, kind)| event(kind, task, 5000, time + at)));
            steps.push(Step::Death(Sort::Task, task));
        }
        let (_, bindings) = monitored(&property, &steps, true);
        assert_eq!(bindings < 300, is_forgotten, "{rule}: {bindings}");
    }
}
