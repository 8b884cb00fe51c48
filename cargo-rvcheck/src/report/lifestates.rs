//! What traces say of models, and models of traces: the longest valid prefixes, and what other orders of callbacks could do.

use super::Report;
use super::table::counted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// How many callbacks of a trace are shown.
const SHOWN: usize = 24;

/// How wide a column can be.
const WIDEST: usize = 60;

/// Whether a unit of a trace fits a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ValidationReport {
    /// The id of the property.
    pub property: String,
    /// The trace.
    pub trace: String,
    /// The unit.
    pub test: String,
    /// How many messages it has.
    pub messages: u64,
    /// How many of them come before the one that refutes the model; all where none does.
    pub valid: u64,
    /// The message that refutes the model; empty where none does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub refused: String,
    /// The rules that removed it, from 1, the last one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_by: Vec<u64>,
    /// How many messages are violations.
    pub violations: u64,
    /// Events are missing from the trace, and what permits the message may be among them: it refutes nothing.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub inconclusive: bool,
}

/// What is known of the other orders of the callbacks of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rearranged {
    /// One of them could have a violation.
    Violation,
    /// The model allows none that has, and it lets all calls come that could be one.
    Absence,
    /// The model allows none that has, nor any that comes as far as to some of the calls that could be one. Never a proof.
    Unreached,
    /// There are no callbacks with a message that a rule could prohibit. Never a proof.
    NotExercised,
    /// There were more states than were looked at, polls overlap, or events are missing.
    Unknown,
}

/// What other orders of the callbacks of a unit could do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RearrangementReport {
    /// The id of the property.
    pub property: String,
    /// The trace.
    pub trace: String,
    /// The unit.
    pub test: String,
    /// The answer.
    pub answer: Rearranged,
    /// The callbacks as they happened.
    pub happened: Vec<String>,
    /// Those of the shortest order with a violation, the last of which has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_happen: Vec<String>,
    /// The message that is the violation; empty where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub violation: String,
    /// There may be a shorter one: not all states were looked at.
    #[serde(default)]
    pub may_be_longer: bool,
    /// Why the answer is unknown though no order was found: two polls overlap in the trace, and what they share. Empty where that is not so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub overlap: String,
    /// Why nothing is proved though no order was found, where that is neither the number of states nor an overlap; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    /// How many calls no order is known to come to, where the answer is `unreached`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreached: u64,
    /// How many messages outside of callbacks are left out.
    pub outside: u64,
    /// How many different messages could be a violation.
    pub targets: u64,
    /// How many states were looked at.
    pub states: u64,
    /// How many questions a SAT solver has answered, which had more states.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub solved: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Writes a line for each unit and model.
pub(super) fn validations(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.validations.is_empty() {
        return Ok(());
    }
    let several_models = report.validations.iter().any(|it| it.property != report.validations[0].property);
    let name = |it: &ValidationReport| {
        let model = if several_models { format!("{} ", it.property) } else { String::new() };
        if it.test == it.trace || it.test.is_empty() {
            format!("{model}{}", it.trace)
        } else {
            format!("{model}{} {}", it.trace, it.test)
        }
    };
    let width = report.validations.iter().map(|it| name(it).chars().count()).max().unwrap_or(0);
    writeln!(out, "valid prefixes")?;
    for it in &report.validations {
        let rules: Vec<String> = it.removed_by.iter().map(ToString::to_string).collect();
        let end = match (it.refused.is_empty(), rules.len()) {
            (true, _) => "valid".to_owned(),
            _ if it.inconclusive => {
                format!(
                    "inconclusive: events are missing, and `{}` is not permitted without them",
                    it.refused
                )
            }
            (false, 1) => format!("refused: `{}`, by rule {}", it.refused, rules[0]),
            (false, _) => format!("refused: `{}`, by rules {}", it.refused, rules.join(", ")),
        };
        let violations = match it.violations {
            0 => String::new(),
            count => format!("; {}", counted(count, "violation")),
        };
        writeln!(out, "  {:<width$}  {:>7} of {:<7}  {end}{violations}", name(it), it.valid, it.messages)?;
    }
    writeln!(out)
}

/// Writes the answers: what happened, and beside it what may happen.
pub(super) fn rearrangements(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for it in &report.rearrangements {
        let callbacks = counted(it.happened.len() as u64, "callback");
        let solved = match it.solved {
            0 => String::new(),
            count => format!("; {} decided by a SAT solver", counted(count, "question")),
        };
        let looked_at = format!("{}{solved}", counted(it.states, "state"));
        let outside = match it.outside {
            0 => String::new(),
            count => format!("; {} outside of callbacks left out", counted(count, "message")),
        };
        match it.answer {
            Rearranged::NotExercised => writeln!(
                out,
                "nothing is predicted of {} for `{}`: no rule prohibits anything that its {callbacks} send{outside}\n",
                it.test, it.property
            )?,
            Rearranged::Absence => writeln!(
                out,
                "no order of the {callbacks} of {} violates `{}`, as far as the model goes ({looked_at}{outside})\n",
                it.test, it.property
            )?,
            Rearranged::Unreached => writeln!(
                out,
                "nothing is proved of the {callbacks} of {} for `{}`, which is unreached: no order violates it ({looked_at}{outside}), but {}\n",
                it.test, it.property, it.because
            )?,
            Rearranged::Unknown if !it.because.is_empty() => writeln!(
                out,
                "whether an order of the {callbacks} of {} violates `{}` is unknown: none of those searched does ({looked_at}{outside}), \
                 but {}\n",
                it.test, it.property, it.because
            )?,
            Rearranged::Unknown if !it.overlap.is_empty() => writeln!(
                out,
                "whether an order of the {callbacks} of {} violates `{}` is unknown: none of whole callbacks does ({looked_at}{outside}), but {}\n",
                it.test, it.property, it.overlap
            )?,
            Rearranged::Unknown => writeln!(
                out,
                "whether an order of the {callbacks} of {} violates `{}` is unknown: more states remain than can be searched \
                 ({looked_at}{outside})\n",
                it.test, it.property
            )?,
            Rearranged::Violation => columns(it, out)?,
        }
    }
    Ok(())
}

fn columns(it: &RearrangementReport, out: &mut dyn Write) -> io::Result<()> {
    let mut left: Vec<String> = it.happened.iter().take(SHOWN).cloned().collect();
    if it.happened.len() > SHOWN {
        left.push(format!("… and {} more", it.happened.len() - SHOWN));
    }
    let mut right = it.may_happen.clone();
    right.push(format!("  ✗ {}", it.violation));
    let width = left.iter().map(|it| it.chars().count()).max().unwrap_or(0).clamp(14, WIDEST);
    writeln!(out, "rearranged callbacks of {}, for `{}`", it.test, it.property)?;
    writeln!(out, "  {:<width$} │ what may happen", "what happened")?;
    writeln!(out, "  {}─┼─{}", "─".repeat(width), "─".repeat(15))?;
    for at in 0..left.len().max(right.len()) {
        let of = |list: &[String]| list.get(at).cloned().unwrap_or_default();
        writeln!(out, "  {:<width$} │ {}", cut(&of(&left)), of(&right))?;
    }
    if it.solved > 0 {
        writeln!(out, "  {} decided by a SAT solver", counted(it.solved, "question"))?;
    }
    if it.may_be_longer {
        writeln!(out, "  there may be a shorter order: not all states were searched")?;
    }
    writeln!(out)
}

/// The text, not wider than a column.
fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}
