//! The patterns of a formula in terms of its parameters: the variables that its leading quantifiers bind, numbered from outside.

use rvcheck_event::event::Event;
use rvcheck_event::kind::{EventKind, Sort};
use rvcheck_event::value::Value;

use crate::evaluation::engine::store::Binding;
use crate::evaluation::engine::texts::Texts;
use crate::model::automaton::{Constant, Expr, Mask, Source};
use crate::model::fluent::{Fluent, Only};
use crate::model::formula::Node;
use crate::model::ltl::Ltl;
use crate::model::pattern::{Pattern, Wanted};
use crate::semantics::evaluate::{holds, is, read};
use crate::semantics::facts::Facts;

/// The parameters of a formula: which variables they are, and their sorts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Params(pub(super) Vec<(usize, Sort)>);

impl Params {
    /// The parameter that is this variable.
    pub(super) fn of(&self, variable: usize) -> Option<usize> {
        self.0.iter().position(|(it, _)| *it == variable)
    }

    /// An expression over variables as one over parameters, if all of its variables are some, and which.
    pub(super) fn rename(&self, expr: &Expr) -> Option<(Expr, Mask)> {
        Some(match expr {
            Expr::Constant(_)
            | Expr::Register(_)
            | Expr::Local(_)
            | Expr::Read(_)
            | Expr::Symbol(_)
            | Expr::Size(..) => (expr.clone(), 0),
            Expr::Param(variable) => {
                let param = self.of(*variable)?;
                (Expr::Param(param), 1 << param)
            }
            Expr::Not(inner) => {
                let (inner, mask) = self.rename(inner)?;
                (Expr::Not(Box::new(inner)), mask)
            }
            Expr::Binary(operator, left, right) => {
                let ((left, one), (right, other)) = (self.rename(left)?, self.rename(right)?);
                (Expr::Binary(*operator, Box::new(left), Box::new(right)), one | other)
            }
        })
    }
}

/// Which parameters an event gives values to, and from what, in the order of the parameters.
pub(super) type Sources = Vec<(usize, Source, Sort)>;

/// What a pattern demands of an event besides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Demands {
    /// The value is this constant.
    constants: Vec<(Source, Constant)>,
    /// Both values are the same.
    equal: Vec<(Source, Source)>,
    /// The value is known.
    known: Vec<Source>,
    /// A condition on parameters that the event gives values to.
    condition: Option<Expr>,
}

impl Demands {
    /// Whether the event meets them, where it gives these values to parameters.
    #[inline]
    pub(super) fn are_met<F: Facts>(
        &self,
        event: &Event,
        binding: &Binding,
        texts: &Texts,
        facts: &F,
    ) -> bool {
        let value = |source: &Source| texts.canonical(read(*source, event, facts), facts);
        self.constants.iter().all(|(source, wanted)| is(read(*source, event, facts), wanted, facts))
            && self.equal.iter().all(|(left, right)| value(left) == value(right))
            && self.known.iter().all(|source| value(source) != Value::Absent)
            && self.condition.as_ref().is_none_or(|it| holds(it, binding, facts))
    }

    /// Whether every event meets them.
    pub(super) fn are_none(&self) -> bool {
        *self == Demands::default()
    }
}

/// A pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reading {
    pub(super) kind: EventKind,
    pub(super) sources: Sources,
    pub(super) demands: Demands,
}

impl Reading {
    /// A pattern whose variables are all parameters, or stand for anything if they are none. A condition that needs one of the
    /// latter is left out.
    pub(super) fn of_pattern(pattern: &Pattern, params: &Params) -> Reading {
        let mut reading = Reading::of_arguments(pattern.kind, &pattern.arguments, params);
        let condition = pattern.condition.as_ref().and_then(|it| params.rename(it));
        reading.demands.condition = condition.map(|(it, _)| it);
        reading
    }

    /// A pattern that begins or ends a fluent with these arguments, as far as the arguments say it. What is `None` is anything.
    pub(super) fn of_fluent(pattern: &Pattern, arguments: &[Option<Wanted>], params: &Params) -> Reading {
        let anything = Wanted::Variable(usize::MAX);
        let substituted = pattern.arguments.iter().map(|(source, wanted)| match wanted {
            Wanted::Variable(index) => {
                let argument = arguments.get(*index).and_then(Option::as_ref);
                (*source, argument.unwrap_or(&anything).clone())
            }
            Wanted::Constant(_) => (*source, wanted.clone()),
        });
        Reading::of_arguments(pattern.kind, &substituted.collect::<Vec<_>>(), params)
    }

    fn of_arguments(kind: EventKind, arguments: &[(Source, Wanted)], params: &Params) -> Reading {
        let (mut sources, mut demands) = (Sources::new(), Demands::default());
        for (source, wanted) in arguments {
            match wanted {
                Wanted::Constant(constant) => demands.constants.push((*source, constant.clone())),
                Wanted::Variable(variable) => match params.of(*variable) {
                    None => demands.known.push(*source),
                    Some(param) => match sources.iter().find(|(it, ..)| *it == param) {
                        Some((_, first, _)) => demands.equal.push((*first, *source)),
                        None => sources.push((param, *source, params.0[param].1)),
                    },
                },
            }
        }
        sources.sort_by_key(|(param, ..)| *param);
        Reading { kind, sources, demands }
    }

    /// The parameters that the event gives values to.
    pub(super) fn mask(&self) -> Mask {
        mask_of(&self.sources)
    }
}

/// The parameters of these sources.
pub(super) fn mask_of(sources: &Sources) -> Mask {
    sources.iter().fold(0, |mask, (param, ..)| mask | 1 << param)
}

/// Sets what an event gives parameters. False where a value is not known, or of another sort than the parameter.
#[inline]
pub(super) fn bind<F: Facts>(
    sources: &Sources,
    event: &Event,
    binding: &mut Binding,
    texts: &Texts,
    facts: &F,
) -> bool {
    for (param, source, sort) in sources {
        // Most values are objects, and these need no more than a look at the event.
        let object = match source {
            Source::Actor => Some((Sort::Task, event.task.0)),
            Source::Object(sort) => Some((*sort, event.object)),
            _ => None,
        };
        if let Some((found, number)) = object {
            if number == 0 || (found != *sort && *sort != Sort::Any) {
                return false;
            }
            binding[*param] = Value::Object(found, number);
            continue;
        }
        let value = texts.canonical(read(*source, event, facts), facts);
        if value.sort().is_none_or(|it| it != *sort && *sort != Sort::Any) {
            return false;
        }
        binding[*param] = value;
    }
    true
}

/// What touches a binding: the patterns of events, and those that begin or end fluents. Variables that are no parameters match
/// anything.
pub(super) fn touches(ltl: &Ltl, params: &Params) -> Vec<Reading> {
    let mut found = Vec::new();
    ltl.formula.visit(&mut |node| match node {
        Node::Event(pattern) => found.push(Reading::of_pattern(pattern, params)),
        Node::Fluent(fluent, arguments, _) => {
            let patterns = fluent.from.iter().chain(&fluent.to);
            found.extend(patterns.map(|it| Reading::of_fluent(it, arguments, params)));
        }
        _ => {}
    });
    found.sort_by_key(|it| it.kind as u8);
    found.dedup();
    found
}

/// The patterns that begin a fluent, and those that end it, in terms of its own parameters.
pub(super) fn ends(fluent: &Fluent) -> (Vec<Reading>, Vec<Reading>, Only) {
    // A program may give an argument of another sort than it declared, and the fluent holds for that value as well.
    let own = Params((0..fluent.params.len()).map(|at| (at, Sort::Any)).collect());
    let of = |patterns: &[Pattern]| patterns.iter().map(|it| Reading::of_pattern(it, &own)).collect();
    (of(&fluent.from), of(&fluent.to), fluent.only)
}

/// The parameters of an expression.
pub(super) fn needs(expr: &Expr) -> Mask {
    match expr {
        Expr::Param(param) => 1 << param,
        Expr::Not(inner) => needs(inner),
        Expr::Binary(_, left, right) => needs(left) | needs(right),
        Expr::Constant(_)
        | Expr::Register(_)
        | Expr::Local(_)
        | Expr::Read(_)
        | Expr::Symbol(_)
        | Expr::Size(..) => 0,
    }
}
