//! What is missing of a shim because it does not compile with the user's version of the real crate.
//!
//! A shim consists of groups of types that are wrapped together. A group that does not compile is left out, and the
//! user's program gets the real types; only where that does not help is the whole shim left out.

use crate::layout::{OwnLayout, read_value};
use crate::project::Project;
use crate::shim::{STD, Shim};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shortfall {
    /// The real crate.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The groups that were left out, such as `mpsc`; empty when the whole shim was.
    pub groups: BTreeSet<String>,
    /// What the compiler reported first.
    pub message: String,
}

impl Shortfall {
    /// Whether nothing of the crate is monitored.
    pub fn is_total(&self) -> bool {
        self.groups.is_empty()
    }
}

/// The groups of this shim that the compiler's errors point at. `sources` is what it calls the folder of all
/// shims' sources.
pub fn groups_in(message: &str, sources: &str, shim: &Shim) -> BTreeSet<String> {
    let own = format!("{sources}/{}/", shim.krate);
    let places =
        message.lines().filter_map(|line| line.trim_start().strip_prefix("--> ")?.strip_prefix(&own));
    // `file.rs:line:column`
    let files = places.filter_map(|place| place.split(':').next());
    files.filter_map(|file| shim.group_of(file)).map(str::to_owned).collect()
}

/// The name of the file in a shim's folder that tells what is missing.
pub fn file(folder: &Utf8Path) -> camino::Utf8PathBuf {
    folder.join("shortfall.json")
}

/// What is missing of the shims for the crates of this project.
pub fn shortfalls(own: &OwnLayout, project: &Project) -> Vec<Shortfall> {
    let in_graph = |it: &Shortfall| {
        let mut packages = project.packages.values();
        it.name == STD || packages.any(|has| (&has.name, &has.version) == (&it.name, &it.version))
    };
    all(own).into_iter().filter(in_graph).collect()
}

/// What is missing of the shim for this crate.
pub fn shortfalls_of(own: &OwnLayout, name: &str) -> Vec<Shortfall> {
    all(own).into_iter().filter(|it| it.name == name).collect()
}

/// In order, and each once.
fn all(own: &OwnLayout) -> BTreeSet<Shortfall> {
    let entries = fs::read_dir(own.shims()).into_iter().flatten().flatten();
    let folders = entries.filter_map(|it| camino::Utf8PathBuf::from_path_buf(it.path()).ok());
    folders.filter_map(|folder| read_value::<Shortfall>(&file(&folder)).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shim;

    #[test]
    fn errors_name_the_groups_that_they_are_in() {
        let message = "error[E0599]: no method\n   --> /rvcheck/tokio/sync/mpsc/receiver.rs:9:1\n    |\n\
                       error: x\n  --> /rvcheck/tokio/runtime/builder.rs:1:1\n  --> /home/me/tokio/src/sync/watch.rs:1:1\n";
        let tokio = shim::of_crate("tokio").expect("there is one");
        let groups = |message| groups_in(message, "/rvcheck", tokio);
        assert_eq!(groups(message), ["mpsc", "task"].map(str::to_owned).into());
        assert_eq!(groups("error: elsewhere\n --> /rvcheck/tokio/lib.rs:3:1\n"), BTreeSet::new());
    }
}
