//! The automaton of a formula at one event: how letters move its instances.

use std::convert::Infallible;

use rvcheck_event::event::Event;
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;

use crate::evaluation::engine::lettered::{Counting, LetterPlan, Lettered};
use crate::evaluation::engine::lives::Lives;
use crate::evaluation::engine::reading::bind;
use crate::evaluation::engine::rules::{Bound, Like, Move, Rules, Seen, Situation};
use crate::evaluation::engine::store::Binding;
use crate::evaluation::engine::texts::Texts;
use crate::evaluation::tables::record::Around;
use crate::language::formula::tree::Quantifier;
use crate::model::automaton::{Mask, Role, Scope};
use crate::semantics::emission::Emitted;
use crate::semantics::evaluate::holds;
use crate::semantics::facts::Facts;
use crate::verdict::Fault;

/// The automaton at one event.
pub(super) struct Lettering<'a> {
    pub(super) table: &'a Lettered,
    pub(super) lives: &'a Lives,
    pub(super) texts: &'a Texts,
    pub(super) around: Around,
}

impl Lettering<'_> {
    #[inline]
    fn live(&self, at: Situation<'_>) -> u32 {
        if self.lives.are_none() { 0 } else { self.lives.bits(at.unit, at.mask, at.binding) }
    }

    #[inline]
    fn next(plan: &LetterPlan, state: usize, letter: u32, live: u32) -> usize {
        plan.next[state << plan.width | (letter | live << plan.events) as usize].into()
    }
}

/// What an event says that binds in these ways, if any of them is a part of an instance's binding.
#[inline]
fn letter_among(bounds: &[Bound], at: Situation<'_>) -> Option<u32> {
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

    fn reported(&self) -> usize {
        self.table.universal
    }

    fn scope(&self) -> Scope {
        self.table.scope
    }

    fn initial(&self) -> usize {
        0
    }

    fn registers(&self) -> Vec<Value> {
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
        at: Situation<'_>,
        _: &mut [Value],
        seen: Seen<'_>,
        _: (&Event, &F),
        _: &mut Vec<Emitted>,
    ) -> Result<Option<Move>, Infallible> {
        let letter = match seen {
            Seen::Exactly(letter) => letter,
            Seen::Among(bounds) => letter_among(bounds, at).unwrap_or(0),
        };
        let to = Lettering::next(plan, at.state, letter, self.live(at));
        Ok((to != at.state).then_some(Move { to, covers: 0, in_doubt: false }))
    }

    fn fault(&self, clash: Infallible, _: &Event) -> Fault {
        match clash {}
    }

    fn parts_from<F: Facts>(
        &self,
        plan: &LetterPlan,
        at: Situation<'_>,
        like: Like<'_>,
        bounds: &[Bound],
        _: &Event,
        _: &F,
    ) -> Result<bool, Infallible> {
        let base = Situation { mask: like.mask.unwrap_or(0), ..at };
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
    fn idle(&self, at: Situation<'_>) -> usize {
        let state = &self.table.states[at.state];
        state.idle[self.live(at) as usize] as usize
    }

    #[inline]
    fn is_restless(&self) -> bool {
        self.table.restless
    }

    #[inline]
    fn is_pristine(&self, state: usize) -> bool {
        self.table.pristine[state]
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

    /// Instances that are counted stay.
    fn rejoins(&self) -> bool {
        self.table.counting == Counting::Touches
    }

    #[inline]
    fn is_like(&self, at: Situation<'_>, mask: Mask) -> bool {
        self.live(at) == self.live(Situation { mask, ..at })
    }

    fn breaks_at_once(&self) -> bool {
        self.table.is_plainly(Quantifier::Forall)
    }
}
