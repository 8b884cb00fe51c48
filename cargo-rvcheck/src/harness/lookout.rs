//! Reporting who waits forever while the process still runs: in a program that never ends, nobody else would.
//!
//! Now and then the trace is read as far as it is written. A test that is over has left somebody behind or has not. In whatever still goes on
//! anybody outside may have a handle, so less can be said there. The report says the same again, in more words.

use super::online::Reported;
use super::watchdog::growth::Growth;
use super::watchdog::so_far::{LARGEST, observed};
use crate::waits::{Abandoned, Ends, Left, Lost, Pending, WaitEdge};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_enforcement::{LiveViolation, name_of};
use rvcheck_event::id::{SiteId, TaskId};
use rvcheck_event::kind::Sort;
use rvcheck_event::value::Value;
use rvcheck_event::world::World;
use rvcheck_spec::Level;
use std::collections::BTreeSet;
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it is asked whether the trace has grown.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a trace that has grown is not read again. A wait is reported at the second reading that finds it.
const INTERVAL: Duration = Duration::from_secs(1);
/// It is read for one part of the time in so many at most.
const SHARE: u32 = 20;

/// Somebody who looks.
pub struct Lookout {
    over: Sender<()>,
    gone: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// What is known of ends by the source, once that is known: more waits can be reported then.
pub type KnownEnds = Arc<OnceLock<Box<dyn Ends + Send + Sync>>>;

/// Looks at the process that writes this trace.
pub fn lookout(trace: &Utf8Path, ends: KnownEnds) -> Lookout {
    let (over, ended) = channel();
    let gone = Arc::new(AtomicBool::new(false));
    let mut looking = Looking::new(trace, ends, Arc::clone(&gone));
    let thread = std::thread::spawn(move || {
        while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            looking.look();
        }
    });
    Lookout { over, gone, thread }
}

impl Lookout {
    /// The process has ended. What was not reported is in the report.
    pub fn finish(self) {
        self.gone.store(true, Ordering::Relaxed);
        drop(self.over);
        let _ = self.thread.join();
    }
}

struct Looking {
    path: Utf8PathBuf,
    ends: KnownEnds,
    /// They were known when the trace was read last.
    knew_ends: bool,
    file: Option<File>,
    growth: Growth,
    gone: Arc<AtomicBool>,
    /// When the trace was read last, and how long that took.
    read: (Instant, Duration),
    /// It is to be read again: something was recorded since then, or somebody was found for the first time.
    is_open: bool,
    /// Who waited forever then, and since when: those who still do so have not just begun to.
    before: BTreeSet<Vec<(TaskId, u64)>>,
    reported: Reported,
}

impl Looking {
    fn new(path: &Utf8Path, ends: KnownEnds, gone: Arc<AtomicBool>) -> Looking {
        Looking {
            path: path.to_owned(),
            ends,
            knew_ends: false,
            file: None,
            growth: Growth::default(),
            gone,
            read: (Instant::now(), Duration::ZERO),
            is_open: false,
            before: BTreeSet::new(),
            reported: Reported::default(),
        }
    }

    fn look(&mut self) {
        if self.file.is_none() {
            self.file = File::open(&self.path).ok();
        }
        let Some(file) = &self.file else { return };
        self.is_open |= self.growth.look(file) || self.knew_ends != self.ends.get().is_some();
        let (read, took) = self.read;
        let is_time = read.elapsed() > INTERVAL.max(took.saturating_mul(SHARE));
        let is_short = || file.metadata().is_ok_and(|it| it.len() <= LARGEST);
        if self.is_open && is_time && is_short() {
            self.read_all();
        }
    }

    fn read_all(&mut self) {
        let begun = Instant::now();
        let ends = self.ends.get();
        self.knew_ends = ends.is_some();
        let mut left = ends.map_or_else(Left::new, |it| Left::knowing(it.as_ref()));
        let Some(world) = observed(&self.path, &mut left, &self.gone) else { return };
        left.goes_on(&world);
        let (_, found) = left.finish();
        let waits = |it: &Abandoned| -> Vec<(TaskId, u64)> {
            it.explanation.pending().iter().map(|it| (it.task, it.order)).collect()
        };
        self.is_open = false;
        for it in &found {
            if !self.before.contains(&waits(it)) {
                self.is_open = true;
            } else if let Some(it) = violation(it, &world) {
                self.reported.report(&it);
            }
        }
        self.before = found.iter().map(waits).collect();
        self.read = (Instant::now(), begun.elapsed());
    }
}

/// What is reported; `None` where nobody waits in the program's own source, and of what the report has as a note.
fn violation(it: &Abandoned, world: &World) -> Option<LiveViolation> {
    if it.lost == Lost::Services {
        return None;
    }
    let names = world.names();
    let own = |site: SiteId| names.site(site).filter(|it| it.own && it.position.is_known());
    let place = it.explanation.pending().iter().find_map(|it| own(it.site))?;
    let cycle: Vec<String> = it.explanation.cycle.iter().map(|it| step(it, world)).collect();
    let message = if cycle.is_empty() {
        let first = *it.explanation.pending().first()?;
        format!("{}, and nothing is left that could end the wait", waits(first, world))
    } else {
        cycle.join("; ")
    };
    Some(LiveViolation {
        property: it.explanation.cause.property().to_owned(),
        level: if it.lost == Lost::Work { Level::Error } else { Level::Warning },
        test: names.unit(it.unit).map(|it| names.text(it).to_owned()),
        place: format!("{}:{}", place.file, place.position.line),
        message,
    })
}

fn task(it: TaskId, world: &World) -> String {
    name_of(Value::Object(Sort::Task, it.0), world)
}

fn waits(it: Pending, world: &World) -> String {
    let wanted = it
        .wanted
        .value()
        .map_or_else(|| "to be woken".to_owned(), |it| format!("for {}", name_of(it, world)));
    format!("{} waits {wanted}", task(it.task, world))
}

fn step(it: &WaitEdge, world: &World) -> String {
    let by = if it.by == it.pending.task { "it".to_owned() } else { task(it.by, world) };
    let keeps = if it.hold.is_some() { "holds" } else { "would have to end" };
    format!("{}, which {by} {keeps}", waits(it.pending, world))
}
