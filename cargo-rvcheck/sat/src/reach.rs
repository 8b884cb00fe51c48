//! Whether a violation can be reached: property-directed reachability.
//!
//! Frame *i* is a set of states that has all those which `i` callbacks at most lead to, as clauses over the bits. From the last frame
//! a violation is looked for, and each state that leads to one is excluded from its frame, or its predecessors are. Where two frames become
//! the same, they are an invariant. Frames grow only when they have no violation, so the first word found is a shortest one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batsat::Lit;

use crate::circuit::{Term, TooMuch};
use crate::encoding::System;

/// A set of states: those in which these bits have these values, by number of the bit.
type Cube = Vec<(usize, bool)>;

/// States from which these callbacks lead to a violation.
struct Goal {
    cube: Cube,
    frame: usize,
    /// The callback that comes there.
    callback: usize,
    /// The goal behind it; none where the callback is the violation.
    then: Option<usize>,
}

/// See the module.
pub(crate) struct Reach {
    system: System,
    /// By frame: the cubes that are excluded from it and from all before it, but from none behind it.
    excluded: Vec<Vec<Cube>>,
    /// By frame: what makes these count. That of frame 0 says that nothing has come.
    counts: Vec<Lit>,
}

impl Reach {
    pub(crate) fn new(mut system: System) -> Reach {
        let begins = system.circuit.fresh();
        for at in 0..system.bits.len() {
            let bit = system.bits[at];
            system.circuit.clause(&[!begins, if bit.at_first { bit.now } else { !bit.now }]);
        }
        Reach { system, excluded: vec![Vec::new()], counts: vec![begins] }
    }

    /// A shortest word with a violation; `None` where there is none.
    pub(crate) fn run(mut self) -> Result<Option<Vec<usize>>, TooMuch> {
        if let Some(goal) = self.violation(0)? {
            return Ok(Some(vec![goal.callback]));
        }
        loop {
            self.excluded.push(Vec::new());
            let counts = self.system.circuit.fresh();
            self.counts.push(counts);
            let last = self.counts.len() - 1;
            while let Some(goal) = self.violation(last)? {
                if let Some(word) = self.exclude(goal)? {
                    return Ok(Some(word));
                }
            }
            if self.is_invariant()? {
                return Ok(None);
            }
        }
    }

    /// What makes a frame count.
    fn frame(&self, frame: usize) -> Vec<Lit> {
        if frame == 0 { vec![self.counts[0]] } else { self.counts[frame..].to_vec() }
    }

    fn now(&self, (bit, value): (usize, bool)) -> Lit {
        if value { self.system.bits[bit].now } else { !self.system.bits[bit].now }
    }

    fn next(&self, (bit, value): (usize, bool)) -> Lit {
        if value { self.system.bits[bit].next } else { !self.system.bits[bit].next }
    }

    /// The state that the solver has found.
    fn state(&self) -> Cube {
        self.system
            .bits
            .iter()
            .enumerate()
            .map(|(at, bit)| (at, self.system.circuit.is_true(bit.now)))
            .collect()
    }

    /// States of a frame in which some callback is a violation.
    fn violation(&mut self, frame: usize) -> Result<Option<Goal>, TooMuch> {
        let mut assumptions = self.frame(frame);
        match self.system.violated {
            Term::False => return Ok(None),
            Term::True => {}
            Term::Is(lit) => assumptions.push(lit),
        }
        if !self.system.circuit.solve(&assumptions)? {
            return Ok(None);
        }
        let state = self.state();
        let violates = |it: &usize| self.system.circuit.holds(self.system.choices[*it].violates);
        let Some(callback) = (0..self.system.choices.len()).find(violates) else { return Ok(None) };
        let cube = match self.system.choices[callback].violates {
            Term::Is(lit) => self.needed(&state, &[!lit])?,
            Term::False | Term::True => Vec::new(),
        };
        Ok(Some(Goal { cube, frame, callback, then: None }))
    }

    /// The part of a state with which these assumptions cannot be.
    fn needed(&mut self, state: &Cube, with: &[Lit]) -> Result<Cube, TooMuch> {
        let assumptions = with.iter().copied().chain(state.iter().map(|it| self.now(*it)));
        let assumptions: Vec<Lit> = assumptions.collect();
        if self.system.circuit.solve(&assumptions)? {
            return Ok(state.clone());
        }
        Ok(state.iter().copied().filter(|it| self.system.circuit.needed(self.now(*it))).collect())
    }

    /// Excludes the states of a goal from its frame. A word where it is one of the first state.
    fn exclude(&mut self, goal: Goal) -> Result<Option<Vec<usize>>, TooMuch> {
        let mut open = BinaryHeap::from([Reverse((goal.frame, 0))]);
        let mut goals = vec![goal];
        while let Some(Reverse((frame, number))) = open.pop() {
            let cube = goals[number].cube.clone();
            if frame == 0 || !self.is_later(&cube) {
                let mut word = Vec::new();
                let mut at = Some(number);
                while let Some(goal) = at.map(|it| &goals[it]) {
                    word.push(goal.callback);
                    at = goal.then;
                }
                return Ok(Some(word));
            }
            let is_part = |of: &Cube| of.iter().all(|it| cube.binary_search(it).is_ok());
            if self.excluded[frame..].iter().flatten().any(is_part) {
                continue;
            }
            match self.predecessor(&cube, frame - 1, true)? {
                Ok(needed) => {
                    let cube = self.widened(&cube, needed, frame)?;
                    let mut last = frame;
                    while last + 1 < self.counts.len() && self.predecessor(&cube, last, true)?.is_ok() {
                        last += 1;
                    }
                    self.add(cube, last);
                }
                Err((cube, callback)) => {
                    open.push(Reverse((frame - 1, goals.len())));
                    open.push(Reverse((frame, number)));
                    goals.push(Goal { cube, frame: frame - 1, callback, then: Some(number) });
                }
            }
        }
        Ok(None)
    }

    /// Whether the first state is none of these.
    fn is_later(&self, cube: &[(usize, bool)]) -> bool {
        cube.iter().any(|(bit, value)| self.system.bits[*bit].at_first != *value)
    }

    /// States of a frame from which a callback leads into a cube, and that callback; or the part of the cube into which nothing
    /// leads. `from_outside` is whether only states count that are not in the cube.
    fn predecessor(
        &mut self,
        cube: &Cube,
        frame: usize,
        from_outside: bool,
    ) -> Result<Result<Cube, (Cube, usize)>, TooMuch> {
        let mut assumptions = self.frame(frame);
        assumptions.push(self.system.is_possible);
        let outside = self.system.circuit.fresh();
        if from_outside {
            let clause: Vec<Lit> = cube.iter().map(|it| !self.now(*it)).chain([!outside]).collect();
            self.system.circuit.clause(&clause);
            assumptions.push(outside);
        }
        assumptions.extend(cube.iter().map(|it| self.next(*it)));
        let found = self.system.circuit.solve(&assumptions)?;
        if !found {
            let needed =
                cube.iter().copied().filter(|it| self.system.circuit.needed(self.next(*it))).collect();
            self.system.circuit.clause(&[!outside]);
            return Ok(Ok(needed));
        }
        let state = self.state();
        let comes = |it: &usize| self.system.circuit.is_true(self.system.choices[*it].is_next);
        let callback = (0..self.system.choices.len()).find(comes);
        self.system.circuit.clause(&[!outside]);
        // Without a callback everything stays as it is, which leads from outside into no cube.
        let Some(callback) = callback else { return Err(TooMuch) };
        // Which bits the way into the cube depends on: without them the callback could not come, or would lead elsewhere.
        let elsewhere = self.system.circuit.fresh();
        let is_next = self.system.choices[callback].is_next;
        let mut clause = vec![Term::Is(!elsewhere), !self.system.choices[callback].can_come];
        clause.extend(cube.iter().map(|it| Term::Is(!self.next(*it))));
        self.system.circuit.clause_of(&clause);
        let cube = self.needed(&state, &[elsewhere, is_next])?;
        self.system.circuit.clause(&[!elsewhere]);
        Ok(Err((cube, callback)))
    }

    /// A larger cube that can be excluded from the frame, too: with fewer bits.
    fn widened(&mut self, whole: &Cube, needed: Cube, frame: usize) -> Result<Cube, TooMuch> {
        let mut cube = self.with_later(needed, whole);
        let mut at = 0;
        while at < cube.len() {
            let mut fewer = cube.clone();
            fewer.remove(at);
            if !self.is_later(&fewer) {
                at += 1;
                continue;
            }
            match self.predecessor(&fewer, frame - 1, true)? {
                Ok(needed) => cube = self.with_later(needed, &fewer),
                Err(_) => at += 1,
            }
        }
        Ok(cube)
    }

    /// The cube, with a bit of the whole one by which the first state is none of it.
    fn with_later(&self, mut cube: Cube, whole: &Cube) -> Cube {
        if !self.is_later(&cube) {
            let differs = whole.iter().find(|(bit, value)| self.system.bits[*bit].at_first != *value);
            cube.extend(differs);
            cube.sort_unstable();
        }
        cube
    }

    /// Excludes a cube from a frame and all before it.
    fn add(&mut self, cube: Cube, frame: usize) {
        let is_part = |it: &Cube| cube.iter().all(|bit| it.binary_search(bit).is_ok());
        for excluded in &mut self.excluded[1..=frame] {
            excluded.retain(|it| !is_part(it));
        }
        let clause: Vec<Lit> = cube.iter().map(|it| !self.now(*it)).chain([!self.counts[frame]]).collect();
        self.system.circuit.clause(&clause);
        self.excluded[frame].push(cube);
    }

    /// Moves what is excluded to later frames. Whether two frames are the same then.
    fn is_invariant(&mut self) -> Result<bool, TooMuch> {
        for frame in 1..self.counts.len() - 1 {
            for cube in self.excluded[frame].clone() {
                if self.predecessor(&cube, frame, false)?.is_ok() {
                    self.add(cube, frame + 1);
                }
            }
            if self.excluded[frame].is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
