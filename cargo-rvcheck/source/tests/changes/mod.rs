//! Changes of a source that leave its meaning as it is. Each keeps every line where it is, so that what is expected of a line still is.

mod forms;
mod functions;
mod inlined;
mod libraries;
mod names;
mod preserved;
mod structs;
mod traits;

use ra_ap_syntax::{Edition, SourceFile, SyntaxNode};
use std::ops::Range;

/// Edits that belong together: all of them or none.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// What is changed, as offsets.
    pub(crate) of: Range<usize>,
    /// What is replaced, by what.
    pub(crate) edits: Vec<(Range<usize>, String)>,
}

/// A change.
pub(crate) struct Change {
    /// What it is called in the table.
    pub(crate) name: &'static str,
    /// The groups of edits that it makes in a source.
    pub(crate) groups: fn(&str, &SyntaxNode) -> Vec<Group>,
}

/// All changes.
pub(crate) const CHANGES: &[Change] = &[
    Change { name: "rename", groups: names::rename },
    Change { name: "alias imports", groups: names::alias },
    Change { name: "move to a module", groups: names::module },
    Change { name: "extract a function", groups: functions::delegate },
    Change { name: "body in a closure", groups: functions::closure },
    Change { name: "async fn to impl Future", groups: functions::future },
    Change { name: "methods of a trait", groups: traits::methods_of_a_trait },
    Change { name: "method of a trait object", groups: traits::dynamic },
    Change { name: "inline a function", groups: inlined::calls },
    Change { name: "wrap in a struct", groups: structs::nested },
    Change { name: "wrap in an Arc", groups: structs::counted },
    Change { name: "box the future", groups: forms::boxed },
    Change { name: "match for ?", groups: forms::matched },
    Change { name: "loop for while let", groups: forms::looped },
    Change { name: "for_each for a loop", groups: forms::chained },
    Change { name: "another library", groups: libraries::another },
];

/// The syntax of a text.
pub(crate) fn syntax(text: &str) -> SyntaxNode {
    SourceFile::parse(text, Edition::Edition2024).syntax_node()
}

/// The text with these edits. No two of them overlap but for insertions at one place, which come in their order.
pub(crate) fn edited(text: &str, groups: &[Group]) -> String {
    let mut edits: Vec<_> = groups.iter().flat_map(|it| &it.edits).collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut changed, mut at) = (String::with_capacity(text.len() * 2), 0);
    for (range, new) in edits {
        if range.start < at {
            continue;
        }
        changed.push_str(&text[at..range.start]);
        changed.push_str(new);
        at = range.end;
    }
    changed + &text[at..]
}

/// The lines, from 1, that an offset range touches.
pub(crate) fn lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    line(range.start)..line(range.end) + 1
}

/// The offsets of a node.
fn range(node: &SyntaxNode) -> Range<usize> {
    node.text_range().into()
}

/// A group of insertions around a node.
fn around(node: &SyntaxNode, before: &str, after: &str) -> Group {
    let of = range(node);
    let edits = vec![(of.start..of.start, before.to_owned()), (of.end..of.end, after.to_owned())];
    Group { of, edits }
}
