//! The findings as cargo prints the messages of rustc, for editors that call `cargo check --message-format=json`.

use super::human::{again, one, seen};
use super::tried::tried;
use super::{Report, Style};
use crate::escape::{every, one_line};
use crate::finding::{Finding, Level, Location};
use cargo_metadata::Target;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A package of the workspace, as cargo's messages name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Cargo's name for it.
    pub id: String,
    /// The path of its manifest.
    pub manifest: String,
    /// Its folder below the root of the workspace, with a slash at its end; empty for the root.
    pub folder: String,
    /// Its targets, with the paths of their root files below the root of the workspace.
    pub targets: Vec<(String, Target)>,
}

/// Writes a `compiler-message` for each finding that is not suppressed, and then `build-finished`.
pub(super) fn render_rustc_json(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    for finding in report.open() {
        let mut line = json!({ "reason": "compiler-message", "message": diagnostic(report, finding)? });
        let (package, manifest, target) = owner(report, &finding.primary.file);
        (line["package_id"], line["manifest_path"], line["target"]) = (package, manifest, target);
        writeln!(out, "{line}")?;
    }
    let success = report.open().all(|it| it.level != Level::Error);
    writeln!(out, "{}", json!({ "reason": "build-finished", "success": success }))
}

/// The package of a file, its manifest, and the target: the one with this root, else the first one.
fn owner(report: &Report, file: &str) -> (Value, Value, Value) {
    let owners = report.owners.iter().filter(|it| file.starts_with(&it.folder));
    let Some(owner) = owners.max_by_key(|it| it.folder.len()) else {
        // Whoever reads it wants a target; of a trace alone, there is none.
        let target = json!({
            "kind": ["lib"], "crate_types": ["lib"], "name": "rvcheck", "src_path": file, "edition": "2021",
            "doc": false, "doctest": false, "test": false,
        });
        return (json!("rvcheck"), json!(""), target);
    };
    let target = owner.targets.iter().find(|it| it.0 == file).or(owner.targets.first());
    (json!(owner.id), json!(owner.manifest), json!(target.map(|it| &it.1)))
}

fn diagnostic(report: &Report, finding: &Finding) -> io::Result<Value> {
    let related = finding.related.iter().map(|it| span(report, it, false));
    let spans: Vec<Value> = std::iter::once(span(report, &finding.primary, true)).chain(related).collect();
    let mut children = vec![child("note", &seen(finding))];
    children.extend(tried(finding).map(|it| child("note", &it)));
    if !finding.next.advice.is_empty() {
        children.push(child("help", &finding.next.advice));
    }
    if !finding.next.command.is_empty() {
        children.push(child("help", &format!("{}: {}", again(finding), finding.next.command)));
    }
    // What is shown on a terminal has no control characters.
    let shown = every(finding, one_line).map_err(io::Error::from)?;
    Ok(json!({
        "$message_type": "diagnostic",
        "message": finding.message,
        "code": { "code": finding.property, "explanation": rvcheck_specs::find(&finding.property).map(|it| it.docs) },
        "level": finding.level.name(),
        "spans": spans,
        "children": children,
        "rendered": format!("{}\n\n", one(&shown, &report.excerpts)),
    }))
}

fn child(level: &str, message: &str) -> Value {
    json!({ "message": message, "code": null, "level": level, "spans": [], "children": [], "rendered": null })
}

/// A place. A report knows lines and characters, and no bytes.
fn span(report: &Report, at: &Location, is_primary: bool) -> Value {
    let (line, column) = (at.line.max(1), at.column.max(1));
    let end_line = at.end_line.max(line);
    let least = if end_line == line { column } else { 1 };
    let end_column = at.end_column.max(least);
    let quoted = |number: u32| {
        let text = report.excerpts.line(&at.file, number)?;
        let length = text.chars().count() as u32;
        let from = if number == line { column } else { 1 };
        let to = if number == end_line { end_column } else { length + 1 };
        Some(json!({ "text": text, "highlight_start": from, "highlight_end": to }))
    };
    let text: Vec<Value> = (line..=end_line).filter_map(quoted).collect();
    let label = match (at.label.as_str(), is_primary) {
        ("", true) => Value::Null,
        // A place without a label is not shown.
        ("", false) => json!("see also"),
        (label, _) => json!(label),
    };
    json!({
        "file_name": at.file,
        "byte_start": 0,
        "byte_end": 0,
        "line_start": line,
        "line_end": end_line,
        "column_start": column,
        "column_end": end_column,
        "is_primary": is_primary,
        "text": text,
        "label": label,
        "suggested_replacement": null,
        "suggestion_applicability": null,
        "expansion": null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use crate::report::tests::sample;
    use cargo_metadata::Message;
    use cargo_metadata::diagnostic::DiagnosticLevel;

    fn messages(report: &Report) -> Vec<Message> {
        let mut out = Vec::new();
        Format::RustcJson.render(report, &mut out, Style::PLAIN).expect("it can be written");
        Message::parse_stream(out.as_slice()).collect::<io::Result<_>>().expect("they can be read")
    }

    #[test]
    fn cargo_itself_would_read_what_is_written() {
        let report = sample();
        let messages = messages(&report);
        let Some((Message::BuildFinished(end), found)) = messages.split_last() else {
            panic!("{messages:?}")
        };
        assert_eq!(end.success, report.open().all(|it| it.level != Level::Error));
        assert_eq!(found.len(), report.open().count());
        assert!(!found.is_empty());
        for (message, finding) in found.iter().zip(report.open()) {
            let Message::CompilerMessage(message) = message else { panic!("{message:?}") };
            let diagnostic = &message.message;
            assert_eq!(diagnostic.message, finding.message);
            assert_eq!(diagnostic.code.as_ref().map(|it| it.code.as_str()), Some(finding.property.as_str()));
            let level = match finding.level {
                Level::Error => DiagnosticLevel::Error,
                Level::Warning => DiagnosticLevel::Warning,
                Level::Note => DiagnosticLevel::Note,
            };
            assert_eq!(diagnostic.level, level);
            assert_eq!(diagnostic.spans.len(), finding.related.len() + 1);
            let primary = &diagnostic.spans[0];
            assert!(
                primary.is_primary
                    && diagnostic.spans[1..].iter().all(|it| !it.is_primary && it.label.is_some())
            );
            assert_eq!(
                (primary.file_name.as_str(), primary.line_start),
                (finding.primary.file.as_str(), finding.primary.line as usize)
            );
            assert!(diagnostic.rendered.as_ref().is_some_and(|it| it.contains(&finding.property)));
            assert!(!diagnostic.children.is_empty());
        }
    }

    #[test]
    fn a_finding_belongs_to_the_target_of_its_file() {
        let mut report = sample();
        let target = |name: &str, path: &str| -> (String, Target) {
            let target = json!({ "kind": ["test"], "crate_types": ["bin"], "name": name, "src_path": path, "edition": "2024" });
            (path.to_owned(), serde_json::from_value(target).expect("it is a target"))
        };
        let owner = |id: &str, folder: &str, targets| Owner {
            id: id.to_owned(),
            manifest: format!("/{folder}Cargo.toml"),
            folder: folder.to_owned(),
            targets,
        };
        let inner = vec![target("inner", "crates/a/src/lib.rs"), target("it", "crates/a/tests/it.rs")];
        report.owners =
            vec![owner("root", "", vec![target("outer", "src/lib.rs")]), owner("a", "crates/a/", inner)];
        let cases = [
            ("src/other.rs", "root", "outer"),
            ("crates/a/tests/it.rs", "a", "it"),
            ("crates/a/src/other.rs", "a", "inner"),
        ];
        for (file, id, name) in cases {
            let (package, _, target) = super::owner(&report, file);
            assert_eq!((package, target["name"].as_str()), (json!(id), Some(name)), "{file}");
        }
    }
}
