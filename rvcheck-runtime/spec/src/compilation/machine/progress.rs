//! What a formula still demands after each event (formula progression; Bacchus and Kabanza, "Using Temporal Logics to Express
//! Search Control Knowledge for Planning", 2000), with the past kept as it goes by.
//!
//! A state is a boolean function of *obligations*, "this form holds at the next position", strong if there has to be one. It is
//! kept as a [`Diagram`], so that there are finitely many states. For each form of the past it has the function that
//! tells its truth at the last position: a function, not a bit, since the past can speak of the future (`Y F p`).

use std::collections::HashMap;

use crate::compilation::machine::arena::{Form, FormId};
use crate::compilation::machine::diagram::{Diagram, Diagrams};
use crate::compilation::machine::lower::Lowered;

/// The form holds at the next position. `weak`: or there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Obligation {
    form: FormId,
    weak: bool,
}

/// What is left of the formula, and what is known of the past.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    /// No event has come yet.
    pub(super) first: bool,
    demand: Diagram,
    /// By place in [`Progress::past`]. What nothing can ask for is false.
    past: Vec<Diagram>,
}

/// A formula that progresses.
#[derive(Debug)]
pub(super) struct Progress {
    lowered: Lowered,
    root: FormId,
    diagrams: Diagrams,
    /// The variables of diagrams: conditions first, then these.
    obligations: Vec<Obligation>,
    /// The forms that speak of the position before.
    past: Vec<FormId>,
}

/// One step from a state, under a letter.
struct StateOnLetter<'a> {
    state: &'a State,
    letter: &'a [usize],
    /// The truth of each form at the new position, as far as it was asked for.
    values: Vec<Option<Diagram>>,
    /// What substitution made of functions.
    substituted: HashMap<Diagram, Diagram>,
}

impl Progress {
    /// The formula that is this form, with so many steps to take.
    pub(super) fn new(lowered: Lowered, root: FormId, left: u64) -> Progress {
        let forms = (0..lowered.arena.len() as u32).map(FormId);
        let past = forms.filter(|it| lowered.arena.get(*it).is_past()).collect();
        Progress { lowered, root, diagrams: Diagrams::new(left), obligations: Vec::new(), past }
    }

    /// The atoms and conditions, when there is nothing more to do.
    pub(super) fn into_lowered(self) -> Lowered {
        self.lowered
    }

    /// Whether it took too many steps, so that what came last is wrong.
    pub(super) fn is_exhausted(&self) -> bool {
        self.diagrams.are_exhausted()
    }

    /// The state before any event.
    pub(super) fn start(&mut self) -> State {
        let demand = self.obligation(self.root, false);
        State { first: true, demand, past: vec![Diagram::FALSE; self.past.len()] }
    }

    /// Whether the formula holds if the trace ends here, where these conditions are true (bit `i` for condition `i`).
    pub(super) fn holds_at_end(&self, state: &State, conditions: usize) -> bool {
        if state.first {
            return self.lowered.arena.holds_on_nothing(self.root);
        }
        let count = self.lowered.conditions.len();
        self.diagrams.value(state.demand, |variable| match (variable as usize).checked_sub(count) {
            None => conditions >> variable & 1 != 0,
            Some(obligation) => self.obligations[obligation].weak,
        })
    }

    /// The atoms on which the future of a state can depend: by atom.
    pub(super) fn relevant(&mut self, state: &State) -> Vec<bool> {
        let seen = self.reachable(state.demand, &state.past);
        let mut relevant = vec![false; self.lowered.atoms.len()];
        for (index, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
            if let Form::Atom(atom) = self.lowered.arena.get(FormId(index as u32)) {
                relevant[atom] = true;
            }
        }
        relevant
    }

    /// The state after an event that makes exactly these atoms true.
    pub(super) fn next(&mut self, state: &State, letter: &[usize]) -> State {
        let values = vec![None; self.lowered.arena.len()];
        let mut step = StateOnLetter { state, letter, values, substituted: HashMap::new() };
        let demand = self.substitute(state.demand, &mut step);
        let mut past: Vec<Diagram> =
            (0..self.past.len()).map(|index| self.remembered(index, &mut step)).collect();
        let needed = self.reachable(demand, &past);
        for (diagram, form) in past.iter_mut().zip(&self.past) {
            if !needed[form.0 as usize] {
                *diagram = Diagram::FALSE;
            }
        }
        State { first: false, demand, past }
    }

    /// What has to be kept of the new position for a form of the past.
    fn remembered(&mut self, index: usize, step: &mut StateOnLetter<'_>) -> Diagram {
        let form = self.past[index];
        match self.lowered.arena.get(form) {
            Form::Previous(inner) => self.value(inner, step),
            _ => self.value(form, step),
        }
    }

    /// The truth of a form at the new position, as a function of what is demanded of the one behind it.
    fn value(&mut self, id: FormId, step: &mut StateOnLetter<'_>) -> Diagram {
        if let Some(known) = step.values[id.0 as usize] {
            return known;
        }
        let value = match self.lowered.arena.get(id) {
            Form::Constant(truth) | Form::Known(truth) => Diagram::of(truth),
            Form::Atom(atom) => Diagram::of(step.letter.contains(&atom)),
            Form::Condition(condition) => self.diagrams.variable(condition as u32),
            Form::Not(inner) => {
                let inner = self.value(inner, step);
                self.diagrams.not(inner)
            }
            Form::And(left, right) => {
                let (left, right) = (self.value(left, step), self.value(right, step));
                self.diagrams.and(left, right)
            }
            Form::Or(left, right) => {
                let (left, right) = (self.value(left, step), self.value(right, step));
                self.diagrams.or(left, right)
            }
            Form::Iff(left, right) => {
                let (left, right) = (self.value(left, step), self.value(right, step));
                self.diagrams.iff(left, right)
            }
            Form::Next { inner, weak } => self.obligation(inner, weak),
            Form::Until(left, right) => {
                let (left, right) = (self.value(left, step), self.value(right, step));
                let later = self.obligation(id, false);
                let kept = self.diagrams.and(left, later);
                self.diagrams.or(right, kept)
            }
            Form::Release(left, right) => {
                let (left, right) = (self.value(left, step), self.value(right, step));
                let later = self.obligation(id, true);
                let released = self.diagrams.or(left, later);
                self.diagrams.and(right, released)
            }
            Form::Previous(_) => self.before(id, step),
            Form::Since(left, right) => {
                let (left, right) = (self.value(left, step), self.value(right, step));
                let before = self.before(id, step);
                let kept = self.diagrams.and(left, before);
                self.diagrams.or(right, kept)
            }
        };
        step.values[id.0 as usize] = Some(value);
        value
    }

    /// What was remembered for a form of the past, as seen from the new position.
    fn before(&mut self, id: FormId, step: &mut StateOnLetter<'_>) -> Diagram {
        // Only forms that stand before this one in the arena were demanded there, so that this ends.
        match self.past.binary_search(&id) {
            Ok(index) => self.substitute(step.state.past[index], step),
            Err(_) => Diagram::FALSE,
        }
    }

    /// The function with each obligation exchanged for what it says of the new position.
    fn substitute(&mut self, diagram: Diagram, step: &mut StateOnLetter<'_>) -> Diagram {
        let Some((variable, low, high)) = self.diagrams.first(diagram) else { return diagram };
        if let Some(known) = step.substituted.get(&diagram) {
            return *known;
        }
        let (low, high) = (self.substitute(low, step), self.substitute(high, step));
        let decision = match (variable as usize).checked_sub(self.lowered.conditions.len()) {
            None => self.diagrams.variable(variable),
            Some(obligation) => self.value(self.obligations[obligation].form, step),
        };
        let result = self.diagrams.choose(decision, high, low);
        step.substituted.insert(diagram, result);
        result
    }

    fn obligation(&mut self, form: FormId, weak: bool) -> Diagram {
        let wanted = Obligation { form, weak };
        let place = self.obligations.iter().position(|it| *it == wanted).unwrap_or_else(|| {
            self.obligations.push(wanted);
            self.obligations.len() - 1
        });
        self.diagrams.variable((self.lowered.conditions.len() + place) as u32)
    }

    /// The forms that a demand can lead to, with what is kept of the past for them: by form.
    fn reachable(&mut self, demand: Diagram, past: &[Diagram]) -> Vec<bool> {
        let mut seen = vec![false; self.lowered.arena.len()];
        let mut open = self.demanded(demand);
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            open.extend(self.lowered.arena.get(id).parts());
            if let Ok(index) = self.past.binary_search(&id) {
                let demanded = self.demanded(past[index]);
                open.extend(demanded);
            }
        }
        seen
    }

    /// The forms of which a function speaks.
    fn demanded(&mut self, diagram: Diagram) -> Vec<FormId> {
        let variables = self.diagrams.variables(diagram).into_iter();
        let obligations = variables.filter_map(|it| (it as usize).checked_sub(self.lowered.conditions.len()));
        obligations.map(|it| self.obligations[it].form).collect()
    }
}
