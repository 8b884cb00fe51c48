//! What was learnt of places of the program from violations there: which remedy is applied at them.
//!
//! The recorder learns while a program runs. What it has learnt is kept in a file below the target folder and used by the next run, like
//! the file of that form that a workspace may have in its configuration. An entry is of a place as long as the line reads as it did; a
//! line that has moved is found again, and an entry whose line is gone is stale.

mod file;
mod place;

pub use file::Entry;

use crate::digest::digest;
use crate::error::Result;
use crate::inject::member_file::MemberFiles;
use crate::report::EnforcedReport;
use camino::{Utf8Path, Utf8PathBuf};
use file::File;
use place::Place;
use std::fmt::Write as _;

/// The file below the tool's folder.
const KEPT: &str = "learnt.toml";
/// The workspace's own file, below its root.
pub const COMMITTED: &str = ".config/rvcheck-learnt.toml";

/// What was learnt before a run.
#[derive(Clone, Debug, Default)]
pub struct Learnt {
    /// What is used: each with the places at which it is now.
    used: Vec<(Entry, Vec<Place>)>,
    /// What is kept and not used now.
    unused: Vec<Entry>,
    /// What is stale in the workspace's own file, and other things that a reader of the report should know.
    pub notes: Vec<String>,
    path: Utf8PathBuf,
    root: Utf8PathBuf,
}

impl Learnt {
    /// What is known of the workspace at `root`; `folder` is the tool's own. `is_enforced` says whether a property is enforced by that
    /// remedy.
    pub fn load(
        folder: &Utf8Path,
        root: &Utf8Path,
        is_enforced: impl Fn(&str, &str) -> bool,
        warn: impl FnOnce(String),
    ) -> Result<Learnt> {
        let path = folder.join(KEPT);
        let mut learnt = Learnt { path, root: root.to_owned(), ..Learnt::default() };
        for entry in File::committed(&root.join(COMMITTED), COMMITTED)?.place {
            let said = entry.to_string();
            let unused = if is_enforced(&entry.property, &entry.remedy) {
                let is_known = learnt.add(entry);
                (!is_known).then_some("its line is gone; remove the entry")
            } else {
                Some("the property is not enforced by that remedy")
            };
            if let Some(why) = unused {
                learnt.notes.push(format!("{COMMITTED}: `{said}` is not used: {why}"));
            }
        }
        for entry in File::kept(&learnt.path, &workspace(root), warn).place {
            if learnt.used.iter().any(|(it, _)| it.is_of(&entry)) {
                continue;
            }
            if is_enforced(&entry.property, &entry.remedy) {
                let said = entry.to_string();
                if !learnt.add(entry) {
                    learnt.notes.push(format!("`{said}` was learnt and is forgotten: its line is gone"));
                }
            } else {
                learnt.unused.push(entry);
            }
        }
        Ok(learnt)
    }

    /// Uses an entry, if its places are still there.
    fn add(&mut self, mut entry: Entry) -> bool {
        let found: Option<Vec<Place>> = entry.places().map(|it| it?.now(&self.root)).collect();
        let Some(places) = found.filter(|it| !it.is_empty()) else { return false };
        entry.at = places.iter().map(ToString::to_string).collect();
        self.used.push((entry, places));
        true
    }

    /// Whether nothing is used.
    pub fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Where the property is known to be violated, as `FILE:LINE:COLUMN` in what is compiled.
    pub fn compiled(&self, property: &str, members: &MemberFiles<'_>) -> Vec<String> {
        let mine = self.used.iter().filter(|(it, _)| it.property == property);
        let places = mine.flat_map(|(_, places)| places).filter_map(|it| it.compiled(&self.root, members));
        let all =
            |(line, columns): (String, Vec<u32>)| columns.into_iter().map(move |it| format!("{line}:{it}"));
        places.flat_map(all).collect()
    }

    /// What the recorder is told: a line an entry.
    pub fn lines(&self, members: &MemberFiles<'_>) -> String {
        let mut text = String::new();
        for (entry, places) in &self.used {
            let places = places.iter().filter_map(|it| it.compiled(&self.root, members));
            let joined = |columns: Vec<u32>| columns.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let places: Vec<String> =
                places.map(|(line, columns)| format!("{line}:{}", joined(columns))).collect();
            if !places.is_empty() {
                let _ = writeln!(text, "{}\t{}\t{}", entry.remedy, entry.property, places.join("\t"));
            }
        }
        text
    }

    /// Keeps that, and what this run has shown.
    pub fn store(&self, shown: &[EnforcedReport]) -> Result<()> {
        let mut all: Vec<Entry> = self.used.iter().map(|(it, _)| it).chain(&self.unused).cloned().collect();
        for report in shown {
            let new = Entry::of(report, &self.root);
            match all.iter_mut().find(|it| it.is_of(&new)) {
                Some(known) => known.applied = known.applied.saturating_add(new.applied),
                None => all.push(new),
            }
        }
        if all.is_empty() && !self.path.exists() {
            return Ok(());
        }
        File::of(workspace(&self.root), all).write(&self.path)
    }
}

/// What tells the workspace from others that share its target folder.
fn workspace(root: &Utf8Path) -> String {
    digest([root.as_str()])
}
