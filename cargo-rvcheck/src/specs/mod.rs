//! Property files: TOML in, properties and problems out.
//!
//! [`read`] takes any list of named texts, the library's and the user's alike. Nothing about a file makes it fail: what is
//! wrong comes back as [`SpecProblem`]s, each with its place, inside the formula's string where the formula is wrong.

mod attributes;
mod declare;
mod emitting;
mod fields;
mod given;
mod group;
mod libraries;
mod library;
mod observe;
mod problem;
mod property;
mod remedies;
pub mod schema;
mod stopping;
mod text;
mod thresholds;
mod workspace;

pub use attributes::declared_by_attributes;
pub use fields::Text;
pub use given::{checked, texts};
pub use group::GroupEntry;
pub use libraries::LibraryEntry;
pub use library::{files, files_with, library};
pub use observe::ObserveEntry;
pub use problem::{SpecProblem, position, quoted};
pub use property::Property;
pub use remedies::enforce;
pub use workspace::{find, known, of_workspace, of_workspace_with, own};

use crate::finding::Location;
use declare::Declared;
use fields::Fields;
use rvcheck_source::observe::Observation;
use rvcheck_spec::{EventSource, Vocabulary};
use std::collections::BTreeMap;
use toml::de::DeTable;

/// The version of the form of property files.
const SCHEMA: i64 = 1;

/// The properties of some files, and what is wrong with them.
#[derive(Clone, Debug, Default)]
pub struct Specs {
    /// The properties that could be compiled, in the order of files and of their places in them.
    pub properties: Vec<Property>,
    /// What each file declares, in their order.
    pub vocabularies: Vec<(String, Vocabulary)>,
    /// The functions of the program that are events.
    pub observed: Vec<ObserveEntry>,
    /// The named groups of tasks.
    pub groups: Vec<GroupEntry>,
    /// The code that is a library, beside the crates that always are.
    pub libraries: Vec<LibraryEntry>,
    /// What is wrong, in the same order.
    pub problems: Vec<SpecProblem>,
}

impl Specs {
    /// What is observed.
    pub fn observations(&self) -> Vec<Observation> {
        self.observed.iter().map(|it| it.observation.clone()).collect()
    }

    /// What all files declare together. Of two of one name, the first counts.
    pub fn vocabulary(&self) -> Vocabulary {
        let mut all = Vocabulary::default();
        for (_, vocabulary) in &self.vocabularies {
            all.join(vocabulary);
        }
        all
    }

    /// By id: where properties are declared that are not the library's.
    pub fn definitions(&self) -> BTreeMap<String, Location> {
        let own = self.properties.iter().filter_map(|it| Some((it.compiled.id(), it.definition()?)));
        own.map(|(id, definition)| (id.to_owned(), definition.clone())).collect()
    }
}

/// The properties in these files, given as (name, text).
pub fn read(files: &[(String, String)]) -> Specs {
    read_with(files, &[])
}

/// The same, where attributes in the source declare these events.
pub fn read_with(files: &[(String, String)], attributes: &[EventSource]) -> Specs {
    let mut specs = Specs::default();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (number, (file, text)) in files.iter().enumerate() {
        let declared = Declared::of_file(u32::try_from(number).unwrap_or(u32::MAX));
        let FileSpecs { vocabulary, observed, groups, libraries, properties } =
            read_file(file, text, declared, attributes, &mut specs.problems);
        specs.observed.extend(observed);
        specs.groups.extend(groups);
        specs.libraries.extend(libraries);
        specs.vocabularies.push((file.clone(), vocabulary));
        for (id, property) in properties {
            if let Some(first) = seen.get(&id.value) {
                specs.problems.push(SpecProblem {
                    file: file.clone(),
                    span: id.span,
                    message: format!("the property `{}` is declared twice, first in {first}", id.value),
                    help: None,
                });
                continue;
            }
            if !id.value.is_empty() {
                seen.insert(id.value, file.clone());
            }
            specs.properties.extend(property);
        }
    }
    specs
}

/// What stands in a file.
#[derive(Default)]
struct FileSpecs {
    vocabulary: Vocabulary,
    observed: Vec<ObserveEntry>,
    groups: Vec<GroupEntry>,
    libraries: Vec<LibraryEntry>,
    /// The properties with their ids.
    properties: Vec<(Text, Option<Property>)>,
}

fn read_file(
    file: &str,
    text: &str,
    mut declared: Declared,
    attributes: &[EventSource],
    problems: &mut Vec<SpecProblem>,
) -> FileSpecs {
    let (root, errors) = DeTable::parse_recoverable(text);
    problems.extend(errors.iter().map(|error| SpecProblem {
        file: file.to_owned(),
        span: error.span().unwrap_or(0..0),
        message: error.message().to_owned(),
        help: None,
    }));
    if !errors.is_empty() {
        return FileSpecs { vocabulary: declared.vocabulary, ..FileSpecs::default() };
    }
    let mut fields = Fields::new(file, root.get_ref(), 0..0, problems);
    match fields.integer("schema") {
        Some(schema) if *schema.get_ref() != SCHEMA => {
            let message = format!("unknown schema {}", schema.get_ref());
            fields.problem(schema.span(), message, Some(format!("this version reads schema {SCHEMA}")));
        }
        None if !root.get_ref().contains_key("schema") => {
            fields.problem(
                0..0,
                "the key `schema` is missing",
                Some(format!("begin the file with `schema = {SCHEMA}`")),
            );
        }
        _ => {}
    }
    let libraries = fields.texts("library");
    let events = fields.lists("events");
    let fluents = fields.named_tables("fluent");
    let entries = fields.tables("observe");
    let groups = fields.tables("group");
    let tables = fields.tables("property");
    fields.finish();
    for (name, params) in events {
        declare::event(file, text, &name, &params, &mut declared, problems);
    }
    for (name, table, span) in fluents {
        declare::fluent(file, text, &name, (table, span), &mut declared, problems);
    }
    let groups: Vec<GroupEntry> =
        groups.into_iter().filter_map(|entry| group::group((file, text), entry, problems)).collect();
    let libraries: Vec<LibraryEntry> =
        libraries.into_iter().filter_map(|it| libraries::library((file, text), it, problems)).collect();
    let mut observed: Vec<ObserveEntry> = entries
        .into_iter()
        .filter_map(|entry| observe::observe((file, text), entry, &mut declared, problems))
        .collect();
    for event in attributes {
        // A file may declare it once more, so that it can be checked without the source.
        let is_known = declared.events.iter().any(|it| it.name == event.name);
        if !is_known && declared.vocabulary.declare_event(event).is_empty() {
            declared.events.push(event.clone());
        }
    }
    for (table, span) in &tables {
        property::declare_messages(file, table, span.clone(), &mut declared);
    }
    let read = |(table, span)| property::property(file, text, table, span, &declared, problems);
    let mut properties: Vec<_> = tables.into_iter().map(read).collect();
    emitting::connect(text, properties.iter_mut().filter_map(|(_, it)| it.as_mut()).collect(), problems);
    let functions = attributes.iter().chain(&declared.observed).map(|it| it.name.as_str()).collect();
    let of = |it| observe::messages(it, text, &functions);
    for entry in properties.iter().filter_map(|it| it.1.as_ref()).flat_map(of) {
        // Several views can have one message.
        if observed.iter().all(|it| it.observation != entry.observation) {
            observed.push(entry);
        }
    }
    FileSpecs { vocabulary: declared.vocabulary, observed, groups, libraries, properties }
}

#[cfg(test)]
mod tests;
