//! A problem as a transition system over bits: which state a callback leads to, and whether it is a violation.
//!
//! A callback is run once with the state that it begins in as an unknown. What its messages say of each other becomes terms over that.

use std::collections::{BTreeMap, HashMap};

use batsat::Lit;
use rvcheck_spec::evaluation::lifestate::problem::{Ask, Callback, Instance, Problem};
use rvcheck_spec::model::lifestate::Machine;

use crate::circuit::{Circuit, Term};

/// How many bits all callbacks together can change. A larger problem is not begun with.
const MOST_CHANGES: usize = 1 << 22;

/// A bit of the state: now, and after a callback.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    pub(crate) now: Lit,
    pub(crate) next: Lit,
    pub(crate) at_first: bool,
}

/// What a callback is in a state.
pub(crate) struct Choice {
    /// It comes next.
    pub(crate) is_next: Lit,
    /// It can come, and is no violation.
    pub(crate) can_come: Term,
    /// It can come, and is one.
    pub(crate) violates: Term,
}

/// See the module.
pub(crate) struct System {
    pub(crate) circuit: Circuit,
    pub(crate) bits: Vec<Bit>,
    pub(crate) choices: Vec<Choice>,
    /// If this is assumed, what comes next can come.
    pub(crate) is_possible: Lit,
    /// Some callback is a violation.
    pub(crate) violated: Term,
}

/// Where the state of an instance is: nowhere if it has one state, in a bit if it has two, else in a bit for each.
#[derive(Clone, Copy)]
enum Held {
    One,
    Bit(usize),
    Bits(usize),
}

struct Encoder<'p> {
    problem: &'p Problem<'p>,
    circuit: Circuit,
    bits: Vec<Bit>,
    /// By instance.
    held: Vec<Held>,
    /// The first bit of the messages.
    messages_at: usize,
    /// By poll: the bit that says that it has been.
    polls: HashMap<(usize, u32), usize>,
    busy: Vec<usize>,
    conflicts: bool,
}

/// A callback under way: by instance, in which state it is for each in which it began; by message, whether it is allowed.
#[derive(Default)]
struct Run {
    states: BTreeMap<usize, Vec<u32>>,
    allowed: BTreeMap<usize, Term>,
}

impl System {
    /// The system of a problem; `None` where it is too large. `work` bounds what the solver does.
    pub(crate) fn new(problem: &Problem<'_>, work: u64) -> Option<System> {
        let mut encoder = Encoder::new(problem, Circuit::new(work));
        // By bit: the callbacks that change it, and to what.
        let mut changes: Vec<Vec<(Lit, Term)>> = vec![Vec::new(); encoder.bits.len()];
        let mut choices = Vec::new();
        let mut count = 0;
        for callback in &problem.callbacks {
            let is_next = encoder.circuit.fresh();
            let mut run = Run::default();
            let (mut can_come, mut violates) = encoder.run(callback, &mut run);
            if let Some(poll) = callback.poll {
                let turn = encoder.is_turn(poll);
                can_come = encoder.circuit.and(turn, can_come);
                violates = encoder.circuit.and(turn, violates);
            }
            if can_come != Term::False {
                for (bit, term) in encoder.changes(callback, &run) {
                    count += 1;
                    changes[bit].push((is_next, term));
                }
            }
            if count > MOST_CHANGES {
                return None;
            }
            choices.push(Choice { is_next, can_come, violates });
        }
        let Encoder { mut circuit, bits, .. } = encoder;
        for (bit, changes) in bits.iter().zip(&changes) {
            let mut stays = vec![Term::Is(bit.now), Term::Is(!bit.next)];
            let mut stays_not = vec![Term::Is(!bit.now), Term::Is(bit.next)];
            for (is_next, term) in changes {
                circuit.clause_of(&[Term::Is(!*is_next), Term::Is(!bit.next), *term]);
                circuit.clause_of(&[Term::Is(!*is_next), Term::Is(bit.next), !*term]);
                stays.push(Term::Is(*is_next));
                stays_not.push(Term::Is(*is_next));
            }
            circuit.clause_of(&stays);
            circuit.clause_of(&stays_not);
        }
        let is_possible = circuit.fresh();
        let mut one_before: Option<Lit> = None;
        for choice in &choices {
            circuit.clause_of(&[Term::Is(!is_possible), Term::Is(!choice.is_next), choice.can_come]);
            // One comes at a time (the sequential counter of Sinz 2005).
            let so_far = circuit.fresh();
            circuit.clause(&[!choice.is_next, so_far]);
            if let Some(before) = one_before {
                circuit.clause(&[!before, so_far]);
                circuit.clause(&[!before, !choice.is_next]);
            }
            one_before = Some(so_far);
        }
        let violated = circuit.any(choices.iter().map(|it| it.violates));
        Some(System { circuit, bits, choices, is_possible, violated })
    }
}

impl<'p> Encoder<'p> {
    fn new(problem: &'p Problem<'p>, circuit: Circuit) -> Encoder<'p> {
        let busy = (0..problem.instances.len()).filter(|it| problem.instances[*it].is_busy).collect();
        let mut encoder = Encoder {
            problem,
            circuit,
            bits: Vec::new(),
            held: Vec::new(),
            messages_at: 0,
            polls: HashMap::new(),
            busy,
            conflicts: problem.instances.iter().any(|it| it.is_conflict),
        };
        for instance in &problem.instances {
            let states = instance.machine.states();
            let at = encoder.bits.len();
            let held = match states {
                0 | 1 => Held::One,
                2 => Held::Bit(at),
                _ => Held::Bits(at),
            };
            match held {
                Held::One => {}
                Held::Bit(_) => encoder.bit(Machine::INITIAL == 1),
                Held::Bits(_) => {
                    (0..states).for_each(|it| encoder.bit(it == Machine::INITIAL as usize));
                    encoder.in_one_of(at, states);
                }
            }
            encoder.held.push(held);
        }
        encoder.messages_at = encoder.bits.len();
        for allowed in allowed_at_first(problem) {
            encoder.bit(allowed);
        }
        for poll in problem.callbacks.iter().filter_map(|it| it.poll) {
            encoder.polls.insert(poll, encoder.bits.len());
            encoder.bit(false);
        }
        encoder
    }

    fn bit(&mut self, at_first: bool) {
        let (now, next) = (self.circuit.fresh(), self.circuit.fresh());
        self.bits.push(Bit { now, next, at_first });
    }

    /// One of these bits is set.
    fn in_one_of(&mut self, at: usize, states: usize) {
        let now: Vec<Lit> = self.bits[at..at + states].iter().map(|it| it.now).collect();
        self.circuit.clause(&now);
        for (place, one) in now.iter().enumerate() {
            for other in &now[..place] {
                self.circuit.clause(&[!*one, !*other]);
            }
        }
    }

    fn now(&self, bit: usize) -> Term {
        Term::Is(self.bits[bit].now)
    }

    /// Whether an instance begins in one of the states for which this holds.
    fn begins(&mut self, instance: usize, holds: &[bool]) -> Term {
        if holds.iter().all(|it| *it) {
            return Term::True;
        }
        if !holds.contains(&true) {
            return Term::False;
        }
        match self.held[instance] {
            Held::One => Term::True,
            Held::Bit(bit) if holds[1] => self.now(bit),
            Held::Bit(bit) => !self.now(bit),
            Held::Bits(at) => {
                let any = (0..holds.len()).filter(|it| holds[*it]).map(|it| self.now(at + it));
                let any: Vec<Term> = any.collect();
                self.circuit.any(any)
            }
        }
    }

    /// Whether this poll is the next one of its task.
    fn is_turn(&mut self, (task, index): (usize, u32)) -> Term {
        let is_left = !self.now(self.polls[&(task, index)]);
        match index.checked_sub(1).and_then(|it| self.polls.get(&(task, it))) {
            Some(before) => {
                let before = self.now(*before);
                self.circuit.and(before, is_left)
            }
            None => is_left,
        }
    }

    fn allowed(&self, run: &Run, message: usize) -> Term {
        run.allowed.get(&message).copied().unwrap_or_else(|| self.now(self.messages_at + message))
    }

    /// Runs a callback from any state: whether it comes to its end without a violation, and whether it comes to one.
    fn run(&mut self, callback: &Callback, run: &mut Run) -> (Term, Term) {
        let (mut goes_on, mut violates) = (Term::True, Term::False);
        for step in &callback.steps {
            match step.asks {
                None => {}
                Some(Ask::Allowed(message)) => {
                    goes_on = self.circuit.and(goes_on, self.allowed(run, message));
                }
                Some(Ask::Target) => {
                    let allowed = self.allowed(run, 0);
                    let here = self.circuit.and(goes_on, !allowed);
                    violates = self.circuit.or(violates, here);
                    goes_on = self.circuit.and(goes_on, allowed);
                }
                Some(Ask::Goal) => {
                    violates = self.circuit.or(violates, goes_on);
                    goes_on = Term::False;
                }
            }
            if goes_on == Term::False {
                break;
            }
            self.step(&step.moves, run);
        }
        (goes_on, violates)
    }

    fn step(&mut self, moves: &[(usize, u16)], run: &mut Run) {
        let problem = self.problem;
        let is_moved = |it: &usize| moves.iter().any(|(moved, _)| moved == it);
        let idle: Vec<(usize, u16)> =
            self.busy.iter().filter(|it| !is_moved(it)).map(|it| (*it, 0)).collect();
        let mut contradicted = Vec::new();
        for (instance, letter) in moves.iter().chain(&idle) {
            let Instance { machine, says, is_conflict, .. } = &problem.instances[*instance];
            let states =
                run.states.entry(*instance).or_insert_with(|| (0..machine.states() as u32).collect());
            let mut accepts = Vec::new();
            for state in states.iter_mut() {
                let next = machine.next(*state, usize::from(*letter));
                *state = next.to;
                accepts.push(next.accepts);
            }
            let accepts = self.begins(*instance, &accepts);
            if accepts == Term::False {
                continue;
            }
            for (message, allowed) in says {
                let before = self.allowed(run, *message);
                let after = match allowed {
                    true => self.circuit.or(before, accepts),
                    false => self.circuit.and(before, !accepts),
                };
                run.allowed.insert(*message, after);
            }
            if *is_conflict {
                contradicted.push(accepts);
            }
        }
        if self.conflicts && !contradicted.is_empty() {
            let contradicted = self.circuit.any(contradicted);
            for message in 0..problem.messages {
                let before = self.allowed(run, message);
                let after = self.circuit.and(before, !contradicted);
                run.allowed.insert(message, after);
            }
        }
    }

    /// What a callback that has run changes, and to what.
    fn changes(&mut self, callback: &Callback, run: &Run) -> Vec<(usize, Term)> {
        let mut changes = Vec::new();
        for (instance, states) in &run.states {
            match self.held[*instance] {
                Held::One => {}
                Held::Bit(bit) => {
                    let to: Vec<bool> = states.iter().map(|it| *it == 1).collect();
                    changes.push((bit, self.begins(*instance, &to)));
                }
                Held::Bits(at) => {
                    for state in 0..states.len() {
                        let to: Vec<bool> = states.iter().map(|it| *it as usize == state).collect();
                        changes.push((at + state, self.begins(*instance, &to)));
                    }
                }
            }
        }
        changes.extend(run.allowed.iter().map(|(message, term)| (self.messages_at + message, *term)));
        changes.extend(callback.poll.map(|it| (self.polls[&it], Term::True)));
        changes.retain(|(bit, term)| *term != self.now(*bit));
        changes
    }
}

/// Which messages are allowed before any callback.
fn allowed_at_first(problem: &Problem<'_>) -> Vec<bool> {
    let mut allowed = vec![true; problem.messages];
    let accepting = || problem.instances.iter().filter(|it| it.machine.accepts_empty);
    for (message, is_allowed) in accepting().flat_map(|it| &it.says) {
        allowed[*message] = *is_allowed;
    }
    if accepting().any(|it| it.is_conflict) {
        allowed.fill(false);
    }
    allowed
}
