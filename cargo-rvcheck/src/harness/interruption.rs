//! Ending in order when the user or the system wants that.
//!
//! An interruption from a terminal reaches every process of the run at once, and the tool waits for their end. One that was sent to the
//! tool alone, as CI services do, is passed on after a moment. The second one ends the processes for good.

use super::system::{descendants, end, is_in_foreground, terminate};
use crate::error::{Expected, Result};
use crate::exit_code::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How often it was asked for.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How long the processes of the run have to end by themselves.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked for their end.
const PAUSE: Duration = Duration::from_millis(50);

/// Notes interruptions and lets the tool end in order; passes them on to the processes that it has started.
pub fn handle() {
    // Without a handler the tool just ends, which is no worse than before.
    let _ = ctrlc::set_handler(|| {
        let count = COUNT.fetch_add(1, Ordering::SeqCst) + 1;
        let begun = Instant::now();
        while count == 1 && begun.elapsed() < GRACE {
            if descendants(std::process::id()).is_empty() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
        if count == 1 && is_in_foreground() {
            // The terminal has told all of them, and a program may take its time.
            return;
        }
        let processes = descendants(std::process::id());
        if count > 1 && processes.is_empty() {
            // The tool itself takes long: it judges what was seen.
            #[expect(clippy::exit, reason = "this is what was asked for twice")]
            std::process::exit(i32::from(ExitCode::Interrupted as u8));
        }
        processes.into_iter().for_each(if count == 1 { terminate } else { end });
    });
}

/// Notes interruptions and waits for the end of what was started: the tool has passed them on to it.
pub fn note() {
    // As above.
    let _ = ctrlc::set_handler(|| _ = COUNT.fetch_add(1, Ordering::SeqCst));
}

/// Fails once the user has asked to stop.
pub fn check_interrupted() -> Result<()> {
    if COUNT.load(Ordering::SeqCst) > 0 { Err(Expected::Interrupted) } else { Ok(()) }
}
