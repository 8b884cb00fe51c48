//! The automata of formulas as the slicer runs them.

use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;

use crate::evaluation::engine::lives::Lives;
use crate::evaluation::engine::reading::{Demands, Params, Reading, Sources, mask_of, needs, touches};
use crate::language::formula::tree::Quantifier;
use crate::model::automaton::{Expr, MAX_PARAMS, Mask, Role, Scope, Source};
use crate::model::fluent::{Fluent, Only};
use crate::model::formula::{Quantified, Steps};
use crate::model::ltl::Ltl;
use crate::model::machine::{Atom, Machine, MachineState, Unsteppable};
use crate::model::pattern::Wanted;
use crate::semantics::evaluate::holds;
use crate::semantics::facts::Facts;

/// How many transitions are looked at to find out what can be forgotten.
const MANY: u64 = 1 << 20;

/// A pattern that binds as the others of its shape do.
#[derive(Clone, Debug)]
pub(super) struct Test {
    /// The bit of its atom; 0 for a pattern that only tells that the event touches the binding.
    pub(super) bit: u32,
    pub(super) demands: Demands,
    pub(super) only: Only,
}

/// The patterns that bind parameters in one way.
#[derive(Clone, Debug)]
pub(super) struct LetterShape {
    pub(super) mask: Mask,
    pub(super) sources: Sources,
    pub(super) tests: Vec<Test>,
    /// The letter of every event that binds so, where the tests demand nothing.
    pub(super) plain: Option<u32>,
}

/// What to do with one kind of event.
#[derive(Clone, Debug)]
pub(super) struct LetterPlan {
    pub(super) kind: EventKind,
    pub(super) shapes: Vec<LetterShape>,
    /// How many bits a letter has, and how many of them are for events.
    pub(super) width: u32,
    pub(super) events: u32,
    /// By state and letter.
    pub(super) next: Vec<u16>,
}

/// How the bindings that an event touches are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counting {
    /// Whatever touches a binding binds all of it, so that instances can be counted.
    Instances,
    /// The touches have to be kept.
    Touches,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Lettered {
    pub(super) params: Params,
    /// The quantifiers in front, with restrictions in terms of parameters.
    pub(super) blocks: Vec<Block>,
    /// How many parameters the quantifiers bind that lead the formula as it is written.
    pub(super) written: usize,
    /// How many those bind that lead it and are `forall`.
    pub(super) universal: usize,
    /// The same for `exists`.
    pub(super) existential: usize,
    pub(super) scope: Scope,
    pub(super) counting: Counting,
    /// The conditions that choose among the roles of a state, in terms of parameters.
    pub(super) conditions: Vec<Expr>,
    pub(super) plans: Vec<LetterPlan>,
    pub(super) states: Vec<MachineState>,
    /// By state: as if nothing had happened.
    pub(super) pristine: Vec<bool>,
    pub(super) restless: bool,
    /// Only events that touch a binding are positions.
    pub(super) slices: bool,
}

/// A quantifier in front.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) quantifier: Quantifier,
    /// The place after its last parameter.
    pub(super) end: usize,
    /// Which values count, and the parameters that this depends on.
    pub(super) restriction: Option<(Expr, Mask)>,
}

impl Lettered {
    /// The automaton of a formula, and the fluents that it asks for.
    pub(super) fn new(ltl: &Ltl, machine: &Machine) -> Result<(Lettered, Lives), Unsteppable> {
        let variables = machine.prefix.iter().flat_map(|it| it.variables.iter().copied());
        let params = Params(variables.collect());
        let count = |blocks: &[Quantified]| blocks.iter().map(|it| it.variables.len()).sum::<usize>();
        let written = count(&machine.prefix[..machine.written]);
        if params.0.len() > MAX_PARAMS {
            return Err(Unsteppable::Variables { limit: MAX_PARAMS });
        }
        if machine.states.len() > usize::from(u16::MAX) {
            return Err(Unsteppable::States { limit: usize::from(u16::MAX) });
        }
        let mut blocks = Vec::new();
        for (at, it) in machine.prefix.iter().enumerate() {
            blocks.push(Block {
                quantifier: it.quantifier,
                end: count(&machine.prefix[..=at]),
                restriction: it.restriction.as_ref().and_then(|it| params.rename(it)),
            });
        }
        let leading = |quantifier: Quantifier| {
            let written = machine.prefix[..machine.written].iter();
            written.take_while(|it| it.quantifier == quantifier).map(|it| it.variables.len()).sum()
        };
        let conditions = machine.conditions.iter().filter_map(|it| params.rename(it));
        let asked: Vec<(&Fluent, &[Option<Wanted>])> = machine
            .atoms
            .iter()
            .filter_map(|atom| match atom {
                Atom::Live(fluent, arguments) => Some((fluent, arguments.as_slice())),
                Atom::Event(..) => None,
            })
            .collect();
        let lives = Lives::new(&asked, &params);
        let all = ((1_u16 << params.0.len()) - 1) as Mask;
        let touches = touches(ltl, &params);
        let direct = written == params.0.len() && touches.iter().all(|it| it.mask() == all);
        if ltl.steps == Steps::Slice && written < params.0.len() {
            return Err(Unsteppable::Slices);
        }
        // The time of an event is no value that occurs in it, so that it may be out of the domain.
        if touches.iter().flat_map(|it| &it.sources).any(|(_, it, _)| *it == Source::Attribute("time")) {
            return Err(Unsteppable::Time);
        }
        // Events that only touch a binding have to come to its instance where these are its positions, or are counted.
        let reads_touches = direct || ltl.steps == Steps::Slice;
        let mut readings: Vec<(Reading, Only, Option<usize>)> = Vec::new();
        for (at, atom) in machine.atoms.iter().enumerate() {
            match atom {
                Atom::Event(pattern, only) => {
                    let reading = Reading::of_pattern(pattern, &params);
                    readings.push((reading, *only, Some(at)));
                }
                Atom::Live(fluent, arguments) => {
                    for pattern in fluent.from.iter().chain(&fluent.to) {
                        let reading = Reading::of_fluent(pattern, arguments, &params);
                        readings.push((reading, Only::Anywhere, None));
                    }
                }
            }
        }
        readings.extend(touches.into_iter().filter(|_| reads_touches).map(|it| (it, Only::Anywhere, None)));
        let live = asked.len() as u32;
        let mut lettered = Lettered {
            blocks,
            written,
            universal: leading(Quantifier::Forall),
            existential: leading(Quantifier::Exists),
            scope: ltl.scope,
            counting: if direct { Counting::Instances } else { Counting::Touches },
            conditions: conditions.map(|(it, _)| it).collect(),
            plans: plans(machine, &readings, live),
            states: machine.states.clone(),
            pristine: Vec::new(),
            restless: false,
            slices: ltl.steps == Steps::Slice,
            params,
        };
        let moves = |(state, it): (usize, &MachineState)| it.idle.iter().any(|next| *next as usize != state);
        lettered.restless = ltl.steps == Steps::Trace && lettered.states.iter().enumerate().any(moves);
        lettered.pristine = lettered.pristine_states();
        Ok((lettered, lives))
    }

    /// Where events lead that concern no binding, if they come to rest.
    fn pristine_states(&self) -> Vec<bool> {
        let mut pristine = vec![false; self.states.len()];
        let mut state = 0;
        for _ in 0..self.states.len() {
            if !self.restless || self.states[state].idle[0] as usize == state {
                pristine[state] = true;
                break;
            }
            state = self.states[state].idle[0] as usize;
        }
        pristine
    }

    /// Whether all quantifiers in front are of this kind, and stand there as the formula is written.
    pub(super) fn is_plainly(&self, quantifier: Quantifier) -> bool {
        self.written == self.params.0.len() && self.blocks.iter().all(|it| it.quantifier == quantifier)
    }

    /// Whether some pattern gives the parameter a value from a place of which this is true.
    pub(super) fn speaks_of(&self, param: usize, of: impl Fn(EventKind, Source) -> bool) -> bool {
        self.plans.iter().any(|plan| {
            let mut sources = plan.shapes.iter().flat_map(|it| &it.sources);
            sources.any(|(it, source, _)| *it == param && of(plan.kind, *source))
        })
    }

    /// By state: whether events that say nothing of a parameter can lead from it to where the formula is false, if only at the
    /// end. All are, where that is too much to find out.
    pub(super) fn doomed(&self, param: usize) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (state, it) in self.states.iter().enumerate() {
            it.idle.iter().for_each(|next| before[*next as usize].push(state));
        }
        for plan in &self.plans {
            let silent = plan.shapes.iter().filter(|it| it.mask & 1 << param == 0);
            let events = silent.flat_map(|it| &it.tests).fold(0, |bits, it| bits | it.bit);
            let live = ((1_u32 << (plan.width - plan.events)) - 1) << plan.events;
            let bits = events | live;
            if (self.states.len() as u64) << bits.count_ones() > MANY {
                return vec![true; self.states.len()];
            }
            // All parts of the set, from the whole to nothing.
            let mut letters = vec![0];
            let mut letter = bits;
            while letter != 0 {
                letters.push(letter);
                letter = (letter - 1) & bits;
            }
            for state in 0..self.states.len() {
                for letter in &letters {
                    before[usize::from(plan.next[state << plan.width | *letter as usize])].push(state);
                }
            }
        }
        let can_be_bad = |it: &MachineState| it.roles.iter().any(|it| matches!(it, Role::Bad | Role::EndBad));
        let mut doomed: Vec<bool> = self.states.iter().map(can_be_bad).collect();
        let mut open: Vec<usize> = (0..doomed.len()).filter(|state| doomed[*state]).collect();
        while let Some(state) = open.pop() {
            for from in std::mem::take(&mut before[state]) {
                if !doomed[from] {
                    doomed[from] = true;
                    open.push(from);
                }
            }
        }
        doomed
    }

    /// Whether the state is bad for good for some bindings.
    pub(super) fn is_bad(&self, state: usize) -> bool {
        self.states[state].roles.contains(&Role::Bad)
    }

    /// The roles that a state can have for a binding of all parameters: one, but where conditions depend on parameters that have
    /// no value.
    pub(super) fn roles_for<F: Facts + ?Sized>(
        &self,
        state: usize,
        binding: &[Value],
        facts: &F,
    ) -> impl Iterator<Item = Role> {
        let known =
            |it: &Expr| (0..binding.len()).all(|at| needs(it) & 1 << at == 0 || binding[at] != Value::Absent);
        let open = self.conditions.iter().enumerate().filter(|(_, it)| !known(it));
        let open = open.fold(0, |bits, (at, _)| bits | 1 << at);
        let holding = self.conditions_of(binding, facts) & !open;
        let roles = self.states[state].roles.iter().enumerate();
        roles.filter(move |(choice, _)| choice & !open == holding).map(|(_, role)| *role)
    }

    /// Bit `i` says that condition `i` holds.
    pub(super) fn conditions_of<F: Facts + ?Sized>(&self, binding: &[Value], facts: &F) -> usize {
        let holding = self.conditions.iter().enumerate().filter(|(_, it)| holds(it, binding, facts));
        holding.fold(0, |bits, (at, _)| bits | 1 << at)
    }
}

/// By kind of event, in the order of their numbers.
fn plans(machine: &Machine, readings: &[(Reading, Only, Option<usize>)], live: u32) -> Vec<LetterPlan> {
    let mut kinds: Vec<EventKind> = readings.iter().map(|(it, ..)| it.kind).collect();
    kinds.sort_by_key(|kind| *kind as u8);
    kinds.dedup();
    let plan = |kind: EventKind| {
        let letters = machine.letters.iter().find(|it| it.kind == kind);
        let atoms = letters.map_or(&[][..], |it| &it.atoms);
        let events = atoms.len().saturating_sub(live as usize) as u32;
        let mut shapes: Vec<LetterShape> = Vec::new();
        for (reading, only, atom) in readings.iter().filter(|(it, ..)| it.kind == kind) {
            let place = atom.map(|atom| atoms.iter().position(|it| *it == atom));
            // An atom that no letter has does not matter.
            let bit = place.flatten().map_or(0, |place| 1 << place);
            let place = shapes.iter().position(|it| it.sources == reading.sources).unwrap_or_else(|| {
                shapes.push(LetterShape {
                    mask: mask_of(&reading.sources),
                    sources: reading.sources.clone(),
                    tests: Vec::new(),
                    plain: None,
                });
                shapes.len() - 1
            });
            let test = Test { bit, demands: reading.demands.clone(), only: *only };
            let tests = &mut shapes[place].tests;
            let same = |it: &Test| it.demands == test.demands && it.only == test.only;
            match tests.iter_mut().find(|it| same(it)) {
                Some(it) => it.bit |= bit,
                None => tests.push(test),
            }
        }
        for shape in &mut shapes {
            let plain = |it: &Test| it.demands.are_none() && it.only == Only::Anywhere;
            if shape.tests.iter().all(plain) {
                shape.plain = Some(shape.tests.iter().fold(0, |bits, it| bits | it.bit));
            }
        }
        let next = match letters {
            Some(it) => it.next.iter().map(|next| *next as u16).collect(),
            None => machine.states.iter().flat_map(|it| it.idle.iter().map(|next| *next as u16)).collect(),
        };
        LetterPlan { kind, shapes, width: events + live, events, next }
    };
    kinds.into_iter().map(plan).collect()
}
