//! A trace that refutes a model, as a finding about the model.

use super::text;
use crate::check::context::{FindingContext, Moment};
use crate::check::process::Checked;
use crate::check::recent::Recent;
use crate::check::scene::Scene;
use crate::check::violation::level;
use crate::finding::{CodeLocation, Draft, Finding, NextStep, Proof, Witness, finding};
use crate::report::{UnitVerdict, ValidationReport, Verdict};
use rvcheck_event::event::Event;
use rvcheck_event::stream::EventStream;
use rvcheck_spec::Lifestate;
use rvcheck_spec::evaluation::lifestate::history::Reason;
use rvcheck_spec::evaluation::lifestate::validate::{Refutation, Validation, Validator};

/// Adds whether the model at this place fits the units of the trace. Where events are missing from that, it refutes nothing: what permits a
/// message may be among them.
pub(super) fn add(
    (index, lifestate): (usize, &Lifestate),
    context: &FindingContext<'_>,
    (mut events, whole): (impl EventStream, bool),
    checked: &mut Checked,
) {
    let mut validator = Validator::new(lifestate);
    events.feed(&mut validator);
    let recent = Recent::default();
    let moment = Moment { world: events.world(), recent: &recent };
    let witness = rvcheck_spec::Witness::default();
    let scene = Scene::of(context.sources, moment, &witness);
    for validation in validator.finish() {
        let test = context.unit_name(validation.unit, moment.world.names());
        let refused = validation
            .refutation
            .as_ref()
            .map_or_else(String::new, |it| text::message(&it.event, &it.arguments, &scene));
        let removed_by = validation.refutation.iter().flat_map(|it| &it.removed_by).flat_map(|it| match it {
            Reason::Rule(rule, _) => vec![*rule as u64 + 1],
            Reason::Inconsistent(permits, prohibits) => vec![*permits as u64 + 1, *prohibits as u64 + 1],
        });
        let mut rules: Vec<u64> = Vec::new();
        for rule in removed_by {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        checked.validations.push(ValidationReport {
            property: lifestate.id.clone(),
            trace: context.units.target().to_owned(),
            test: test.clone(),
            messages: validation.messages,
            valid: validation.valid,
            refused: refused.clone(),
            removed_by: rules,
            violations: validation.violations,
            inconclusive: !whole && validation.refutation.is_some(),
        });
        let Some(refutation) = validation.refutation.as_ref().filter(|_| whole) else { continue };
        let found = refuted(lifestate, (&validation, refutation), (&refused, &test), context, &scene);
        if let Some(found) = found {
            checked.properties[index].add(UnitVerdict {
                test,
                verdict: Verdict::Refuted,
                bindings: 0,
                exercised: 0,
                witness: Vec::new(),
            });
            checked.properties[index].find(&found);
            checked.findings.push(found);
        }
    }
}

fn refuted(
    lifestate: &Lifestate,
    (validation, refutation): (&Validation, &Refutation),
    (refused, test): (&str, &str),
    context: &FindingContext<'_>,
    scene: &Scene<'_>,
) -> Option<Finding> {
    let since = |it: Event| text::event(&it, scene);
    let mut why = vec![format!(
        "the longest valid prefix has {} of {} messages",
        validation.valid, validation.messages
    )];
    let removed = refutation.removed_by.iter();
    why.extend(removed.map(|it| format!("removed by {}", text::reason(lifestate, *it, since))));
    let draft = Draft {
        property: lifestate.id.clone(),
        level: level(lifestate.level),
        proof: Proof::Observed,
        message: format!("`{refused}` refutes the model `{}`, which does not permit it here", lifestate.id),
        test: test.to_owned(),
        witness: Witness { state: "refuted".to_owned(), derivation: why, ..Witness::default() },
        next: NextStep {
            advice: "correct the rules: the library does what they rule out".to_owned(),
            command: context.again(validation.unit, scene.world.names()),
        },
    };
    let place = scene.compiled_site(refutation.event.site).map(|it| scene.sources.place(it, "returned here"));
    let candidates: Vec<CodeLocation> =
        place.into_iter().chain(scene.sources.of_trace()).chain(definition(context, lifestate)).collect();
    // The author of a model decides how bad it is, also in tests.
    finding(draft, &candidates, &[]).map(|it| Finding { level: level(lifestate.level), ..it })
}

/// Where a model is declared.
pub(super) fn definition(context: &FindingContext<'_>, lifestate: &Lifestate) -> Option<CodeLocation> {
    let location = context.definitions.get(&lifestate.id)?.clone();
    Some(CodeLocation { location, own: true, in_test: false })
}
