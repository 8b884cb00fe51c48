//! The file with what was learnt: TOML that people can read, review and commit.

use super::place::Place;
use crate::error::{Expected, Result, reading};
use crate::layout::write_whole;
use crate::report::EnforcedReport;
use camino::Utf8Path;
use rvcheck_event::remedy::Remedy;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::ErrorKind;

/// The version of the form of the file.
const SCHEMA: u32 = 1;
/// What stands above the entries.
const HEAD: &str = "# What rvcheck has learnt of places of this program. A copy of this file at `.config/rvcheck-learnt.toml` is used from
# the first time on that a place is reached; see docs/enforcing.md.
";

/// The file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    schema: u32,
    /// What tells the workspace from others that share its target folder. A copy that is committed need not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    workspace: Option<String>,
    /// What was learnt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) place: Vec<Entry>,
}

/// What was learnt of a place, or of two that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The id of the property that was violated there.
    pub property: String,
    /// What is done there.
    pub remedy: String,
    /// The places, as `FILE:LINE:COLUMN`.
    pub at: Vec<String>,
    /// Their lines.
    pub code: Vec<String>,
    /// How often the remedy was applied, in all runs.
    #[serde(default)]
    pub applied: u64,
    /// What should be changed there.
    #[serde(default)]
    pub advice: String,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.property, self.remedy, self.at.join(" and "))
    }
}

impl Entry {
    /// What a run has shown of the workspace at `root`.
    pub(super) fn of(report: &EnforcedReport, root: &Utf8Path) -> Entry {
        let places = report.places.iter().map(|it| Place::at(&it.file, it.line, it.column, root));
        let places: Vec<Place> = places.collect();
        Entry {
            property: report.property.clone(),
            remedy: report.remedy.clone(),
            at: places.iter().map(ToString::to_string).collect(),
            code: places.into_iter().map(|it| it.code).collect(),
            applied: report.times,
            advice: report.advice.clone(),
        }
    }

    /// Whether both are of the same places.
    pub(super) fn is_of(&self, other: &Entry) -> bool {
        let mut places = [self.at.clone(), other.at.clone()];
        for of_one in &mut places {
            of_one.sort();
        }
        let [mine, others] = places;
        (&self.property, &self.remedy, mine) == (&other.property, &other.remedy, others)
    }

    /// Whether it has all places of the other one.
    pub(super) fn has(&self, other: &Entry) -> bool {
        (&self.property, &self.remedy) == (&other.property, &other.remedy)
            && other.at.iter().all(|it| self.at.contains(it))
    }

    /// The places; `None` for what is none.
    pub(super) fn places(&self) -> impl Iterator<Item = Option<Place>> + '_ {
        let codes = self.code.iter().map(String::as_str).chain(std::iter::repeat(""));
        self.at.iter().zip(codes).map(|(at, code)| Place::read(at, code))
    }

    /// What is wrong with it, if anything.
    fn problem(&self) -> Option<String> {
        if Remedy::of_name(&self.remedy).is_none() {
            return Some(format!("unknown remedy `{}`", self.remedy));
        }
        let most = if self.remedy == Remedy::Gate.name() { 2 } else { 1 };
        if self.at.is_empty() || self.at.len() > most || self.at.len() != self.code.len() {
            return Some("`at` and `code` are of one place each, or of two for a gate".to_owned());
        }
        let wrong = self.at.iter().zip(self.places()).find(|(_, place)| place.is_none());
        wrong.map(|(at, _)| format!("`{at}` is no place; it is FILE:LINE:COLUMN"))
    }
}

impl File {
    /// The file of the workspace with these entries.
    pub(super) fn of(workspace: String, place: Vec<Entry>) -> File {
        File { schema: SCHEMA, workspace: Some(workspace), place }
    }

    fn read(text: &str) -> std::result::Result<File, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        if file.schema != SCHEMA {
            return Err(format!("schema {} is of another version; this one reads {SCHEMA}", file.schema));
        }
        match file.place.iter().find_map(|it| Some((it, it.problem()?))) {
            Some((entry, problem)) => Err(format!("the entry `{entry}`: {problem}")),
            None => Ok(file),
        }
    }

    /// The workspace's own file, which has to be right; empty where there is none.
    pub(super) fn committed(path: &Utf8Path, shown: &str) -> Result<File> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(File::of(String::new(), Vec::new()));
            }
            Err(error) => return Err(reading(path)(error)),
        };
        File::read(&text).map_err(|why| Expected::Configuration(format!("{shown} cannot be used: {why}")))
    }

    /// What was kept for this workspace; empty where there is nothing, or where it makes no sense, with a warning.
    pub(super) fn kept(path: &Utf8Path, workspace: &str, warn: impl FnOnce(String)) -> File {
        let nothing = File::of(workspace.to_owned(), Vec::new());
        let Ok(text) = fs::read_to_string(path) else { return nothing };
        match File::read(&text) {
            Ok(file) if file.workspace.as_deref() == Some(workspace) => file,
            Ok(_) => nothing,
            Err(why) => {
                warn(format!("{path} is not used, and will be written anew: {why}"));
                nothing
            }
        }
    }

    /// Writes the file.
    pub(super) fn write(&self, path: &Utf8Path) -> Result<()> {
        let entries = toml::to_string(self)
            .map_err(|error| Expected::Damaged { path: path.to_owned(), reason: error.to_string() })?;
        write_whole(path, format!("{HEAD}{entries}").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry {
            property: "calm".into(),
            remedy: "offload".into(),
            at: vec!["src/lib.rs:2:5".into()],
            code: vec!["    tokio::spawn(\"é\");".into()],
            applied: 3,
            advice: "use it".into(),
        }
    }

    #[test]
    fn what_is_written_is_read_back_by_its_own_workspace_only() {
        let folder = tempfile::tempdir().expect("there is room");
        let path =
            Utf8Path::from_path(folder.path()).expect("temporary folders are UTF-8").join("learnt.toml");
        let file = File::of("here".into(), vec![entry()]);
        file.write(&path).expect("there is room");
        let warn = |why: String| panic!("{why}");
        assert_eq!(File::kept(&path, "here", warn), file);
        assert_eq!(File::kept(&path, "there", warn).place, []);
        assert_eq!(File::committed(&path, "it").expect("it is right"), file);
    }

    #[test]
    fn errors_in_a_file_are_reported() {
        let with = |from: &str, to: &str| {
            let text = toml::to_string(&File::of("here".into(), vec![entry()])).expect("it is TOML");
            assert!(text.contains(from), "{text}");
            File::read(&text.replace(from, to)).expect_err(to)
        };
        let cases = [
            ("schema = 1", "schema = 2", "another version"),
            ("offload", "mend", "unknown remedy `mend`"),
            ("src/lib.rs:2:5", "src/lib.rs", "is no place"),
            ("at = [\"src/lib.rs:2:5\"]", "at = []", "of one place each"),
            ("applied", "aplied", "unknown field"),
        ];
        for (from, to, expected) in cases {
            let message = with(from, to);
            assert!(message.contains(expected), "{expected} in {message}");
        }
    }
}
