//! One process: its trace is read, merged and stepped through the monitors.

use super::Options;
use super::enforced;
use super::events;
use super::joined::Failures;
use super::live::LiveChecked;
use super::outlived::{Ends, Outlived};
use super::sites::{self, SiteKey};
use super::slowest::Slow;
use super::sources::Sources;
use super::units::{Ending, PROCESS, Units};
use crate::finding::{Finding, Level, Location};
use crate::lock_dependencies::TestDependency;
use crate::report::{
    EnforcedReport, RearrangementReport, Steering, Undecided, UnitVerdict, ValidationReport, Verdict,
};
use memmap2::Mmap;
use rvcheck_event::trace::problems::Problems;
use rvcheck_event::trace::read::{self, Lost, Trace};
use rvcheck_page::Picture;
use rvcheck_spec::{Property, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

/// What checking one process came to.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// The violations that a person can do something about.
    pub(super) findings: Vec<Finding>,
    /// For each property: its verdicts by unit, how many events it was stepped with, and how many violations were only
    /// at places that the user cannot change.
    pub(super) properties: Vec<PropertyChecked>,
    /// How predictions can be made to happen.
    pub(super) steering: Vec<Steering>,
    /// The lock dependencies that its tests have shown.
    pub(super) dependencies: Vec<TestDependency>,
    /// Which lock-order inversions the program keeps from becoming deadlocks.
    pub(super) apart: Vec<Apart>,
    /// Which tasks failed whose results were taken.
    pub(super) failures: Vec<Failures>,
    /// Which tasks and threads went on without a handle.
    pub(super) outlived: Vec<Outlived>,
    /// How tasks and threads ended, by where they were spawned.
    pub(super) ends: Vec<Ends>,
    /// The formulas that the program brought along, by name.
    pub(super) live: BTreeMap<String, LiveChecked>,
    /// How many events the trace has.
    pub(super) events: u64,
    /// How many records were lost.
    pub(super) dropped: u64,
    /// The trace reached its size cap.
    pub(super) truncated: bool,
    /// What keeps the verdicts from being conclusive.
    pub(super) undecided: Vec<Undecided>,
    /// What the reader should know.
    pub(super) notes: Vec<String>,
    /// The size of the trace.
    pub(super) bytes: u64,
    /// What was learnt of places, and what remedies have done there.
    pub(super) enforced: Vec<EnforcedReport>,
    /// Which models fit, where that was asked for.
    pub(super) validations: Vec<ValidationReport>,
    /// What other orders of callbacks could do, where that was asked for.
    pub(super) rearrangements: Vec<RearrangementReport>,
    /// All that happened, where that was asked for.
    pub(super) whole: Option<Box<Picture>>,
    /// What took longest.
    pub(super) slow: Slow,
    /// The sites at which something was recorded.
    pub(super) seen: BTreeSet<SiteKey>,
}

impl Checked {
    /// Nothing yet, for these properties.
    pub(super) fn of(properties: &[Property]) -> Checked {
        Checked { properties: vec![PropertyChecked::default(); properties.len()], ..Checked::default() }
    }

    /// Nothing of the process is conclusive, for this reason.
    pub(super) fn leave_open(&mut self, reason: String) {
        self.undecided.push(Undecided::process(reason));
    }
}

/// Requests for locks that would be a deadlock if they were made at once, and that the program keeps from it.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    /// A test that shows it.
    pub(super) test: String,
    /// Where the locks are asked for.
    pub(super) asked: Vec<Location>,
}

/// One property over one process.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyChecked {
    pub(super) units: BTreeMap<String, UnitVerdict>,
    pub(super) events: u64,
    pub(super) elsewhere: u64,
    /// The units with findings, and whether any of these is more than a note.
    pub(super) found: BTreeMap<String, bool>,
    /// The units of which what was seen was done for other ones, and for which.
    served: BTreeMap<String, BTreeSet<String>>,
}

impl PropertyChecked {
    /// Something was found in a unit.
    pub(super) fn find(&mut self, finding: &Finding) {
        *self.found.entry(finding.test.clone()).or_default() |= finding.level > Level::Note;
    }

    /// What was seen in a unit is none, although the events alone say so.
    pub(super) fn pass_over(&mut self, test: String) {
        self.found.entry(test).or_default();
    }

    /// Bad things were seen in a unit where the user can change nothing.
    pub(super) fn find_elsewhere(&mut self, test: String) {
        self.elsewhere += 1;
        self.found.insert(test, true);
    }

    /// What was found in the unit that a finding names was done by what this other unit has started.
    pub(super) fn serve(&mut self, starter: String, finding: &Finding) {
        if starter != finding.test {
            self.served.entry(starter).or_default().insert(finding.test.clone());
        }
    }

    /// Says of the units for which something was done what the events say of those that have started who did it.
    fn attribute_served(&mut self, is_cut: impl Fn(&str) -> bool) {
        for (starter, served) in std::mem::take(&mut self.served) {
            let Some(verdict) = self.units.get(&starter).map(|it| it.verdict).filter(|it| it.is_bad()) else {
                continue;
            };
            for unit in self.units.values_mut().filter(|it| served.contains(&it.test)) {
                unit.verdict = unit.verdict.max(verdict);
            }
            if let Some(unit) = self.units.get_mut(&starter).filter(|it| !self.found.contains_key(&it.test)) {
                unit.verdict = if is_cut(&unit.test) { Verdict::Inconclusive } else { Verdict::Held };
            }
        }
    }

    /// Takes back what was said of units in which all findings are notes. `is_cut` are those of which more could have been seen.
    fn forgive_notes(&mut self, is_cut: impl Fn(&str) -> bool) {
        for unit in self.units.values_mut().filter(|it| self.found.get(&it.test) == Some(&false)) {
            if unit.verdict.is_bad() {
                unit.verdict = if is_cut(&unit.test) { Verdict::Inconclusive } else { Verdict::Held };
            }
        }
    }

    /// Adds what is known of a unit to what else is known of it in the same process.
    pub(super) fn add(&mut self, unit: UnitVerdict) {
        self.combine(unit, Verdict::max);
    }

    /// Adds the verdict of a unit in another process. A test that was cut off in one process and ran to its end in
    /// another is decided by the latter.
    pub(super) fn add_other_process(&mut self, unit: UnitVerdict) {
        let is_test = unit.test != PROCESS;
        self.combine(unit, |a, b| match (a, b) {
            (Verdict::Inconclusive, Verdict::Held | Verdict::NotExercised) if is_test => b,
            (Verdict::Held | Verdict::NotExercised, Verdict::Inconclusive) if is_test => a,
            _ => a.max(b),
        });
    }

    fn combine(&mut self, unit: UnitVerdict, worst: impl Fn(Verdict, Verdict) -> Verdict) {
        match self.units.get_mut(&unit.test) {
            Some(known) => {
                known.verdict = worst(known.verdict, unit.verdict);
                known.bindings += unit.bindings;
                known.exercised += unit.exercised;
            }
            None => {
                self.units.insert(unit.test.clone(), unit);
            }
        }
    }
}

/// Checks one process. Whatever is wrong with its trace makes its units inconclusive and is noted.
pub(super) fn check_process(units: &Units<'_>, options: &Options, sources: &Sources) -> Checked {
    let properties = &options.properties;
    let mut checked = Checked::of(properties);
    let whole = read_and_check(units, options, sources, &mut checked);
    units_without_events(units, whole, properties, &mut checked);
    let own = units.own();
    let is_cut = |test: &str| {
        let ending = own.iter().find(|it| it.0 == test).map_or_else(|| units.process_ending(), |it| it.1);
        !whole || ending == Ending::Abnormal
    };
    checked.properties.iter_mut().for_each(|it| {
        it.attribute_served(is_cut);
        it.forgive_notes(is_cut);
    });
    checked.undecided.extend(units.undecided_tests());
    let end = || format!("{} {}", units.label(), units.end());
    if !units.orderly() {
        checked.leave_open(end());
    } else if units.may_run() {
        checked.notes.push(end());
    }
    checked
}

/// Whether everything that happened was recorded and could be read. What is missing is noted.
fn read_and_check(units: &Units<'_>, options: &Options, sources: &Sources, checked: &mut Checked) -> bool {
    let label = units.label();
    let Some(path) = units.trace() else {
        // A harness in which no test ran has nothing to record.
        let idle = units.is_idle();
        if !idle {
            checked.leave_open(format!("{label} left no trace"));
        }
        return idle;
    };
    let shown = sources.shown(path);
    let bytes = match Bytes::of(path.as_std_path(), units.may_run()) {
        Ok(bytes) => bytes,
        Err(error) => {
            checked.leave_open(format!("the trace of {label} cannot be opened: {error} ({shown})"));
            return false;
        }
    };
    checked.bytes = bytes.as_ref().len() as u64;
    match read::read(bytes.as_ref()) {
        Ok(trace) => {
            checked.seen = sites::seen(trace.names(), sources);
            checked.enforced = enforced::of_process(trace.names(), sources);
            events::check_recording(trace, units, options, sources, checked)
        }
        Err(error) => {
            checked.leave_open(format!("the trace of {label} cannot be read: {error} ({shown})"));
            false
        }
    }
}

/// What this makes of the trace in a file that nobody writes any more; `None` if it cannot be read.
pub(super) fn with_trace<R>(path: &Path, act: impl FnOnce(&Trace<'_>) -> R) -> Option<R> {
    let bytes = Bytes::of(path, false).ok()?;
    read::read(bytes.as_ref()).ok().map(|it| act(&it))
}

/// The bytes of a trace.
pub(super) enum Bytes {
    Mapped(Mmap),
    Copied(Vec<u8>),
}

impl Bytes {
    /// `may_change` if the process that writes the file may still do so.
    pub(super) fn of(path: &Path, may_change: bool) -> std::io::Result<Bytes> {
        let file = File::open(path)?;
        // An empty file cannot be mapped.
        if may_change || file.metadata()?.len() == 0 {
            return std::fs::read(path).map(Bytes::Copied);
        }
        // SAFETY: the process that wrote the file has ended, and nobody else changes the files of a run.
        unsafe { Mmap::map(&file) }.map(Bytes::Mapped)
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Copied(bytes) => bytes,
        }
    }
}

/// Notes what is missing from a trace. Whether nothing is.
pub(super) fn note_losses(
    trace: &Trace<'_>,
    order: Problems,
    units: &Units<'_>,
    checked: &mut Checked,
) -> bool {
    let label = units.label();
    checked.dropped += trace.dropped();
    let reason = match trace.lost() {
        Lost::Nothing => None,
        Lost::Cap => {
            checked.truncated = true;
            Some("it reached its size cap; `--trace-cap` sets another")
        }
        Lost::Disk => Some("the disk was full"),
        Lost::Other(_) => Some("the recorder stopped"),
    };
    if let Some(reason) = reason {
        let count = trace.dropped();
        checked
            .leave_open(format!("the trace of {label} is truncated, {count} records are missing: {reason}"));
    }
    for problems in [trace.problems(), order] {
        if problems.events_lost() {
            checked.leave_open(format!("the trace of {label} is damaged: {problems}"));
        }
    }
    for note in trace.names().notes() {
        checked.notes.push(format!("{label}: {note}"));
    }
    if reason.is_none() && trace.dropped() > 0 {
        checked.leave_open(format!("{} records of {label} are missing", trace.dropped()));
    }
    reason.is_none() && trace.dropped() == 0 && !trace.problems().events_lost() && !order.events_lost()
}

/// Gives every unit that ran its verdict, also for properties of which it had no event.
pub(super) fn units_without_events(
    units: &Units<'_>,
    whole: bool,
    properties: &[Property],
    checked: &mut Checked,
) {
    let own = units.own();
    let process = if own.is_empty() { Vec::new() } else { vec![units.whole()] };
    for (property, checked) in properties.iter().zip(&mut checked.properties) {
        for (test, ending) in if property.scope() == Scope::Process { &process } else { &own } {
            let untouched = whole && *ending != Ending::Abnormal;
            let verdict = if untouched { Verdict::NotExercised } else { Verdict::Inconclusive };
            checked.add(UnitVerdict {
                test: test.clone(),
                verdict,
                bindings: 0,
                exercised: 0,
                witness: Vec::new(),
            });
        }
    }
}
