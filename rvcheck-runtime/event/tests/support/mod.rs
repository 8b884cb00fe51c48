//! Random numbers and random programs, the same in every run.

use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId};
use rvcheck_event::kind::{EventKind, Mode, ObjectKind, Outcome, TaskKind, TestOutcome, What};
use rvcheck_event::record::flag;
use rvcheck_event::trace::write::TraceBuilder;

/// A generator of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, chance: usize) -> bool {
        self.below(chance) == 0
    }
}

/// A task of a random program.
struct Job {
    id: TaskId,
    on: Option<ThreadId>,
    over: bool,
    handle: bool,
}

/// A program that runs for `steps` random steps, and does nothing that a real one could not.
pub(crate) fn program(random: &mut Random, steps: usize, pages: u32) -> TraceBuilder {
    program_in(TraceBuilder::new().with_chunk_pages(pages), random, steps)
}

/// The same, recorded by this builder.
pub(crate) fn program_in(mut trace: TraceBuilder, random: &mut Random, steps: usize) -> TraceBuilder {
    let mut threads = vec![trace.test("it::one"), trace.test("it::two")];
    for _ in 0..random.below(4) {
        threads.push(trace.thread("worker"));
    }
    let sites: Vec<SiteId> = (1..6).map(|line| trace.site("src/lib.rs", line, 5)).collect();
    let mut jobs: Vec<Job> = Vec::new();
    let mut locks: Vec<(ObjectId, Option<ThreadId>)> = Vec::new();
    let mut channels: Vec<(ObjectId, Vec<u32>)> = Vec::new();
    let mut others: Vec<(ObjectId, bool)> = Vec::new();
    for _ in 0..steps {
        if random.one_in(12) {
            trace.pass(random.next() % 5000);
        }
        let thread = threads[random.below(threads.len())];
        let site = sites[random.below(sites.len())];
        match random.below(16) {
            0 => {
                let id = trace.spawn(thread, TaskKind::ALL[random.below(3)], site, "Result<(), String>");
                if random.one_in(3) {
                    trace.name(id, "job");
                }
                jobs.push(Job { id, on: None, over: false, handle: true });
            }
            1..=3 if !jobs.is_empty() => {
                let at = random.below(jobs.len());
                let busy = jobs.iter().any(|it| it.on == Some(thread));
                step_job(&mut trace, random, thread, site, &mut jobs[at], busy);
            }
            4 if locks.len() < 5 => {
                locks.push((trace.object(thread, ObjectKind::StdMutex, site, 0), None));
            }
            4..=7 if !locks.is_empty() => {
                let at = random.below(locks.len());
                let (lock, holder) = &mut locks[at];
                match *holder {
                    None => {
                        trace.lock(thread, EventKind::Acquire, *lock, Mode::Write, site);
                        *holder = Some(thread);
                    }
                    Some(it) if it == thread || random.one_in(2) => {
                        trace.lock(it, EventKind::Release, *lock, Mode::Write, site);
                        *holder = None;
                    }
                    Some(_) => trace.lock(thread, EventKind::Request, *lock, Mode::Write, site),
                }
            }
            8 if channels.len() < 4 => {
                channels.push((trace.object(thread, ObjectKind::TokioMpsc, site, 8), Vec::new()));
            }
            8..=11 if !channels.is_empty() => {
                let at = random.below(channels.len());
                let (channel, waiting) = &mut channels[at];
                if waiting.is_empty() || random.one_in(2) {
                    let sent = trace.send(thread, *channel, site);
                    waiting.push(sent);
                } else {
                    let number = waiting.remove(random.below(waiting.len()));
                    trace.event(thread, EventKind::Recv, *channel, number, site);
                }
            }
            12 => {
                let semaphore = random.one_in(2);
                let kind = if semaphore { ObjectKind::TokioSemaphore } else { ObjectKind::TokioNotify };
                others.push((trace.object(thread, kind, site, 3), semaphore));
            }
            13 if !others.is_empty() => {
                let (object, semaphore) = others[random.below(others.len())];
                let (kind, n) = match (semaphore, random.below(3)) {
                    (true, 0) => (EventKind::Permit, 1),
                    (true, 1) => (EventKind::PermitRelease, 1),
                    (true, _) => (EventKind::PermitForget, 1),
                    (false, 0) => (EventKind::Signalled, 0),
                    (false, 1) => (EventKind::NotifyOne, 0),
                    (false, _) => (EventKind::NotifyAll, 0),
                };
                let added = kind == EventKind::PermitRelease && random.one_in(2);
                trace.ordered(thread, kind, if added { flag::ADDED } else { 0 }, object, n, site);
            }
            14 => {
                trace.block(thread, EventKind::Block, What::Sleep, site);
                trace.pass(random.next() % 100);
                trace.block(thread, EventKind::Unblock, What::Sleep, site);
            }
            _ => trace.event(thread, EventKind::Await, ObjectId::NONE, 0, site),
        }
    }
    for (number, thread) in threads.iter().take(2).enumerate() {
        trace.end_test(*thread, rvcheck_event::id::UnitId(number as u32 + 1), TestOutcome::Ok);
    }
    trace
}

fn step_job(
    trace: &mut TraceBuilder,
    random: &mut Random,
    thread: ThreadId,
    site: SiteId,
    job: &mut Job,
    busy: bool,
) {
    match job.on {
        None if job.over => {
            if std::mem::take(&mut job.handle) {
                trace.about(thread, EventKind::Join, job.id, site);
            }
        }
        None if job.handle && random.one_in(8) => {
            job.handle = false;
            trace.about(thread, EventKind::Detach, job.id, site);
        }
        None if busy => trace.about(thread, EventKind::Abort, job.id, site),
        None => {
            trace.poll(thread, job.id);
            job.on = Some(thread);
        }
        Some(on) => {
            job.on = None;
            job.over = true;
            match random.below(6) {
                0 => trace.finish(on, job.id, Outcome::Err),
                1 => trace.cancel(on, job.id),
                2 => trace.panic(on, job.id, false, site),
                _ => {
                    job.over = false;
                    trace.suspend(on, job.id);
                }
            }
        }
    }
}
