//! What can be known of a formula.

use crate::compilation::machine::{Happening, vacuous};
use crate::examine::{Examination, Remark, RemarkKind};
use crate::graph::with_distinct_names;
use crate::language::formula::parser::parse_formula;
use crate::language::formula::tree::{Form, Formula};
use crate::language::problem::{Part, Span};
use crate::language::source::PropertySource;
use crate::model::ltl::Ltl;
use crate::model::machine::{Machine, Unsteppable};

pub(super) fn examine(source: &PropertySource, ltl: &Ltl, at_end: Option<Unsteppable>) -> Examination {
    let text = source.formula.as_deref().unwrap_or_default();
    let machine = match &ltl.machine {
        Ok(machine) => machine,
        Err(why) => {
            let remarks = too_large(text, *why).into_iter().collect();
            return Examination { class: None, states: None, at_end, remarks };
        }
    };
    let remarks = match machine.constant() {
        Some(truth) => vec![constant(text, machine, truth)],
        None => parts(text, ltl).into_iter().chain(order(text, ltl, machine)).collect(),
    };
    Examination { class: Some(machine.class()), states: Some(machine.states.len()), at_end, remarks }
}

/// A formula of which the limits say that nobody can write it is one that somebody wrote by mistake.
fn too_large(text: &str, why: Unsteppable) -> Option<Remark> {
    let is_limit = matches!(why, Unsteppable::States { .. } | Unsteppable::Letters { .. });
    is_limit.then(|| Remark {
        kind: RemarkKind::TooLarge,
        part: Part::Formula,
        span: Span::all(text),
        message: format!("{why}; the formula is decided when the test is over"),
        help: Some("split it into several properties".to_owned()),
    })
}

fn constant(text: &str, machine: &Machine, truth: bool) -> Remark {
    let which = if machine.prefix.is_empty() { "" } else { " and every binding of its variables" };
    let (kind, message, help) = if truth {
        let message = format!("this is true of every trace{which}");
        (RemarkKind::Tautological, message, "nothing can violate it: some part says less than it seems to")
    } else {
        let message = format!("this is false of every trace{which}");
        (RemarkKind::Unsatisfiable, message, "nothing can satisfy it: some parts exclude each other")
    };
    let (span, help) = (Span::all(text), Some(help.to_owned()));
    Remark { kind, part: Part::Formula, span, message, help }
}

fn parts(text: &str, ltl: &Ltl) -> Vec<Remark> {
    let (tree, _) = parse_formula(text, Part::Formula);
    let remark = |it: crate::compilation::machine::Vacuous| {
        let part = at(&tree, &it.path)?;
        let message = format!("`{part}` cannot matter: the formula says the same with `{}`", it.instead);
        let help = Some("leave it out, or say what is meant by it".to_owned());
        Some(Remark { kind: RemarkKind::Vacuous, part: Part::Formula, span: part.span, message, help })
    };
    vacuous(ltl).into_iter().filter_map(remark).collect()
}

/// The part of a tree at the path of a part of its formula.
fn at<'a>(tree: &'a Formula, path: &[usize]) -> Option<&'a Formula> {
    path.iter().try_fold(tree, |tree, index| match (&tree.form, index) {
        (Form::Unary(_, _, inner) | Form::Quantified { body: inner, .. }, 0) => Some(&**inner),
        (Form::Binary(_, _, left, _), 0) => Some(&**left),
        (Form::Binary(_, _, _, right), 1) => Some(&**right),
        _ => None,
    })
}

fn order(text: &str, ltl: &Ltl, machine: &Machine) -> Option<Remark> {
    let swap = machine.swap()?;
    let ltl = &with_distinct_names(ltl);
    let shown = |it: &Happening| {
        let atoms: Vec<String> =
            it.atoms.iter().map(|atom| format!("`{}`", machine.atom_text(*atom, ltl))).collect();
        if atoms.is_empty() { "any other event".to_owned() } else { atoms.join(" with ") }
    };
    let (first, second) = (shown(&swap.first), shown(&swap.second));
    Some(Remark {
        kind: RemarkKind::OrderMatters,
        part: Part::Formula,
        span: Span::all(text),
        message: format!("the verdict can change if {first} and {second} come in the other order"),
        help: Some(
            "where these are concurrent, a run shows one order of several; \
             name an object that both have in common if there is one"
                .to_owned(),
        ),
    })
}
