//! Which packages of the graph a build of the tests needs: not those that only other members depend on.

use cargo_metadata::{DependencyKind, Metadata, PackageId};
use std::collections::{BTreeMap, BTreeSet};

/// The packages that are compiled for the tests of these members: what they depend on, also for their tests, and what that depends on.
pub(super) fn needed(metadata: &Metadata, selected: &BTreeSet<PackageId>) -> BTreeSet<PackageId> {
    let nodes = metadata.resolve.iter().flat_map(|it| &it.nodes);
    let nodes: BTreeMap<&PackageId, &cargo_metadata::Node> = nodes.map(|it| (&it.id, it)).collect();
    let mut found = selected.clone();
    let mut open: Vec<&PackageId> = selected.iter().collect();
    while let Some(package) = open.pop() {
        let Some(node) = nodes.get(package) else { continue };
        let is_tested = selected.contains(package);
        for dependency in &node.deps {
            let is_needed = |kind: DependencyKind| is_tested || kind != DependencyKind::Development;
            if dependency.dep_kinds.iter().any(|it| is_needed(it.kind))
                && found.insert(dependency.pkg.clone())
            {
                open.push(&dependency.pkg);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_only_other_members_or_tests_of_dependencies_depend_on_is_not_needed() {
        let package = |name: &str| {
            json!({
                "name": name, "version": "0.1.0", "id": name, "dependencies": [], "targets": [], "features": {},
                "manifest_path": "/Cargo.toml", "license": null, "license_file": null, "description": null, "source": null,
            })
        };
        let node = |name: &str, deps: &[(&str, Option<&str>)]| {
            let names: Vec<&str> = deps.iter().map(|it| it.0).collect();
            let deps: Vec<_> = deps
                .iter()
                .map(|(name, kind)| json!({ "name": name, "pkg": name, "dep_kinds": [{ "kind": kind, "target": null }] }))
                .collect();
            json!({ "id": name, "dependencies": names, "deps": deps, "features": [] })
        };
        let names = ["shop", "till", "store", "assert", "derive", "proptest"];
        let nodes = [
            node("shop", &[("store", None), ("assert", Some("dev")), ("derive", Some("build"))]),
            node("till", &[("shop", None)]),
            node("store", &[("proptest", Some("dev"))]),
            node("assert", &[]),
            node("derive", &[]),
            node("proptest", &[]),
        ];
        let metadata: Metadata = serde_json::from_value(json!({
            "packages": names.map(package), "workspace_members": ["shop", "till"], "workspace_root": "/",
            "resolve": { "nodes": nodes, "root": null }, "target_directory": "/target", "version": 1,
        }))
        .expect("it is what cargo writes");
        let selected = BTreeSet::from([PackageId { repr: "shop".to_owned() }]);
        let found: Vec<String> = needed(&metadata, &selected).into_iter().map(|it| it.repr).collect();
        assert_eq!(found, ["assert", "derive", "shop", "store"]);
    }
}
