//! The baseline as a file: TOML with one entry a line, sorted, so that branches that change it can be merged.

use super::{Baseline, Entry};
use crate::anchor::Key;
use crate::error::{Expected, Result, reading};
use crate::finding::Anchor;
use camino::Utf8Path;
use serde::Deserialize;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use toml::{Spanned, Value};

/// Where the file is, below the root of the workspace.
pub const PATH: &str = "rvcheck/baseline.toml";

/// The version of its form.
const VERSION: i64 = 1;

/// The baseline of the workspace with this root; `None` if it has none.
pub fn read(root: &Utf8Path) -> Result<Option<Baseline>> {
    let path = root.join(PATH);
    match fs::read_to_string(&path) {
        Ok(text) => parsed(&text).map(Some).map_err(Expected::Configuration),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(reading(&path)(error)),
    }
}

/// The text of the file for this baseline.
pub fn written(baseline: &Baseline) -> String {
    let mut text = String::from(
        "# Findings that are known and do not fail. `cargo rvcheck baseline` writes this file; it never grows without --accept-new.\n",
    );
    let _ = write!(text, "version = {VERSION}\nfindings = [\n");
    let mut entries: Vec<&Entry> = baseline.entries.iter().collect();
    entries.sort_by(|a, b| a.key.cmp(&b.key));
    for Entry { key, count, .. } in entries {
        let quoted = |text: &str| Value::from(text.replace('\n', " ")).to_string();
        let _ = writeln!(
            text,
            "  {{ property = {}, file = {}, item = {}, code = {}, count = {count} }},",
            quoted(&key.property),
            quoted(&key.file),
            quoted(&key.anchor.item),
            quoted(&key.anchor.code),
        );
    }
    text.push_str("]\n");
    text
}

#[derive(Deserialize)]
struct File {
    version: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "version")]
    _version: i64,
    findings: Vec<Spanned<Line>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    property: String,
    file: String,
    item: String,
    code: String,
    count: u64,
}

/// The baseline that this text is, or what is wrong with it.
fn parsed(text: &str) -> std::result::Result<Baseline, String> {
    let conflict = text.lines().position(|it| it.starts_with("<<<<<<<") || it.starts_with(">>>>>>>"));
    if let Some(line) = conflict {
        return Err(format!(
            "{PATH}:{}: a merge was not resolved here\nkeep the lines of both sides, and then run `cargo rvcheck baseline`",
            line + 1
        ));
    }
    let refused = |error: toml::de::Error| {
        let line = error.span().map_or(1, |it| line_at(text, it.start));
        format!("{PATH}:{line}: {}", error.message())
    };
    let File { version } = toml::from_str(text).map_err(refused)?;
    if version != VERSION {
        return Err(format!(
            "{PATH} has version {version}, and this rvcheck knows version {VERSION}\nremove it and run `cargo rvcheck baseline`, or take the rvcheck that wrote it"
        ));
    }
    let document: Document = toml::from_str(text).map_err(refused)?;
    let entry = |it: Spanned<Line>| {
        let line = line_at(text, it.span().start);
        let Line { property, file, item, code, count } = it.into_inner();
        Entry {
            key: Key { property, file: file.replace('\\', "/"), anchor: Anchor { item, code } },
            count,
            line,
        }
    };
    Ok(Baseline { entries: document.findings.into_iter().map(entry).collect() })
}

/// The number of the line that this byte lies in, from 1.
fn line_at(text: &str, offset: usize) -> u32 {
    let before = text.bytes().take(offset).filter(|it| *it == b'\n').count();
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(property: &str, code: &str, count: u64, line: u32) -> Entry {
        let anchor = Anchor { item: "Größe::of".into(), code: code.into() };
        Entry { key: Key { property: property.into(), file: "src/a b.rs".into(), anchor }, count, line }
    }

    #[test]
    fn what_is_written_is_read_back_with_its_lines() {
        let baseline =
            Baseline { entries: vec![entry("a", r#"f("\\", 'x');"#, 2, 4), entry("b", "''' \"\"\"", 1, 5)] };
        let text = written(&baseline);
        assert_eq!(text.lines().count(), 6);
        assert_eq!(parsed(&text), Ok(baseline));
        assert_eq!(parsed(&written(&Baseline::default())), Ok(Baseline::default()));
    }

    #[test]
    fn what_cannot_be_read_says_where_and_why() {
        let cases = [
            ("version = 2\nfindings = []", "version 2"),
            ("findings = []", "missing field `version`"),
            ("version = 1\nfindings = [\n<<<<<<< HEAD\n", "baseline.toml:3: a merge"),
            ("version = 1\nfindings = [\n{ property = 1 }]", "baseline.toml:3: "),
            ("version = 1\nfindings = []\nmore = 1", "baseline.toml:3: unknown field `more`"),
        ];
        for (text, expected) in cases {
            let problem = parsed(text).expect_err("it is wrong");
            assert!(problem.contains(expected), "{expected} in {problem}");
        }
    }
}
