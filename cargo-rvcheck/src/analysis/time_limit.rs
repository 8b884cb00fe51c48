//! How long the tool looks at a crate: a limit on the processor's time, so that a busy machine finds what a quiet one finds.

use crate::interruption::check_interrupted;
use crate::system::processor_time;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How many times longer than its limit on the processor's time a function may take, whatever the machine does meanwhile.
const LONGEST: u32 = 10;

/// How soon an interruption is noticed.
const PAUSE: Duration = Duration::from_millis(50);

/// Why there is nothing where a function did not give anything.
pub(super) fn why_not() -> &'static str {
    if check_interrupted().is_err() { "the run was interrupted" } else { "it takes too long" }
}

/// What the function gives, if it does so before this process has used so much of the processor's time, or is interrupted. Otherwise its
/// thread goes on until the tool ends.
///
/// What other threads of this process use counts, too, but never more than the time that has passed.
pub(super) fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, result) = channel();
    let (begun, used) = (Instant::now(), processor_time());
    let spawned = std::thread::Builder::new().stack_size(16 << 20).spawn(move || {
        // Whoever waits may have given up.
        let _ = done.send(work());
    });
    spawned.ok()?;
    let left = || {
        let elapsed = begun.elapsed();
        let worked = elapsed.min(processor_time().saturating_sub(used));
        limit.checked_sub(worked).filter(|it| !it.is_zero() && elapsed < limit.saturating_mul(LONGEST))
    };
    while let Some(left) = left().filter(|_| check_interrupted().is_ok()) {
        match result.recv_timeout(left.min(PAUSE)) {
            Ok(it) => return Some(it),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_works_too_long_gives_nothing() {
        let spin = |it: Duration| {
            let begun = processor_time();
            while processor_time().saturating_sub(begun) < it {}
        };
        assert_eq!(within(Duration::from_millis(5), move || spin(Duration::from_millis(200))), None);
        assert_eq!(within(Duration::from_mins(1), move || spin(Duration::from_millis(1))), Some(()));
    }

    #[test]
    fn what_only_waits_is_waited_for_longer_but_not_for_ever() {
        let wait = || std::thread::sleep(Duration::from_hours(1));
        assert_eq!(within(Duration::from_millis(10), wait), None);
    }
}
