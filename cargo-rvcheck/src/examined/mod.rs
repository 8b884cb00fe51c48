//! What is known of property files without a run: mistakes, oddities, and how each property will be decided.

mod coincide;
mod render;
mod unused;

pub use render::{render_human, render_json, render_short};

use crate::exit_code::ExitCode;
use crate::finding::Level;
use crate::specs::{Property, SpecProblem, Specs, position};
use rvcheck_spec::examine::{Examination, examine};
use rvcheck_spec::model::machine::Class;
use serde::Serialize;
use std::ops::Range;

/// The version of the JSON form.
pub const SCHEMA: &str = "rvcheck.spec/1";

/// The kind of findings that are errors of the specification: with one of these nothing can be checked.
const INVALID: &str = "invalid";

/// What is known of some property files.
#[derive(Clone, Debug, Serialize)]
pub struct Examined {
    /// `rvcheck.spec/1`.
    pub schema: &'static str,
    /// The properties of which nothing is wrong, in the order of the files.
    pub properties: Vec<ExaminedProperty>,
    /// What is wrong or odd, in the order of the files.
    pub findings: Vec<SpecFinding>,
    /// The files' texts by name.
    #[serde(skip)]
    files: Vec<(String, String)>,
}

/// What is known of a property.
#[derive(Clone, Debug, Serialize)]
pub struct ExaminedProperty {
    /// Its id.
    pub id: String,
    /// The file that declares it.
    pub file: String,
    /// Its logic.
    pub logic: String,
    /// When its verdict is certain, if that is known.
    pub class: Option<&'static str>,
    /// How many states its automaton has, if it has one.
    pub states: Option<usize>,
    /// Whether it is stepped event by event; else it is decided when a unit is over.
    pub stepped: bool,
    /// Why it is not stepped.
    pub reason: Option<String>,
}

/// Something wrong or odd at a place in a property file.
#[derive(Clone, Debug, Serialize)]
pub struct SpecFinding {
    /// How bad it is.
    pub level: Level,
    /// What it is: `invalid` for an error, else the kind of oddity.
    pub kind: String,
    /// The property that it is about, if it is about one of which nothing is wrong.
    pub property: Option<String>,
    /// The file.
    pub file: String,
    /// The first line, from 1.
    pub line: usize,
    /// The first character in that line, from 1.
    pub column: usize,
    /// The last line.
    pub end_line: usize,
    /// One past the last character in that line.
    pub end_column: usize,
    /// What it is.
    pub message: String,
    /// What to do about it, if that is known.
    pub help: Option<String>,
    /// The bytes of the file.
    #[serde(skip)]
    span: Range<usize>,
}

/// What is known of these files, which were read as `specs`. Properties that `wanted` does not name are left out.
pub fn examined(files: Vec<(String, String)>, specs: &Specs, wanted: impl Fn(&Property) -> bool) -> Examined {
    let mut examined = Examined { schema: SCHEMA, properties: Vec::new(), findings: Vec::new(), files };
    for problem in &specs.problems {
        examined.add(Level::Error, INVALID, None, problem.clone());
    }
    for property in specs.properties.iter().filter(|it| wanted(it)) {
        let known = examine(&property.declared, &property.compiled);
        examined.properties.push(summary(property, &known));
        for remark in known.remarks {
            let span = property.place(remark.part, remark.span, examined.text(&property.file));
            let problem =
                SpecProblem { file: property.file.clone(), span, message: remark.message, help: remark.help };
            let id = property.compiled.id().to_owned();
            examined.add(level(remark.kind.level()), &remark.kind.to_string(), Some(id), problem);
        }
        let vocabulary = specs.vocabularies.iter().find(|(file, _)| *file == property.file);
        let text = examined.text(&property.file);
        let warnings = vocabulary.map(|(_, it)| coincide::warnings(property, it, text)).unwrap_or_default();
        for warning in warnings {
            let id = property.compiled.id().to_owned();
            examined.add(Level::Warning, "may-coincide", Some(id), warning);
        }
    }
    for unused in unused::unused(&examined.files, &specs.properties) {
        // A formula that the program brings along may use it.
        examined.add(Level::Note, "unused", None, unused);
    }
    let place = |file: &str| examined.files.iter().position(|(name, _)| name == file);
    let mut findings = std::mem::take(&mut examined.findings);
    findings.sort_by_key(|it| (place(&it.file), it.span.start, it.span.end));
    Examined { findings, ..examined }
}

impl Examined {
    /// The text of a file.
    fn text(&self, file: &str) -> &str {
        self.files.iter().find(|(name, _)| name == file).map_or("", |(_, text)| text)
    }

    fn add(&mut self, level: Level, kind: &str, property: Option<String>, problem: SpecProblem) {
        let text = self.text(&problem.file);
        let (line, column) = position(text, problem.span.start);
        let (end_line, end_column) = position(text, problem.span.end);
        self.findings.push(SpecFinding {
            level,
            kind: kind.to_owned(),
            property,
            file: problem.file,
            line,
            column,
            end_line,
            end_column,
            message: problem.message,
            help: problem.help,
            span: problem.span,
        });
    }

    /// What it means for the caller: errors of the specification first, then findings from this level on.
    pub fn exit_code(&self, fail_on: Level, allow_empty: bool) -> ExitCode {
        if self.findings.iter().any(|it| it.kind == INVALID) {
            ExitCode::Usage
        } else if self.findings.iter().any(|it| it.level >= fail_on) {
            ExitCode::Findings
        } else if self.properties.is_empty() && !allow_empty {
            ExitCode::NothingChecked
        } else {
            ExitCode::Clean
        }
    }
}

fn summary(property: &Property, known: &Examination) -> ExaminedProperty {
    ExaminedProperty {
        id: property.compiled.id().to_owned(),
        file: property.file.clone(),
        logic: property.declared.logic.clone(),
        class: known.class.map(Class::name),
        states: known.states,
        stepped: known.at_end.is_none(),
        reason: known.at_end.map(|it| it.to_string()),
    }
}

const fn level(level: rvcheck_spec::Level) -> Level {
    match level {
        rvcheck_spec::Level::Note => Level::Note,
        rvcheck_spec::Level::Warning => Level::Warning,
        rvcheck_spec::Level::Error => Level::Error,
    }
}

#[cfg(test)]
mod tests;
