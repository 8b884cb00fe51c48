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

    /// Uses an entry, if its places are still there. Of two that are of the same places now, one is used.
    fn add(&mut self, mut entry: Entry) -> bool {
        let found: Option<Vec<Place>> = entry.places().map(|it| it?.now(&self.root)).collect();
        let Some(places) = found.filter(|it| !it.is_empty()) else { return false };
        entry.at = places.iter().map(ToString::to_string).collect();
        entry.code = places.iter().map(|it| it.code.clone()).collect();
        match self.used.iter_mut().find(|(it, _)| it.is_of(&entry)) {
            Some((known, _)) => known.applied = known.applied.max(entry.applied),
            None => self.used.push((entry, places)),
        }
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

    /// What the recorder is given: a line an entry.
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
            let applied = |known: &Entry| known.applied.saturating_add(report.times);
            if let Some(known) = all.iter_mut().find(|it| it.is_of(&new)) {
                // The lines that it speaks of may have moved.
                *known = Entry { applied: applied(known), ..new };
            } else if let Some(known) = all.iter_mut().find(|it| report.known && it.has(&new)) {
                // The run has reached one of two places.
                known.applied = applied(known);
            } else {
                all.push(new);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Location;

    fn entry(property: &str, line: u32, code: &str) -> Entry {
        Entry {
            property: property.to_owned(),
            remedy: "offload".to_owned(),
            at: vec![format!("src/lib.rs:{line}:1")],
            code: vec![code.to_owned()],
            applied: 1,
            advice: String::new(),
        }
    }

    /// The workspace's source; what it has committed and what was kept, each in a file.
    fn workspace_with(
        text: &str,
        committed: Vec<Entry>,
        kept: Vec<Entry>,
    ) -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("there is room");
        let root = Utf8Path::from_path(folder.path()).expect("temporary folders are UTF-8").to_owned();
        for folder in ["src", ".config", "tool"] {
            std::fs::create_dir(root.join(folder)).expect("there is room");
        }
        std::fs::write(root.join("src/lib.rs"), text).expect("there is room");
        for (entries, path) in [(committed, root.join(COMMITTED)), (kept, root.join("tool").join(KEPT))] {
            File::of(workspace(&root), entries).write(&path).expect("there is room");
        }
        (folder, root)
    }

    /// What is known, if `calm` is enforced.
    fn load(root: &Utf8Path) -> Learnt {
        let is_enforced = |id: &str, remedy: &str| (id, remedy) == ("calm", "offload");
        Learnt::load(&root.join("tool"), root, is_enforced, |why| panic!("{why}")).expect("all is right")
    }

    #[test]
    fn what_is_gone_is_reported_and_what_is_not_enforced_is_kept() {
        let committed = vec![entry("calm", 1, "one"), entry("calm", 2, "gone"), entry("other", 1, "one")];
        let kept = vec![
            entry("calm", 1, "two"),
            Entry { applied: 5, ..entry("calm", 7, "one") },
            entry("calm", 9, "lost"),
            entry("other", 1, "one"),
        ];
        let (_folder, root) = workspace_with("one\ntwo\n", committed, kept);
        let learnt = load(&root);
        let notes = [
            ".config/rvcheck-learnt.toml: `calm offload src/lib.rs:2:1` is not used: its line is gone; remove the entry",
            ".config/rvcheck-learnt.toml: `other offload src/lib.rs:1:1` is not used: the property is not enforced by that remedy",
            "`calm offload src/lib.rs:9:1` was learnt and is forgotten: its line is gone",
        ];
        assert_eq!(learnt.notes, notes);
        learnt.store(&[]).expect("there is room");
        let again = File::kept(&root.join("tool").join(KEPT), &workspace(&root), |why| panic!("{why}"));
        let written: Vec<String> = again.place.iter().map(|it| format!("{it} {}", it.applied)).collect();
        let expected = [
            "calm offload src/lib.rs:1:1 5",
            "calm offload src/lib.rs:2:1 1",
            "other offload src/lib.rs:1:1 1",
        ];
        assert_eq!(written, expected);
    }

    #[test]
    fn a_run_that_reaches_one_of_two_places_leaves_both() {
        let pair = Entry {
            remedy: "gate".to_owned(),
            at: vec!["src/lib.rs:1:1".to_owned(), "src/lib.rs:2:1".to_owned()],
            code: vec!["one".to_owned(), "two".to_owned()],
            ..entry("calm", 1, "one")
        };
        let (_folder, root) = workspace_with("one\ntwo\n", vec![pair.clone()], Vec::new());
        let learnt = Learnt::load(&root.join("tool"), &root, |_, _| true, |why| panic!("{why}"));
        let report = EnforcedReport {
            property: "calm".to_owned(),
            remedy: "gate".to_owned(),
            places: vec![Location {
                file: "src/lib.rs".to_owned(),
                line: 2,
                column: 1,
                end_line: 2,
                end_column: 4,
                label: String::new(),
            }],
            known: true,
            times: 3,
            nanos: 0,
            given_up: 0,
            advice: "other".to_owned(),
        };
        learnt.expect("all is right").store(&[report]).expect("there is room");
        let again = File::kept(&root.join("tool").join(KEPT), &workspace(&root), |why| panic!("{why}"));
        assert_eq!(again.place, [Entry { applied: 4, ..pair }]);
    }

    #[test]
    fn a_file_that_is_gone_has_no_places() {
        let (_folder, root) = workspace_with("one", vec![entry("calm", 1, "one")], Vec::new());
        assert!(!load(&root).is_empty());
        std::fs::remove_file(root.join("src/lib.rs")).expect("it was there");
        assert!(load(&root).is_empty());
    }
}
