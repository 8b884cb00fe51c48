//! The public paths of other crates' items.
//!
//! Rustdoc knows where such an item is defined, which is often a private module: `core::future::future::Future`. The
//! compiler is asked for the shortest path that leads there.

use crate::documentation::Documentation;
use rustdoc_types::Id;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// A path for each of the items that can be named on a stable compiler.
pub(crate) fn paths(
    documentation: &Documentation,
    wanted: &BTreeSet<Id>,
) -> Result<BTreeMap<Id, String>, Box<dyn Error>> {
    let candidates: Vec<(Id, String)> = wanted
        .iter()
        .filter_map(|id| Some((id, documentation.krate.paths.get(id)?)))
        .flat_map(|(id, summary)| candidates(&summary.path).into_iter().map(|path| (*id, path)))
        .collect();
    let mut left: BTreeSet<usize> = (0..candidates.len()).collect();
    // The compiler looks for what is unstable only when it has found everything.
    loop {
        let refused = refused(documentation, &candidates, &left)?;
        if refused.is_empty() {
            break;
        }
        left.retain(|at| !refused.contains(at));
    }
    let mut paths = BTreeMap::new();
    for at in left {
        let (id, path) = &candidates[at];
        paths.entry(*id).or_insert_with(|| path.clone());
    }
    Ok(paths)
}

/// The paths that may lead to what is defined here, the likeliest first: through the outermost modules, as few of them as
/// possible; then the other ones, beginning with the shortest.
fn candidates(definition: &[String]) -> Vec<String> {
    let [root, modules @ .., name] = definition else { return Vec::new() };
    let root = if matches!(root.as_str(), "core" | "alloc") { "std" } else { root };
    // Bit `n` of a choice keeps the module `n`.
    let mut choices: Vec<u32> = (0..1 << modules.len().min(16)).collect();
    choices.sort_by_key(|kept| {
        let outermost = kept & (kept + 1) == 0;
        (!outermost, kept.count_ones(), *kept)
    });
    choices
        .into_iter()
        .map(|choice| {
            let kept = modules.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1);
            let path = std::iter::once(root).chain(kept.map(|(_, module)| module.as_str()));
            path.chain([name.as_str()]).collect::<Vec<_>>().join("::")
        })
        .collect()
}

/// Which of the paths that are left the compiler does not find, or finds unstable.
fn refused(
    documentation: &Documentation,
    candidates: &[(Id, String)],
    left: &BTreeSet<usize>,
) -> Result<BTreeSet<usize>, Box<dyn Error>> {
    let folder = documentation.folder.path();
    let mut text = String::new();
    for (at, (_, path)) in candidates.iter().enumerate() {
        // A candidate a line, so that a line tells which one it is.
        if left.contains(&at) {
            write!(text, "mod m{at} {{ pub use {path}; }}")?;
        }
        text.push('\n');
    }
    let source = folder.join("candidates.rs");
    fs::write(&source, text)?;
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc")));
    command.args([
        "--edition=2021",
        "--crate-type=lib",
        "--emit=metadata",
        "--error-format=json",
        "--cap-lints=allow",
    ]);
    command.arg(&source).arg("--out-dir").arg(folder);
    command.arg("-L").arg(format!("dependency={}", folder.join("target/debug/deps").display()));
    for (name, file) in &documentation.externs {
        command.arg("--extern").arg(format!("{name}={}", file.display()));
    }
    let output = String::from_utf8(command.output()?.stderr)?;
    let mut refused = BTreeSet::new();
    // An error without a place is the one that counts the others.
    for line in output.lines() {
        let message: serde_json::Value = serde_json::from_str(line).map_err(|_| line.to_owned())?;
        for span in message["spans"].as_array().into_iter().flatten() {
            let line = span["line_start"].as_u64().ok_or("a place without a line")?;
            let at = usize::try_from(line)? - 1;
            if left.contains(&at) {
                refused.insert(at);
            }
        }
    }
    Ok(refused)
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[track_caller]
    fn are_tried(definition: &str, expected: &[&str]) {
        let definition: Vec<String> = definition.split("::").map(str::to_owned).collect();
        assert_eq!(candidates(&definition), expected);
    }

    #[test]
    fn outer_modules_are_more_likely_to_be_public_than_inner_ones() {
        are_tried("core::option::Option", &["std::Option", "std::option::Option"]);
        // Not `std::net::SocketAddr`, which is another type, before the right one.
        are_tried(
            "std::os::unix::net::SocketAddr",
            &[
                "std::SocketAddr",
                "std::os::SocketAddr",
                "std::os::unix::SocketAddr",
                "std::os::unix::net::SocketAddr",
                "std::unix::SocketAddr",
                "std::net::SocketAddr",
                "std::os::net::SocketAddr",
                "std::unix::net::SocketAddr",
            ],
        );
    }
}
