//! Changes of the source that mend what a rule has found.
//!
//! A fix takes two views. What the compiler makes of the code shows whether one is [sound](Remedies): that no guard is held, that types are
//! the same. The syntax tree shows what has to be written where. Where either is in doubt, there is no fix.

mod drop_guard;
mod polled;
mod propagate;
mod relied_on;
mod remedy;
mod sleep;
mod tree;

pub use remedy::{Remedies, Remedy};

use crate::edition::Edition;
use crate::lines::Lines;
use rvcheck_event::position::SourcePosition;
use tree::Tree;

/// A suggested change of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// What it does, as an order.
    pub message: String,
    /// It can be applied without looking. Otherwise it may change more than it should.
    pub is_sure: bool,
    /// What is replaced, in order, without overlaps.
    pub replacements: Vec<Replacement>,
}

/// A stretch of text and what is to stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// Where it begins.
    pub start: SourcePosition,
    /// Behind its last character.
    pub end: SourcePosition,
    /// What replaces it.
    pub text: String,
}

/// What a fix changes, as byte offsets.
struct Change {
    message: String,
    is_sure: bool,
    edits: Vec<(std::ops::Range<usize>, String)>,
}

/// The change that carries out a remedy in the text of a file. `primary` and `related` are where the places of the finding begin.
/// `None` where the text is not of a form in which it is known to be right.
pub fn suggestion(
    remedy: Remedy,
    text: &str,
    edition: Edition,
    primary: SourcePosition,
    related: &[SourcePosition],
) -> Option<Suggestion> {
    let lines = Lines::of(text);
    let tree = Tree::of(text, edition)?;
    let at = lines.offset(primary)?;
    let change = match remedy {
        Remedy::AwaitTimer { is_sure } => sleep::change(&tree, at, is_sure)?,
        Remedy::DropGuard { is_sure } => {
            let awaits: Option<Vec<usize>> = related.iter().map(|it| lines.offset(*it)).collect();
            drop_guard::change(&tree, at, &awaits?, is_sure)?
        }
        Remedy::Propagate { unwrapped } => propagate::change(&tree, at, unwrapped)?,
    };
    let replacement = |(range, text): (std::ops::Range<usize>, String)| Replacement {
        start: lines.source_position(range.start),
        end: lines.source_position(range.end),
        text,
    };
    Some(Suggestion {
        message: change.message,
        is_sure: change.is_sure,
        replacements: change.edits.into_iter().map(replacement).collect(),
    })
}

#[cfg(test)]
mod tests;
