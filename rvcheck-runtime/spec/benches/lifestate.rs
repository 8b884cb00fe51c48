//! How many messages a second a lifestate takes, how long it takes to validate 100,000 messages, and to predict what other orders of
//! 10,000 callbacks could do; how bindings that rejoin others tell on many messages of one channel; and what is kept of a million tasks that are
//! gone. The models are those of services in tower, and of buttons and tasks in the paper.
//!
//! ```text
//! cargo bench -p rvcheck-spec --bench lifestate
//! LIFESTATE_MESSAGES=100000000 cargo bench -p rvcheck-spec --bench lifestate
//! ```

use std::hint::black_box;
use std::time::Instant;

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::evaluation::lifestate::blocks::Cutter;
use rvcheck_spec::evaluation::lifestate::predict::{STATES, predict};
use rvcheck_spec::evaluation::lifestate::validate::Validator;
use rvcheck_spec::{
    Facts, Lifestate, Limits, Monitor, Property, PropertySource, UnitEnd, Verdict, Vocabulary, compile,
};

const SERVICE: [&str; 3] = [
    "true |- ci Service::call(s)",
    "_*; ciret ::Ready = Service::poll_ready(s) |+ ci Service::call(s)",
    "_*; ci Service::call(s) |- ci Service::call(s)",
];

const BUTTON: [&str; 6] = [
    "_*; ci Task::execute(t) |- ci Task::execute(t)",
    "true | _*; cb Task::done(t) |- cb Task::done(t)",
    "_*; ci Task::execute(t) |+ cb Task::done(t)",
    "_*; cb App::create(a) |- cb App::create(a)",
    "true | _*; ci Button::disable(b) |- cb Listener::on_click(b)",
    "_*; ci Button::set_listener(b) |+ cb Listener::on_click(b)",
];

const POLLS: [&str; 5] = [
    "_*; cb poll(t) |- cb poll(t)",
    "_*; cbret ::suspend = poll(t) |+ cb poll(t)",
    "true |- ci read(f)",
    "_*; ci open(f) |+ ci read(f)",
    "_*; ci close(f) |- ci read(f)",
];

/// What the life of a task is like.
const TASKS: [&str; 6] = [
    "true |- cb poll(t)",
    "_*; ci spawn(_, t) |+ cb poll(t)",
    "_*; cb poll(t) |- cb poll(t)",
    "_*; cbret ::suspend = poll(t) |+ cb poll(t)",
    "_*; cbret ::finish = poll(t) |- cb poll(t)",
    "_*; ciret join(_, t) |- ci join_wait(_, t)",
];

/// That the last message of a channel was taken before it is closed.
const CHANNEL: [&str; 2] = [
    "_*; ci put(c, _) |- ci close(c)",
    "_*; ci put(c, n); !(_*; ci put(c, _); _*); ciret take(c, n) |+ ci close(c)",
];

/// A message: the name of its event, and its values.
type Sent = (&'static str, [Value; 2]);

/// The message that comes now.
struct Moment {
    texts: Vec<&'static str>,
    arguments: [Value; 2],
}

impl Facts for Moment {
    fn attribute(&self, _: &Event, _: &'static str) -> Option<Value> {
        None
    }

    fn arguments(&self, _: &Event) -> &[Value] {
        &self.arguments
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, id: StringId) -> Option<&str> {
        self.texts.get(id.0 as usize).copied()
    }
}

/// An event of the one unit.
const EVENT: Event = Event {
    kind: EventKind::User,
    flags: 0,
    thread: ThreadId(1),
    task: TaskId(1),
    unit: UnitId(1),
    site: SiteId(1),
    object: 0,
    number: 0,
    time: 0,
    ns: 0,
    cpu: 0,
};

/// Hands messages to something that looks at them.
fn feed(messages: &[Sent], mut look: impl FnMut(&Event, &Moment)) {
    let mut moment = Moment { texts: vec![""], arguments: [Value::Absent; 2] };
    let mut event = EVENT;
    for (name, arguments) in messages {
        let kind = [("poll", EventKind::Poll), ("suspend", EventKind::Suspend)];
        event.kind = kind.iter().find(|it| it.0 == *name).map_or(EventKind::User, |it| it.1);
        // The ends of a poll are of its task, and what is between them.
        if let (EventKind::Poll, Value::Int(task)) = (event.kind, arguments[0]) {
            event.task = TaskId(task as u32);
        }
        let place = moment.texts.iter().position(|it| it == name).unwrap_or_else(|| {
            moment.texts.push(name);
            moment.texts.len() - 1
        });
        (event.object, moment.arguments) = (place as u32, *arguments);
        event.time += 1;
        look(black_box(&event), &moment);
    }
}

fn lifestate(rules: &[&str]) -> Lifestate {
    let source = PropertySource {
        id: "l".to_owned(),
        logic: "lifestate".to_owned(),
        rules: rules.iter().map(|it| (*it).to_owned()).collect(),
        ..PropertySource::default()
    };
    let (property, problems) = compile(&source, &Vocabulary::default());
    assert_eq!(problems, []);
    match property {
        Some(Property::Lifestate(lifestate)) => lifestate,
        _ => unreachable!("it is one"),
    }
}

/// How long the process has been on a processor, in ns: other programs may be there, too. The time on the clock where nobody tells that.
fn processor(begin: Instant) -> u64 {
    let stats = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let spent = stats.split(' ').next().and_then(|it| it.parse().ok());
    spent.unwrap_or_else(|| u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

/// What it comes to, and how many seconds of processor time it takes.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let before = processor(begin);
    let result = run();
    (result, (processor(begin) - before) as f64 / 1e9)
}

fn int(number: usize) -> Value {
    Value::Int(number as i64)
}

/// So many messages of so many services, which are ready and called in turn.
fn service(messages: usize, services: usize) -> Vec<Sent> {
    const STEPS: [&str; 4] =
        ["ci Service::poll_ready", "ciret Service::poll_ready", "ci Service::call", "ciret Service::call"];
    let message = |at: usize| {
        let (step, service) = (at / services % 4, int(at % services + 1));
        let arguments = match step {
            1 => [Value::Symbol("Ready"), service],
            3 => [Value::Symbol("Ok"), service],
            _ => [service, Value::Absent],
        };
        (STEPS[step], arguments)
    };
    (0..messages).map(message).collect()
}

fn monitor(messages: usize, services: usize) {
    let trace = service(messages, services);
    let mut monitor = Monitor::new(vec![lifestate(&SERVICE)]);
    let ((), seconds) = timed(|| feed(&trace, |event, moment| monitor.step(event, moment)));
    let bindings = monitor.instances();
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    let verdicts = monitor.finish(&Moment { texts: Vec::new(), arguments: [Value::Absent; 2] });
    assert_eq!(verdicts.properties[0].units[0].verdict, Verdict::Held);
    println!(
        "monitor:  {messages:>10} messages of {services:>6} services: {:6.1} million a second of processor time, {bindings} bindings",
        messages as f64 / seconds / 1e6
    );
}

fn validate(messages: usize, services: usize) {
    let (trace, model) = (service(messages, services), lifestate(&SERVICE));
    let (found, seconds) = timed(|| {
        let mut validator = Validator::new(&model);
        feed(&trace, |event, moment| validator.step(event, moment));
        validator.finish()
    });
    assert_eq!(found[0].valid, messages as u64);
    println!("validate: {messages:>10} messages of {services:>6} services: {seconds:.3} s of processor time");
}

/// So many messages that go through one channel, and whether the last one is received: with and without bindings that rejoin.
fn channel(messages: usize, rejoins: bool) {
    let trace: Vec<Sent> = (0..messages)
        .flat_map(|at| {
            let put = ("ci put", [int(1), int(1_000_000 + at)]);
            [put, ("ciret take", [int(1), int(1_000_000 + at)])]
        })
        .collect();
    let options = Options { rejoin: rejoins, ..Options::ALL };
    let mut monitor = Monitor::with(vec![Property::Lifestate(lifestate(&CHANNEL))], Limits::DEFAULT, options);
    let ((), seconds) = timed(|| feed(&trace, |event, moment| monitor.step(event, moment)));
    let what = if rejoins { "rejoin" } else { "stay" };
    println!(
        "channel:  {messages:>10} messages on one channel, bindings {what:<6}: {:8.3} million a second of processor time, {} bindings",
        messages as f64 / seconds / 1e6,
        monitor.instances()
    );
}

/// So many callbacks of windows with a button each. A click executes a task, which is done later. The button is disabled but in every
/// `careless`th window.
fn windows(callbacks: usize, windows: usize, careless: usize) -> Vec<Sent> {
    let mut trace = Vec::new();
    for at in 0..callbacks {
        let (window, number) = (at % windows + 1, at / windows);
        let (it, task) = (int(window), int(1_000_000 + number / 2 * windows + window));
        let one = |value| [value, Value::Absent];
        match number {
            0 => trace.extend([
                ("cb App::create", one(it)),
                ("ci Button::set_listener", one(it)),
                ("cbret App::create", [Value::Symbol("ok"), it]),
            ]),
            number if number % 2 == 1 => {
                trace.push(("cb Listener::on_click", one(it)));
                if careless == 0 || window % careless > 0 {
                    trace.push(("ci Button::disable", one(it)));
                }
                trace.push(("ci Task::execute", one(task)));
                trace.push(("cbret Listener::on_click", [Value::Symbol("ok"), it]));
            }
            _ => trace.extend([
                ("cb Task::done", one(int(1_000_000 + (number / 2 - 1) * windows + window))),
                ("ci Button::set_listener", one(it)),
                ("cbret Task::done", [Value::Symbol("ok"), task]),
            ]),
        }
    }
    trace
}

/// Tasks of one button that is disabled while one of them runs. Each is started once, so no order violates anything; but any number of them
/// can be done.
fn in_turn(tasks: usize) -> (Vec<Sent>, Lifestate) {
    let (button, mut trace) = (int(1), Vec::new());
    for task in (0..tasks).map(|it| int(1_000_000 + it)) {
        trace.extend([
            ("cb Listener::on_click", [button, task]),
            ("ci Button::disable", [button, Value::Absent]),
            ("ci Task::execute", [task, Value::Absent]),
            ("cbret Listener::on_click", [Value::Symbol("ok"), button]),
            ("cb Task::done", [task, Value::Absent]),
            ("ci Button::enable", [button, Value::Absent]),
            ("cbret Task::done", [Value::Symbol("ok"), task]),
        ]);
    }
    let rules = [
        "_*; ci Task::execute(t) |- ci Task::execute(t)",
        "_*; ci Button::disable(b) |- cb Listener::on_click(b, t)",
        "_*; ci Task::execute(t) |- cb Listener::on_click(b, t)",
        "!(_*; ci Task::execute(t); _*) & (_*; ci Button::enable(b)) |+ cb Listener::on_click(b, t)",
        "true | _*; cb Task::done(t) |- cb Task::done(t)",
        "_*; ci Task::execute(t) |+ cb Task::done(t)",
    ];
    (trace, lifestate(&rules))
}

/// So many polls of tasks that open a file, read from it in each poll, and close it. They do so in this order, so nothing is violated.
fn polls(count: usize, tasks: usize) -> Vec<Sent> {
    let one = |value: usize| [int(value), Value::Absent];
    let mut trace = Vec::new();
    for at in 0..count {
        let (task, number) = (at % tasks + 1, at / tasks);
        let does = match number {
            0 => "ci open",
            _ if at + tasks >= count => "ci close",
            _ => "ci read",
        };
        trace.extend([("poll", one(task)), (does, one(1_000_000 + task)), ("suspend", one(task))]);
    }
    trace
}

/// So many tasks, each of which is spawned, polled, and gone: what is left of them, with and without forgetting.
fn forget(tasks: u32, forgets: bool) {
    let model = lifestate(&TASKS);
    let options = Options { collect: forgets, ..Options::ALL };
    let mut monitor =
        Monitor::with(vec![model], Limits { instances: usize::MAX, ..Limits::DEFAULT }, options);
    let moment = Moment { texts: Vec::new(), arguments: [Value::Absent; 2] };
    let before = resident();
    let ((), seconds) = timed(|| {
        for task in 1..=tasks {
            for kind in
                [EventKind::Spawn, EventKind::Poll, EventKind::Suspend, EventKind::Poll, EventKind::Finish]
            {
                let (of, object) = if kind == EventKind::Spawn { (1, task) } else { (task, 0) };
                let time = u64::from(task);
                let event = Event { kind, task: TaskId(of), object, time, ..EVENT };
                monitor.step(black_box(&event), &moment);
            }
            // Task 1 spawns all others.
            if task > 1 {
                monitor.collect([(Sort::Task, task)]);
            }
        }
    });
    let what = if forgets { "forgotten" } else { "kept" };
    println!(
        "dead:     {tasks:>10} tasks, {what:<9}: {:6.1} million messages a second of processor time, {:>8} bindings, {:6.1} MiB more",
        f64::from(tasks) * 5.0 / seconds / 1e6,
        monitor.instances(),
        resident() - before
    );
}

/// How much memory the process has, in MiB; 0 where nobody tells that.
fn resident() -> f64 {
    let stats = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = stats.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or_default();
    pages * 4096.0 / f64::from(1 << 20)
}

fn predicted(callbacks: usize, of: usize, careless: usize) {
    let trace = windows(callbacks, of, careless);
    let what = if careless == 0 { "mended".to_owned() } else { format!("1 in {careless}") };
    predict_from(&trace, &lifestate(&BUTTON), &format!("{callbacks} callbacks of {of} windows, {what}"));
}

fn predict_from(trace: &[Sent], model: &Lifestate, what: &str) {
    let ((prediction, effort), seconds) = timed(|| {
        let mut cutter = Cutter::new(model);
        feed(trace, |event, moment| {
            cutter.step(event, moment);
        });
        let blocks = cutter.finish().pop().map(|it| it.1).unwrap_or_default();
        predict(model, &blocks, STATES)
    });
    let prediction = format!("{prediction:?}");
    let answer: String = prediction.chars().take(34).collect();
    println!(
        "predict:  {what:<48} {seconds:7.3} s of processor time, {} targets, {} cones, {} states: {answer}",
        effort.targets, effort.cones, effort.states
    );
}

fn main() {
    let messages =
        std::env::var("LIFESTATE_MESSAGES").ok().and_then(|it| it.parse().ok()).unwrap_or(2_000_000);
    for services in [1, 1_000, 100_000] {
        monitor(messages, services);
    }
    for (messages, rejoins) in [(100_000, true), (10_000, true), (10_000, false)] {
        channel(messages, rejoins);
    }
    // What is kept is not given back to the system, so that comes last.
    for forgets in [true, false] {
        forget(1_000_000, forgets);
    }
    for services in [1, 1_000, 20_000] {
        validate(100_000, services);
    }
    for windows in [5_000, 1_000, 100, 10, 1] {
        predicted(10_000, windows, 0);
        predicted(10_000, windows, windows.min(100));
    }
    for tasks in [1, 10, 1_000, 5_000] {
        predict_from(&polls(10_000, tasks), &lifestate(&POLLS), &format!("10000 polls of {tasks} tasks"));
    }
    for tasks in [5, 10, 100, 5_000] {
        let (trace, model) = in_turn(tasks);
        predict_from(&trace, &model, &format!("{} callbacks of tasks in turn", 2 * tasks));
    }
}
