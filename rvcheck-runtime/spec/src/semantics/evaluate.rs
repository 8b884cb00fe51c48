//! What patterns, guards and actions mean. The engine and the reference share this and nothing else.

use std::cmp::Ordering;

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::language::syntax::tree::Operator;
use crate::model::automaton::{
    Action, Argument, Automaton, Check, Constant, Expr, Plan, Shape, Source, Transition,
};
use crate::semantics::emission::Emitted;
use crate::semantics::facts::Facts;

/// The value of a source in an event; [`Value::Absent`] where it is not known.
#[inline]
pub fn read<F: Facts + ?Sized>(source: Source, event: &Event, facts: &F) -> Value {
    match source {
        Source::Actor => Value::object(Sort::Task, event.task.0),
        Source::Object(sort) => Value::object(sort, event.object),
        Source::Number(index) => event.argument(index),
        Source::Attribute("time") => Value::int(event.time),
        Source::Attribute(name) => facts.attribute(event, name).unwrap_or(Value::Absent),
        Source::UserName => user_name(event),
        Source::UserArgument(index) => facts.arguments(event).get(index).copied().unwrap_or(Value::Absent),
        Source::Callee => facts.callee(),
        Source::GroupOf(name) => {
            let group = facts.attribute(event, "group").unwrap_or(Value::Absent);
            let is_one = matches!(operand(group, facts), Operand::Text(text) if is_instance(text, name));
            if is_one { group } else { Value::Absent }
        }
    }
}

/// Whether a text is the name of a group, a colon and a number.
pub fn is_instance(text: &str, group: &str) -> bool {
    let number = text.strip_prefix(group).and_then(|it| it.strip_prefix(':'));
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
}

/// What the automaton does with events like this one.
pub fn plan_of<'a, F: Facts + ?Sized>(
    automaton: &'a Automaton,
    event: &Event,
    facts: &F,
) -> Option<&'a Plan> {
    automaton.plans.iter().find(|plan| plan.kind == event.kind && has_name(plan, event, facts))
}

/// Whether a plan is for events with the name of this one.
pub(crate) fn has_name<F: Facts + ?Sized>(plan: &Plan, event: &Event, facts: &F) -> bool {
    plan.name.as_ref().is_none_or(|name| operand(user_name(event), facts) == Operand::Text(name))
}

/// The name of an event of the program's own.
#[inline]
pub(crate) fn user_name(event: &Event) -> Value {
    if event.kind == EventKind::User { Value::Str(StringId(event.object)) } else { Value::Absent }
}

/// Whether the event has the values that the pattern demands. `registers` are those of the instance; without them,
/// demands on registers count as met.
#[inline]
pub fn fits<F: Facts>(
    transition: &Transition,
    event: &Event,
    registers: Option<&[Value]>,
    facts: &F,
) -> bool {
    transition.checks.iter().all(|check| match check {
        Check::Literal(source, constant) => is(read(*source, event, facts), constant, facts),
        Check::Same(left, right) => {
            let value = read(*left, event, facts);
            value != Value::Absent && value == read(*right, event, facts)
        }
        Check::Known(source) => read(*source, event, facts) != Value::Absent,
        Check::Register(source, register) => match (registers, read(*source, event, facts)) {
            (_, Value::Absent) => false,
            (None, _) => true,
            (Some(registers), value) => registers.get(*register).is_some_and(|it| same(value, *it, facts)),
        },
    })
}

/// Whether some pattern of this shape matches the event, for some values of registers.
#[inline]
pub fn shape_matches<F: Facts>(automaton: &Automaton, shape: &Shape, event: &Event, facts: &F) -> bool {
    shape.unconditional
        || shape.transitions.iter().any(|index| fits(&automaton.transitions[*index], event, None, facts))
}

/// Whether the event binds the parameters of the shape to these values.
#[inline]
pub fn binds<F: Facts>(shape: &Shape, event: &Event, binding: &[Value], facts: &F) -> bool {
    shape.sources.iter().all(|(param, source)| {
        let value = read(*source, event, facts);
        value != Value::Absent && binding[*param] == value
    })
}

/// Two transitions that were enabled together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlap(pub usize, pub usize);

/// An instance as far as its next step depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The state.
    pub state: usize,
    /// The registers.
    pub registers: &'a [Value],
    /// The values of the parameters; [`Value::Absent`] for those that are not bound.
    pub binding: &'a [Value],
}

/// The transition that an event enables. Where the plan has one shape and the event was looked up by it, `bound` says that
/// the event is known to agree with the binding.
#[inline]
pub fn enabled<F: Facts>(
    automaton: &Automaton,
    plan: &Plan,
    position: Position<'_>,
    bound: bool,
    event: &Event,
    facts: &F,
) -> Result<Option<usize>, Overlap> {
    let Position { state, registers, binding } = position;
    let mut found = None;
    for index in &plan.by_state[state] {
        let transition = &automaton.transitions[*index];
        if (bound || binds(&plan.shapes[transition.shape], event, binding, facts))
            && fits(transition, event, Some(registers), facts)
            && transition.guard.as_ref().is_none_or(|guard| {
                truth(value(guard, &Given::new(transition, event, registers, binding), facts))
            })
        {
            match found {
                None => found = Some(*index),
                Some(first) => return Err(Overlap(first, *index)),
            }
        }
    }
    Ok(found)
}

/// Carries out the actions of the transition of this place. What they emit is added to `emitted`.
#[inline]
pub fn act<F: Facts>(
    automaton: &Automaton,
    index: usize,
    Instance { registers, binding }: Instance<'_>,
    event: &Event,
    facts: &F,
    emitted: &mut Vec<Emitted>,
) {
    let transition = &automaton.transitions[index];
    for (action, it) in transition.actions.iter().enumerate() {
        match it {
            Action::Assign(register, expr) => {
                let given = Given::new(transition, event, registers, binding);
                let new = match value(expr, &given, facts) {
                    Operand::Int(number) => Value::Int(number),
                    Operand::Bool(truth) => Value::Bool(truth),
                    _ => continue,
                };
                registers[*register] = new;
            }
            Action::Clear(register) => registers[*register] = Value::Absent,
            Action::Set(register, expr) => {
                registers[*register] = match expr {
                    Expr::Param(index) => binding[*index],
                    Expr::Register(index) => registers[*index],
                    Expr::Read(source) => read(*source, event, facts),
                    Expr::Symbol(text) => Value::Symbol(text),
                    expr => match known(expr, &Given::new(transition, event, registers, binding), facts) {
                        Operand::Int(number) => Value::Int(number),
                        Operand::Bool(truth) => Value::Bool(truth),
                        _ => Value::Absent,
                    },
                };
            }
            Action::Emit(emission) => {
                let given = Given::new(transition, event, registers, binding);
                let mut arguments = [Value::Absent; MAX_ARGUMENTS];
                for (slot, argument) in arguments.iter_mut().zip(&emission.arguments) {
                    *slot = given.argument(argument, facts);
                }
                emitted.push(Emitted { transition: index, action, arguments });
            }
        }
    }
}

/// Whether the assertion of a transition holds; `None` where that is not known, because of something that it speaks of.
#[inline]
pub fn holds_assertion<F: Facts>(
    transition: &Transition,
    condition: &Expr,
    event: &Event,
    registers: &[Value],
    binding: &[Value],
    facts: &F,
) -> Option<bool> {
    match known(condition, &Given::new(transition, event, registers, binding), facts) {
        Operand::Bool(truth) => Some(truth),
        _ => None,
    }
}

/// An instance as far as its actions can read and write it.
#[derive(Debug)]
pub struct Instance<'a> {
    /// The registers.
    pub registers: &'a mut [Value],
    /// The values of the parameters; [`Value::Absent`] for those that are not bound.
    pub binding: &'a [Value],
}

/// What names stand for while a guard or action is evaluated.
pub(super) struct Given<'a> {
    registers: &'a [Value],
    binding: &'a [Value],
    /// Where the variables of the transition are read.
    locals: &'a [Source],
    /// Where there is one.
    event: Option<&'a Event>,
}

impl<'a> Given<'a> {
    #[inline]
    fn new(
        transition: &'a Transition,
        event: &'a Event,
        registers: &'a [Value],
        binding: &'a [Value],
    ) -> Self {
        Given { registers, binding, locals: &transition.locals, event: Some(event) }
    }

    /// Constants alone.
    pub(super) const NOTHING: Given<'static> =
        Given { registers: &[], binding: &[], locals: &[], event: None };

    /// What a source says of the event.
    fn read<F: Facts + ?Sized>(&self, source: Source, facts: &F) -> Value {
        self.event.map_or(Value::Absent, |event| read(source, event, facts))
    }

    /// A variable of the transition.
    fn local<F: Facts + ?Sized>(&self, index: usize, facts: &F) -> Value {
        self.locals.get(index).map_or(Value::Absent, |source| self.read(*source, facts))
    }

    /// An argument of an event that is emitted.
    fn argument<F: Facts>(&self, argument: &Argument, facts: &F) -> Value {
        match argument {
            Argument::Text(text) => Value::Symbol(text),
            Argument::Term(Expr::Param(index)) => self.binding[*index],
            Argument::Term(Expr::Local(index)) => self.local(*index, facts),
            Argument::Term(expr) => match value(expr, self, facts) {
                Operand::Int(number) => Value::Int(number),
                Operand::Bool(truth) => Value::Bool(truth),
                // Objects and texts are handed on as they are, and nothing is computed from them.
                Operand::Text(_) | Operand::Object(..) | Operand::Absent => Value::Absent,
            },
        }
    }
}

/// A value while it is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Operand<'a> {
    Int(i64),
    Bool(bool),
    Text(&'a str),
    Object(Sort, u32),
    Absent,
}

/// The value as it is compared.
pub(crate) fn operand<F: Facts + ?Sized>(value: Value, facts: &F) -> Operand<'_> {
    match value {
        Value::Absent => Operand::Absent,
        Value::Object(sort, id) => Operand::Object(sort, id),
        Value::Int(number) => Operand::Int(number),
        Value::Bool(truth) => Operand::Bool(truth),
        Value::Symbol(text) => Operand::Text(text),
        Value::Str(id) | Value::Group(id) => facts.text(id).map_or(Operand::Absent, Operand::Text),
    }
}

/// Whether the value is this constant.
pub(crate) fn is<F: Facts + ?Sized>(value: Value, constant: &Constant, facts: &F) -> bool {
    match (value, constant) {
        (Value::Symbol(text), Constant::Text(wanted)) => *text == **wanted,
        (value, constant) => operand(value, facts) == of_constant(constant),
    }
}

/// Whether both values are known and the same; texts are compared as texts.
pub(crate) fn same<F: Facts + ?Sized>(left: Value, right: Value, facts: &F) -> bool {
    let left = operand(left, facts);
    left != Operand::Absent && left == operand(right, facts)
}

/// Whether a condition over these variables is known to be true.
pub(crate) fn holds<F: Facts + ?Sized>(condition: &Expr, binding: &[Value], facts: &F) -> bool {
    let given = Given { binding, ..Given::NOTHING };
    truth(value(condition, &given, facts))
}

fn of_constant(constant: &Constant) -> Operand<'_> {
    match constant {
        Constant::Int(number) => Operand::Int(*number),
        Constant::Bool(truth) => Operand::Bool(*truth),
        Constant::Text(text) => Operand::Text(text),
    }
}

/// Only what is known to be true is true.
fn truth(operand: Operand<'_>) -> bool {
    operand == Operand::Bool(true)
}

/// What a condition or value comes to, where something that is not known makes a comparison false.
fn value<'a, F: Facts + ?Sized>(expr: &'a Expr, given: &Given<'_>, facts: &'a F) -> Operand<'a> {
    match expr {
        Expr::Constant(constant) => of_constant(constant),
        Expr::Param(index) => operand(given.binding[*index], facts),
        Expr::Register(_) | Expr::Local(_) | Expr::Read(_) | Expr::Symbol(_) | Expr::Size(..) => {
            simple(expr, given, facts)
        }
        Expr::Not(inner) => Operand::Bool(!truth(value(inner, given, facts))),
        Expr::Binary(operator, left, right) => {
            let left = value(left, given, facts);
            if *operator == Operator::And && !truth(left) {
                return Operand::Bool(false);
            }
            if *operator == Operator::Or && truth(left) {
                return Operand::Bool(true);
            }
            combine(*operator, left, value(right, given, facts))
        }
    }
}

/// A value that is no condition over others.
fn simple<'a, F: Facts + ?Sized>(expr: &'a Expr, given: &Given<'_>, facts: &'a F) -> Operand<'a> {
    match expr {
        Expr::Constant(constant) => of_constant(constant),
        Expr::Param(index) => operand(given.binding[*index], facts),
        Expr::Register(index) => operand(given.registers[*index], facts),
        Expr::Local(index) => operand(given.local(*index, facts), facts),
        Expr::Read(source) => operand(given.read(*source, facts), facts),
        Expr::Symbol(text) => Operand::Text(text),
        Expr::Size(inner, recorded) => match known(inner, given, facts) {
            Operand::Text(text) => Operand::Int(i64::try_from(text.len()).unwrap_or(i64::MAX)),
            _ => match recorded.map(|source| given.read(source, facts)) {
                Some(Value::Int(number)) => Operand::Int(number),
                _ => Operand::Absent,
            },
        },
        Expr::Not(_) | Expr::Binary(..) => Operand::Absent,
    }
}

/// A value that stands somewhere.
#[inline]
fn plain<F: Facts + ?Sized>(expr: &Expr, given: &Given<'_>, facts: &F) -> Option<Value> {
    match expr {
        Expr::Register(index) => Some(given.registers[*index]),
        Expr::Param(index) => Some(given.binding[*index]),
        Expr::Read(source) => Some(given.read(*source, facts)),
        _ => None,
    }
}

/// Whether two values are equal, where that is seen without their texts.
#[inline]
fn are_equal(left: Value, right: Value) -> Option<bool> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left == right),
        (Value::Bool(left), Value::Bool(right)) => Some(left == right),
        (Value::Object(..), Value::Object(..)) => Some(left == right),
        _ => None,
    }
}

/// What a condition or value comes to; [`Operand::Absent`] where what is known does not tell.
pub(super) fn known<'a, F: Facts + ?Sized>(expr: &'a Expr, given: &Given<'_>, facts: &'a F) -> Operand<'a> {
    use Operator as O;
    match expr {
        Expr::Not(inner) => match known(inner, given, facts) {
            Operand::Bool(truth) => Operand::Bool(!truth),
            _ => Operand::Absent,
        },
        Expr::Binary(operator @ (O::And | O::Or), left, right) => {
            // One side decides alone.
            let decisive = Operand::Bool(*operator == O::Or);
            let left = known(left, given, facts);
            if left == decisive {
                return left;
            }
            match (left, known(right, given, facts)) {
                (_, right) if right == decisive => right,
                (Operand::Bool(_), right @ Operand::Bool(_)) => right,
                _ => Operand::Absent,
            }
        }
        Expr::Binary(operator, left, right) => {
            if let (Some(left), Some(right)) = (plain(left, given, facts), plain(right, given, facts))
                && let Some(equal) = are_equal(left, right)
                && matches!(operator, O::Equal | O::Unequal)
            {
                return Operand::Bool(equal == (*operator == O::Equal));
            }
            let (left, right) = (known(left, given, facts), known(right, given, facts));
            let is_order = matches!(operator, O::Less | O::LessOrEqual | O::Greater | O::GreaterOrEqual);
            let have_order = matches!(
                (left, right),
                (Operand::Int(_), Operand::Int(_)) | (Operand::Text(_), Operand::Text(_))
            );
            if left == Operand::Absent || right == Operand::Absent || is_order && !have_order {
                return Operand::Absent;
            }
            combine(*operator, left, right)
        }
        other => simple(other, given, facts),
    }
}

/// A comparison with an absent value is false, and so is `!=`: nothing is known about it.
fn combine<'a>(operator: Operator, left: Operand<'a>, right: Operand<'a>) -> Operand<'a> {
    use Operator as O;
    if left == Operand::Absent || right == Operand::Absent {
        return if matches!(operator, O::Plus | O::Minus | O::Times) {
            Operand::Absent
        } else {
            Operand::Bool(false)
        };
    }
    let order = match (left, right) {
        (Operand::Int(left), Operand::Int(right)) => match operator {
            O::Plus => return Operand::Int(left.saturating_add(right)),
            O::Minus => return Operand::Int(left.saturating_sub(right)),
            O::Times => return Operand::Int(left.saturating_mul(right)),
            _ => Some(left.cmp(&right)),
        },
        (Operand::Text(left), Operand::Text(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        _ => None,
    };
    Operand::Bool(match operator {
        O::And | O::Or => truth(right),
        O::Equal => left == right,
        O::Unequal => left != right,
        O::Less => order == Some(Ordering::Less),
        O::LessOrEqual => order.is_some_and(Ordering::is_le),
        O::Greater => order == Some(Ordering::Greater),
        O::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        O::Plus | O::Minus | O::Times => return Operand::Absent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_event::id::{SiteId, TaskId, ThreadId, UnitId};
    use rvcheck_event::world::World;

    #[test]
    fn sources_of_arguments_read_what_the_event_says_they_are() {
        let world = World::default();
        for kind in EventKind::ALL {
            for (task, object, number) in [(3, 5, 7), (0, 5, 7), (3, 0, 7), (3, 5, 0)] {
                let event = Event {
                    kind: *kind,
                    flags: 0,
                    thread: ThreadId(1),
                    task: TaskId(task),
                    unit: UnitId(2),
                    site: SiteId(4),
                    object,
                    number,
                    time: 9,
                    ns: 0,
                    cpu: 0,
                };
                for (index, (name, sort)) in kind.signature().params.iter().enumerate() {
                    let found = read(Source::of_argument(index, *sort), &event, &world);
                    assert_eq!(found, event.argument(index), "{name} of {}", kind.signature().name);
                }
            }
        }
    }
}
