//! Property files that have to be right.

use super::{SpecProblem, Specs, read_with};
use crate::error::{Expected, Result};
use camino::Utf8PathBuf;
use rvcheck_event::declared::Declared;
use rvcheck_spec::EventSource;
use std::collections::BTreeMap;
use std::fs;

/// The names and texts of these files.
pub fn texts(paths: &[Utf8PathBuf]) -> Result<Vec<(String, String)>> {
    let text = |path: &Utf8PathBuf| {
        let bytes = fs::read(path).map_err(|source| Expected::Given { path: path.clone(), source })?;
        Ok((path.to_string(), decoded(path.as_str(), bytes)?))
    };
    paths.iter().map(text).collect()
}

/// What stands in these files, given as (name, text). Anything wrong with them is an error that reports all of it.
pub fn checked(files: &[(String, String)]) -> Result<Specs> {
    checked_with(files, &[])
}

/// The same, where attributes in the source declare these events.
pub(super) fn checked_with(files: &[(String, String)], attributes: &[EventSource]) -> Result<Specs> {
    let specs = read_with(files, attributes);
    if specs.problems.is_empty() {
        return Ok(specs);
    }
    let text = |file: &str| files.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text.as_str());
    let rendered: Vec<String> = specs.problems.iter().map(|it| it.rendered(text(&it.file), false)).collect();
    Err(Expected::Specification(rendered.join("\n\n")))
}

impl Specs {
    /// All events that some file declares. Files may declare the same, but not otherwise.
    pub fn declared(&self) -> Result<Vec<Declared>> {
        let mut found: BTreeMap<&str, (&str, &Declared)> = BTreeMap::new();
        for (file, vocabulary) in &self.vocabularies {
            for event in vocabulary.declared() {
                let (first, known) = found.entry(&event.name).or_insert((file, event));
                if *known != event {
                    return Err(Expected::Specification(format!(
                        "{file} declares other parameters of `{}` than {first}\nreplay the trace with one file after the other",
                        event.name
                    )));
                }
            }
        }
        Ok(found.into_values().map(|(_, event)| event.clone()).collect())
    }
}

/// The text of a file of this name.
pub(super) fn decoded(name: &str, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let wrong = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..wrong]).into_owned();
        let message = "this byte is not UTF-8; save the file as UTF-8".to_owned();
        let problem = SpecProblem { file: name.to_owned(), span: wrong..wrong, message, help: None };
        Expected::Specification(problem.line(&before))
    })
}
