//! Formulas to forms over letters: patterns become atoms, fluents become what they stand for, derived operators go.

use rvcheck_event::world::World;

use crate::compilation::machine::arena::{Arena, Form, FormId};
use crate::language::formula::tree::{Binary, Unary};
use crate::language::syntax::tree::Operator;
use crate::model::automaton::Expr;
use crate::model::fluent::{Fluent, Only};
use crate::model::formula::Node;
use crate::model::machine::{Atom, Unsteppable};
use crate::model::pattern::{Pattern, Wanted};
use crate::semantics::evaluate;

/// A formula over letters.
#[derive(Clone, Default, Debug)]
pub(super) struct Lowered {
    pub(super) arena: Arena,
    /// What the atoms of forms are. Equal ones are there once.
    pub(super) atoms: Vec<Atom>,
    /// What the conditions of forms are. Equal ones are there once.
    pub(super) conditions: Vec<Expr>,
}

impl Lowered {
    /// The form of a formula without quantifiers.
    pub(super) fn node(&mut self, node: &Node) -> Result<FormId, Unsteppable> {
        Ok(match node {
            Node::Constant(truth) => self.arena.add(Form::Constant(*truth)),
            Node::Event(pattern) => self.event(pattern.clone(), Only::Anywhere)?,
            Node::Fluent(fluent, arguments, condition) => {
                let holds = self.fluent(fluent, arguments)?;
                match condition {
                    Some(condition) => {
                        let condition = self.condition(condition);
                        self.arena.add(Form::And(holds, condition))
                    }
                    None => holds,
                }
            }
            Node::Condition(condition) => self.condition(condition),
            Node::Unary(_, Some(_), _) | Node::Binary(_, Some(_), ..) => return Err(Unsteppable::Interval),
            Node::Unary(operator, None, inner) => {
                let inner = self.node(inner)?;
                self.unary(*operator, inner)
            }
            Node::Binary(operator, None, left, right) => {
                let (left, right) = (self.node(left)?, self.node(right)?);
                self.binary(*operator, left, right)
            }
            Node::Quantified(_) => return Err(Unsteppable::Quantifier),
        })
    }

    fn unary(&mut self, operator: Unary, inner: FormId) -> FormId {
        match operator {
            Unary::Not => self.arena.add(Form::Not(inner)),
            Unary::Next => self.arena.add(Form::Next { inner, weak: false }),
            Unary::WeakNext => self.arena.add(Form::Next { inner, weak: true }),
            Unary::Previous => self.arena.add(Form::Previous(inner)),
            Unary::Eventually => {
                let all = self.arena.add(Form::Constant(true));
                self.arena.add(Form::Until(all, inner))
            }
            Unary::Globally => {
                let none = self.arena.add(Form::Constant(false));
                self.arena.add(Form::Release(none, inner))
            }
            Unary::Once => {
                let all = self.arena.add(Form::Constant(true));
                self.arena.add(Form::Since(all, inner))
            }
            Unary::Historically => {
                let not = self.arena.add(Form::Not(inner));
                let once_not = self.unary(Unary::Once, not);
                self.arena.add(Form::Not(once_not))
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: FormId, right: FormId) -> FormId {
        let form = match operator {
            Binary::Iff => Form::Iff(left, right),
            Binary::Implies => Form::Or(self.arena.add(Form::Not(left)), right),
            Binary::Or => Form::Or(left, right),
            Binary::And => Form::And(left, right),
            Binary::Until => Form::Until(left, right),
            // It holds on the empty trace as well.
            Binary::WeakUntil => Form::Release(right, self.arena.add(Form::Or(left, right))),
            Binary::Release => Form::Release(left, right),
            Binary::Since => Form::Since(left, right),
        };
        self.arena.add(form)
    }

    /// A condition for itself. One without variables is the same for all bindings.
    fn condition(&mut self, condition: &Expr) -> FormId {
        let form = match known(condition) {
            Some(truth) => Form::Known(truth),
            None => Form::Condition(place(&mut self.conditions, condition.clone())),
        };
        self.arena.add(form)
    }

    fn event(&mut self, mut pattern: Pattern, only: Only) -> Result<FormId, Unsteppable> {
        if let Some(condition) = &pattern.condition {
            let bound = |variable| pattern.arguments.iter().any(|(_, it)| *it == Wanted::Variable(variable));
            match known(condition) {
                Some(true) => pattern.condition = None,
                Some(false) => return Ok(self.arena.add(Form::Constant(false))),
                // Without a value for it nobody can say whether the event matches.
                None if !variables(condition).into_iter().all(bound) => return Err(Unsteppable::Condition),
                None => {}
            }
        }
        // Events that only the restriction keeps from matching are positions of slices, and exercise the formula, all the same.
        let atom = place(&mut self.atoms, Atom::Event(pattern.clone(), Only::Anywhere));
        if only == Only::Anywhere {
            return Ok(self.arena.add(Form::Atom(atom)));
        }
        let atom = place(&mut self.atoms, Atom::Event(pattern, only));
        Ok(self.arena.add(Form::Atom(atom)))
    }

    /// A fluent of which all parameters are given is `from` since the last `to`.
    fn fluent(&mut self, fluent: &Fluent, arguments: &[Option<Wanted>]) -> Result<FormId, Unsteppable> {
        let Some(values) = arguments.iter().cloned().collect::<Option<Vec<Wanted>>>() else {
            let atom = place(&mut self.atoms, Atom::Live(fluent.clone(), arguments.to_vec()));
            return Ok(self.arena.add(Form::Atom(atom)));
        };
        let from = self.any(&fluent.from, fluent.only, &values)?;
        let to = self.any(&fluent.to, Only::Anywhere, &values)?;
        let lasts = self.arena.add(Form::Not(to));
        Ok(self.arena.add(Form::Since(lasts, from)))
    }

    /// One of these patterns of a fluent matches for these values of its parameters.
    fn any(&mut self, patterns: &[Pattern], only: Only, values: &[Wanted]) -> Result<FormId, Unsteppable> {
        let mut any = self.arena.add(Form::Constant(false));
        for pattern in patterns {
            let event = self.event(instance(pattern, values), only)?;
            any = self.arena.add(Form::Or(any, event));
        }
        Ok(any)
    }
}

/// The place of an item in a list, to which it is added if it is not there.
fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|it| *it == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// The pattern of a fluent with these values for its parameters.
fn instance(pattern: &Pattern, values: &[Wanted]) -> Pattern {
    let value = |wanted: &Wanted| match wanted {
        Wanted::Variable(param) => values[*param].clone(),
        Wanted::Constant(_) => wanted.clone(),
    };
    Pattern {
        kind: pattern.kind,
        arguments: pattern.arguments.iter().map(|(source, wanted)| (*source, value(wanted))).collect(),
        condition: pattern.condition.as_ref().map(|it| with_values(it, values)),
    }
}

/// A condition on the parameters of a fluent as one on these values.
fn with_values(condition: &Expr, values: &[Wanted]) -> Expr {
    match condition {
        Expr::Param(param) => match &values[*param] {
            Wanted::Variable(variable) => Expr::Param(*variable),
            Wanted::Constant(constant) => Expr::Constant(constant.clone()),
        },
        Expr::Not(inner) => Expr::Not(Box::new(with_values(inner, values))),
        Expr::Binary(operator, left, right) => {
            let [left, right] = [left, right].map(|it| Box::new(with_values(it, values)));
            Expr::Binary(*operator, left, right)
        }
        Expr::Constant(_)
        | Expr::Register(_)
        | Expr::Local(_)
        | Expr::Read(_)
        | Expr::Symbol(_)
        | Expr::Size(..) => condition.clone(),
    }
}

/// The variables of a condition.
pub(super) fn variables(condition: &Expr) -> Vec<usize> {
    match condition {
        Expr::Param(variable) => vec![*variable],
        Expr::Not(inner) => variables(inner),
        Expr::Binary(_, left, right) => [variables(left), variables(right)].concat(),
        Expr::Constant(_)
        | Expr::Register(_)
        | Expr::Local(_)
        | Expr::Read(_)
        | Expr::Symbol(_)
        | Expr::Size(..) => Vec::new(),
    }
}

/// The truth of a condition without variables.
fn known(condition: &Expr) -> Option<bool> {
    // Constants carry their texts themselves, so that no facts are asked for.
    variables(condition).is_empty().then(|| evaluate::holds(condition, &[], &World::default()))
}

/// The parts of a condition all of which have to hold.
pub(super) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::Binary(Operator::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        _ => vec![condition],
    }
}

/// What a term of a condition is, where that is a variable or a constant.
pub(super) fn wanted(term: &Expr) -> Option<Wanted> {
    match term {
        Expr::Param(variable) => Some(Wanted::Variable(*variable)),
        Expr::Constant(constant) => Some(Wanted::Constant(constant.clone())),
        _ => None,
    }
}
