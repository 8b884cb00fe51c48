//! Traces that are opened to be looked at: those of a run, or a file that the user names.

use super::doctests;
use super::events::name_calls;
use super::labels::Labels;
use super::process::Bytes;
use super::sources::{CompiledSite, Sources};
use super::units::{self, Units};
use crate::error::{Expected, Result};
use crate::layout::read_value;
use crate::recorded::{End, Origin, Process, Recorded};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_event::declared::Declared;
use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::Sort;
use rvcheck_event::log::Log;
use rvcheck_event::names::{Names, RecordedSite};
use rvcheck_event::observer::Observer;
use rvcheck_event::position::CompiledPosition;
use rvcheck_event::stream::EventStream;
use rvcheck_event::trace::merge;
use rvcheck_event::trace::problems::Problems;
use rvcheck_event::trace::read::{self, Trace};
use rvcheck_event::world::World;
use rvcheck_event::{csv, jsonl, rapid};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

/// What a run says of itself, in its folder.
const RECORDED: &str = "recorded.json";

/// How many of the lines that are wrong are named.
const NAMED: usize = 10;

/// What reads a trace that is a text.
pub type TextReader = fn(&[u8], &[Declared]) -> Log;

/// What reads the text in a file of this name; `None` if it is no text, by its name.
pub fn reader_of(path: &Utf8Path) -> Option<TextReader> {
    match path.extension() {
        Some("jsonl") => Some(jsonl::read),
        Some("csv") => Some(csv::read),
        Some("std") => Some(rapid::read),
        _ => None,
    }
}

/// The log, if nothing is wrong with it.
pub fn sound(trace: &Utf8Path, log: Log) -> Result<Log> {
    if log.problems.is_empty() {
        return Ok(log);
    }
    let mut lines: Vec<String> =
        log.problems.iter().take(NAMED).map(|problem| format!("{trace}:{problem}")).collect();
    if log.problems.len() > NAMED {
        lines.push(format!("and {} more", log.problems.len() - NAMED));
    }
    Err(Expected::Trace(lines.join("\n")))
}

/// The run in this folder.
pub fn run_in(folder: &Utf8Path) -> Result<Recorded> {
    let recorded = folder.join(RECORDED);
    if !recorded.is_file() {
        let message = format!("{folder} is a folder without a run\na run is in target/rvcheck/runs");
        return Err(Expected::Trace(message));
    }
    read_value(&recorded)
}

/// What is known of the run that a trace belongs to, with that one process.
pub fn run_of(trace: &Utf8Path) -> Option<Recorded> {
    let trace = trace.canonicalize_utf8().ok()?;
    let mut recorded = trace.ancestors().skip(1).take(2).find_map(|folder| {
        let path = folder.join(RECORDED);
        path.is_file().then(|| read_value::<Recorded>(&path).ok())?
    })?;
    let is_it = |path: &Utf8Path| path.canonicalize_utf8().is_ok_and(|it| it == trace);
    recorded.processes.retain(|it| it.trace.as_deref().is_some_and(is_it));
    (!recorded.processes.is_empty()).then_some(recorded)
}

/// Why a file is no trace that can be read.
pub fn unreadable(trace: &Utf8Path, error: impl std::fmt::Display) -> Expected {
    let help = "JSON lines are read from files that end in .jsonl, comma-separated values from .csv, RAPID's from .std";
    Expected::Trace(format!("{trace}: {error}\n{help}"))
}

/// The traces of a run, or one alone, with what is known of the program.
pub struct Traces {
    /// Only those processes that have a trace.
    recorded: Recorded,
    sources: Sources,
    /// The trace, where it is a text.
    text: Option<Log>,
}

impl Traces {
    /// Those of this run.
    pub fn of_run(mut recorded: Recorded) -> Traces {
        recorded.processes.retain(|it| it.trace.is_some());
        let sources = Sources::read(&recorded);
        Traces { recorded, sources, text: None }
    }

    /// Those of the run in a folder, or the trace in a file; `declared` are the events that a text may have beside the built-in ones.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no trace. A trace of a run is read when it is looked at.
    pub fn open(path: &Utf8Path, declared: &[Declared]) -> Result<Traces> {
        if path.is_dir() {
            return Ok(Traces::of_run(run_in(path)?));
        }
        let given = |source| Expected::Given { path: path.to_owned(), source };
        if let Some(read_text) = reader_of(path) {
            let bytes = fs::read(path).map_err(given)?;
            let log = sound(path, read_text(&bytes, declared))?;
            let sources = Sources::only_trace(path.as_str(), Some(&String::from_utf8_lossy(&bytes)));
            return Ok(Traces { recorded: alone(path), sources, text: Some(log) });
        }
        fs::File::open(path).map_err(given)?;
        if let Some(recorded) = run_of(path) {
            return Ok(Traces::of_run(recorded));
        }
        let sources = Sources::only_trace(path.as_str(), None);
        Ok(Traces { recorded: alone(path), sources, text: None })
    }

    /// Keeps only the process that is asked for: by its number, counted from 1, or by the name of its target where only one has it.
    pub fn keep(&mut self, wanted: &str) -> Result<()> {
        let titles = self.titles();
        let number = wanted.parse::<usize>().ok().filter(|it| (1..=titles.len()).contains(it));
        let mut named = titles.iter().enumerate().filter(|(_, title)| *title == wanted);
        let found = match (number, named.next(), named.next()) {
            (Some(number), ..) => Some(number - 1),
            (None, Some((at, _)), None) => Some(at),
            _ => None,
        };
        let Some(at) = found else {
            let known = listed(&titles);
            return Err(Expected::Unknown {
                what: "process",
                name: wanted.to_owned(),
                known: format!("there are {known}"),
            });
        };
        let process = self.recorded.processes.swap_remove(at);
        self.recorded.processes = vec![process];
        Ok(())
    }

    /// What the processes are called, in order.
    pub fn titles(&self) -> Vec<String> {
        let packages = units::packages(&self.recorded);
        self.recorded.processes.iter().map(|it| title(&Units::new(it, &packages))).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.recorded.processes.len()
    }

    /// Identifies the build that they are of; empty if that is not known.
    pub fn build(&self) -> &str {
        &self.recorded.build
    }

    /// When recording began, of each that can be read, in ns since 1970; 0 where that is not known.
    pub fn began_at(&self) -> Vec<Option<u64>> {
        (0..self.count()).map(|at| self.look(at, |it| it.began_at()).ok()).collect()
    }

    /// What this makes of the trace with that index.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn look<R>(&self, index: usize, act: impl FnOnce(OpenTrace<'_>) -> R) -> Result<R> {
        let packages = units::packages(&self.recorded);
        let process = &self.recorded.processes[index];
        let units = Units::new(process, &packages);
        let path = process.trace.as_deref().unwrap_or(Utf8Path::new(""));
        let of = |written| OpenTrace { path, units: &units, sources: &self.sources, written };
        if let Some(log) = &self.text {
            return Ok(act(of(Written::Text(log))));
        }
        let given = |source| Expected::Given { path: path.to_owned(), source };
        let bytes = Bytes::of(path.as_std_path(), units.may_run()).map_err(given)?;
        let mut trace = read::read(bytes.as_ref()).map_err(|error| unreadable(path, error))?;
        if units.is_documentation() {
            doctests::place(&mut trace, &units, &self.sources);
        }
        name_calls(&mut trace, &self.sources);
        Ok(act(of(Written::Recorded(Box::new(trace)))))
    }
}

/// The names with their numbers.
pub fn listed(titles: &[String]) -> String {
    let titles: Vec<String> =
        titles.iter().enumerate().map(|(at, title)| format!("{} `{title}`", at + 1)).collect();
    titles.join(", ")
}

/// A run that has nothing but this trace.
fn alone(path: &Utf8Path) -> Recorded {
    let process = Process {
        package: String::new(),
        target: path.to_string(),
        select: String::new(),
        libtest: true,
        origin: Origin::Trace,
        only: None,
        command: Vec::new(),
        end: End::Exited(0),
        tests: Vec::new(),
        trace: Some(path.to_owned()),
        seconds: 0.0,
    };
    Recorded { processes: vec![process], ..Recorded::default() }
}

/// What the process is called, without marks.
fn title(units: &Units<'_>) -> String {
    units.label().replace('`', "").trim_end_matches(',').to_owned()
}

/// A trace that is being looked at.
pub struct OpenTrace<'a> {
    path: &'a Utf8Path,
    units: &'a Units<'a>,
    sources: &'a Sources,
    written: Written<'a>,
}

enum Written<'a> {
    Text(&'a Log),
    Recorded(Box<Trace<'a>>),
}

impl OpenTrace<'_> {
    /// Its file.
    pub fn path(&self) -> Utf8PathBuf {
        self.path.to_owned()
    }

    /// What its process is called.
    pub fn title(&self) -> String {
        title(self.units)
    }

    /// The trace as the recorder wrote it, if it did.
    pub fn recorded(&self) -> Option<&Trace<'_>> {
        match &self.written {
            Written::Text(_) => None,
            Written::Recorded(trace) => Some(trace),
        }
    }

    /// When recording began, in ns since 1970; 0 if that is not known.
    pub fn began_at(&self) -> u64 {
        self.recorded().map_or(0, Trace::began_at)
    }

    /// What the ids stand for.
    pub fn names(&self) -> &Names {
        match &self.written {
            Written::Text(log) => log.names(),
            Written::Recorded(trace) => trace.names(),
        }
    }

    /// Hands the events to somebody, until they have seen enough. What was wrong with the order of those that were read.
    pub fn each(&self, looker: &mut impl Looker) -> Problems {
        let labels = Labels::new(self.sources);
        match &self.written {
            Written::Text(log) => {
                walk(log.replay(), labels, looker);
                Problems::default()
            }
            Written::Recorded(trace) => walk(merge::events(trace), labels, looker).problems(),
        }
    }

    /// What reports call the unit; empty for what belongs to no test.
    pub fn unit(&self, unit: UnitId) -> String {
        let names = self.names();
        let recorded = names.unit(unit).map_or("", |it| names.text(it));
        match self.units.test(recorded) {
            Some(test) => self.units.name(test),
            None if self.units.is_replayed() => recorded.to_owned(),
            None => String::new(),
        }
    }

    /// Gives the sites the places that they have in the source, as far as they are known. Labels do not know them any more then.
    pub fn place_in_source(&mut self) {
        let Written::Recorded(trace) = &mut self.written else { return };
        let original = |it: &RecordedSite| {
            let at = self.sources.place(CompiledSite::of(it), "");
            let position = CompiledPosition::new(at.location.line, at.location.column);
            RecordedSite { file: at.location.file, position, own: at.own }
        };
        let placed: Vec<_> = trace
            .names()
            .sites()
            .filter(|(_, it)| it.position.is_known())
            .map(|(id, it)| (id, original(it)))
            .collect();
        for (id, place) in placed {
            trace.names_mut().set_site(id, place);
        }
    }

    /// The tests of which it has events, by the names of reports.
    pub fn tests(&self) -> BTreeSet<String> {
        self.names().units().map(|(unit, _)| self.unit(unit)).filter(|it| !it.is_empty()).collect()
    }
}

/// What looks at the events of a trace one after another.
pub trait Looker {
    /// An event happens; `world` is that right after it. It is the last one that is wanted, or others are.
    fn event(&mut self, event: &Event, world: &World, labels: &Labels<'_>) -> ControlFlow<()>;

    /// These have died: no later event is about them.
    fn dead(&mut self, _dead: &[(Sort, u32)]) {}
}

impl<F: FnMut(&Event, &World, &Labels<'_>) -> ControlFlow<()>> Looker for F {
    fn event(&mut self, event: &Event, world: &World, labels: &Labels<'_>) -> ControlFlow<()> {
        self(event, world, labels)
    }
}

/// After how many events the dead are forgotten.
const COLLECT_EVERY: u64 = 256;

fn walk<S: EventStream>(mut events: S, mut labels: Labels<'_>, looker: &mut impl Looker) -> S {
    let mut count = 0_u64;
    while let Some(event) = events.next() {
        // Calls of the tool are no positions of any trace.
        if !event.is_control() {
            labels.observe(&event, events.world());
            if looker.event(&event, events.world(), &labels).is_break() {
                break;
            }
        }
        count += 1;
        if count.is_multiple_of(COLLECT_EVERY) {
            let dead: Vec<(Sort, u32)> = events.drain_dead().collect();
            labels.collect(&dead);
            looker.dead(&dead);
        }
    }
    events
}
