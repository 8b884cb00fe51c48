//! What patterns, guards and actions mean. The engine and the reference share this and nothing else.

use std::cmp::Ordering;

use rvcheck_event::event::Event;
use rvcheck_event::id::StringId;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;
use rvcheck_event::world::MAX_ARGUMENTS;

use crate::language::syntax::tree::Operator;
use crate::model::automaton::{
    Action, Argument, Automaton, Check, Constant, Expr, MAX_LOCALS, Plan, Shape, Source, Transition,
};
use crate::semantics::emission::Emitted;
use crate::semantics::facts::Facts;

/// The value of a source in an event; [`Value::Absent`] where it is not known.
#[inline]
pub fn read<F: Facts>(source: Source, event: &Event, facts: &F) -> Value {
    match source {
        Source::Actor => Value::object(Sort::Task, event.task.0),
        Source::Object(sort) => Value::object(sort, event.object),
        Source::Number(index) => event.argument(index),
        Source::Attribute("time") => Value::int(event.time),
        Source::Attribute(name) => facts.attribute(event, name).unwrap_or(Value::Absent),
        Source::UserName => user_name(event),
        Source::UserArgument(index) => facts.arguments(event).get(index).copied().unwrap_or(Value::Absent),
    }
}

/// The name of an event of the program's own.
#[inline]
pub(crate) fn user_name(event: &Event) -> Value {
    if event.kind == EventKind::User { Value::Str(StringId(event.object)) } else { Value::Absent }
}

/// Whether the event has the values that the pattern demands. `registers` are those of the instance; without them,
/// demands on registers count as met.
#[inline]
pub fn fits<F: Facts>(transition: &Transition, event: &Event, registers: Option<&[i64]>, facts: &F) -> bool {
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
            (Some(registers), Value::Int(number)) => registers.get(*register) == Some(&number),
            (Some(registers), Value::Bool(truth)) => registers.get(*register) == Some(&i64::from(truth)),
            _ => false,
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
    pub registers: &'a [i64],
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
                truth(value(guard, &Given::new(transition, event, registers, binding, facts), facts))
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
        let given = Given::new(transition, event, registers, binding, facts);
        match it {
            Action::Assign(register, expr) => {
                let new = match value(expr, &given, facts) {
                    Operand::Int(number) => number,
                    Operand::Bool(truth) => i64::from(truth),
                    _ => continue,
                };
                registers[*register] = new;
            }
            Action::Emit(emission) => {
                let mut arguments = [Value::Absent; MAX_ARGUMENTS];
                for (slot, argument) in arguments.iter_mut().zip(&emission.arguments) {
                    *slot = given.argument(argument, facts);
                }
                emitted.push(Emitted { transition: index, action, arguments });
            }
        }
    }
}

/// An instance as far as its actions can read and write it.
#[derive(Debug)]
pub struct Instance<'a> {
    /// The registers.
    pub registers: &'a mut [i64],
    /// The values of the parameters; [`Value::Absent`] for those that are not bound.
    pub binding: &'a [Value],
}

/// What names stand for while a guard or action is evaluated.
struct Given<'a> {
    registers: &'a [i64],
    binding: &'a [Value],
    locals: [Value; MAX_LOCALS],
}

impl<'a> Given<'a> {
    #[inline]
    fn new<F: Facts>(
        transition: &Transition,
        event: &Event,
        registers: &'a [i64],
        binding: &'a [Value],
        facts: &F,
    ) -> Self {
        let mut locals = [Value::Absent; MAX_LOCALS];
        for (slot, source) in locals.iter_mut().zip(&transition.locals) {
            *slot = read(*source, event, facts);
        }
        Given { registers, binding, locals }
    }

    /// An argument of an event that is emitted.
    fn argument<F: Facts>(&self, argument: &Argument, facts: &F) -> Value {
        match argument {
            Argument::Text(text) => Value::Symbol(text),
            Argument::Term(Expr::Param(index)) => self.binding[*index],
            Argument::Term(Expr::Local(index)) => self.locals[*index],
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
        Value::Str(id) => facts.text(id).map_or(Operand::Absent, Operand::Text),
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
    let given = Given { registers: &[], binding, locals: [Value::Absent; MAX_LOCALS] };
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

/// A register of sort `bool` yields 0 or 1; `compile` wraps it in a comparison with 1, so that it is never confused.
fn value<'a, F: Facts + ?Sized>(expr: &'a Expr, given: &Given<'_>, facts: &'a F) -> Operand<'a> {
    match expr {
        Expr::Constant(constant) => of_constant(constant),
        Expr::Param(index) => operand(given.binding[*index], facts),
        Expr::Register(index) => Operand::Int(given.registers[*index]),
        Expr::Local(index) => operand(given.locals[*index], facts),
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
