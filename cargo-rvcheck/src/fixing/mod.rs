//! Applying the fixes of findings to the sources.
//!
//! Which ones can be applied together, and what they make of a text, is decided here without any file. Whether the result still compiles,
//! [`kept`] asks, and leaves out what does not. Sources are only touched in a [repository] that can bring them back.

mod kept;
pub mod repository;
mod text;

pub use kept::kept;
pub use text::changed;

use crate::finding::{Applicability, Finding, Fix, TextEdit};

/// A fix that is to be applied, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// The fix.
    pub fix: &'a Fix,
}

/// Which fixes are applied, and how many are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice<'a> {
    /// Those to apply.
    pub chosen: Vec<Chosen<'a>>,
    /// How many findings have only fixes that somebody has to look at.
    pub doubtful: usize,
    /// How many fixes wait until others are applied that change the same places.
    pub waiting: usize,
}

/// The fixes of open findings that can be applied without looking, so that no two change the same place: of these the first one.
pub fn choose<'a>(findings: impl Iterator<Item = &'a Finding>) -> Choice<'a> {
    let mut choice = Choice::default();
    for finding in findings.filter(|it| !it.fixes.is_empty()) {
        let sure = |it: &&Fix| it.applicability == Applicability::MachineApplicable && !it.edits.is_empty();
        let Some(fix) = finding.fixes.iter().find(sure) else {
            choice.doubtful += 1;
            continue;
        };
        if choice.chosen.iter().any(|it| it.fix == fix) {
            continue;
        }
        let meets = |it: &Chosen<'_>| it.fix.edits.iter().any(|a| fix.edits.iter().any(|b| meet(a, b)));
        if choice.chosen.iter().any(meets) {
            choice.waiting += 1;
        } else {
            choice.chosen.push(Chosen { finding, fix });
        }
    }
    choice
}

/// Whether two edits change the same place, or insert at the same one.
fn meet(a: &TextEdit, b: &TextEdit) -> bool {
    let (start, end) = (|it: &TextEdit| (it.line, it.column), |it: &TextEdit| (it.end_line, it.end_column));
    a.file == b.file && start(a) <= end(b) && start(b) <= end(a)
}

#[cfg(test)]
mod tests;
