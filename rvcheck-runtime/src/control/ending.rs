//! The end of a controlled run: where the outcome is written, and where the process ends itself.

use std::io::Write;
use std::sync::OnceLock;

use rvcheck_event::exploration::outcome::{ENDED_ITSELF, Outcome};
use rvcheck_event::exploration::word::End;

use super::ON;
use super::state::{Control, with_busy};
use crate::{at_work, output};
use core::sync::atomic::Ordering;

/// The file of the outcome.
static FILE: OnceLock<String> = OnceLock::new();

/// The outcome goes into this file.
pub(super) fn begin(file: &str) {
    let _ = FILE.set(file.to_owned());
}

/// The thread of the test ends, or the process. What is left of it is not controlled, and those who wait for their turn do so for ever:
/// the process is about to end.
pub(crate) fn ended() {
    if !super::on() {
        return;
    }
    let Some(_at_work) = at_work::enter() else { return };
    let _reported = with_busy(|control| tell(&control.seen.outcome(End::Done)));
    ON.store(false, Ordering::Relaxed);
}

/// Nobody can go on any more.
pub(super) fn hang(control: &Control) -> ! {
    end(control, End::Hang)
}

/// It takes longer than the plan allows.
pub(super) fn lost(control: &Control) -> ! {
    end(control, End::Lost)
}

/// There is no end to it.
pub(super) fn livelock(control: &Control) -> ! {
    end(control, End::Livelock)
}

fn end(control: &Control, end: End) -> ! {
    unsafe extern "C" {
        fn _exit(code: i32) -> !;
    }
    tell(&control.seen.outcome(end));
    output::finish();
    // SAFETY: it takes any code. Destructors of the program are not to be run: others are in the middle of something.
    unsafe { _exit(ENDED_ITSELF) }
}

fn tell(outcome: &Outcome) {
    let Some(file) = FILE.get() else { return };
    if let Err(error) = std::fs::write(file, outcome.to_string()) {
        let _ = writeln!(
            std::io::stderr(),
            "rvcheck: cannot write {file}: {error}; what this run has shown is lost"
        );
    }
}
