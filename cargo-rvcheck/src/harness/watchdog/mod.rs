//! Ending processes in which nothing goes on any more, so that their traces can tell why.
//!
//! A thread of the runner looks now and then whether the trace of a process grows. While it does, or the process computes, or
//! another process runs for it, all is well. Else the trace is read as far as it is written, and tells who waits for what. A
//! cycle of locks is certain, and ends the process after a moment, unless a timer will let the test itself go on. Everything else has the
//! whole stall timeout. What a timer or something outside may end has many times as long: tests may well sleep.

pub(super) mod growth;
pub(super) mod so_far;

use super::writer::Writer;
use crate::console::Console;
use crate::system;
use crate::waits::{Explanation, Left, Standing, Waits, explain};
use camino::{Utf8Path, Utf8PathBuf};
use growth::Growth;
use rvcheck_event::id::UnitId;
use rvcheck_event::world::World;
use so_far::{LARGEST, observed};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long nothing happens before a cycle of locks is looked for.
const MOMENT: Duration = Duration::from_millis(500);
/// The share of a core, as one of so many, from which on a process computes.
const BUSY: u32 = 20;

/// The tests of a process that stalled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stalled {
    /// By the recorder's names. None are known where the process is no test harness, or where nothing in its tests is monitored.
    pub tests: BTreeSet<String>,
}

/// A process that is looked after.
pub struct Watchdog {
    over: Sender<()>,
    /// The process has ended, so that nobody has to know any more what it waits for.
    gone: Arc<AtomicBool>,
    thread: JoinHandle<Option<Stalled>>,
}

/// Looks after the process that writes this trace. It is also ended when it has run longer than a `limit`.
/// `timeout_factors` is how many times the timeout something outside may take, and a timer.
pub fn watchdog(
    trace: &Utf8Path,
    timeout: Duration,
    timeout_factors: (u32, u32),
    limit: Option<Duration>,
) -> Watchdog {
    let (over, ended) = channel();
    let gone = Arc::new(AtomicBool::new(false));
    let mut watcher = Watcher::new(trace, (timeout, timeout_factors), Arc::clone(&gone));
    let pause = (timeout / 10).clamp(Duration::from_millis(20), Duration::from_millis(250));
    let begun = Instant::now();
    let thread = std::thread::spawn(move || {
        while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            if let Some(stalled) = watcher.look() {
                return Some(stalled);
            }
            if limit.is_some_and(|it| begun.elapsed() > it) {
                watcher.end();
                return None;
            }
        }
        None
    });
    Watchdog { over, gone, thread }
}

impl Watchdog {
    /// The process has ended: what stalled, if it was ended for that.
    pub fn finish(self) -> Option<Stalled> {
        self.gone.store(true, Ordering::Relaxed);
        drop(self.over);
        self.thread.join().ok().flatten()
    }
}

struct Watcher {
    path: Utf8PathBuf,
    timeout: Duration,
    timeout_factors: (u32, u32),
    gone: Arc<AtomicBool>,
    /// How long it took to read the whole trace last.
    took: Duration,
    file: Option<File>,
    growth: Growth,
    silence: Silence,
    /// When a trace that grows was read as a whole, and how many events each unit had.
    survey: (Instant, BTreeMap<UnitId, u64>),
    /// The process could not be ended, and that was reported.
    refused: bool,
}

/// The time since something was recorded last.
struct Silence {
    began: Instant,
    /// How long the process had computed then.
    cpu: Option<Duration>,
    /// How long it may still last before the trace is read again.
    next: Duration,
}

impl Watcher {
    fn new(
        path: &Utf8Path,
        (timeout, timeout_factors): (Duration, (u32, u32)),
        gone: Arc<AtomicBool>,
    ) -> Watcher {
        let now = Instant::now();
        Watcher {
            path: path.to_owned(),
            timeout,
            timeout_factors,
            gone,
            took: Duration::ZERO,
            file: None,
            growth: Growth::default(),
            silence: Silence { began: now, cpu: None, next: Duration::ZERO },
            survey: (now, BTreeMap::new()),
            refused: false,
        }
    }

    /// Looks at the trace; ends the process if nothing goes on.
    fn look(&mut self) -> Option<Stalled> {
        if self.file.is_none() {
            self.file = File::open(&self.path).ok();
        }
        let file = self.file.as_ref()?;
        let cpu = || process(file).and_then(system::cpu_time);
        if self.silence.cpu.is_none()
            && let cpu @ Some(_) = cpu()
        {
            self.silence = Silence { began: Instant::now(), cpu, ..self.silence };
        }
        if self.growth.look(file) {
            let cpu = cpu();
            // A long trace is not read at each short pause.
            let next = MOMENT.max(self.took).min(self.timeout);
            self.silence = Silence { began: Instant::now(), cpu, next };
            return self.look_among_others();
        }
        let silent = self.silence.began.elapsed();
        if silent < self.silence.next {
            return self.look_among_others();
        }
        // A cycle of locks is certain at once, and all else only when nothing has happened for the whole time.
        let stage = if silent < self.timeout {
            self.silence.next = self.timeout;
            TimeoutStage::OnlyCertain
        } else {
            self.silence.next = silent + self.timeout / 2;
            if self.is_at_work(silent)? {
                return None;
            }
            let left = |times: u32| silent < self.timeout.saturating_mul(times);
            match (left(self.timeout_factors.0), left(self.timeout_factors.1)) {
                (true, _) => TimeoutStage::Closed,
                (false, true) => TimeoutStage::Outside,
                (false, false) => TimeoutStage::None,
            }
        };
        let stalled = self.read()?.stalled(stage, |_| true)?;
        self.end().then_some(stalled)
    }

    /// Whether the process computes, or another one runs for it. `None` if it cannot be asked.
    fn is_at_work(&self, silent: Duration) -> Option<bool> {
        let process = process(self.file.as_ref()?)?;
        Some(computes(self.silence.cpu, system::cpu_time(process), silent) || system::has_children(process))
    }

    /// Looks for tests that stand still while others of their process go on. That takes reading the trace as a whole, and so is
    /// not done often.
    fn look_among_others(&mut self) -> Option<Stalled> {
        if self.survey.0.elapsed() < self.timeout.max(self.took.saturating_mul(BUSY)) {
            return None;
        }
        let size = self.file.as_ref()?.metadata().ok()?.len();
        if size > LARGEST {
            return None;
        }
        let situation = self.read()?;
        let before = std::mem::take(&mut self.survey.1);
        let silent = |unit: UnitId| before.get(&unit) == Some(&situation.waits.events_of(unit));
        let stalled = situation.stalled(TimeoutStage::Closed, silent);
        let counts = situation.waits.units().into_iter().map(|it| (it, situation.waits.events_of(it)));
        self.survey = (Instant::now(), counts.collect());
        let stalled = stalled?;
        self.end().then_some(stalled)
    }

    fn read(&mut self) -> Option<Situation> {
        let begun = Instant::now();
        let situation = Situation::read(&self.path, &self.gone);
        self.took = begun.elapsed();
        situation
    }

    /// Ends the process. Whether it was it, and could be ended: one of another user's cannot.
    fn end(&mut self) -> bool {
        let Some(file) = &self.file else { return false };
        let ended = Writer::of(file).and_then(|it| it.end());
        if let Err(error) = &ended
            && !std::mem::replace(&mut self.refused, true)
        {
            Console::last().warn(format_args!(
                "nothing goes on in a test, but the process that writes {} cannot be ended: {error}",
                self.path
            ));
        }
        ended.is_ok()
    }
}

/// Why nobody goes on in a process that has ended with this trace: the same words whenever it is for the same reason, whatever the numbers
/// of tasks and objects. `None` if the trace does not tell.
pub fn reasons(trace: &Utf8Path) -> Option<String> {
    let situation = Situation::read(trace, &AtomicBool::new(false))?;
    let mut all = BTreeSet::new();
    for unit in situation.units() {
        let stuck = situation.waits.stuck(unit);
        let reasons = explain(&situation.waits, &stuck, &situation.world, true);
        all.extend(reasons.iter().map(|it| words(it, &situation.world)));
    }
    (!all.is_empty()).then(|| Vec::from_iter(all).join("; "))
}

/// Why those will not go on whom the tests of a process have left behind that has ended with this trace: the same words as for
/// [`reasons`]. `None` if nobody was left but idle workers.
pub fn left_behind(trace: &Utf8Path) -> Option<String> {
    let mut left = Left::new();
    let world = observed(trace, &mut left, &AtomicBool::new(false))?;
    let (_, abandoned) = left.finish();
    let stuck = abandoned.iter().filter(|it| it.misses_something());
    let all: BTreeSet<String> = stuck.map(|it| words(&it.explanation, &world)).collect();
    (!all.is_empty()).then(|| Vec::from_iter(all).join("; "))
}

/// A reason in words that do not depend on the numbers of tasks and objects.
fn words(reason: &Explanation, world: &World) -> String {
    let names = world.names();
    let place = |site| names.site(site).map_or_else(String::new, |it| format!("{}:{}", it.file, it.position));
    let mut places: Vec<String> = reason.pending().iter().map(|it| place(it.site)).collect();
    places.sort();
    format!("{} {}", reason.cause.property(), places.join(" "))
}

/// Whether a process computed while it was silent, by what it had computed before and after. Where that cannot be read, it may have.
fn computes(before: Option<Duration>, now: Option<Duration>, silent: Duration) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => now.saturating_sub(before) > silent / BUSY,
        _ => true,
    }
}

/// The number of the process that writes the trace; `None` where that is not known.
fn process(file: &File) -> Option<u32> {
    Writer::of(file).ok().map(|it| it.number())
}

/// For how long nothing was recorded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TimeoutStage {
    /// Not long: only what is certain counts.
    OnlyCertain,
    /// The stall timeout: units count of which nothing can go on by itself.
    Closed,
    /// Long enough for anything outside.
    Outside,
    /// Long enough for any timer.
    None,
}

/// A trace as far as it is written, and who waits for what at its end.
struct Situation {
    waits: Waits,
    world: World,
}

impl Situation {
    /// Reads the trace, unless its process ends meanwhile.
    fn read(path: &Utf8Path, gone: &AtomicBool) -> Option<Situation> {
        let mut waits = Waits::new();
        let world = observed(path, &mut waits, gone)?;
        Some(Situation { waits, world })
    }

    /// The tests that stand still, of those that `silent` lets count. `None` if there are none.
    fn stalled(&self, stage: TimeoutStage, silent: impl Fn(UnitId) -> bool) -> Option<Stalled> {
        let units = self.units();
        // A test in which nothing is monitored, such as one that only reads from a socket, is not known at all.
        if units.is_empty() && stage >= TimeoutStage::Outside {
            return Some(Stalled::default());
        }
        let stuck: Vec<UnitId> =
            units.into_iter().filter(|it| self.is_stalled(*it, stage, silent(*it))).collect();
        let names = self.world.names();
        let name = |unit: &UnitId| Some(names.text(names.unit(*unit)?).to_owned());
        (!stuck.is_empty()).then(|| Stalled { tests: stuck.iter().filter_map(name).collect() })
    }

    /// The units of which something is not over, but for tests that have ended.
    fn units(&self) -> Vec<UnitId> {
        self.waits.units().into_iter().filter(|it| !self.waits.is_ended(*it)).collect()
    }

    fn is_stalled(&self, unit: UnitId, stage: TimeoutStage, silent: bool) -> bool {
        let stuck = self.waits.stuck(unit);
        if !explain(&self.waits, &stuck, &self.world, false).is_empty() {
            // Whoever is stuck is found at the end of the test, too.
            return stage == TimeoutStage::None || !self.waits.body_waits_for_timer(unit);
        }
        let has_begun = || stuck.tasks.iter().any(|it| it.1 != Standing::Unbegun);
        silent
            && match stage {
                TimeoutStage::OnlyCertain => false,
                TimeoutStage::Closed => stuck.is_closed(),
                TimeoutStage::Outside => stuck.is_closed() || (has_begun() && !self.has_timer()),
                TimeoutStage::None => has_begun(),
            }
    }

    /// A timer will let something in the process go on, which is not to be ended for something else of which nothing is known.
    fn has_timer(&self) -> bool {
        self.units().into_iter().any(|it| self.waits.stuck(it).has_timer())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::trace::write::TraceBuilder;

    #[test]
    fn nobody_is_idle_whose_cpu_time_cannot_be_read() {
        let (silent, some) = (Duration::from_secs(20), Some(Duration::from_secs(3)));
        assert!(!computes(some, some, silent));
        assert!(computes(some, Some(Duration::from_secs(5)), silent));
        assert!(computes(None, None, silent) && computes(None, some, silent) && computes(some, None, silent));
    }

    #[test]
    fn a_trace_is_not_read_to_its_end_once_its_process_has_ended() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().join("p1.rvt")).expect("its name is Unicode");
        let mut trace = TraceBuilder::new();
        trace.test("sells");
        std::fs::write(&path, trace.build()).expect("it can be written");
        let gone = AtomicBool::new(false);
        assert!(Situation::read(&path, &gone).is_some());
        gone.store(true, Ordering::Relaxed);
        assert!(Situation::read(&path, &gone).is_none());
    }
}
