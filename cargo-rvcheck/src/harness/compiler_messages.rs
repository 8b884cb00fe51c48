//! What the compiler says of the user's code, kept for editors that read cargo's messages.
//!
//! The instrumented build has compiled rewritten files. Their lines are those of the user's files, but columns may lie further right. So each
//! position goes back to the original, unless the line that the message quotes is the original one.

use crate::inject::member_file::{MemberFile, MemberFiles};
use camino::Utf8Path;
use cargo_metadata::diagnostic::{Diagnostic, DiagnosticSpan};
use cargo_metadata::{CompilerMessage, Message};
use rvcheck_event::position::{CompiledPosition, SourcePosition};
use std::sync::{Mutex, PoisonError};

/// The messages of the last build; `None` where nobody wants them.
static KEPT: Mutex<Option<Vec<CompilerMessage>>> = Mutex::new(None);

/// From now on the messages of the last build are kept.
pub fn keep() {
    *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
}

/// Whether messages are kept.
pub fn are_kept() -> bool {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Another build begins, and says again what there is to say.
pub fn begin() {
    if let Some(kept) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        kept.clear();
    }
}

/// Keeps a message, where that is the wish.
pub fn add(message: &CompilerMessage) {
    if let Some(kept) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        kept.push(message.clone());
    }
}

/// The messages of the last build as lines of JSON, as cargo prints them, at the positions of the user's files. Nothing of them is left.
pub fn take(members: &MemberFiles<'_>) -> Vec<String> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).replace(Vec::new()).unwrap_or_default();
    let lines = kept.into_iter().filter_map(|mut message| {
        original(&mut message.message, &|name| {
            let path = members.overlay.original_shown(Utf8Path::new(name))?;
            members.file(&path)
        });
        serde_json::to_string(&Message::CompilerMessage(message)).ok()
    });
    lines.collect()
}

/// Moves each place of a message to where it is in the user's files. Returns whether any has moved.
fn original<F: std::ops::Deref<Target = MemberFile>>(
    diagnostic: &mut Diagnostic,
    file: &dyn Fn(&str) -> Option<F>,
) -> bool {
    let mut moved = false;
    for span in &mut diagnostic.spans {
        moved |= original_span(span, file);
    }
    for child in &mut diagnostic.children {
        moved |= original(child, file);
    }
    if moved {
        // It quotes lines that the user has not written.
        diagnostic.rendered = None;
    }
    moved
}

fn original_span<F: std::ops::Deref<Target = MemberFile>>(
    span: &mut DiagnosticSpan,
    file: &dyn Fn(&str) -> Option<F>,
) -> bool {
    let mut moved = false;
    if let Some(file) = file(&span.file_name) {
        moved = original_place(span, &file);
    }
    if let Some(expansion) = span.expansion.as_deref_mut() {
        moved |= original_span(&mut expansion.span, file);
        if let Some(definition) = &mut expansion.def_site_span {
            moved |= original_span(definition, file);
        }
    }
    moved
}

fn original_place(span: &mut DiagnosticSpan, file: &MemberFile) -> bool {
    let lines: Vec<&str> = file.text.lines().collect();
    let line = |number: usize| number.checked_sub(1).and_then(|it| lines.get(it)).copied();
    let quoted = (span.line_start..).zip(&span.text);
    if quoted.clone().all(|(number, it)| line(number) == Some(it.text.as_str())) {
        return false;
    }
    let start = at(file, span.line_start, span.column_start);
    let end = at(file, span.line_end, span.column_end);
    span.column_start = start.column as usize;
    span.column_end = end.column as usize;
    (span.byte_start, span.byte_end) = (offset(&file.text, start), offset(&file.text, end));
    for (number, quote) in (span.line_start..).zip(&mut span.text) {
        let highlight =
            [quote.highlight_start, quote.highlight_end].map(|it| at(file, number, it).column as usize);
        [quote.highlight_start, quote.highlight_end] = highlight;
        if let Some(text) = line(number) {
            text.clone_into(&mut quote.text);
        }
    }
    true
}

fn at(file: &MemberFile, line: usize, column: usize) -> SourcePosition {
    let number = |it| u32::try_from(it).unwrap_or(u32::MAX);
    file.positions().original_of_message(CompiledPosition::new(number(line), number(column)))
}

/// How many bytes of the text come before a position.
fn offset(text: &str, position: SourcePosition) -> u32 {
    let before = text.split_inclusive('\n').take(position.line.saturating_sub(1) as usize);
    let before: usize = before.map(str::len).sum();
    let line = text[before..].split('\n').next().unwrap_or_default();
    let column = position.column.saturating_sub(1) as usize;
    let inside = line.char_indices().nth(column).map_or(line.len(), |it| it.0);
    u32::try_from(before + inside).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inject::probe::StdReplacement;
    use crate::inject::rewriting;
    use crate::project::Package;
    use crate::project::role::Role;
    use crate::rollback::undone::Undone;
    use camino::Utf8PathBuf;
    use serde_json::json;
    use std::collections::BTreeMap;

    const TEXT: &str = "async fn a() {\n    b().await; let x = 1;\n}\nasync fn b() {}\n";

    /// A file of this text, as it is rewritten.
    fn member(folder: &Utf8Path) -> MemberFile {
        let package = Package {
            name: "sample".to_owned(),
            version: "0.1.0".to_owned(),
            edition: "2021".to_owned(),
            role: Role::Member,
            shim: None,
            build_script: false,
            targets: Vec::new(),
        };
        let packages = BTreeMap::from([(folder.to_owned(), package)]);
        let rules = rewriting::rules(&packages, StdReplacement::Flag, &[], false);
        let path = folder.join("lib.rs");
        std::fs::write(&path, TEXT).expect("there is room");
        let rules = rules.values().next().expect("there are rules for it");
        MemberFile::read(&path, folder, rules, &Undone::default()).expect("it can be read")
    }

    fn message(text: &str, columns: (usize, usize)) -> Diagnostic {
        let value = json!({
            "message": "unused variable: `x`", "code": { "code": "unused_variables", "explanation": null }, "level": "warning",
            "spans": [{
                "file_name": "lib.rs", "byte_start": 0, "byte_end": 1, "line_start": 2, "line_end": 2, "column_start": columns.0,
                "column_end": columns.1, "is_primary": true, "label": null, "suggested_replacement": null,
                "suggestion_applicability": null, "expansion": null,
                "text": [{ "text": text, "highlight_start": columns.0, "highlight_end": columns.1 }],
            }],
            "children": [], "rendered": "as the compiler sees it",
        });
        serde_json::from_value(value).expect("it is a message")
    }

    #[test]
    fn a_message_about_a_rewritten_line_comes_to_the_place_that_the_user_sees() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let folder = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        let file = member(&folder);
        let written = TEXT.lines().nth(1).expect("there is a second line");
        let edits: String = file.rewritten.edits.iter().map(|it| it.insert.as_ref()).collect();
        assert!(!edits.is_empty(), "the await is marked");
        let compiled = written.replace(".await", &format!("{edits}.await"));
        let right = written.find('x').expect("it is there") + 1;
        let moved = compiled.find(" x ").expect("it is there") + 2;
        for (text, column, is_moved) in [(compiled.as_str(), moved, true), (written, right, false)] {
            let mut message = message(text, (column, column + 1));
            assert_eq!(original(&mut message, &|_| Some(&file)), is_moved);
            let span = &message.spans[0];
            assert_eq!((span.column_start, span.column_end), (right, right + 1));
            assert_eq!((span.text[0].text.as_str(), span.text[0].highlight_start), (written, right));
            assert_eq!(message.rendered.is_none(), is_moved);
            if is_moved {
                assert_eq!(&TEXT[span.byte_start as usize..span.byte_end as usize], "x");
            }
        }
    }
}
