//! Packages of the program that have a shim, but none that fits their version.

use super::Role;
use crate::shim;
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use std::collections::BTreeMap;

/// Such a package. It is compiled like any other dependency, and what it does is not seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unsupported {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The versions that there is a shim for.
    pub known: String,
    /// A member uses it, so that the user's own code may call it.
    pub used_by_member: bool,
}

/// Those of this graph, in order.
pub(super) fn unsupported(metadata: &Metadata, roles: &BTreeMap<PackageId, Role>) -> Vec<Unsupported> {
    let found = metadata.packages.iter().filter_map(|package| {
        let known = known_versions(package)?;
        let used_by_member = used_by_member(metadata, roles, &package.id);
        let used = used_by_member || roles.get(&package.id) == Some(&Role::Instrumented);
        used.then(|| Unsupported {
            name: package.name.to_string(),
            version: package.version.to_string(),
            known,
            used_by_member,
        })
    });
    let mut found: Vec<Unsupported> = found.collect();
    found.sort();
    found
}

/// The versions of this package that have a shim, if others have one but this has none.
fn known_versions(package: &Package) -> Option<String> {
    // What lies in a folder of the user's is monitored itself.
    package.source.as_ref()?;
    let versions = &shim::of_package_of_any_version(&package.name)?.facts.versions;
    let fits = shim::of_package(&package.name, &package.version).is_some();
    let known: Vec<String> = versions.iter().map(ToString::to_string).collect();
    (!fits).then(|| known.join(" and "))
}

/// Whether the code of a member, or of its tests, can call this package.
fn used_by_member(metadata: &Metadata, roles: &BTreeMap<PackageId, Role>, id: &PackageId) -> bool {
    let nodes = metadata.resolve.iter().flat_map(|it| &it.nodes);
    let members = nodes.filter(|it| roles.get(&it.id) == Some(&Role::Member));
    let mut dependencies = members.flat_map(|it| &it.deps).filter(|it| it.pkg == *id);
    dependencies.any(|it| it.dep_kinds.iter().any(|kind| kind.kind != DependencyKind::Build))
}
