//! The positions of one unit, and what can be asked of each.

use std::collections::{BTreeMap, HashMap};

use rvcheck_event::declared::Declared;
use rvcheck_event::id::{StringId, ThreadId};
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::tables::record::Position;
use crate::model::automaton::{Expr, Source};
use crate::model::formula::Node;
use crate::model::ltl::Ltl;
use crate::model::pattern::{Pattern, Wanted};
use crate::semantics::evaluate::{holds, is, operand, same, user_name};
use crate::semantics::facts::Facts;

/// The events of one unit, or a slice of them, with all objects of the unit.
#[derive(Clone)]
pub struct View<'a> {
    /// The events.
    pub positions: Vec<&'a Position>,
    domain: BTreeMap<Sort, Vec<Value>>,
    facts: &'a dyn Facts,
}

impl<'a> View<'a> {
    /// The view that a formula has of the events of a unit.
    pub fn new(ltl: &Ltl, positions: Vec<&'a Position>, facts: &'a dyn Facts) -> View<'a> {
        let attributes = ltl.attributes();
        let mut found = BTreeMap::new();
        let mut known = Known { declared: &ltl.declared, facts, found: HashMap::new() };
        for position in &positions {
            let event = &position.event;
            let arguments = (0..event.kind.signature().params.len()).map(|index| event.argument(index));
            let read = position
                .attributes
                .iter()
                .filter(|(name, _)| attributes.contains(&(event.kind, *name)))
                .map(|(_, value)| *value);
            let ThreadId(thread) = event.thread;
            let on = (event.kind == EventKind::Poll).then_some(Value::object(Sort::Thread, thread));
            let own = known.of(position);
            for value in arguments.chain(read).chain(on).chain(own.iter().copied()) {
                // A text is one value, however it is kept.
                found.entry(operand(value, facts)).or_insert(value);
            }
        }
        let mut domain: BTreeMap<Sort, Vec<Value>> = BTreeMap::new();
        for value in found.into_values() {
            if let Some(sort) = value.sort() {
                domain.entry(sort).or_default().push(value);
                domain.entry(Sort::Any).or_default().push(value);
            }
        }
        View { positions, domain, facts }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The same objects, and those of the positions that some pattern of the formula matches under this binding.
    #[must_use]
    pub fn slice(&self, node: &Node, binding: &[Value]) -> View<'a> {
        let positions = (0..self.len())
            .filter(|at| self.touches(node, *at, binding))
            .map(|at| self.positions[at])
            .collect();
        View { positions, domain: self.domain.clone(), facts: self.facts }
    }

    /// The values of that sort that occur in the unit, in a fixed order.
    pub fn values(&self, sort: Sort) -> &[Value] {
        self.domain.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// The value of a source at a position; [`Value::Absent`] where it is not known.
    pub fn read(&self, source: Source, at: usize) -> Value {
        let position = self.positions[at];
        match source {
            Source::Actor => Value::object(Sort::Task, position.event.task.0),
            Source::Object(sort) => Value::object(sort, position.event.object),
            Source::Number(index) => position.event.argument(index),
            Source::Attribute("time") => Value::int(position.event.time),
            Source::Attribute(name) => {
                position.attributes.iter().find(|(it, _)| *it == name).map_or(Value::Absent, |(_, it)| *it)
            }
            // Only grammars read these.
            Source::Callee | Source::GroupOf(_) => Value::Absent,
            Source::UserName => user_name(&position.event),
            Source::UserArgument(index) => position.arguments.get(index).copied().unwrap_or(Value::Absent),
        }
    }

    /// How far apart two positions are, in ns.
    pub fn distance(&self, left: usize, right: usize) -> u64 {
        self.positions[left].event.time.abs_diff(self.positions[right].event.time)
    }

    /// Whether a value is what is wanted.
    pub fn is_wanted(&self, value: Value, wanted: &Wanted, binding: &[Value]) -> bool {
        match wanted {
            Wanted::Variable(index) => same(value, binding[*index], self.facts),
            Wanted::Constant(constant) => is(value, constant, self.facts),
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: &Expr, binding: &[Value]) -> bool {
        holds(condition, binding, self.facts)
    }

    /// Whether the event of a position matches.
    pub fn matches(&self, pattern: &Pattern, at: usize, binding: &[Value]) -> bool {
        self.positions[at].event.kind == pattern.kind
            && pattern
                .arguments
                .iter()
                .all(|(source, wanted)| self.is_wanted(self.read(*source, at), wanted, binding))
            && pattern.condition.as_ref().is_none_or(|it| self.holds(it, binding))
    }

    /// The values that an event which makes a fluent hold gives to its `count` parameters; `None` where it does not match.
    pub fn bound(&self, pattern: &Pattern, at: usize, count: usize) -> Option<Vec<Value>> {
        if self.positions[at].event.kind != pattern.kind {
            return None;
        }
        let values = self.given(pattern, at, count);
        self.matches(pattern, at, &values).then_some(values)
    }

    /// What an event gives to the parameters of a fluent, if it matches.
    fn given(&self, pattern: &Pattern, at: usize, count: usize) -> Vec<Value> {
        let mut values = vec![Value::Absent; count];
        for (source, wanted) in &pattern.arguments {
            if let Wanted::Variable(index) = wanted {
                values[*index] = self.read(*source, at);
            }
        }
        values
    }

    /// Whether some pattern of the formula matches a position, where variables without a value match anything.
    pub fn touches(&self, node: &Node, at: usize, binding: &[Value]) -> bool {
        match node {
            Node::Event(pattern) => self.may_match(pattern, at, binding),
            Node::Fluent(fluent, arguments, _) => {
                // What the fluent's own parameters have to be, as far as the formula says it.
                fluent.from.iter().chain(&fluent.to).any(|pattern| {
                    self.positions[at].event.kind == pattern.kind
                        && pattern.arguments.iter().all(|(source, wanted)| {
                            let value = self.read(*source, at);
                            match wanted {
                                Wanted::Variable(param) => arguments[*param]
                                    .as_ref()
                                    .map_or(value != Value::Absent, |it| self.may_be(value, it, binding)),
                                Wanted::Constant(_) => self.is_wanted(value, wanted, &[]),
                            }
                        })
                        && self.may_hold(pattern, &self.given(pattern, at, fluent.params.len()))
                })
            }
            Node::Constant(_) | Node::Condition(_) => false,
            _ => node.parts().into_iter().any(|part| self.touches(part, at, binding)),
        }
    }

    fn may_match(&self, pattern: &Pattern, at: usize, binding: &[Value]) -> bool {
        self.positions[at].event.kind == pattern.kind
            && pattern
                .arguments
                .iter()
                .all(|(source, wanted)| self.may_be(self.read(*source, at), wanted, binding))
            && self.may_hold(pattern, binding)
    }

    /// Whether the condition of a pattern holds, if it has one and all its variables have values.
    fn may_hold(&self, pattern: &Pattern, binding: &[Value]) -> bool {
        pattern.condition.as_ref().is_none_or(|it| !is_bound(it, binding) || self.holds(it, binding))
    }

    fn may_be(&self, value: Value, wanted: &Wanted, binding: &[Value]) -> bool {
        match wanted {
            Wanted::Variable(index) if binding[*index] == Value::Absent => value != Value::Absent,
            _ => self.is_wanted(value, wanted, binding),
        }
    }
}

/// The declared events of a trace, by the number of their names.
struct Known<'a> {
    declared: &'a [Declared],
    facts: &'a dyn Facts,
    found: HashMap<u32, usize>,
}

impl Known<'_> {
    /// The arguments that an event of the program's own has by its declaration.
    fn of<'p>(&mut self, position: &'p Position) -> &'p [Value] {
        let name = position.event.object;
        if position.event.kind != EventKind::User {
            return &[];
        }
        let count = *self.found.entry(name).or_insert_with(|| {
            let name = self.facts.text(StringId(name));
            let declared = self.declared.iter().find(|it| Some(it.name.as_str()) == name);
            declared.map_or(0, |it| it.params.len())
        });
        &position.arguments[..count.min(position.arguments.len())]
    }
}

/// Whether all variables of a condition have values.
fn is_bound(condition: &Expr, binding: &[Value]) -> bool {
    match condition {
        Expr::Param(index) => binding[*index] != Value::Absent,
        Expr::Not(inner) => is_bound(inner, binding),
        Expr::Binary(_, left, right) => is_bound(left, binding) && is_bound(right, binding),
        Expr::Constant(_)
        | Expr::Register(_)
        | Expr::Local(_)
        | Expr::Read(_)
        | Expr::Symbol(_)
        | Expr::Size(..) => true,
    }
}
