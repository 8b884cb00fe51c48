//! How many events a second the merge yields: many threads that work for themselves, and few that pass a lock around.

use std::time::Instant;

use rvcheck_event::id::{ObjectId, ThreadId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind};
use rvcheck_event::trace::write::TraceBuilder;
use rvcheck_event::trace::{merge, read};

/// Tasks that lock, send and receive, spread over threads; every `share` steps another thread goes on.
fn trace(threads: usize, share: usize, steps: usize) -> Vec<u8> {
    let mut trace = TraceBuilder::new().with_chunk_pages(64);
    let threads: Vec<ThreadId> = (0..threads).map(|_| trace.thread("worker")).collect();
    let site = trace.site("src/lib.rs", 1, 1);
    let locks: Vec<ObjectId> =
        (0..64).map(|_| trace.object(threads[0], ObjectKind::StdMutex, site, 0)).collect();
    let channel = trace.object(threads[0], ObjectKind::TokioMpsc, site, 16);
    for step in 0..steps {
        let thread = threads[step / share % threads.len()];
        let task = trace.spawn(thread, TaskKind::Async, site, "()");
        let lock = locks[step % locks.len()];
        trace.pass(500);
        trace.poll(thread, task);
        for _ in 0..4 {
            trace.lock(thread, EventKind::Acquire, lock, Mode::Write, site);
            trace.lock(thread, EventKind::Release, lock, Mode::Write, site);
        }
        let number = trace.send(thread, channel, site);
        trace.event(thread, EventKind::Recv, channel, number, site);
        trace.about(thread, EventKind::Detach, task, site);
        trace.finish(thread, task, Outcome::Ok);
    }
    trace.build()
}

fn main() {
    for (name, threads, share) in
        [("1 thread", 1, 1), ("4 threads, taking turns", 4, 1), ("1000 threads", 1000, 100)]
    {
        let bytes = trace(threads, share, 200_000);
        let mut best = 0.0_f64;
        for _ in 0..3 {
            let start = Instant::now();
            let trace = read::read(&bytes).expect("a trace");
            let mut merge = merge::events(&trace);
            let (mut count, mut sum) = (0_u64, 0_u64);
            while let Some(event) = merge.next() {
                count += 1;
                sum = sum.wrapping_add(event.time ^ u64::from(event.object));
                if count % 4096 == 0 {
                    merge.drain_dead();
                }
            }
            assert!(merge.problems().is_empty(), "{}", merge.problems());
            std::hint::black_box(sum);
            best = best.max(count as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
        println!("{name}: {best:.1} M events/s");
    }
}
