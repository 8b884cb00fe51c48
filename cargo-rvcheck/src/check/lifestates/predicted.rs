//! What other orders of the callbacks of a trace could do, as findings.

use super::validated::definition;
use super::{feed, text};
use crate::check::context::{FindingContext, Moment};
use crate::check::process::Checked;
use crate::check::recent::Recent;
use crate::check::scene::Scene;
use crate::finding::{CodeLocation, Draft, Finding, Level, NextStep, PREDICTED, Proof, Witness, finding};
use crate::report::{Rearranged, RearrangementReport, UnitVerdict, Verdict};
use rvcheck_event::id::UnitId;
use rvcheck_event::stream::EventStream;
use rvcheck_event::value::Value;
use rvcheck_spec::Lifestate;
use rvcheck_spec::evaluation::lifestate::blocks::{Block, Blocks, Cutter, Recorded};
use rvcheck_spec::evaluation::lifestate::predict::{Gap, Prediction, Word, predict_with};
use rvcheck_spec::evaluation::lifestate::problem::Solver;
use rvcheck_spec::evaluation::lifestate::reach::{Place, Unreached};

/// What decides the questions that have too many states.
#[cfg(feature = "sat")]
const SOLVER: Option<&dyn Solver> = Some(&rvcheck_sat::Sat { work: rvcheck_sat::WORK });

#[cfg(not(feature = "sat"))]
const SOLVER: Option<&dyn Solver> = None;

/// Adds what could violate the lifestate at this place.
pub(super) fn add(
    (index, lifestate): (usize, &Lifestate),
    states: usize,
    context: &FindingContext<'_>,
    (mut events, whole): (impl EventStream, bool),
    checked: &mut Checked,
) {
    let mut cutter = Cutter::new(lifestate);
    feed(&mut events, |event, world| _ = cutter.step(event, world));
    let recent = Recent::default();
    let moment = Moment { world: events.world(), recent: &recent };
    let witness = rvcheck_spec::Witness::default();
    let scene = Scene::of(context.sources, moment, &witness);
    for (unit, blocks) in cutter.finish() {
        let (prediction, effort) = predict_with(lifestate, &blocks, states, SOLVER);
        let test = context.unit_name(unit, moment.world.names());
        let said = |it: &Recorded| text::message(&it.event, &it.arguments, &scene);
        let called = |it: &Block| it.messages.first().map_or_else(String::new, said);
        let mut report = RearrangementReport {
            property: lifestate.id.clone(),
            trace: context.units.target().to_owned(),
            test: test.clone(),
            answer: Rearranged::Absence,
            happened: blocks.blocks.iter().map(called).collect(),
            may_happen: Vec::new(),
            violation: String::new(),
            may_be_longer: false,
            overlap: String::new(),
            because: String::new(),
            unreached: 0,
            outside: blocks.outside,
            targets: effort.targets as u64,
            states: effort.states as u64,
            solved: effort.solved as u64,
        };
        match &prediction {
            Prediction::Absence if effort.targets == 0 => report.answer = Rearranged::NotExercised,
            Prediction::Absence if !whole => {
                report.answer = Rearranged::Unknown;
                report.because = String::from("events are missing from the trace");
            }
            Prediction::Absence => {}
            Prediction::Unreached(unreached) => {
                report.answer = Rearranged::Unreached;
                report.unreached = unreached.calls as u64;
                report.because = unreachable(lifestate, unreached, &blocks, &scene);
            }
            Prediction::Unknown(Gap::Reach) => {
                report.answer = Rearranged::Unknown;
                report.because = String::from(
                    "more states remain of orders that reach all of the calls than can be searched",
                );
            }
            Prediction::Unknown(Gap::Overlap(overlap)) => {
                let of = |it: usize| called(&blocks.blocks[it]);
                let (first, second) = (of(overlap.blocks.0), of(overlap.blocks.1));
                let both = match overlap.object {
                    Value::Absent => ", and the model relates what shares no object".to_owned(),
                    object => format!(", and both have `{}`", text::value(object, &scene)),
                };
                report.answer = Rearranged::Unknown;
                report.overlap = format!("`{first}` and `{second}` overlap in the trace{both}");
                checked.notes.push(format!(
                    "`{}` could not be decided for all orders of the callbacks of {test}: {}, so each can run in the middle of the other \
                     one",
                    lifestate.id, report.overlap
                ));
            }
            Prediction::Unknown(Gap::States) => {
                report.answer = Rearranged::Unknown;
                checked.notes.push(format!(
                    "`{}` could not be decided for all orders of the callbacks of {test}: there are more states than can be searched, \
                     which are {states} at most",
                    lifestate.id
                ));
            }
            Prediction::Violation(word) => {
                let last = word.blocks.last().and_then(|it| blocks.blocks.get(*it));
                let violating = last.and_then(|it| it.messages.get(word.message));
                report.answer = Rearranged::Violation;
                report.may_happen = word.blocks.iter().map(|it| called(&blocks.blocks[*it])).collect();
                report.violation = violating.map_or_else(String::new, said);
                report.may_be_longer = word.may_be_longer;
                let found = predicted(lifestate, (word, &blocks, unit), &report, context, &scene);
                if let Some(found) = found {
                    checked.properties[index].add(UnitVerdict {
                        test,
                        verdict: Verdict::Predicted,
                        bindings: 0,
                        exercised: 0,
                        witness: Vec::new(),
                    });
                    checked.properties[index].find(&found);
                    checked.findings.push(found);
                }
            }
        }
        if !report.because.is_empty() {
            let RearrangementReport { property, test, because, .. } = &report;
            checked.notes.push(format!("`{property}` is not proved of {test}: {because}"));
        }
        checked.rearrangements.push(report);
    }
}

/// What is never reached, and why.
fn unreachable(lifestate: &Lifestate, unreached: &Unreached, blocks: &Blocks, scene: &Scene<'_>) -> String {
    let said = |(block, at): Place| {
        let recorded = blocks.blocks.get(block).and_then(|it| it.messages.get(at));
        let message = recorded.map_or_else(String::new, |it| text::message(&it.event, &it.arguments, scene));
        let site = recorded.and_then(|it| scene.position(it.event.site));
        format!("`{message}`{}", site.map_or_else(String::new, |it| format!(" at {it}")))
    };
    let first = said(unreached.first);
    let mut because = match (unreached.calls, unreached.of) {
        (1, 1) => format!("none reaches {first}"),
        (1, of) => format!("none reaches one of the {of} calls that could, {first}"),
        (calls, of) if calls == of => {
            format!("none reaches any of the {of} calls that could, the first of which is {first}")
        }
        (calls, of) => {
            format!("none reaches {calls} of the {of} calls that could, the first of which is {first}")
        }
    };
    if let Some(kept) = unreached.kept_by {
        let reason = text::reason(lifestate, kept.reason, said);
        because = format!("{because}; what it rests on, {}, is removed by {reason}", said(kept.message));
    }
    if blocks.outside > 0 {
        because.push_str("; messages outside of callbacks, which are left out, may permit it");
    }
    because
}

fn predicted(
    lifestate: &Lifestate,
    (word, blocks, unit): (&Word, &Blocks, UnitId),
    report: &RearrangementReport,
    context: &FindingContext<'_>,
    scene: &Scene<'_>,
) -> Option<Finding> {
    let recorded = |(place, at): (usize, usize)| blocks.blocks[word.blocks[place]].messages.get(at);
    let last = word.blocks.len().saturating_sub(1);
    let violating = recorded((last, word.message))?;
    let since = |at: (usize, usize)| {
        let text = recorded(at).map_or_else(String::new, |it| text::message(&it.event, &it.arguments, scene));
        format!("`{text}` in callback {} of these", at.0 + 1)
    };
    let mut why: Vec<String> = vec!["the callbacks could come in this order:".to_owned()];
    why.extend(report.may_happen.iter().map(|it| format!("  {it}")));
    why.push(match word.reason {
        Some(reason) => format!("prohibited by {}", text::reason(lifestate, reason, since)),
        None => {
            "the library refused this call, and no rule prohibits it: the model is too weak there".to_owned()
        }
    });
    let draft = Draft {
        property: lifestate.id.clone(),
        level: Level::Note,
        proof: Proof::Potential,
        message: format!(
            "`{}` could violate `{}` if callbacks came in another order, which the model allows",
            report.violation, lifestate.id
        ),
        test: report.test.clone(),
        witness: Witness { state: PREDICTED.to_owned(), derivation: why, ..Witness::default() },
        next: NextStep {
            advice: "if this order cannot occur, say so by a rule; otherwise prevent it in the program"
                .to_owned(),
            command: context.again(unit, scene.world.names()),
        },
    };
    let place = scene.compiled_site(violating.event.site).map(|it| scene.sources.place(it, "called here"));
    let candidates: Vec<CodeLocation> =
        place.into_iter().chain(scene.sources.of_trace()).chain(definition(context, lifestate)).collect();
    finding(draft, &candidates, &[])
}
