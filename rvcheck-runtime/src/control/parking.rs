//! Threads that park. Whoever unparks one does so in the real std, from any code: no hook sees that.
//!
//! So a parked thread asks std itself whether it was let go on: where it was, [`std::thread::park_timeout`] returns without having waited,
//! and otherwise the system puts the thread to sleep, which it counts. It asks when others have changed something, and again when nobody else
//! can go on; it is stuck if nobody has done anything since it asked in vain. Where the system does not count, it goes on instead, as the
//! documentation of `park` allows at any time.

use core::time::Duration;
use std::time::Instant;

use rvcheck_event::exploration::word::Operation;

use super::on;
use super::participant::{Status, Step};
use super::points::carry_out;
use super::state::{Answer, Control, Turn, register, with};
use super::waiting::{Waited, limit, stand};
use crate::{Loc, site};

/// Waits until somebody lets the thread go on, or until then. Whether the run is controlled.
pub fn park(timeout: Option<Duration>, location: Loc) -> bool {
    if !on() {
        return false;
    }
    register();
    let place = site::of(location).id;
    let until = timeout.and_then(|it| Instant::now().checked_add(it)).map(limit);
    loop {
        let status = match with(|control| next(control, place)).flatten() {
            None => return false,
            Some(Next::Comes(answer)) => {
                carry_out(Some(answer));
                continue;
            }
            Some(Next::Asks) if asking::was_unparked() => break,
            Some(Next::Asks) => Status::Parked,
            Some(Next::Spins) => Status::Spinning(0),
        };
        let waited = stand((0, place), true, |control, me| {
            let acted = control.acted;
            let it = &mut control.all[me];
            (it.deadline, it.asked, it.asks) = (until, acted, false);
            status
        });
        match waited {
            None => return false,
            Some(Waited::Changed) if status == Status::Parked => {}
            Some(_) => break,
        }
    }
    with(Control::acts);
    true
}

/// What a thread does that is to park.
enum Next {
    /// It was outside, and comes back.
    Comes(Answer),
    /// It asks whether it was unparked.
    Asks,
    /// It goes on when something has changed: it cannot ask, or somebody is outside who may unpark it meanwhile, which could be missed.
    Spins,
}

fn next(control: &mut Control, place: u32) -> Option<Next> {
    let me = control.acting()?;
    if control.turn != Turn::Running(me) {
        let step = Step { operation: Operation::Blocked, object: 0, place };
        return Some(Next::Comes(control.comes_back(me, step)));
    }
    let is_certain = asking::IS_CERTAIN && !control.all.is_anybody_outside();
    Some(if is_certain { Next::Asks } else { Next::Spins })
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod asking {
    //! What the system tells of a thread: it counts how often one waits.

    use core::time::Duration;
    use std::time::Instant;

    use crate::control::clock;

    pub(super) const IS_CERTAIN: bool = true;

    /// How long it takes to ask in vain.
    const ASKING: Duration = Duration::from_micros(20);

    /// Whether the thread was unparked since it was asked last. It may say so without reason, which `park` may, too.
    pub(super) fn was_unparked() -> bool {
        // Behind this, no other program takes the core for a while, which would leave it open.
        std::thread::yield_now();
        clock::by_real_time(|| {
            let (began, before) = (Instant::now(), sleeps());
            std::thread::park_timeout(ASKING);
            let is_early = began.elapsed() < ASKING;
            is_early || before.is_none() || sleeps() == before
        })
    }

    /// What the system knows of a thread: 14 numbers behind two times. The last but one is what is asked for.
    #[repr(C)]
    struct Usage {
        times: [i64; 4],
        counts: [i64; 14],
    }

    /// How often this thread has given up its core in order to wait.
    fn sleeps() -> Option<i64> {
        unsafe extern "C" {
            fn getrusage(who: i32, usage: *mut Usage) -> i32;
        }

        const OF_THREAD: i32 = 1;
        const WAITED: usize = 12;
        let mut usage = Usage { times: [0; 4], counts: [0; 14] };
        // SAFETY: it has the layout of the system's `struct rusage` where a `long` has 64 bits.
        let is_known = unsafe { getrusage(OF_THREAD, &raw mut usage) } == 0;
        is_known.then(|| usage.counts[WAITED])
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod asking {
    //! Nothing is told of a thread.

    pub(super) const IS_CERTAIN: bool = false;

    /// It may say so without reason.
    pub(super) fn was_unparked() -> bool {
        true
    }
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::asking::was_unparked;

    #[test]
    fn a_thread_knows_whether_it_was_unparked() {
        let me = std::thread::current();
        // Another program may take the core while it is asked, and then it may say yes without reason.
        assert!((0..100).any(|_| !was_unparked()));
        for _ in 0..100 {
            me.unpark();
            assert!(was_unparked());
        }
        assert!((0..100).any(|_| !was_unparked()));
        std::thread::spawn(move || me.unpark()).join().expect("it ends");
        assert!(was_unparked());
    }
}
