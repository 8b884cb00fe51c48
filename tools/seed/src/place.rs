//! The places of a crate where an operator can put a bug.

use crate::operators::{Edits, OPERATORS, Operator};
use ra_ap_syntax::{Edition, SourceFile};
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
    /// The text of the file with the bug.
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
    let mut found = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let root = SourceFile::parse(&text, Edition::Edition2021).syntax_node();
        for operator in OPERATORS {
            for edits in (operator.places)(&text, &root) {
                let Some(first) = edits.iter().map(|(range, _)| range.start).min() else { continue };
                if in_tests(&text, first) {
                    continue;
                }
                let line = text[..first].matches('\n').count() + 1;
                let file = file.strip_prefix(folder).unwrap_or(&file).to_owned();
                found.push((operator, Seed { file, line, edits }));
            }
        }
    }
    found.sort_by_key(|(operator, seed)| (operator.id, seed.file.clone(), seed.line));
    found
}

/// Whether an offset is behind the beginning of a module of tests, which stands at the end of a file.
fn in_tests(text: &str, at: usize) -> bool {
    text.find("#[cfg(test)]\nmod ").is_some_and(|it| it < at)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
}
