//! The shims: crates that take the place of others in the program under test. Each is one folder of `rvcheck-runtime/shims`, with
//! what the tool has to know of it in its `shim.toml`.

use cargo_metadata::semver::{Version, VersionReq};
use rvcheck_runtime::sources::{SHIMS, Source};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A shim.
#[derive(Debug)]
pub struct Shim {
    /// The name of the real crate, as it is written in code. Its sources lie in a folder of this name.
    pub krate: &'static str,
    /// Its files, by their paths below that folder.
    pub sources: &'static [Source],
    /// What is said of it.
    pub facts: Facts,
}

/// The file `shim.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The name of the real package.
    pub package: String,
    /// The versions that it fits. Others are left as they are.
    pub versions: Vec<VersionReq>,
    /// How the real crate is compiled.
    pub real: Real,
    /// What can be left out with `--cfg rv_no_<group>` because it does not compile: group by path below the folder.
    pub groups: BTreeMap<String, String>,
}

/// How the real crate behind a shim is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Real {
    /// As it is, and so is everything that it depends on.
    Plain,
    /// Against the shims of what it depends on, because its interface speaks of their types.
    Instrumented,
}

impl Shim {
    /// The group that this file belongs to: the one with the longest path.
    pub fn group_of(&self, file: &str) -> Option<&str> {
        let fits = |path: &str| {
            let rest = file.strip_prefix(path)?;
            (rest.starts_with('/') || rest == ".rs").then_some(path.len())
        };
        let found = self.facts.groups.iter().filter_map(|(path, group)| Some((fits(path)?, group)));
        found.max().map(|(_, group)| group.as_str())
    }

    /// The names under `--cfg` that tell its version to the shim: `rv_x_1`, `rv_x_1_8`, `rv_x_1_8_3`, each with
    /// all lower ones of its row, so that a shim asks for the first version that has something.
    pub fn version_cfgs(&self, version: &Version) -> Vec<String> {
        let Version { major, minor, patch, .. } = version;
        let krate = self.krate;
        let majors = (1..=*major).map(|it| format!("rv_{krate}_{it}"));
        let minors = (1..=*minor).map(|it| format!("rv_{krate}_{major}_{it}"));
        let patches = (1..=*patch).map(|it| format!("rv_{krate}_{major}_{minor}_{it}"));
        majors.chain(minors).chain(patches).collect()
    }
}

/// What the compiler calls the folder of the shims' sources.
pub const REMAPPED: &str = "/rvcheck";

/// The name of the one that every instrumented crate is linked with.
pub const STD: &str = "std";
/// The name of the one that crates without std are linked with.
pub const CORE: &str = "core";

static ALL: LazyLock<Vec<Shim>> = LazyLock::new(|| {
    let read = |(krate, sources): &(&'static str, &'static [Source])| {
        let (_, text) = sources.iter().find(|it| it.0 == "shim.toml")?;
        // A test reads each of them.
        Some(Shim { krate, sources, facts: toml::from_str(text).ok()? })
    };
    SHIMS.iter().filter_map(read).collect()
});

/// Every shim, by the name of its crate.
pub fn all() -> &'static [Shim] {
    &ALL
}

/// The shim of this crate.
pub fn of_crate(krate: &str) -> Option<&'static Shim> {
    all().iter().find(|it| it.krate == krate)
}

/// The shim for this package, if there is one that fits the version.
pub fn of_package(name: &str, version: &Version) -> Option<&'static Shim> {
    let fits = |it: &Shim| it.facts.versions.iter().any(|known| known.matches(version));
    of_package_of_any_version(name).filter(|it| fits(it))
}

/// The shim for some version of this package.
pub fn of_package_of_any_version(name: &str) -> Option<&'static Shim> {
    all().iter().find(|it| it.facts.package == name && ![STD, CORE].contains(&it.krate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_is_a_shim_whose_groups_have_sources() {
        assert_eq!(all().len(), SHIMS.len(), "a shim.toml cannot be read");
        for it in all() {
            for path in it.facts.groups.keys() {
                let has = it
                    .sources
                    .iter()
                    .any(|(file, _)| it.group_of(file) == it.group_of(&format!("{path}.rs")));
                assert!(has, "{}: nothing lies at {path}", it.krate);
            }
        }
    }

    #[test]
    fn a_package_has_a_shim_for_some_versions() {
        let of = |name, version| {
            of_package(name, &Version::parse(version).expect("it is a version")).map(|it| it.krate)
        };
        assert_eq!(of("tokio", "1.8.1"), Some("tokio"));
        assert_eq!(of("tokio", "0.2.25"), None);
        assert_eq!(of("std", "1.0.0"), None, "no package is the standard library");
    }

    #[test]
    fn files_belong_to_the_group_with_the_longest_path() {
        let tokio = of_crate("tokio").expect("there is one");
        assert_eq!(tokio.group_of("sync/mpsc/receiver.rs"), Some("mpsc"));
        assert_eq!(tokio.group_of("sync/watch.rs"), Some("watch"));
        assert_eq!(tokio.group_of("sync/watchful.rs"), None);
        assert_eq!(tokio.group_of("lib.rs"), None);
    }

    #[test]
    fn a_version_implies_all_earlier_ones() {
        let tokio = of_crate("tokio").expect("there is one");
        let cfgs = tokio.version_cfgs(&Version::new(1, 2, 1));
        assert_eq!(cfgs, ["rv_tokio_1", "rv_tokio_1_1", "rv_tokio_1_2", "rv_tokio_1_2_1"]);
    }
}
