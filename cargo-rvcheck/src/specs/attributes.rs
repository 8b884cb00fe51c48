//! The events that attributes in the sources of a workspace declare: `#[rvcheck::observe(…)]`.

use crate::error::{Result, reading};
use camino::Utf8Path;
use rvcheck_source::edition::Edition;
use rvcheck_source::observe::declared_events;
use rvcheck_spec::EventSource;
use std::fs;

/// The events that the files below this folder declare, in the order of their names. Caches and hidden folders are left out.
pub fn declared_by_attributes(root: &Utf8Path) -> Result<Vec<EventSource>> {
    let mut events = Vec::new();
    visit(root, &mut events)?;
    events.sort_by(|a: &EventSource, b| (&a.name, &a.params).cmp(&(&b.name, &b.params)));
    events.dedup();
    Ok(events)
}

fn visit(folder: &Utf8Path, events: &mut Vec<EventSource>) -> Result<()> {
    for entry in folder.read_dir_utf8().map_err(reading(folder))?.flatten() {
        let path = entry.path();
        let is_hidden = entry.file_name().starts_with('.');
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            if !is_hidden && !path.join("CACHEDIR.TAG").exists() {
                visit(path, events)?;
            }
        } else if path.extension() == Some("rs") {
            // What cannot be read is no source of a build that works.
            let text = fs::read_to_string(path).unwrap_or_default();
            // The words of an attribute are read alike in every edition.
            let declared = declared_events(&text, Edition::Rust2021).into_iter();
            events.extend(declared.map(|it| EventSource { name: it.name, params: it.params }));
        }
    }
    Ok(())
}
