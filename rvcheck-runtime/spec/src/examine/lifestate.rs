//! What can be known of a lifestate.

use crate::examine::{Examination, Remark, RemarkKind};
use crate::language::problem::{Part, Span};
use crate::language::source::PropertySource;
use crate::model::lifestate::Lifestate;
use crate::model::machine::Class;

pub(super) fn examine(source: &PropertySource, lifestate: &Lifestate) -> Examination {
    let mut remarks = Vec::new();
    for (place, rule) in lifestate.rules.iter().enumerate() {
        if !rule.histories.machine.accepts_any() {
            remarks.push(Remark {
                kind: RemarkKind::Vacuous,
                part: Part::LifestateRule(place),
                span: Span::all(&source.rules[place]),
                message: "no history matches this regex, so that the rule does nothing".to_owned(),
                help: Some(
                    "a regex is about the whole history; begin it with `_*` for any beginning".to_owned(),
                ),
            });
        }
    }
    for conflict in &lifestate.conflicts {
        remarks.push(Remark {
            kind: RemarkKind::Overlap,
            part: Part::LifestateRule(conflict.prohibits),
            span: Span::all(&source.rules[conflict.prohibits]),
            message: format!(
                "this can contradict rule {}: after such a history everything is prohibited",
                conflict.permits + 1
            ),
            help: None,
        });
    }
    let states = lifestate.rules.iter().map(|it| it.histories.machine.states()).sum();
    Examination { class: Some(Class::Safety), states: Some(states), at_end: None, remarks }
}
