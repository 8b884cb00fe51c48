//! Writes changed files, for whoever measures by other means.

use crate::measure::spread;
use crate::place::seeds;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// What is written, and where.
#[derive(Debug)]
pub(crate) struct Options {
    to: PathBuf,
    /// The most bugs of one operator in one crate.
    most: usize,
    crates: Vec<PathBuf>,
}

impl Options {
    /// Reads the arguments; `None` where they are not understood.
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Option<Options> {
        let (mut to, mut most, mut crates) = (None, usize::MAX, Vec::new());
        while let Some(it) = arguments.next() {
            match it.as_str() {
                "--to" => to = Some(PathBuf::from(arguments.next()?)),
                "--most" => most = arguments.next()?.parse().ok()?,
                it if it.starts_with('-') => return None,
                it => crates.push(PathBuf::from(it)),
            }
        }
        Some(Options { to: to?, most, crates }).filter(|it| !it.crates.is_empty())
    }
}

/// Writes a folder for each bug: the changed file as `changed.rs`, and `seed.json`.
pub(crate) fn write(options: &Options) {
    for original in &options.crates {
        let name = original.file_name().unwrap_or_default().to_string_lossy();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (operator, seed) in spread(seeds(original), options.most) {
            let count = counts.entry(operator.id).or_default();
            if *count >= options.most {
                continue;
            }
            *count += 1;
            let folder = options.to.join(format!("{name}-{}-{count}", operator.id));
            fs::create_dir_all(&folder).expect("there is room");
            let text = fs::read_to_string(original.join(&seed.file)).expect("it was read before");
            fs::write(folder.join("changed.rs"), seed.apply(&text)).expect("there is room");
            let said = json!({
                "crate": name,
                "operator": operator.id,
                "properties": operator.properties,
                "file": seed.file,
                "line": seed.line,
                "edits": seed.edits.iter().map(|(it, new)| json!([it.start, it.end, new])).collect::<Vec<_>>(),
            });
            fs::write(folder.join("seed.json"), said.to_string()).expect("there is room");
        }
    }
}
