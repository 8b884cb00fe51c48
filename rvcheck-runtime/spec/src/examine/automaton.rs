//! What can be known of an automaton.

use crate::compilation::overlap::may_overlap;
use crate::compilation::reachable;
use crate::examine::{Examination, Remark, RemarkKind};
use crate::language::problem::{Part, Span};
use crate::language::source::PropertySource;
use crate::language::syntax::tree::{Action, Form, Matcher, Term, Transition};
use crate::language::syntax::{parse_param, parse_transition};
use crate::model::automaton::{Automaton, Role};
use crate::model::machine::Class;

pub(super) fn examine(source: &PropertySource, automaton: &Automaton) -> Examination {
    let texts = source.transitions.iter().enumerate();
    let trees: Vec<Transition> =
        texts.filter_map(|(index, text)| parse_transition(text, Part::Transition(index)).0).collect();
    let mut remarks = unused(source, &trees);
    remarks.extend(dead(automaton, &trees));
    remarks.extend(overlaps(automaton, &trees));
    Examination { class: Some(class(automaton)), states: Some(automaton.states.len()), at_end: None, remarks }
}

fn is_violated(role: Role) -> bool {
    matches!(role, Role::Bad | Role::EndBad)
}

/// By state: whether all states that can come say the same of the verdict as this one.
fn certain(automaton: &Automaton) -> Vec<bool> {
    let states = &automaton.states;
    let same = |state: usize| {
        let behind = reachable(automaton, [state], |_| true);
        let mut all = states.iter().zip(behind).filter(|(_, behind)| *behind);
        all.all(|(it, _)| is_violated(it.role) == is_violated(states[state].role))
    };
    (0..states.len()).map(same).collect()
}

/// When the verdict is certain. Bindings may come later that the trace does not have yet, so that what holds of all of them is
/// never certain before the end.
pub(super) fn class(automaton: &Automaton) -> Class {
    let certain = certain(automaton);
    let reached = reachable(automaton, [automaton.initial], |_| true);
    // The verdict in the initial state is given only if nothing happens to a binding; then there is none.
    let entered = |state: usize| {
        reached[state] && (state != automaton.initial || automaton.params.is_empty())
            || automaton.transitions.iter().any(|it| it.to == state && reached[it.from])
    };
    let all = |violated: bool| {
        automaton
            .states
            .iter()
            .enumerate()
            .all(|(state, it)| !entered(state) || is_violated(it.role) != violated || certain[state])
    };
    match (all(true), all(false) && automaton.params.is_empty()) {
        (true, true) => Class::Early,
        (true, false) => Class::Safety,
        (false, true) => Class::CoSafety,
        (false, false) => Class::AtEnd,
    }
}

/// States, other than those in `good`, from which nothing can be violated any more.
fn dead(automaton: &Automaton, trees: &[Transition]) -> Vec<Remark> {
    let certain = certain(automaton);
    let mut remarks = Vec::new();
    for (state, it) in automaton.states.iter().enumerate() {
        let entering = automaton.transitions.iter().position(|transition| transition.to == state);
        let behind = reachable(automaton, [state], |_| true);
        let emits = automaton.transitions.iter().any(|it| it.emits() && behind[it.from]);
        if let (Role::Neutral, true, false, Some(entering)) = (it.role, certain[state], emits, entering) {
            remarks.push(Remark {
                kind: RemarkKind::DeadState,
                part: Part::Transition(entering),
                span: trees.get(entering).map_or(Span::default(), |tree| tree.to.span),
                message: format!("nothing can be violated any more once state `{}` is reached", it.name),
                help: Some(format!("write `good = [\"{}\"]`, so that bindings there are forgotten", it.name)),
            });
        }
    }
    remarks
}

/// Transitions that leave the same state, and of which it cannot be shown that their guards exclude each other.
fn overlaps(automaton: &Automaton, trees: &[Transition]) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (index, second) in automaton.transitions.iter().enumerate() {
        let first =
            automaton.transitions[..index].iter().position(|first| may_overlap(automaton, first, second));
        if let (Some(first), Some(tree)) = (first, trees.get(index)) {
            remarks.push(Remark {
                kind: RemarkKind::Overlap,
                part: Part::Transition(index),
                span: tree.from.span.to(tree.guard.as_ref().map_or(tree.pattern.event.span, |it| it.span)),
                message: format!(
                    "it cannot be shown that this transition and transition {} exclude each other",
                    first + 1
                ),
                help: Some("if both are enabled together in a run, that run is not checked".to_owned()),
            });
        }
    }
    remarks
}

/// Parameters that no pattern has, and registers that nothing reads.
fn unused(source: &PropertySource, trees: &[Transition]) -> Vec<Remark> {
    let mut read = Vec::new();
    for tree in trees {
        read.extend(tree.pattern.arguments.iter().filter_map(|it| match &it.matcher {
            Matcher::Variable(name) => Some(name.as_str()),
            Matcher::Any | Matcher::Literal(_) => None,
        }));
        tree.guard.iter().for_each(|it| variables(it, &mut read));
        for action in &tree.actions {
            match action {
                Action::Assign(_, term) => variables(term, &mut read),
                Action::Emit(_, terms) => terms.iter().for_each(|it| variables(it, &mut read)),
            }
        }
    }
    let remark = |part: Part, span: Span, message: String| Remark {
        kind: RemarkKind::Unused,
        part,
        span,
        message,
        help: Some("leave it out".to_owned()),
    };
    let mut remarks = Vec::new();
    for (index, text) in source.params.iter().enumerate() {
        let part = Part::Param(index);
        if let Some(param) = parse_param(text, part).0.filter(|it| !read.contains(&it.name.text.as_str())) {
            let message = format!("no pattern has the parameter `{}`", param.name.text);
            remarks.push(remark(part, param.name.span, message));
        }
    }
    for (index, (name, _)) in source.vars.iter().enumerate().filter(|(_, it)| !read.contains(&it.0.as_str()))
    {
        let message = format!("nothing reads the register `{name}`");
        remarks.push(remark(Part::VarName(index), Span::all(name), message));
    }
    remarks
}

fn variables<'a>(term: &'a Term, found: &mut Vec<&'a str>) {
    match &term.form {
        Form::Literal(_) | Form::Attribute(..) => {}
        Form::Variable(name) => found.push(name),
        Form::Not(inner) | Form::Size(inner) => variables(inner, found),
        Form::Binary(_, left, right) => {
            variables(left, found);
            variables(right, found);
        }
    }
}
