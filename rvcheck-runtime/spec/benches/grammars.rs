//! How many messages a second a grammar takes: that of replication in the paper (figure 6.5), whose last alternative goes back to the
//! beginning here, so that a trace can be long. For 1 and for 1,000 groups in turn, each in a session of six messages after another.
//!
//! ```text
//! cargo bench -p rvcheck-spec --bench grammars
//! GRAMMAR_MESSAGES=100000000 cargo bench -p rvcheck-spec --bench grammars
//! ```

use std::hint::black_box;
use std::time::Instant;

use rvcheck_event::event::Event;
use rvcheck_event::id::{SiteId, StringId, TaskId, ThreadId, UnitId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_spec::evaluation::engine::Options;
use rvcheck_spec::{Facts, Limits, Monitor, PropertySource, UnitEnd, Verdict, Vocabulary, compile};

const VIEW: [(&str, &str); 6] = [
    ("st", "send Coordinator::start_replication(w)"),
    ("id", "receive Worker::send_current_id(id)"),
    ("pr", "send ClientJob::register_items(w, id)"),
    ("ar", "receive Worker::reply_register_items(reg)"),
    ("is", "receive Worker::accept_items(items)"),
    ("es", "receive Worker::accept_entries(contents)"),
];

const RULES: [(&str, &str); 7] = [
    ("start", "S"),
    ("S", "ε | st T { T.w = st.w }"),
    ("T", "ε | id U { U.w = T.w; U.i = id.id }"),
    ("U", "ε | pr assert U.w == pr.w && U.i == pr.id V"),
    ("V", "ε | ar W { W.b = ar.reg }"),
    ("W", "ε | is assert W.b X { X.s = size(is.items) }"),
    ("X", "ε | es assert X.s == size(es.contents) S"),
];

/// The message that comes now.
struct Moment {
    texts: Vec<String>,
    group: Value,
    arguments: [Value; 2],
}

impl Facts for Moment {
    fn attribute(&self, _: &Event, name: &'static str) -> Option<Value> {
        (name == "group").then_some(self.group)
    }

    fn arguments(&self, _: &Event) -> &[Value] {
        &self.arguments
    }

    fn callee(&self) -> Value {
        Value::Absent
    }

    fn text(&self, id: StringId) -> Option<&str> {
        self.texts.get(id.0 as usize).map(String::as_str)
    }
}

/// How much memory the process has, in KiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// How long the process has been on a processor, in ns: other programs may be there, too. The time on the clock where nobody tells that.
fn processor(begin: Instant) -> u64 {
    let stats = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let spent = stats.split(' ').next().and_then(|it| it.parse().ok());
    spent.unwrap_or_else(|| u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

fn run(messages: u64, groups: u32, options: Options) {
    let pairs =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let source = PropertySource {
        id: "worker".to_owned(),
        logic: "grammar".to_owned(),
        group: Some("workers".to_owned()),
        view: pairs(&VIEW),
        grammar: pairs(&RULES),
        ..PropertySource::default()
    };
    let (property, problems) = compile(&source, &Vocabulary::default());
    assert_eq!(problems, []);
    let mut monitor = Monitor::with(property.into_iter().collect(), Limits::DEFAULT, options);
    let mut texts = vec![String::new()];
    texts.extend(VIEW.iter().map(|(_, it)| it.split('(').next().unwrap_or("").to_owned()));
    texts.extend((1..=groups).map(|it| format!("workers:{it}")));
    let mut moment = Moment { texts, group: Value::Absent, arguments: [Value::Absent; 2] };
    let worker = Value::Object(Sort::Task, 7);
    let mut event = Event {
        kind: EventKind::User,
        flags: 0,
        thread: ThreadId(1),
        task: TaskId(1),
        unit: UnitId(1),
        site: SiteId(1),
        object: 1,
        number: 0,
        time: 0,
        ns: 0,
        cpu: 0,
    };
    let (mut first, begin) = (0, Instant::now());
    let before = processor(begin);
    let (mut group, mut step, mut session) = (0, 0, 0);
    for at in 0..messages {
        let id = Value::Int(session);
        moment.group = Value::Group(StringId(7 + group as u32));
        moment.arguments = match step {
            0 => [worker, Value::Absent],
            1 => [id, Value::Absent],
            2 => [worker, id],
            3 => [Value::Bool(true), Value::Absent],
            // Sizes are recorded beside what is no text.
            _ => [Value::Object(Sort::Chan, 1), Value::Int(3)],
        };
        (event.object, event.time) = (step + 1, at);
        monitor.step(black_box(&event), &moment);
        group += 1;
        if group == groups as usize {
            (group, step) = (0, step + 1);
        }
        if step == 6 {
            (step, session) = (0, session + 1);
        }
        if at == messages / 10 {
            first = memory();
        }
    }
    let seconds = (processor(begin) - before) as f64 / 1e9;
    let last = memory();
    monitor.end_of_unit(UnitId(1), UnitEnd::Complete);
    let verdicts = monitor.finish(&moment);
    assert_eq!(verdicts.properties[0].units[0].verdict, Verdict::Held);
    println!(
        "{messages:>10} messages, {groups:>5} groups, names by {}: {:6.1} million a second of processor time, {first} KiB after a tenth and {last} at the end",
        if options.name { "number" } else { "text  " },
        messages as f64 / seconds / 1e6
    );
}

fn main() {
    let most = std::env::var("GRAMMAR_MESSAGES").ok().and_then(|it| it.parse().ok()).unwrap_or(1_000_000);
    for groups in [1, 1_000] {
        for options in [Options::ALL, Options { name: false, ..Options::ALL }] {
            run(most, groups, options);
        }
    }
}
