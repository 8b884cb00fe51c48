//! Small random histories of programs that could have run so.

use super::{lock, task};
use rvcheck_event::kind::Mode;
use rvcheck_predict::history::{Ask, HappensBefore, History, LockIx, Op, Seen, StepId, TaskIx, conflict};

/// How many steps a history has at most.
const STEPS: usize = 14;

/// xorshift64*.
pub(crate) struct Rng(u64);

impl Rng {
    /// The generator of this seed.
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

struct Making<'r> {
    rng: &'r mut Rng,
    history: History,
    /// The locks that each task holds: lock, mode and acquisition.
    open: Vec<(TaskIx, LockIx, Mode, StepId)>,
    locks: usize,
    ended: Vec<bool>,
    started: Vec<bool>,
    /// The turn that each task needs, and whether it has it.
    turn: Vec<Option<LockIx>>,
    asks: Vec<Ask>,
    rich: usize,
}

/// A history. With `turns`, some tasks are polled by one thread.
pub(crate) fn history(rng: &mut Rng, turns: bool) -> History {
    let tasks = 2 + rng.below(3);
    let locks = 2 + rng.below(3);
    let rich = rng.below(4);
    let mut history = History::default();
    for number in 0..tasks as u32 {
        history.add_task(task(number));
    }
    for number in 0..locks as u32 {
        let reentrant = rich == 3 && rng.once_in(4);
        history.add_lock(rvcheck_predict::history::Lock {
            reentrant,
            queues: rng.once_in(2),
            ..lock(Some(number))
        });
    }
    let turn = turns.then(|| history.add_lock(lock(None)));
    let polled = tasks.saturating_sub(rng.below(2)).max(2);
    let asks =
        (0..locks).map(|_| if turns && rng.once_in(2) { Ask::Suspends } else { Ask::Blocks }).collect();
    let mut making = Making {
        open: Vec::new(),
        locks,
        ended: vec![false; tasks],
        started: vec![true; tasks],
        turn: (0..tasks).map(|it| turn.filter(|_| it < polled)).collect(),
        asks,
        history,
        rich,
        rng,
    };
    if rich > 0 {
        // The first task starts some of the others.
        for other in 1..tasks {
            making.started[other] = !making.rng.once_in(2);
        }
    }
    let mut tries = 0;
    while making.history.len() < STEPS && tries < 200 {
        tries += 1;
        let task = making.rng.below(tasks);
        making.act(task as TaskIx);
    }
    making.history
}

impl Making<'_> {
    fn step(&mut self, task: TaskIx, op: Op) -> StepId {
        let event = self.history.len() as u64;
        self.history.add_step(task, op, Seen { event, ..Seen::default() })
    }

    fn act(&mut self, task: TaskIx) {
        if self.ended[task as usize] || !self.started[task as usize] {
            return;
        }
        if let Some(turn) = self.turn[task as usize] {
            let mine = self.open.iter().position(|(holder, lock, ..)| (*holder, *lock) == (task, turn));
            match mine {
                None => return self.acquire(task, turn, Mode::Write, Ask::Tries),
                Some(at) if self.rng.once_in(3) => {
                    let (_, lock, _, acquire) = self.open.remove(at);
                    self.step(task, Op::Release { lock, acquire });
                    return;
                }
                Some(_) => {}
            }
        }
        match self.rng.below(10) {
            0..5 => self.lock(task),
            5..8 => self.unlock(task),
            8 if self.rich > 0 => self.order(task),
            _ if self.rich > 1 && self.rng.once_in(3) && self.turn[task as usize].is_none() => {
                self.ended[task as usize] = true;
            }
            _ => {}
        }
    }

    fn lock(&mut self, task: TaskIx) {
        let lock = self.rng.below(self.locks) as LockIx;
        let mode = if self.rich > 1 { Mode::ALL[self.rng.below(3)] } else { Mode::Write };
        let ask = if self.rng.once_in(12) { Ask::Tries } else { self.asks[lock as usize] };
        self.acquire(task, lock, mode, ask);
    }

    fn acquire(&mut self, task: TaskIx, lock: LockIx, mode: Mode, ask: Ask) {
        let reentrant = self.history.lock(lock).reentrant;
        let free = self.open.iter().all(|(holder, other, held, _)| {
            *other != lock || !conflict(*held, mode) || (reentrant && *holder == task)
        });
        if free {
            let step = self.step(task, Op::Acquire { lock, mode, ask });
            self.open.push((task, lock, mode, step));
        }
    }

    fn unlock(&mut self, task: TaskIx) {
        // Now and then another task gives the lock back.
        let moved = self.rich == 3 && self.rng.once_in(10);
        let lock = |at: usize| self.history.lock(self.open[at].1);
        // The guard of a re-entrant lock cannot leave its thread.
        let may = |at: &usize| !(lock(*at).is_turn() || moved && lock(*at).reentrant);
        let mine: Vec<usize> =
            (0..self.open.len()).filter(|at| may(at) && (self.open[*at].0 == task) != moved).collect();
        if !mine.is_empty() {
            let (_, lock, _, acquire) = self.open.remove(mine[self.rng.below(mine.len())]);
            self.step(task, Op::Release { lock, acquire });
        }
    }

    /// A start, the end of another task, or a message.
    fn order(&mut self, task: TaskIx) {
        let other = self.rng.below(self.ended.len()) as TaskIx;
        if other == task {
            return;
        }
        let last = self.history.steps_of(other).last().copied();
        if !self.started[other as usize] && self.history.len() + 2 < STEPS {
            let from = self.step(task, Op::Point);
            self.started[other as usize] = true;
            self.step(other, Op::Point);
            self.history.add_edge(HappensBefore { from, careful: false });
        } else if let Some(from) = last
            && self.started[other as usize]
        {
            let over = self.ended[other as usize];
            let ask = if self.rng.once_in(2) { Ask::Blocks } else { Ask::Suspends };
            self.step(task, if over { Op::Join { task: other, ask } } else { Op::Point });
            self.history.add_edge(HappensBefore { from, careful: false });
        }
    }
}
