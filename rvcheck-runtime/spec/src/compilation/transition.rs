//! Transitions: patterns against the signatures of events, guards and actions against their variables.

use rvcheck_event::kind::Sort;

use crate::compilation::argument::{literal_at, slot};
use crate::compilation::emission;
use crate::compilation::scope::{Local, Scope};
use crate::compilation::term::{fits, mismatch, resolve};
use crate::language::problem::{Part, Problem, Span, did_you_mean};
use crate::language::syntax::tree::{self, Matcher};
use crate::model::automaton::{Action, Automaton, Check, MAX_LOCALS, Mask, Plan, Shape, Source, Transition};
use crate::model::vocabulary::{Named, Vocabulary};

/// Adds all transitions, and the plans that index them. A tree that is missing was reported when it was parsed.
pub(super) fn add(
    automaton: &mut Automaton,
    trees: &[Option<tree::Transition>],
    vocabulary: &Vocabulary,
    problems: &mut Vec<Problem>,
) {
    for (index, tree) in trees.iter().enumerate() {
        let Some(tree) = tree else { continue };
        let part = Part::Transition(index);
        let mut scope = Scope { automaton, vocabulary, part, locals: Vec::new(), bound: Vec::new() };
        if let Some((transition, sources)) = transition(&mut scope, tree, problems) {
            let name = vocabulary.event(&tree.pattern.event.text).and_then(Named::mark);
            insert(automaton, transition, name.as_deref(), sources);
        }
    }
    sort(automaton);
}

/// Puts the plans in order.
pub(crate) fn sort(automaton: &mut Automaton) {
    let mut places: Vec<usize> = (0..automaton.plans.len()).collect();
    places.sort_by_key(|place| (automaton.plans[*place].kind as u8, automaton.plans[*place].name.clone()));
    automaton.plans = places.iter().map(|place| automaton.plans[*place].clone()).collect();
    for transition in &mut automaton.transitions {
        transition.plan = places.iter().position(|place| *place == transition.plan).unwrap_or_default();
    }
}

/// Puts a transition into the plan of its kind, and of the name of its events. The transition's `plan` and `shape` are set here.
pub(crate) fn insert(
    automaton: &mut Automaton,
    mut transition: Transition,
    name: Option<&str>,
    sources: Vec<(usize, Source)>,
) {
    let states = automaton.states.len();
    let index = automaton.transitions.len();
    let same = |plan: &Plan| plan.kind == transition.kind && plan.name.as_deref() == name;
    let place = automaton.plans.iter().position(same).unwrap_or_else(|| {
        let by_state = vec![Vec::new(); states];
        let plan = Plan { kind: transition.kind, name: name.map(Into::into), shapes: Vec::new(), by_state };
        automaton.plans.push(plan);
        automaton.plans.len() - 1
    });
    transition.plan = place;
    let plan = &mut automaton.plans[place];
    transition.shape = plan.shapes.iter().position(|shape| shape.sources == sources).unwrap_or_else(|| {
        let mask = sources.iter().fold(0, |mask: Mask, (param, _)| mask | 1 << param);
        plan.shapes.push(Shape { mask, sources, transitions: Vec::new(), unconditional: false });
        plan.shapes.len() - 1
    });
    let shape = &mut plan.shapes[transition.shape];
    shape.transitions.push(index);
    shape.unconditional |= transition.checks.is_empty();
    plan.by_state[transition.from].push(index);
    automaton.transitions.push(transition);
}

/// A transition whose shape is not yet known, and the sources of its shape.
fn transition(
    scope: &mut Scope<'_>,
    tree: &tree::Transition,
    problems: &mut Vec<Problem>,
) -> Option<(Transition, Vec<(usize, Source)>)> {
    let before = problems.len();
    let name = &tree.pattern.event;
    let event = scope.vocabulary.find_event(&name.text, scope.part, name.span, problems)?;
    let kind = event.kind();
    let checks = pattern(scope, event, &tree.pattern, problems);
    let guard = tree.guard.as_ref().and_then(|term| {
        let (expr, sort) = resolve(scope, term, problems)?;
        if !fits(sort, Sort::Bool) {
            let message = format!("a guard is a condition, but this is of sort `{}`", sort.name());
            problems.push(Problem::new(scope.part, term.span, message));
        }
        Some(expr)
    });
    let actions = tree.actions.iter().filter_map(|it| action(scope, it, problems)).collect();
    let state = |name: &tree::Name| scope.automaton.states.iter().position(|it| it.name == name.text);
    let (from, to) = (state(&tree.from)?, state(&tree.to)?);
    if problems.len() > before {
        return None;
    }
    scope.bound.sort_unstable();
    let locals = scope.locals.iter().map(|local| local.source).collect();
    let transition =
        Transition { from, kind, plan: 0, shape: 0, checks, locals, guard, assertion: None, actions, to };
    Some((transition, std::mem::take(&mut scope.bound)))
}

fn pattern(
    scope: &mut Scope<'_>,
    event: Named<'_>,
    pattern: &tree::Pattern,
    problems: &mut Vec<Problem>,
) -> Vec<Check> {
    let mut checks = Vec::new();
    for (index, argument) in pattern.arguments.iter().enumerate() {
        let Some((source, (name, sort))) = slot(event, index, argument, scope.part, problems) else {
            continue;
        };
        match &argument.matcher {
            Matcher::Any => {}
            Matcher::Literal(literal) => {
                let constant =
                    literal_at(event.kind(), (name, sort), literal, argument.span, scope.part, problems);
                checks.push(Check::Literal(source, constant));
            }
            Matcher::Variable(variable) => {
                checks.extend(bind(scope, variable, argument.span, source, (name, sort), problems));
            }
        }
    }
    checks
}

/// What it takes for a variable to stand at a source.
fn bind(
    scope: &mut Scope<'_>,
    variable: &str,
    span: Span,
    source: Source,
    (name, sort): (&str, Sort),
    problems: &mut Vec<Problem>,
) -> Option<Check> {
    let mut agree = |declared: Sort| {
        if !fits(declared, sort) {
            problems.push(mismatch(scope.part, span, declared, name, sort));
        }
    };
    if let Some(param) = scope.automaton.params.iter().position(|it| it.name == variable) {
        agree(scope.automaton.params[param].sort);
        if let Some((_, first)) = scope.bound.iter().find(|(it, _)| *it == param) {
            return Some(Check::Same(*first, source));
        }
        scope.bound.push((param, source));
        return None;
    }
    if let Some(register) = scope.automaton.registers.iter().position(|it| it.name == variable) {
        agree(scope.automaton.registers[register].sort);
        return Some(Check::Register(source, register));
    }
    if let Some(local) = scope.locals.iter().find(|it| it.name == variable) {
        agree(local.sort);
        return Some(Check::Same(local.source, source));
    }
    if scope.locals.len() == MAX_LOCALS {
        let message = format!("a pattern can have {MAX_LOCALS} variables of its own");
        problems.push(Problem::new(scope.part, span, message));
        return None;
    }
    scope.locals.push(Local { name: variable.to_owned(), sort, source });
    Some(Check::Known(source))
}

fn action(scope: &Scope<'_>, action: &tree::Action, problems: &mut Vec<Problem>) -> Option<Action> {
    let (name, term) = match action {
        tree::Action::Assign(name, term) => (name, term),
        tree::Action::Emit(event, terms) => {
            return emission::emission(scope, event, terms, problems).map(Action::Emit);
        }
    };
    let Some(register) = scope.automaton.registers.iter().position(|it| it.name == name.text) else {
        let known = scope.automaton.registers.iter().map(|it| it.name.as_str());
        let help = did_you_mean(&name.text, known).unwrap_or_else(|| "declare it in `vars`".to_owned());
        let message = format!("unknown register `{}`", name.text);
        problems.push(Problem::new(scope.part, name.span, message).help(help));
        return None;
    };
    let (expr, sort) = resolve(scope, term, problems)?;
    let wanted = scope.automaton.registers[register].sort;
    if !fits(sort, wanted) {
        problems.push(mismatch(scope.part, term.span, sort, &name.text, wanted));
    }
    Some(Action::Assign(register, expr))
}
