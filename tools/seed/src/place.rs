//! The places of a crate where an operator can put a bug.

use crate::operators::{Edits, OPERATORS, Operator, Source};
use ra_ap_syntax::ast::{self, AstNode, HasAttrs};
use ra_ap_syntax::{Edition, SourceFile, SyntaxNode};
use std::fs;
use std::path::{Path, PathBuf};

/// A bug that can be put into a file.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    /// The file, relative to the crate.
    pub(crate) file: PathBuf,
    /// Where the first change is, from 1.
    pub(crate) line: usize,
    /// What is replaced by what.
    pub(crate) edits: Edits,
}

impl Seed {
    /// The text of the file with the bug. Each line keeps its number.
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut edits = self.edits.clone();
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut text = text.to_owned();
        for (range, new) in edits {
            text.replace_range(range, &new);
        }
        text
    }
}

/// All bugs that the operators can put into the sources of a crate, in the order of operators and files.
pub(crate) fn seeds(folder: &Path) -> Vec<(&'static Operator, Seed)> {
    let mut files = Vec::new();
    collect(&folder.join("src"), &mut files);
    files.sort();
    let texts: Vec<(PathBuf, String)> =
        files.into_iter().filter_map(|it| Some((it.clone(), fs::read_to_string(it).ok()?))).collect();
    let crate_text: String = texts.iter().map(|(_, it)| it.as_str()).collect();
    let mut found = Vec::new();
    for (file, text) in &texts {
        let root = SourceFile::parse(text, Edition::Edition2021).syntax_node();
        let source = Source { text, root: &root, crate_text: &crate_text };
        for operator in OPERATORS {
            for edits in (operator.places)(&source).into_iter().map(|it| with_all_lines(text, it)) {
                let Some(first) = edits.iter().map(|(range, _)| range.start).min() else { continue };
                if in_tests(&root, first) {
                    continue;
                }
                let line = text[..first].matches('\n').count() + 1;
                let file = file.strip_prefix(folder).unwrap_or(file).to_owned();
                found.push((operator, Seed { file, line, edits }));
            }
        }
    }
    found.sort_by_key(|(operator, seed)| (operator.id, seed.file.clone(), seed.line));
    // A function in another one is seen twice.
    found.dedup_by(|(a, one), (b, other)| a.id == b.id && one.file == other.file && one.edits == other.edits);
    found
}

/// The edits with as many lines in what is new as in what it replaces, if that had more.
fn with_all_lines(text: &str, edits: Edits) -> Edits {
    let lines = |it: &str| it.matches('\n').count();
    let with_lines = edits.into_iter().map(|(range, new)| {
        let missing = lines(&text[range.clone()]).saturating_sub(lines(&new));
        (range, new + &"\n".repeat(missing))
    });
    with_lines.collect()
}

/// Whether an offset is in a function or module for tests.
fn in_tests(root: &SyntaxNode, at: usize) -> bool {
    let Some(token) = u32::try_from(at).ok().and_then(|it| root.token_at_offset(it.into()).right_biased())
    else {
        return false;
    };
    token.parent_ancestors().filter_map(ast::AnyHasAttrs::cast).any(|it| {
        it.attrs().map(|it| it.syntax().text().to_string()).any(|it| {
            it.starts_with("#[cfg(test") || it.starts_with("#[cfg(all(test") || it.ends_with("test]")
        })
    })
}

/// Whether a file or folder is not of the library.
fn is_apart(path: &Path) -> bool {
    const NAMES: [&str; 6] = ["bin", "tests", "test", "main.rs", "tests.rs", "test.rs"];
    path.file_name().is_some_and(|it| NAMES.iter().any(|name| it == *name))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if is_apart(&path) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}
