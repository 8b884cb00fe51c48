//! What is wrong with a formula that a program brings along, at the call that brings it.

use super::quoted::quoted;
use super::schedule::{Formula, Refused, Stretch};
use crate::check::context::FindingContext;
use crate::finding::{Finding, Level, NextStep, Proof, Witness};
use crate::specs::SpecProblem;
use rvcheck_event::id::{SiteId, UnitId};
use rvcheck_event::names::Names;
use rvcheck_spec::{Part, Problem};

/// A call that asks for what cannot be.
pub(super) fn of_call(refused: &Refused, context: &FindingContext<'_>, names: &Names) -> Finding {
    let what = format!("`{}` is not checked: {}", refused.name, refused.reason);
    let advice = "give it another name, or remove the other one first".to_owned();
    finding(&refused.name, (refused.unit, refused.site), what, advice, context, names)
}

/// A formula that was not recorded as a whole.
pub(super) fn of_formula(stretch: &Stretch, context: &FindingContext<'_>, names: &Names) -> Finding {
    let (reason, advice) = match stretch.formula {
        Formula::Cut => ("its formula is too long to be recorded", "put it into a property file"),
        _ => ("its formula was lost with other records", "give the trace more room: `--trace-cap`"),
    };
    let what = format!("`{}` is not checked: {reason}", stretch.name);
    finding(&stretch.name, (stretch.unit, stretch.site), what, advice.to_owned(), context, names)
}

/// A mistake in a formula: at its place in the source if the call has the formula as it is, and else with a note that shows it.
pub(super) fn of_problem(
    problem: &Problem,
    formula: &str,
    stretch: &Stretch,
    context: &FindingContext<'_>,
    names: &Names,
) -> (Finding, Option<String>) {
    let span = if problem.part == Part::Formula { problem.span.start..problem.span.end } else { 0..0 };
    let what = format!("`{}` is not checked: {}", stretch.name, problem.message);
    let advice = problem.help.clone().unwrap_or_else(|| "correct the formula".to_owned());
    let finding = finding(&stretch.name, (stretch.unit, stretch.site), what, advice, context, names);
    let place = context
        .text(&finding.primary.file)
        .and_then(|text| quoted(text, &finding.primary, formula, span.clone(), "here"));
    if let Some(primary) = place {
        return (Finding { primary, ..finding }, None);
    }
    let shown = SpecProblem {
        file: format!("the formula of `{}`", stretch.name),
        span,
        message: problem.message.clone(),
        help: problem.help.clone(),
    };
    (finding, Some(shown.rendered(formula, false)))
}

fn finding(
    name: &str,
    (unit, site): (UnitId, SiteId),
    message: String,
    advice: String,
    context: &FindingContext<'_>,
    names: &Names,
) -> Finding {
    let place = context.place(site, "given here", names);
    Finding {
        proof: Proof::Observed,
        witness: Witness { state: message.clone(), ..Witness::default() },
        test: context.unit_name(unit, names),
        next: NextStep { advice, command: context.again(unit, names) },
        // A check that does not take place must not look like one that does, also in a test.
        ..Finding::of_text(name, Level::Error, place.location, message, "")
    }
}
