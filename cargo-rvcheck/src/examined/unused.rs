//! Events and fluents that a file declares and does not use.

use crate::specs::{Property, SpecProblem};
use rvcheck_spec::FluentSource;
use rvcheck_spec::examine::mentioned;
use std::collections::BTreeSet;
use toml::de::DeTable;

/// A complaint for each of them. Files that cannot be read as a whole are left out: what is wrong with them is said elsewhere.
pub(super) fn unused(files: &[(String, String)], properties: &[Property]) -> Vec<SpecProblem> {
    files.iter().flat_map(|(file, text)| in_file(file, text, properties)).collect()
}

fn in_file(file: &str, text: &str, properties: &[Property]) -> Vec<SpecProblem> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let root = root.get_ref();
    let table = |key: &str| root.get(key).and_then(|it| it.get_ref().as_table());
    let declared = root.get("property").and_then(|it| it.get_ref().as_array()).map_or(0, |it| it.len());
    let own: Vec<&Property> = properties.iter().filter(|it| it.file == file).collect();
    if !errors.is_empty() || own.len() < declared {
        return Vec::new();
    }
    let mut used: BTreeSet<String> = own.iter().flat_map(|it| mentioned::in_property(&it.declared)).collect();
    let mut names = Vec::new();
    for (name, _) in table("events").into_iter().flatten() {
        names.push(("event", name.span(), name.get_ref().to_string()));
    }
    for (name, fluent) in table("fluent").into_iter().flatten() {
        let end = |key: &str| Some(fluent.get_ref().as_table()?.get(key)?.get_ref().as_str()?.to_owned());
        let source = FluentSource { from: end("from"), to: end("to"), ..FluentSource::default() };
        used.extend(mentioned::in_fluent(&source));
        names.push(("fluent", name.span(), name.get_ref().to_string()));
    }
    let unused = names.into_iter().filter(|(.., name)| !used.contains(name));
    unused
        .map(|(what, span, name)| SpecProblem {
            file: file.to_owned(),
            span,
            message: format!("no property of this file uses the {what} `{name}`"),
            help: Some("leave it out, or name it in a property".to_owned()),
        })
        .collect()
}
