//! What shuttle's tests call, with the scheduler and the seed that are asked for. Counts the schedules up to the first one that fails.

use shuttle::scheduler::{PctScheduler as Pct, RandomScheduler};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// How a test is run.
#[derive(Clone, Copy)]
pub struct Asked {
    pub is_pct: bool,
    pub seed: u64,
    pub schedules: usize,
}

/// What came of it.
#[derive(Clone, Copy)]
pub struct Tried {
    /// How many schedules there were; the last of them has failed, if one has.
    pub schedules: usize,
    pub has_failed: bool,
    pub seconds: f64,
}

thread_local! {
    pub static ASKED: Cell<Option<Asked>> = const { Cell::new(None) };
    pub static TRIED: Cell<Option<Tried>> = const { Cell::new(None) };
}

/// The depth of the faults that are looked for.
const DEPTH: usize = 3;

fn run(test: impl Fn() + Send + Sync + 'static) {
    let asked = ASKED.get().expect("somebody asks");
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let body = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        test();
    };
    let mut config = shuttle::Config::new();
    config.failure_persistence = shuttle::FailurePersistence::None;
    let begun = Instant::now();
    let ended = catch_unwind(AssertUnwindSafe(|| {
        if asked.is_pct {
            let scheduler = Pct::new_from_seed(asked.seed, DEPTH, asked.schedules);
            shuttle::Runner::new(scheduler, config).run(body)
        } else {
            let scheduler = RandomScheduler::new_from_seed(asked.seed, asked.schedules);
            shuttle::Runner::new(scheduler, config).run(body)
        }
    }));
    let seconds = begun.elapsed().as_secs_f64();
    TRIED.set(Some(Tried { schedules: count.load(Ordering::Relaxed), has_failed: ended.is_err(), seconds }));
}

pub fn check(test: impl Fn() + Send + Sync + 'static) {
    run(test);
}

pub fn check_dfs(test: impl Fn() + Send + Sync + 'static, _: Option<usize>) {
    run(test);
}

pub fn check_random(test: impl Fn() + Send + Sync + 'static, _: usize) {
    run(test);
}

pub fn check_pct(test: impl Fn() + Send + Sync + 'static, _: usize, _: usize) {
    run(test);
}

/// The test's own choice, which is not followed.
pub struct PctScheduler;

impl PctScheduler {
    pub fn new(_: usize, _: usize) -> PctScheduler {
        PctScheduler
    }
}

pub struct Runner;

impl Runner {
    pub fn new(_: PctScheduler, (): ()) -> Runner {
        Runner
    }

    pub fn run(self, test: impl Fn() + Send + Sync + 'static) {
        run(test);
    }
}
