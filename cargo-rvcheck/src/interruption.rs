//! Ending in order when the user or the system wants that.
//!
//! An interruption from a terminal reaches every process of the run at once, and the tool waits for their end. One that was sent to the
//! tool alone, as CI services do, is passed on after a moment. Tests that do not end then are ended, and the second interruption ends
//! everything for good, the tool too. Whatever the tool has started is below it: it adopts what its children leave behind.
//!
//! Once all tests have ended, the tool reports what was seen until then, if that is quickly done. If not, it ends without a report: what was
//! recorded is kept, and can be checked later.
//!
//! The count is kept by the handlers themselves. So when a child has been ended by a signal to the whole group, this process knows of the
//! interruption before it hears of that end, and does not take it for one of the program's own.

use crate::console::Console;
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use crate::system::{adopt_orphans, descendants, end, is_in_foreground, leaves, processor_time, terminate};
use camino::{Utf8Path, Utf8PathBuf};
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often it was asked for.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How long the processes of the run have to end by themselves before they are asked to.
const GRACE: Duration = Duration::from_millis(150);
/// How long tests have to end, once it was asked for.
const TEST_GRACE: Duration = Duration::from_millis(700);
/// How long the tool may take to end, once there is nothing more to wait for.
const FAREWELL: Duration = Duration::from_secs(2);
/// How much of the processor's time the tool may still use for a report, once all tests have ended: on a busy machine it has longer.
const REPORTING: Duration = Duration::from_millis(900);
/// How long that may take at most.
const REPORTED: Duration = Duration::from_secs(5);
/// How often it is looked for their end.
const PAUSE: Duration = Duration::from_millis(25);

const HANGUP: i32 = 1;
const INTERRUPT: i32 = 2;
const TERMINATE: i32 = 15;
/// What stands for a handler that ignores a signal.
const IGNORED: usize = 1;

unsafe extern "C" {
    safe fn signal(signal: i32, handler: usize) -> usize;
}

/// Notes an interruption. A handler may do nothing else than touch an atomic.
extern "C" fn noted(_signal: i32) {
    COUNT.fetch_add(1, Ordering::SeqCst);
}

/// What is run when it is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// Tests, which have no business after that.
    Tests,
    /// A program of the user's, which may take its time to end in order.
    Program,
}

/// Notes interruptions and lets the tool end in order; passes them on to the processes that it has started.
pub fn handle(running: Running) {
    note();
    adopt_orphans();
    std::thread::spawn(move || pass_on(running));
}

/// Notes interruptions and waits for the end of what was started: the tool has passed them on to it.
pub fn note() {
    let handler = noted as extern "C" fn(i32) as usize;
    for number in [HANGUP, INTERRUPT, TERMINATE] {
        // `nohup` wants that the end of the terminal ends nothing.
        if signal(number, handler) == IGNORED && number == HANGUP {
            signal(number, IGNORED);
        }
    }
}

/// Fails once the user has asked to stop.
pub fn check_interrupted() -> Result<()> {
    if COUNT.load(Ordering::SeqCst) > 0 { Err(Expected::Interrupted) } else { Ok(()) }
}

/// The folder of the run, once everything is in it that can be checked later.
static KEPT: Mutex<Option<Utf8PathBuf>> = Mutex::new(None);

/// What was recorded can be checked later: it is in the folder of this run.
pub fn is_kept(run: &Utf8Path) {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(run.to_owned());
}

/// How long nothing that the tool has started is there any more, and how much of the processor's time it has used meanwhile.
struct Alone {
    since: Instant,
    used: Duration,
}

impl Alone {
    fn begin() -> Alone {
        Alone { since: Instant::now(), used: processor_time() }
    }

    fn is_too_long(&self) -> bool {
        let used = processor_time().saturating_sub(self.used);
        self.since.elapsed() > REPORTED || used > REPORTING
    }
}

/// Ends the tool without a report.
fn end_without_report() -> ! {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
    let kept = kept.map_or_else(String::new, |run| {
        format!("\nwhat was recorded until then is kept: `cargo rvcheck replay --library {run}` checks it")
    });
    Console::last().error(format_args!("{}{kept}", Expected::Interrupted));
    end_now()
}

fn end_now() -> ! {
    name_left();
    #[expect(clippy::exit, reason = "this is what was asked for")]
    std::process::exit(i32::from(ExitCode::Interrupted as u8))
}

/// Waits for interruptions, and sees to it that they end what was started.
fn pass_on(running: Running) {
    while COUNT.load(Ordering::SeqCst) == 0 {
        std::thread::sleep(PAUSE);
    }
    let me = std::process::id();
    let begun = Instant::now();
    let mut last: Option<Instant> = None;
    let mut alone: Option<Alone> = None;
    let mut asked = false;
    loop {
        let passed = begun.elapsed();
        if COUNT.load(Ordering::SeqCst) > 1 {
            last.get_or_insert_with(Instant::now);
            each(descendants(me), end);
        } else if running == Running::Tests && passed > TEST_GRACE {
            // From below, so that each has time to say what became of those that it has started.
            each(leaves(me), end);
        } else if passed > GRACE && !asked {
            asked = true;
            // The terminal has told all of them.
            if !is_in_foreground() {
                each(descendants(me), terminate);
            }
        }
        // The tool itself may take long, or wait for a process that it cannot end.
        if last.is_some_and(|it| it.elapsed() > FAREWELL) {
            end_now();
        }
        // What is reported of a program that was ended on purpose may take its time.
        let is_alone = running == Running::Tests && descendants(me).is_empty();
        alone = alone.filter(|_| is_alone).or_else(|| is_alone.then(Alone::begin));
        if alone.as_ref().is_some_and(Alone::is_too_long) {
            end_without_report();
        }
        std::thread::sleep(PAUSE);
    }
}

/// Does this to each of them. One that has ended meanwhile, or belongs to another user, refuses.
fn each(processes: Vec<u32>, signal: fn(u32) -> io::Result<()>) {
    for process in processes {
        drop(signal(process));
    }
}

/// Ends whatever is still there of what the tool has started, and was left behind by those that have ended.
pub fn leave_nothing() {
    let begun = Instant::now();
    while begun.elapsed() < FAREWELL {
        let left = descendants(std::process::id());
        if left.is_empty() {
            return;
        }
        each(left, end);
        std::thread::sleep(PAUSE);
    }
    name_left();
}

/// Names the processes that could not be ended.
fn name_left() {
    let left: Vec<String> = descendants(std::process::id()).iter().map(u32::to_string).collect();
    if !left.is_empty() {
        let words = if left.len() == 1 { "this process" } else { "these processes" };
        Console::last().warn(format_args!(
            "{words} cannot be ended by this user, and may still run: {}",
            left.join(", ")
        ));
    }
}
