//! Which groups of the shims the compiler's errors speak of.
//!
//! An error that a shim causes points into the shim's sources, or it names one of its types, as in
//! `rvstd::sync::Mutex<u8>`. Where neither is the case, the bare names of types are taken, though a user's own type may be
//! called the same.

use super::blame::in_short;
use crate::shim::{self, REMAPPED, Shim};
use cargo_metadata::diagnostic::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

/// Groups that are left out, with what the compiler reported: by the name of the shim's crate and that of the group.
pub type Groups = BTreeMap<String, BTreeMap<String, String>>;

/// The groups of the shims that these errors speak of. `given` are the shims that the crate was compiled against.
pub fn groups_named(errors: &[Diagnostic], given: &BTreeSet<String>) -> Groups {
    let given: Vec<&Shim> = shim::all().iter().filter(|it| given.contains(it.krate)).collect();
    let sure = collect(errors, &given, |text, it| by_path(text, it));
    if sure.is_empty() { collect(errors, &given, |text, it| by_name(text, it)) } else { sure }
}

fn collect<'a>(
    errors: &[Diagnostic],
    given: &[&'a Shim],
    in_text: impl Fn(&str, &'a Shim) -> BTreeSet<&'a str>,
) -> Groups {
    let mut found = Groups::new();
    for error in errors {
        for &shim in given {
            let mut groups = BTreeSet::new();
            each_message(error, &mut |message| {
                let labels = message.spans.iter().filter_map(|it| it.label.as_deref());
                groups.extend(labels.chain([message.message.as_str()]).flat_map(|it| in_text(it, shim)));
                let folder = format!("{REMAPPED}/{}/", shim.krate);
                let files = message.spans.iter().filter_map(|it| it.file_name.strip_prefix(&folder));
                groups.extend(files.filter_map(|it| shim.group_of(it)));
            });
            let of_crate = groups.into_iter().map(|it| (it.to_owned(), in_short(error)));
            for (group, message) in of_crate {
                found.entry(shim.krate.to_owned()).or_default().entry(group).or_insert(message);
            }
        }
    }
    found
}

fn each_message<'a>(message: &'a Diagnostic, visit: &mut impl FnMut(&'a Diagnostic)) {
    visit(message);
    for child in &message.children {
        each_message(child, visit);
    }
}

/// The groups of the types that stand in this text with their paths.
fn by_path<'a>(text: &str, shim: &'a Shim) -> BTreeSet<&'a str> {
    let root = format!("rv{}::", shim.krate);
    let rests = text.match_indices(&root).map(|(at, _)| &text[at + root.len()..]);
    let paths = rests.map(|rest| {
        let end = rest.find(|it: char| !(it.is_alphanumeric() || it == '_' || it == ':'));
        rest[..end.unwrap_or(rest.len())].trim_end_matches(':')
    });
    paths
        .flat_map(|path| {
            let (modules, name) = path.rsplit_once("::").unwrap_or(("", path));
            groups_of(shim, &modules.replace("::", "/"), name)
        })
        .collect()
}

/// The groups of the types whose bare names stand in this text between back-ticks.
fn by_name<'a>(text: &str, shim: &'a Shim) -> BTreeSet<&'a str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let words = quoted.flat_map(|it| it.split(|it: char| !(it.is_alphanumeric() || it == '_')));
    words.filter(|it| it.starts_with(char::is_uppercase)).flat_map(|it| groups_of(shim, "", it)).collect()
}

/// The group that the module belongs to, or else those of the files that define something of this name: below the
/// module's folder, or below the nearest folder above that has any. The real type is called by its own path in the
/// shim, which may be longer than that of the wrapper.
fn groups_of<'a>(shim: &'a Shim, module: &str, name: &str) -> BTreeSet<&'a str> {
    let defining: Vec<&str> =
        shim.sources.iter().filter(|(_, text)| defines(text, name)).map(|it| it.0).collect();
    let below = |folder: &str| -> BTreeSet<&'a str> {
        let is_below = |file: &str| {
            folder.is_empty() || file.strip_prefix(folder).is_some_and(|it| it.starts_with(['/', '.']))
        };
        defining.iter().filter(|it| is_below(it)).filter_map(|it| shim.group_of(it)).collect()
    };
    if let Some(group) = shim.group_of(&format!("{module}.rs")) {
        return BTreeSet::from([group]);
    }
    let mut folder = module;
    loop {
        let groups = below(folder);
        if !groups.is_empty() || folder.is_empty() {
            return groups;
        }
        folder = folder.rsplit_once('/').map_or("", |it| it.0);
    }
}

/// Whether this source defines a public item of this name.
fn defines(text: &str, name: &str) -> bool {
    const KINDS: [&str; 5] = ["struct", "enum", "trait", "type", "fn"];
    text.match_indices(name).any(|(at, _)| {
        let whole = !text[at + name.len()..].starts_with(|it: char| it.is_alphanumeric() || it == '_');
        let before = text[..at].strip_suffix(' ').unwrap_or_default();
        whole && KINDS.iter().any(|kind| before.ends_with(&format!("pub {kind}")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn span(file: &str, label: Option<&str>) -> Value {
        json!({
            "file_name": file, "byte_start": 1, "byte_end": 2, "line_start": 1, "line_end": 1, "column_start": 1,
            "column_end": 2, "is_primary": true, "text": [], "label": label, "suggested_replacement": null,
            "suggestion_applicability": null, "expansion": null,
        })
    }

    fn message(text: &str, spans: &[Value], children: &[Value]) -> Value {
        json!({
            "message": text, "code": null, "level": "error", "spans": spans, "children": children, "rendered": null,
        })
    }

    /// `crate/group` for everything that is named.
    fn named(message: Value, given: &[&str]) -> Vec<String> {
        let error: Diagnostic = serde_json::from_value(message).expect("it has the form of a message");
        let given = given.iter().map(|it| (*it).to_owned()).collect();
        let groups = groups_named(&[error], &given);
        groups.iter().flat_map(|(krate, it)| it.keys().map(move |group| format!("{krate}/{group}"))).collect()
    }

    #[test]
    fn an_error_names_groups_by_its_spans_its_paths_and_at_last_its_names() {
        let user = || span("src/lib.rs", None);
        let defined = message(
            "`JoinHandle<()>` is defined in crate `rvstd`",
            &[span("/rvcheck/std/thread/join.rs", None)],
            &[],
        );
        let trait_bound = "the trait bound `rvstd::sync::Mutex<{integer}>: Size` is not satisfied";
        let cases = [
            (message("mismatched types", &[user()], &[defined]), vec!["std/thread"]),
            (message(trait_bound, &[user()], &[]), vec!["std/mutex"]),
            (
                message("no", &[span("src/lib.rs", Some("`rvstd::sync::RwLockReadGuard<'_, u8>`"))], &[]),
                vec!["std/rwlock"],
            ),
            (message("no `rvtokio::sync::oneshot::Sender<u8>`", &[], &[]), vec!["tokio/oneshot"]),
            (
                message("no `rvtokio::sync::mpsc::Sender<u8>`: not `rvstd::sync::Mutex`", &[], &[]),
                vec!["std/mutex", "tokio/mpsc"],
            ),
            (message("no `rvtokio::sync::mpsc::bounded::Receiver<u8>`", &[], &[]), vec!["tokio/mpsc"]),
            (message("no `rvstd::sync::poison::Mutex<u8>`", &[], &[]), vec!["std/mutex"]),
            (message("no `Option<Barrier>`", &[], &[]), vec!["std/barrier", "tokio/barrier"]),
            (message("no Barrier, and `first_class`", &[user()], &[]), vec![]),
        ];
        for (message, expected) in cases {
            assert_eq!(named(message.clone(), &["std", "tokio"]), expected, "{}", message["message"]);
        }
    }

    #[test]
    fn only_shims_that_were_given_are_to_blame() {
        let text = "no `rvtokio::sync::mpsc::Sender<u8>`";
        assert_eq!(named(message(text, &[], &[]), &["std"]), ["std/mpsc"], "by its bare name");
        assert_eq!(named(message("no `Semaphore`", &[], &[]), &["std"]), [""; 0]);
    }
}
