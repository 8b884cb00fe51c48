//! What the slicer has to know of a property in order to step its instances. There are two kinds: guarded transitions, and the
//! table of letters that a formula becomes.

use rvcheck_event::event::Event;
use rvcheck_event::id::UnitId;
use rvcheck_event::kind::EventKind;
use rvcheck_event::value::Value;

use crate::evaluation::engine::store::Binding;
use crate::model::automaton::{Mask, Role, Scope};
use crate::semantics::emission::Emitted;
use crate::semantics::facts::Facts;
use crate::verdict::Fault;

/// What an event binds, by one pattern or by several together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) mask: Mask,
    pub(super) binding: Binding,
    /// What the patterns say of the event that bind exactly so; see [`Rules::letter`].
    pub(super) letter: u32,
    /// One pattern that matches the event binds all of this.
    pub(super) whole: bool,
}

/// What an event means to an instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen<'a> {
    /// The event binds in one way only, the instance was looked up by it, and this is its letter.
    Exactly(u32),
    /// The event binds in these ways.
    Among(&'a [Bound]),
}

/// An instance as far as its next step depends on it, but for its registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation<'a> {
    pub(super) state: usize,
    pub(super) unit: UnitId,
    pub(super) mask: Mask,
    /// The values of the parameters; [`Value::Absent`] for those that are not bound.
    pub(super) binding: &'a [Value],
}

/// What is known of a binding that has no instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Like<'a> {
    /// The parameters that the instance binds in which that stands; `None` where it is as in the beginning.
    pub(super) mask: Option<Mask>,
    /// The registers.
    pub(super) registers: &'a [Value],
}

/// A step that an instance takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// The state that it enters.
    pub(super) to: usize,
    /// The parameters that the patterns bind which made it move.
    pub(super) covers: Mask,
    /// It is not known whether what the step asserts is true.
    pub(super) in_doubt: bool,
}

/// See the module.
pub(super) trait Rules {
    /// What to do with one kind of event: shapes, the ways in which its patterns bind parameters, and steps.
    type Plan;

    /// What can go wrong in a step.
    type Clash;

    /// Whether a binding exists only from when events have bound all of it. Else it exists whatever happens, and its instance
    /// only says in which state it is.
    const BINDINGS_COME_ABOUT: bool;

    /// Whether the letter is needed for a step.
    const LETTERS: bool;

    /// How many parameters there are.
    fn params(&self) -> usize;

    /// How many of the parameters a violation reports.
    fn reported(&self) -> usize;

    /// What one verdict covers.
    fn scope(&self) -> Scope;

    /// The first state.
    fn initial(&self) -> usize;

    /// The first values of the registers.
    fn registers(&self) -> Vec<Value>;

    /// The plans.
    fn plans(&self) -> &[Self::Plan];

    /// The kind that the plan is for.
    fn kind(plan: &Self::Plan) -> EventKind;

    /// The sets of parameters that the shapes bind.
    fn masks(plan: &Self::Plan) -> impl ExactSizeIterator<Item = Mask>;

    /// Sets what an event binds in a shape. False where something that it should bind is not known or of another sort.
    fn bind<F: Facts>(
        &self,
        plan: &Self::Plan,
        shape: usize,
        event: &Event,
        facts: &F,
        binding: &mut Binding,
    ) -> bool;

    /// What the patterns of a shape say of the event, if one of them matches.
    fn letter<F: Facts>(
        &self,
        plan: &Self::Plan,
        shape: usize,
        binding: &Binding,
        event: &Event,
        facts: &F,
    ) -> Option<u32>;

    /// The step that an instance takes. Its registers are changed already, and what it emits is added to `emitted`.
    fn step<F: Facts>(
        &self,
        plan: &Self::Plan,
        at: Situation<'_>,
        registers: &mut [Value],
        seen: Seen<'_>,
        moment: (&Event, &F),
        emitted: &mut Vec<Emitted>,
    ) -> Result<Option<Move>, Self::Clash>;

    /// What went wrong, for people.
    fn fault(&self, clash: Self::Clash, event: &Event) -> Fault;

    /// Whether a binding without an instance will differ after the event from what it was like so far. It is in the same state.
    fn parts_from<F: Facts>(
        &self,
        plan: &Self::Plan,
        at: Situation<'_>,
        like: Like<'_>,
        bounds: &[Bound],
        event: &Event,
        facts: &F,
    ) -> Result<bool, Self::Clash>;

    /// Whether each event of a plan belongs to some instance, so that it is missing there if it does not tell which.
    fn needs_instance(&self) -> bool {
        false
    }

    /// The state in which an instance is after an event that does not concern it.
    fn idle(&self, at: Situation<'_>) -> usize;

    /// By state: whether an event can move an instance there by a pattern that binds just these parameters. Where this is empty,
    /// it can in every state.
    fn heard(&self, _by: Mask) -> Vec<bool> {
        Vec::new()
    }

    /// Whether there are states in which events matter that concern no instance.
    fn is_restless(&self) -> bool;

    /// Whether in this state, with the first values in the registers, it is as if nothing had happened.
    fn is_pristine(&self, state: usize) -> bool;

    /// Which of the conditions hold for a binding that choose among the roles of a state; `None` for a binding that is of no
    /// interest.
    fn choice<F: Facts>(&self, mask: Mask, binding: &[Value], facts: &F) -> Option<u16>;

    /// What it means to be in a state.
    fn role(&self, state: usize, choice: u16) -> Role;

    /// Whether an instance can be forgotten that is no longer told apart from a smaller one.
    fn rejoins(&self) -> bool;

    /// Whether an instance and a smaller one, which binds the parameters `mask`, are alike if they are in the same state.
    fn is_like(&self, at: Situation<'_>, mask: Mask) -> bool;

    /// Whether a binding of all parameters in a bad state breaks the property at once.
    fn breaks_at_once(&self) -> bool;

    /// The set of all parameters.
    fn all(&self) -> Mask {
        ((1_u16 << self.params()) - 1) as Mask
    }
}
