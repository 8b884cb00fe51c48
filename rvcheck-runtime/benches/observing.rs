//! What an observed call costs: ns of each call where nothing is recorded, recorded, and recorded with tickets.
//!
//! The least of several passes counts, since the machine may be busy. Passes are short, so that the trace stays small.

#![allow(
    clippy::needless_borrow,
    reason = "for an expression of any type the wrapper has as many references as the first choice needs"
)]

use std::hint::black_box;
use std::panic::Location;
use std::process::Command;
use std::time::Instant;

use rvcheck_runtime::observing::traits::*;
use rvcheck_runtime::observing::{Callee, Observed, Observing};
use rvcheck_runtime::{Head, Mode, ObjectKind, lock};

/// Says to the process of its own that it is to measure.
const MEASURES: &str = "OBSERVING_MEASURES";
const PASSES: usize = 300;
const CALLS: u32 = 2_000;

/// A method of a worker.
type Call = fn(&mut Worker, &[u32], u64);

struct Worker {
    done: u64,
}

impl Worker {
    #[inline(never)]
    fn plain(&mut self, items: &[u32], number: u64) {
        self.done += items.len() as u64 + number;
    }

    #[inline(never)]
    fn without_arguments(&mut self, items: &[u32], number: u64) {
        static OBSERVING: Observing = Observing::new("receive Worker::without_arguments");
        if OBSERVING.on() {
            OBSERVING.record((&&&&&Callee(&self)).value(), &[], Location::caller());
        }
        self.done += items.len() as u64 + number;
    }

    #[inline(never)]
    fn two_arguments(&mut self, items: &[u32], number: u64) {
        static OBSERVING: Observing = Observing::new("receive Worker::two_arguments");
        if OBSERVING.on() {
            let values = [(&&&Observed(&items)).value(), (&&&Observed(&number)).value()];
            OBSERVING.record((&&&&&Callee(&self)).value(), &values, Location::caller());
        }
        self.done += items.len() as u64 + number;
    }

    #[inline(never)]
    fn a_text(&mut self, items: &[u32], number: u64) {
        static OBSERVING: Observing = Observing::new("receive Worker::a_text");
        if OBSERVING.on() {
            let values = [(&&&Observed("blue")).value()];
            OBSERVING.record((&&&&&Callee(&self)).value(), &values, Location::caller());
        }
        self.done += items.len() as u64 + number;
    }
}

fn main() {
    if std::env::var_os(MEASURES).is_some() {
        return measure();
    }
    let folder = std::env::temp_dir().join(format!("observing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for a trace");
    for (mode, settings) in [("off", None), ("recorded", Some("")), ("tickets", Some("tickets=1\n"))] {
        let mut command = Command::new(std::env::current_exe().expect("this is a file"));
        command.env(MEASURES, "1").env_remove("RVCHECK_RUN");
        if let Some(more) = settings {
            let trace = folder.join(mode);
            command.env("RVCHECK_RUN", format!("trace={}\ncap={}\n{more}", trace.display(), 1_u64 << 30));
        }
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        print!("{mode}\n{}", String::from_utf8_lossy(&output.stdout));
    }
    let _ = std::fs::remove_dir_all(folder);
}

fn measure() {
    let plain = least(Worker::plain);
    println!("  {:<20}{plain:>8.2} ns", "plain call");
    let observed: [(&str, Call); 3] = [
        ("without arguments", Worker::without_arguments),
        ("two arguments", Worker::two_arguments),
        ("a text", Worker::a_text),
    ];
    for (name, call) in observed {
        println!("  {name:<20}{:>8.2} ns more", least(call) - plain);
    }
    let lock = Head::new(ObjectKind::StdMutex, Location::caller());
    let locked = least(|worker, items, number| {
        drop(lock::acquired(&lock, Mode::Write, false, Location::caller()));
        worker.plain(items, number);
    });
    println!("  {:<20}{:>8.2} ns more", "two lock events", locked - plain);
}

/// ns of one call, in the quickest pass.
fn least(call: impl Fn(&mut Worker, &[u32], u64)) -> f64 {
    let mut worker = Worker { done: 0 };
    let pass = |worker: &mut Worker| {
        let began = Instant::now();
        for number in 0..CALLS {
            call(black_box(worker), black_box(&[1, 2, 3]), u64::from(number));
        }
        began.elapsed()
    };
    let least = (0..PASSES).map(|_| pass(&mut worker)).min().unwrap_or_default();
    black_box(worker.done);
    least.as_nanos() as f64 / f64::from(CALLS)
}
