//! `cargo rvcheck trace stat`: how much of what a trace has, and what it lacks.

use super::super::show::{print_documents, print_lines};
use super::line::milliseconds;
use super::opened;
use crate::check::{Labels, Looker, OpenTrace};
use crate::cli::{ListFormat, TraceStatArgs};
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::report::bytes;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, TaskId, UnitId};
use rvcheck_event::kind::Sort;
use rvcheck_event::trace::read::{Lost, Trace};
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::ops::ControlFlow;

/// What one trace has. The names of the fields are those of the JSON form.
#[derive(Debug, Default, Serialize)]
struct Stat {
    /// The number of its process in the run.
    process: usize,
    /// What the process is called.
    name: String,
    path: String,
    bytes: u64,
    /// What the recorder says of the process; a trace in text has no such thing.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorder: Option<Recorder>,
    events: u64,
    /// The times of the first and the last event, in ns since recording began.
    from: u64,
    until: u64,
    threads: usize,
    /// Events by kind, the most frequent first where it is shown.
    kinds: BTreeMap<String, u64>,
    /// Tasks that did something, by kind.
    tasks: BTreeMap<&'static str, u64>,
    /// Locks, channels, semaphores and signals that something was done with, by type.
    objects: BTreeMap<&'static str, u64>,
    /// Events by test; those of no test are under `process`.
    units: BTreeMap<String, u64>,
    /// What could not be read or ordered; empty if all is well.
    damage: String,
}

#[derive(Debug, Serialize)]
struct Recorder {
    command: String,
    pid: u32,
    /// ns since 1970.
    began_at: u64,
    /// The process has ended in an orderly way.
    finished: bool,
    /// Records that could not be written, and why.
    dropped: u64,
    lost: &'static str,
}

/// Counts what a trace has.
pub(in super::super) fn stat(args: &TraceStatArgs) -> Result<ExitCode> {
    let (traces, _) = opened(&args.trace)?;
    let stats: Vec<Stat> =
        (0..traces.count()).map(|at| traces.look(at, |it| counted(at + 1, &it))).collect::<Result<_>>()?;
    match args.message_format {
        ListFormat::Human => print_lines(stats.iter().map(human))?,
        ListFormat::Json => {
            let line = |it: &Stat| serde_json::to_string(it).map_err(|error| Expected::Print(error.into()));
            print_documents(stats.iter().map(line).collect::<Result<Vec<_>>>()?)?;
        }
    }
    Ok(ExitCode::Clean)
}

/// Counts while the events pass by.
struct Counting {
    stat: Stat,
    /// Which of those that are alive were counted.
    met: HashSet<(Sort, u32)>,
    units: BTreeMap<u32, u64>,
}

fn counted(process: usize, trace: &OpenTrace<'_>) -> Stat {
    let path = trace.path();
    let recorder = trace.recorded().map(|it| Recorder {
        command: it.command(),
        pid: it.pid(),
        began_at: it.began_at(),
        finished: it.is_finished(),
        dropped: it.dropped(),
        lost: match it.lost() {
            Lost::Nothing => "nothing",
            Lost::Cap => "the trace reached its size cap",
            Lost::Disk => "the disk was full",
            Lost::Other(_) => "the recorder stopped",
        },
    });
    let stat = Stat {
        process,
        name: trace.title(),
        bytes: fs::metadata(&path).map_or(0, |it| it.len()),
        path: path.to_string(),
        recorder,
        threads: trace.recorded().map_or(0, |it| it.threads().count()),
        ..Stat::default()
    };
    let mut counting = Counting { stat, met: HashSet::new(), units: BTreeMap::new() };
    let order = trace.each(&mut counting);
    let Counting { mut stat, units, .. } = counting;
    for (unit, count) in units {
        let name = trace.unit(UnitId(unit));
        let name = if name.is_empty() { "process".to_owned() } else { name };
        *stat.units.entry(name).or_default() += count;
    }
    let file = trace.recorded().map(Trace::problems).unwrap_or_default();
    let damage: Vec<String> =
        [file, order].iter().filter(|it| it.events_lost()).map(ToString::to_string).collect();
    stat.damage = damage.join(", ");
    stat
}

impl Counting {
    fn meet(&mut self, value: Value, world: &World) {
        let Value::Object(sort, id) = value else { return };
        if self.met.contains(&(sort, id)) {
            return;
        }
        if sort == Sort::Task {
            let Some(task) = world.task(TaskId(id)) else { return };
            *self.stat.tasks.entry(task.kind.name()).or_default() += 1;
        } else {
            let Some(object) = world.object(ObjectId(id)) else { return };
            *self.stat.objects.entry(object.kind.name()).or_default() += 1;
        }
        self.met.insert((sort, id));
    }
}

impl Looker for Counting {
    fn event(&mut self, event: &Event, world: &World, _: &Labels<'_>) -> ControlFlow<()> {
        let stat = &mut self.stat;
        stat.from = if stat.events == 0 { event.time } else { stat.from.min(event.time) };
        stat.until = stat.until.max(event.time);
        stat.events += 1;
        let name = world.names().event(event);
        match stat.kinds.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                stat.kinds.insert(name.to_owned(), 1);
            }
        }
        *self.units.entry(event.unit.0).or_default() += 1;
        self.meet(Value::object(Sort::Task, event.task.0), world);
        self.meet(event.argument(1), world);
        // Where nobody acts, it is about the first argument.
        if event.kind.signature().params.first().is_some_and(|it| it.1 != Sort::Task) {
            self.meet(event.argument(0), world);
        }
        ControlFlow::Continue(())
    }

    fn dead(&mut self, dead: &[(Sort, u32)]) {
        for (sort, id) in dead {
            self.met.remove(&(*sort, *id));
        }
    }
}

/// A block of lines.
fn human(stat: &Stat) -> String {
    let mut lines = vec![format!("{} {}: {}", stat.process, stat.name, stat.path)];
    let mut row = |name: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("  {name:<9} {text}"));
        }
    };
    if let Some(recorder) = &stat.recorder {
        row("command", recorder.command.clone());
        let end = if recorder.finished { "ended in an orderly way" } else { "did not end in an orderly way" };
        row("process", format!("pid {}, {end}", recorder.pid));
    }
    let duration = milliseconds(stat.until.saturating_sub(stat.from));
    let threads = if stat.threads > 0 { format!(", {} threads", stat.threads) } else { String::new() };
    row("size", format!("{}, {} events in {duration} ms{threads}", bytes(stat.bytes), stat.events));
    row("units", counts(stat.units.iter().map(|(name, count)| (name.as_str(), *count))));
    row("events", counts(stat.kinds.iter().map(|(name, count)| (name.as_str(), *count))));
    row("tasks", counts(stat.tasks.iter().map(|(name, count)| (*name, *count))));
    row("objects", counts(stat.objects.iter().map(|(name, count)| (*name, *count))));
    if let Some(recorder) = &stat.recorder {
        let lost = match (recorder.dropped, recorder.lost) {
            (0, "nothing") => "nothing".to_owned(),
            (count, "nothing") => format!("{count} records"),
            (count, why) => format!("{count} records: {why}"),
        };
        row("lost", lost);
    }
    row("damage", stat.damage.clone());
    lines.join("\n")
}

/// The counts, the greatest first.
fn counts<'a>(of: impl Iterator<Item = (&'a str, u64)>) -> String {
    let mut all: Vec<(&str, u64)> = of.collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    all.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
