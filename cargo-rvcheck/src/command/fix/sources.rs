//! The files that fixes change, as they were and as they are.

use crate::error::{Expected, Result, reading, writing};
use crate::fixing::{Chosen, changed};
use crate::report::Excerpts;
use camino::{Utf8Path, Utf8PathBuf};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fs;

/// See the module.
pub(super) struct Sources {
    root: Utf8PathBuf,
    /// By their names in reports: the text that was looked at, and the one that is on disk.
    files: BTreeMap<String, (String, String)>,
}

impl Sources {
    /// Reads them. A file that is not as it was when it was looked at is an error.
    pub(super) fn read(root: &Utf8Path, chosen: &[Chosen<'_>], seen: &Excerpts) -> Result<Sources> {
        let mut files = BTreeMap::new();
        for edit in chosen.iter().flat_map(|it| &it.fix.edits) {
            let path = root.join(&edit.file);
            let text = fs::read_to_string(&path).map_err(reading(&path))?;
            let line = usize::try_from(edit.line).ok().and_then(|it| text.lines().nth(it.checked_sub(1)?));
            if line != seen.line(&edit.file, edit.line) {
                let message = format!("{path} was changed meanwhile, so nothing was fixed\nrun this again");
                return Err(Expected::Configuration(message));
            }
            files.insert(edit.file.clone(), (text.clone(), text));
        }
        Ok(Sources { root: root.to_owned(), files })
    }

    /// What a file is with these fixes.
    fn with(text: &str, file: &str, chosen: &[&Chosen<'_>]) -> String {
        let edits = chosen.iter().flat_map(|it| &it.fix.edits).filter(|it| it.file == file);
        changed(text, edits).unwrap_or_else(|| text.to_owned())
    }

    /// Lets the files have these fixes and no other.
    pub(super) fn write(&mut self, chosen: &[&Chosen<'_>]) -> Result<()> {
        for (file, (text, written)) in &mut self.files {
            let new = Sources::with(text, file, chosen);
            if *written != new {
                let path = self.root.join(file);
                fs::write(&path, &new).map_err(writing(&path))?;
                *written = new;
            }
        }
        Ok(())
    }

    /// What the fixes change, as a unified diff for each file.
    pub(super) fn diffs(&self, chosen: &[Chosen<'_>]) -> Vec<String> {
        let all: Vec<&Chosen<'_>> = chosen.iter().collect();
        let diff = |(file, (text, _)): (&String, &(String, String))| {
            let new = Sources::with(text, file, &all);
            let diff = TextDiff::from_lines(text, &new);
            let shown = diff.unified_diff().header(&format!("a/{file}"), &format!("b/{file}")).to_string();
            shown.trim_end_matches('\n').to_owned()
        };
        self.files.iter().map(diff).collect()
    }
}
