//! The automata of formulas as the slicer runs them.

use std::convert::Infallible;

use rvcheck_event::event::Event;
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;

use crate::automaton::{Expr, MAX_PARAMS, Mask, Role, Scope, Source};
use crate::emission::Emitted;
use crate::engine::lives::Lives;
use crate::engine::reading::{Demands, Params, Reading, Sources, bind, mask_of, touches};
use crate::engine::rules::{At, Bound, Like, Rules, Seen, Step};
use crate::engine::store::Binding;
use crate::engine::texts::Texts;
use crate::evaluate::holds;
use crate::facts::Facts;
use crate::ltl::fluent::{Fluent, Only};
use crate::ltl::machine::{Atom, Machine, MachineState, Unsteppable};
use crate::ltl::node::{Ltl, Quantified, Steps, Wanted};
use crate::ltl::record::Around;
use crate::ltl::tree::Quantifier;
use crate::verdict::Fault;

/// How many transitions are looked at to find out what can be forgotten.
const MANY: u64 = 1 << 20;

/// A pattern that binds as the others of its shape do.
#[derive(Clone, Debug)]
struct Test {
    /// The bit of its atom; 0 for a pattern that only tells that the event touches the binding.
    bit: u32,
    demands: Demands,
    only: Only,
}

/// The patterns that bind parameters in one way.
#[derive(Clone, Debug)]
struct LetterShape {
    mask: Mask,
    sources: Sources,
    tests: Vec<Test>,
    /// The letter of every event that binds so, where the tests demand nothing.
    plain: Option<u32>,
}

/// What to do with one kind of event.
#[derive(Clone, Debug)]
pub(super) struct LetterPlan {
    kind: EventKind,
    shapes: Vec<LetterShape>,
    /// How many bits a letter has, and how many of them are for events.
    width: u32,
    events: u32,
    /// By state and letter.
    next: Vec<u16>,
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
    plans: Vec<LetterPlan>,
    states: Vec<MachineState>,
    /// By state: as if nothing had happened.
    home: Vec<bool>,
    pub(super) restless: bool,
    /// Only events that touch a binding are positions.
    slices: bool,
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
        let told = direct || ltl.steps == Steps::Slice;
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
        readings.extend(touches.into_iter().filter(|_| told).map(|it| (it, Only::Anywhere, None)));
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
            home: Vec::new(),
            restless: false,
            slices: ltl.steps == Steps::Slice,
            params,
        };
        let moves = |(state, it): (usize, &MachineState)| it.idle.iter().any(|next| *next as usize != state);
        lettered.restless = ltl.steps == Steps::Trace && lettered.states.iter().enumerate().any(moves);
        lettered.home = lettered.homes();
        Ok((lettered, lives))
    }

    /// Where events lead that concern no binding, if they come to rest.
    fn homes(&self) -> Vec<bool> {
        let mut home = vec![false; self.states.len()];
        let mut state = 0;
        for _ in 0..self.states.len() {
            if !self.restless || self.states[state].idle[0] as usize == state {
                home[state] = true;
                break;
            }
            state = self.states[state].idle[0] as usize;
        }
        home
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

    /// The role of a state for a binding of all parameters.
    pub(super) fn role_for<F: Facts + ?Sized>(&self, state: usize, binding: &[Value], facts: &F) -> Role {
        self.states[state].roles[self.conditions_of(binding, facts)]
    }

    fn conditions_of<F: Facts + ?Sized>(&self, binding: &[Value], facts: &F) -> usize {
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

/// The automaton at one event.
pub(super) struct Lettering<'a> {
    pub(super) table: &'a Lettered,
    pub(super) lives: &'a Lives,
    pub(super) texts: &'a Texts,
    pub(super) around: Around,
}

impl Lettering<'_> {
    #[inline]
    fn live(&self, at: At<'_>) -> u32 {
        if self.lives.are_none() { 0 } else { self.lives.bits(at.unit, at.mask, at.binding) }
    }

    #[inline]
    fn next(plan: &LetterPlan, state: usize, letter: u32, live: u32) -> usize {
        plan.next[state << plan.width | (letter | live << plan.events) as usize].into()
    }
}

/// What an event says that binds in these ways, if any of them is a part of an instance's binding.
#[inline]
fn letter_among(bounds: &[Bound], at: At<'_>) -> Option<u32> {
    let agrees = |it: &Bound| {
        let mut params = 0..at.binding.len();
        it.mask & !at.mask == 0
            && params.all(|param| it.mask & 1 << param == 0 || it.binding[param] == at.binding[param])
    };
    let agreeing = bounds.iter().filter(|it| agrees(it));
    agreeing.fold(None, |letter, it| Some(letter.unwrap_or(0) | it.letter))
}

impl Rules for Lettering<'_> {
    type Plan = LetterPlan;
    type Clash = Infallible;

    const BINDINGS_COME_ABOUT: bool = false;
    const LETTERS: bool = true;

    fn params(&self) -> usize {
        self.table.params.0.len()
    }

    fn told(&self) -> usize {
        self.table.universal
    }

    fn scope(&self) -> Scope {
        self.table.scope
    }

    fn initial(&self) -> usize {
        0
    }

    fn registers(&self) -> Vec<i64> {
        Vec::new()
    }

    fn plans(&self) -> &[LetterPlan] {
        &self.table.plans
    }

    fn kind(plan: &LetterPlan) -> EventKind {
        plan.kind
    }

    fn masks(plan: &LetterPlan) -> impl ExactSizeIterator<Item = Mask> {
        plan.shapes.iter().map(|it| it.mask)
    }

    #[inline]
    fn bind<F: Facts>(
        &self,
        plan: &LetterPlan,
        shape: usize,
        event: &Event,
        facts: &F,
        binding: &mut Binding,
    ) -> bool {
        bind(&plan.shapes[shape].sources, event, binding, self.texts, facts)
    }

    #[inline]
    fn letter<F: Facts>(
        &self,
        plan: &LetterPlan,
        shape: usize,
        binding: &Binding,
        event: &Event,
        facts: &F,
    ) -> Option<u32> {
        let shape = &plan.shapes[shape];
        if shape.plain.is_some() {
            return shape.plain;
        }
        let met = shape.tests.iter().filter(|it| {
            self.around.allows(it.only) && it.demands.are_met(event, binding, self.texts, facts)
        });
        met.fold(None, |letter, it| Some(letter.unwrap_or(0) | it.bit))
    }

    #[inline]
    fn step<F: Facts>(
        &self,
        plan: &LetterPlan,
        at: At<'_>,
        _: &mut [i64],
        seen: Seen<'_>,
        _: (&Event, &F),
        _: &mut Vec<Emitted>,
    ) -> Result<Option<Step>, Infallible> {
        let letter = match seen {
            Seen::Exactly(letter) => letter,
            Seen::Among(bounds) => letter_among(bounds, at).unwrap_or(0),
        };
        let to = Lettering::next(plan, at.state, letter, self.live(at));
        Ok((to != at.state).then_some(Step { to, covers: 0 }))
    }

    fn fault(&self, clash: Infallible, _: &Event) -> Fault {
        match clash {}
    }

    fn parts_from<F: Facts>(
        &self,
        plan: &LetterPlan,
        at: At<'_>,
        like: Like<'_>,
        bounds: &[Bound],
        _: &Event,
        _: &F,
    ) -> Result<bool, Infallible> {
        let base = At { mask: like.mask.unwrap_or(0), ..at };
        let (own, theirs) = (self.live(at), self.live(base));
        let next = |at, letter: Option<u32>, live| match letter {
            Some(letter) => Lettering::next(plan, at, letter, live),
            None if self.table.slices => at,
            None => self.table.states[at].idle[live as usize] as usize,
        };
        let letter = like.mask.and_then(|_| letter_among(bounds, base));
        // Where something holds for the one and not for the other, later events may tell them apart.
        Ok(own != theirs || next(at.state, letter_among(bounds, at), own) != next(at.state, letter, theirs))
    }

    #[inline]
    fn idle(&self, at: At<'_>) -> usize {
        let state = &self.table.states[at.state];
        state.idle[self.live(at) as usize] as usize
    }

    #[inline]
    fn is_restless(&self) -> bool {
        self.table.restless
    }

    #[inline]
    fn is_home(&self, state: usize) -> bool {
        self.table.home[state]
    }

    fn choice<F: Facts>(&self, mask: Mask, binding: &[Value], facts: &F) -> Option<u16> {
        let excluded = self
            .table
            .blocks
            .iter()
            .filter_map(|it| it.restriction.as_ref())
            .any(|(restriction, needs)| needs & !mask == 0 && !holds(restriction, binding, facts));
        if excluded {
            return None;
        }
        let all = mask == self.all() && !self.table.conditions.is_empty();
        Some(if all { self.table.conditions_of(binding, facts) as u16 } else { 0 })
    }

    #[inline]
    fn role(&self, state: usize, choice: u16) -> Role {
        self.table.states[state].roles[usize::from(choice)]
    }

    fn breaks_at_once(&self) -> bool {
        self.table.is_plainly(Quantifier::Forall)
    }
}
