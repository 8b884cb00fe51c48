//! By which names the user's code calls the packages that it depends on.

use super::Role;
use cargo_metadata::{Metadata, PackageId};
use std::collections::{BTreeMap, BTreeSet};

/// The names in code of each package that a member depends on, by the package's own name.
pub(super) fn called(
    metadata: &Metadata,
    roles: &BTreeMap<PackageId, Role>,
) -> BTreeMap<String, BTreeSet<String>> {
    let packages: BTreeMap<&PackageId, &str> =
        metadata.packages.iter().map(|it| (&it.id, it.name.as_str())).collect();
    let nodes = metadata.resolve.iter().flat_map(|it| &it.nodes);
    let members = nodes.filter(|it| roles.get(&it.id) == Some(&Role::Member));
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for dependency in members.flat_map(|it| &it.deps) {
        if let Some(package) = packages.get(&dependency.pkg) {
            found.entry((*package).to_owned()).or_default().insert(dependency.name.clone());
        }
    }
    found
}
