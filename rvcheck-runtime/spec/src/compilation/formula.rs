//! Strings to formulas with all names resolved: sorts are checked, and every variable is bound and used.

use std::sync::Arc;

use rvcheck_event::kind::Sort;

use crate::compilation::argument::{literal_at, slot};
use crate::compilation::heading::Heading;
use crate::compilation::sort::sort_of;
use crate::compilation::term::{Names, constant, demand, fits, mismatch, resolve};
use crate::compilation::{machine, named, placeholders};
use crate::language::formula::parser::parse_formula;
use crate::language::formula::tree::{Atom, Form, Formula};
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::source::PropertySource;
use crate::language::syntax::is_variable;
use crate::language::syntax::tree::{self, Matcher, Term};
use crate::model::automaton::Expr;
use crate::model::fluent::Fluent;
use crate::model::formula::{Node, Quantified, Steps};
use crate::model::ltl::Ltl;
use crate::model::machine::Machine;
use crate::model::pattern::{Pattern, Variable, Wanted};
use crate::model::vocabulary::Vocabulary;

/// Compiles a property of this logic. There is one exactly where there are no problems.
pub(crate) fn compile(
    source: &PropertySource,
    heading: Heading,
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) -> Option<Ltl> {
    let steps = source
        .steps
        .as_deref()
        .and_then(|name| named(&Steps::ALL, name, "choice of steps", Part::Steps, problems))
        .unwrap_or(Steps::Trace);
    let Some(text) = &source.formula else {
        problems.push(
            Problem::new(Part::Property, Span::default(), "the key `formula` is missing")
                .help("such as `formula = \"forall t: task . G !panic(t)\"`"),
        );
        return None;
    };
    let (formula, mut found) = parse_formula(text, Part::Formula);
    problems.append(&mut found);
    let mut resolver = Resolver { scope: Scope::of_params(Part::Formula, &[], vocabulary), used: Vec::new() };
    let node = resolver.node(&formula, problems);
    if problems.is_empty() && steps == Steps::Slice {
        slices(&formula, problems);
    }
    let formula = node?;
    let ltl = Ltl {
        id: heading.id,
        title: heading.title,
        level: heading.level,
        scope: heading.scope,
        message: heading.message,
        steps,
        variables: resolver.scope.variables,
        machine: Machine::of_formula(&formula, steps, machine::Options::DEFAULT).map(Arc::new),
        formula,
        declared: vocabulary.declared().to_vec(),
        presentation: heading.presentation,
    };
    if let Some(message) = &source.message {
        let names: Vec<&str> = ltl.parameters().map(|it| it.name.as_str()).collect();
        placeholders(message, &names, "a variable of the first `forall`s", Part::Message, problems);
    }
    problems.is_empty().then_some(ltl)
}

/// A formula with steps to neighbours means something else in each slice; where a quantifier below a temporal operator
/// makes slices of its own, it means nothing.
fn slices(formula: &Formula, problems: &mut Vec<Problem>) {
    let mut step = None;
    let mut below = false;
    let mut open = vec![(formula, false)];
    while let Some((formula, inside)) = open.pop() {
        match &formula.form {
            Form::Unary(operator, _, inner) => {
                if operator.is_step() {
                    step.get_or_insert((formula.span, operator.sign()));
                }
                open.push((inner, inside || operator.is_temporal()));
            }
            Form::Binary(operator, _, left, right) => {
                let inside = inside || operator.is_temporal();
                open.extend([(&**left, inside), (&**right, inside)]);
            }
            Form::Quantified { body, .. } => {
                below |= inside;
                open.push((body, inside));
            }
            Form::Missing | Form::Constant(_) | Form::Atom(_) | Form::Condition(_) => {}
        }
    }
    if let (Some((span, sign)), true) = (step, below) {
        let message = format!(
            "`{sign}` has no meaning in slices, because a quantifier stands below a temporal operator"
        );
        problems.push(Problem::new(Part::Formula, span, message).help("leave out `steps = \"slice\"`"));
    }
}

/// The variables that can be used at a place.
pub(crate) struct Scope<'a> {
    part: Part,
    vocabulary: &'a Vocabulary,
    /// All that there are, also those that are out of scope.
    variables: Vec<Variable>,
    /// The places of those in scope.
    visible: Vec<usize>,
}

impl<'a> Scope<'a> {
    /// A scope of these variables.
    pub(crate) fn of_params(part: Part, params: &[Variable], vocabulary: &'a Vocabulary) -> Scope<'a> {
        Scope { part, vocabulary, variables: params.to_vec(), visible: (0..params.len()).collect() }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.visible.iter().copied().find(|index| self.variables[*index].name == name)
    }

    fn unbound(&self, name: &str, span: Span) -> Problem {
        let known = self.visible.iter().map(|index| self.variables[*index].name.as_str());
        let help = did_you_mean(name, known).unwrap_or_else(|| {
            format!("bind it, as in `forall {name}: task . …`, or write `\"{name}\"` for a text")
        });
        Problem::new(self.part, span, format!("unbound variable `{name}`")).help(help)
    }

    /// The variable that stands at a place of that name and sort.
    fn wanted(
        &self,
        name: &str,
        span: Span,
        (place, sort): (&str, Sort),
        problems: &mut Vec<Problem>,
    ) -> Option<Wanted> {
        let Some(index) = self.find(name) else {
            problems.push(self.unbound(name, span));
            return None;
        };
        let own = self.variables[index].sort;
        if !fits(own, sort) {
            problems.push(mismatch(self.part, span, own, place, sort));
        }
        Some(Wanted::Variable(index))
    }

    /// A pattern of events.
    pub(crate) fn event(
        &self,
        pattern: &tree::Pattern,
        condition: Option<&Term>,
        problems: &mut Vec<Problem>,
    ) -> Option<Pattern> {
        let name = &pattern.event;
        let event = self.vocabulary.find_event(&name.text, self.part, name.span, problems)?;
        let kind = event.kind();
        let mut arguments: Vec<_> =
            event.demand().map(|(source, name)| (source, Wanted::Constant(name))).into_iter().collect();
        for (index, argument) in pattern.arguments.iter().enumerate() {
            let Some((source, param)) = slot(event, index, argument, self.part, problems) else { continue };
            match &argument.matcher {
                Matcher::Any => {}
                Matcher::Literal(literal) => {
                    let constant = literal_at(kind, param, literal, argument.span, self.part, problems);
                    arguments.push((source, Wanted::Constant(constant)));
                }
                Matcher::Variable(name) => {
                    arguments
                        .extend(self.wanted(name, argument.span, param, problems).map(|it| (source, it)));
                }
            }
        }
        let condition = condition.and_then(|it| self.condition(it, problems));
        Some(Pattern { kind, arguments, condition })
    }

    fn condition(&self, term: &Term, problems: &mut Vec<Problem>) -> Option<Expr> {
        let (expr, sort) = resolve(self, term, problems)?;
        demand(self.part, term, sort, Sort::Bool, problems);
        Some(expr)
    }
}

impl Names for Scope<'_> {
    fn part(&self) -> Part {
        self.part
    }

    fn variable(&self, name: &str, span: Span, problems: &mut Vec<Problem>) -> Option<(Expr, Sort)> {
        match self.find(name) {
            Some(index) => Some((Expr::Param(index), self.variables[index].sort)),
            None => {
                problems.push(self.unbound(name, span));
                None
            }
        }
    }
}

struct Resolver<'a> {
    scope: Scope<'a>,
    /// The names that something refers to, of the formula behind the present quantifiers.
    used: Vec<String>,
}

impl Resolver<'_> {
    /// The formula with its names resolved; `None` where something is wrong with it.
    fn node(&mut self, formula: &Formula, problems: &mut Vec<Problem>) -> Option<Node> {
        Some(match &formula.form {
            Form::Missing => return None,
            Form::Constant(truth) => Node::Constant(*truth),
            Form::Condition(term) => {
                self.uses(term);
                Node::Condition(self.scope.condition(term, problems)?)
            }
            Form::Atom(atom) => self.atom(atom, problems)?,
            Form::Unary(operator, interval, inner) => {
                Node::Unary(*operator, *interval, Box::new(self.node(inner, problems)?))
            }
            Form::Binary(operator, interval, left, right) => {
                // Both are looked at, so that the problems of both are told.
                let (left, right) = (self.node(left, problems), self.node(right, problems));
                Node::Binary(*operator, *interval, Box::new(left?), Box::new(right?))
            }
            Form::Quantified { quantifier, binders, restriction, body } => {
                let outside = self.scope.visible.len();
                let mut variables = Vec::new();
                for binder in binders {
                    let sort = sort_of(&binder.sort, Part::Formula, problems);
                    let (name, span) = (&binder.name.text, binder.name.span);
                    if !is_variable(name) {
                        let message = format!("`{name}` cannot be the name of a variable");
                        problems.push(
                            Problem::new(Part::Formula, span, message).help("begin with a small letter"),
                        );
                    } else if self.scope.find(name).is_some() {
                        let message = format!("`{name}` is bound here already");
                        problems
                            .push(Problem::new(Part::Formula, span, message).help("give it another name"));
                    }
                    let index = self.scope.variables.len();
                    let sort = sort.unwrap_or(Sort::Any);
                    self.scope.variables.push(Variable { name: name.clone(), sort });
                    self.scope.visible.push(index);
                    variables.push((index, sort));
                }
                let before = problems.len();
                let restriction = restriction.as_ref().map(|term| {
                    self.uses(term);
                    self.scope.condition(term, problems)
                });
                let body = self.node(body, problems);
                let sound = problems.len() == before;
                for binder in binders.iter().filter(|_| sound) {
                    let name = &binder.name.text;
                    if !self.used.contains(name) {
                        let message = format!("the variable `{name}` is not used");
                        let problem = Problem::new(Part::Formula, binder.name.span, message);
                        problems.push(problem.help("leave it out, or name it in a pattern"));
                    }
                }
                self.scope.visible.truncate(outside);
                self.used.retain(|name| binders.iter().all(|binder| binder.name.text != *name));
                let restriction = match restriction {
                    Some(condition) => Some(condition?),
                    None => None,
                };
                let body = Box::new(body?);
                Node::Quantified(Quantified { quantifier: *quantifier, variables, restriction, body })
            }
        })
    }

    fn atom(&mut self, atom: &Atom, problems: &mut Vec<Problem>) -> Option<Node> {
        for argument in &atom.pattern.arguments {
            if let Matcher::Variable(name) = &argument.matcher {
                self.used.push(name.clone());
            }
        }
        if let Some(condition) = &atom.condition {
            self.uses(condition);
        }
        let name = &atom.pattern.event;
        if !atom.is_event
            && let Some(fluent) = self.scope.vocabulary.fluents().find(&name.text)
        {
            return self.fluent(fluent.clone(), atom, problems);
        }
        let vocabulary = self.scope.vocabulary;
        if vocabulary.event(&name.text).is_none() {
            let fluents = vocabulary.fluents().names().filter(|_| !atom.is_event);
            let help = did_you_mean(&name.text, vocabulary.event_names().chain(fluents));
            let what = if atom.is_event { "event" } else { "event or fluent" };
            let message = format!("unknown {what} `{}`", name.text);
            problems.push(Problem::new(Part::Formula, name.span, message).help_maybe(help));
            return None;
        }
        self.scope.event(&atom.pattern, atom.condition.as_ref(), problems).map(Node::Event)
    }

    fn fluent(&mut self, fluent: Fluent, atom: &Atom, problems: &mut Vec<Problem>) -> Option<Node> {
        let mut arguments = vec![None; fluent.params.len()];
        for (index, argument) in atom.pattern.arguments.iter().enumerate() {
            if let Some(attribute) = &argument.attribute {
                let message = format!("`{}` is a fluent and has no attributes", fluent.name);
                problems.push(Problem::new(Part::Formula, attribute.span, message));
                continue;
            }
            let Some(param) = fluent.params.get(index) else {
                let message = format!("`{}` has only {} arguments", fluent.name, fluent.params.len());
                problems.push(Problem::new(Part::Formula, argument.span, message));
                continue;
            };
            arguments[index] = match &argument.matcher {
                Matcher::Any => None,
                Matcher::Variable(name) => {
                    self.scope.wanted(name, argument.span, (&param.name, param.sort), problems)
                }
                Matcher::Literal(literal) => {
                    let (constant, sort) = constant(literal);
                    if !fits(sort, param.sort) {
                        problems.push(mismatch(Part::Formula, argument.span, sort, &param.name, param.sort));
                    }
                    Some(Wanted::Constant(constant))
                }
            };
        }
        let condition = match &atom.condition {
            Some(term) => Some(self.scope.condition(term, problems)?),
            None => None,
        };
        Some(Node::Fluent(fluent, arguments, condition))
    }

    fn uses(&mut self, term: &Term) {
        match &term.form {
            tree::Form::Literal(_) | tree::Form::Attribute(..) => {}
            tree::Form::Variable(name) => self.used.push(name.clone()),
            tree::Form::Not(inner) | tree::Form::Size(inner) => self.uses(inner),
            tree::Form::Binary(_, left, right) => {
                self.uses(left);
                self.uses(right);
            }
        }
    }
}
