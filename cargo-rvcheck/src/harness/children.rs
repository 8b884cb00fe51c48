//! The processes that an instrumented process has started: their traces lie beside its own.

use super::run_file::Ran;
use crate::recorded::{End, Origin, Process, TestOutcome};
use camino::{Utf8Path, Utf8PathBuf};
use memmap2::Mmap;
use rvcheck_event::kind::TaskKind;
use rvcheck_event::trace::read::{self, Starter, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};

/// What stands between the number of a process and that of another one which it has started, in the name of the
/// latter's trace.
const BETWEEN: &str = ".rvt.";

/// Removes the trace of a process and those of the processes that it has started.
pub fn remove(trace: &Utf8Path) {
    let children = trace.parent().map(Children::below).unwrap_or_default();
    let started = trace.file_name().and_then(|it| children.traces.get(it));
    for file in started.into_iter().flatten().map(Utf8PathBuf::as_path).chain([trace]) {
        // What is not there, or cannot be removed, takes only room.
        let _ = fs::remove_file(file);
    }
}

/// The traces in a run's folder that belong to processes which an instrumented process has started.
#[derive(Debug, Default)]
pub struct Children {
    /// By the name of the trace of the process that the tool has started.
    traces: BTreeMap<String, BTreeSet<Utf8PathBuf>>,
}

impl Children {
    /// Looks for them in this folder.
    pub fn below(folder: &Utf8Path) -> Children {
        let mut children = Children::default();
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            if let Some((first, _)) = entry.file_name().split_once(BETWEEN) {
                let first = format!("{first}{}", BETWEEN.trim_end_matches('.'));
                children.traces.entry(first).or_default().insert(entry.into_path());
            }
        }
        children
    }

    /// The processes that `parent` has started, each charged to the test that did so, as far as that is known. `ran` is the
    /// parent as the runner saw it.
    pub fn of(&self, ran: &Ran, parent: &Process) -> Vec<Process> {
        let Some(path) = &parent.trace else { return Vec::new() };
        let Some(paths) = path.file_name().and_then(|it| self.traces.get(it)) else { return Vec::new() };
        // Of each only its head is kept, and one is open at a time: there may be thousands, and large ones.
        let heads: Vec<(&Utf8PathBuf, Option<Head>)> = paths.iter().map(|it| (it, Head::of(it))).collect();
        let map = map(path);
        let family = Family { ran, first: map.as_deref().and_then(|it| read::read(it).ok()) };
        let starters: BTreeMap<u32, Option<Starter>> =
            heads.iter().filter_map(|(_, it)| it.as_ref().map(|it| (it.pid, it.starter.clone()))).collect();
        // A trace that cannot be read is checked, too, so that the report says so.
        let process = |(path, head): (&Utf8PathBuf, Option<Head>)| Process {
            origin: Origin::Process,
            only: family.test(head.as_ref().and_then(|it| it.starter.clone()), &starters),
            command: head.iter().map(|it| it.program.clone()).collect(),
            end: if head.is_some_and(|it| it.is_finished) { End::Orderly } else { End::Unfinished },
            tests: Vec::new(),
            trace: Some(path.clone()),
            seconds: 0.0,
            ..parent.clone()
        };
        heads.into_iter().map(process).collect()
    }
}

/// What stands at the beginning of a trace.
struct Head {
    pid: u32,
    starter: Option<Starter>,
    program: String,
    is_finished: bool,
}

impl Head {
    fn of(path: &Utf8Path) -> Option<Head> {
        let map = map(path)?;
        let trace = read::read(&map).ok()?;
        Some(Head {
            pid: trace.pid(),
            starter: trace.starter(),
            program: program(&trace.command()),
            is_finished: trace.is_finished(),
        })
    }
}

/// The bytes of a trace, which are not read before they are looked at.
pub(super) fn map(path: &Utf8Path) -> Option<Mmap> {
    let file = File::open(path).ok()?;
    // SAFETY: of the bytes that others write meanwhile each can be anything, and a trace may hold anything.
    unsafe { Mmap::map(&file) }.ok()
}

/// The first word of a command line.
fn program(command: &str) -> String {
    command.split(' ').next().unwrap_or_default().to_owned()
}

/// A process that the tool has started, and what is known of those that it has started.
struct Family<'a> {
    ran: &'a Ran,
    first: Option<Trace<'a>>,
}

/// How many bytes of a thread's name the system keeps.
const KEPT: usize = 15;

impl Family<'_> {
    /// The test in which a process with this starter was started.
    fn test(&self, starter: Option<Starter>, others: &BTreeMap<u32, Option<Starter>>) -> Option<String> {
        if let Some(only) = &self.ran.only {
            return Some(only.clone());
        }
        let mut ran = self.ran.tests.iter().filter(|it| it.outcome != TestOutcome::Ignored);
        if let (Some(test), None) = (ran.next(), ran.next()) {
            return Some(test.name.clone());
        }
        let first = self.first.as_ref()?;
        let mut starter = starter?;
        // Each step leads to an older process. Numbers may be given twice, so there is an end to it.
        for _ in 0..=others.len() {
            if starter.process == first.pid() {
                return self.test_of_thread(first, &starter);
            }
            starter = others.get(&starter.process).cloned().flatten()?;
        }
        None
    }

    /// The test whose thread this is. One that has recorded nothing is known only by the beginning of its name.
    fn test_of_thread(&self, first: &Trace<'_>, starter: &Starter) -> Option<String> {
        let names = first.names();
        if let Some(thread) = first.system_thread(starter.thread).and_then(|it| names.thread(it)) {
            let unit = names.unit(thread.unit).filter(|_| thread.kind == TaskKind::Test);
            return unit.map(|it| names.text(it).to_owned());
        }
        let cut = |name: &str| name.bytes().take(KEPT).collect::<Vec<u8>>();
        let recorded: BTreeSet<&str> = names.units().map(|(_, name)| name).collect();
        let mut alike = self.ran.tests.iter().filter(|it| {
            let silent = it.outcome != TestOutcome::Ignored && !recorded.contains(it.name.as_str());
            silent && cut(&it.name) == starter.thread_name.as_bytes()
        });
        match (alike.next(), alike.next()) {
            (Some(test), None) => Some(test.name.clone()),
            _ => None,
        }
    }
}
