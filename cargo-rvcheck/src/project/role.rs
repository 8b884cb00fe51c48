//! What is done to each package of the graph.

use crate::request::Scope;
use crate::shim::{self, Real, Shim};
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The package by which programs speak.
const ANNOTATIONS: &str = "rvcheck-runtime";

/// What is done to a package when it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// Its sources belong to the user: rewritten, and compiled against the shims.
    Member,
    /// A dependency of the program: compiled against the shims.
    Instrumented,
    /// Compiled as it is: it belongs to the build, or a shim is built upon it.
    Plain,
    /// The crate by which the program itself speaks: compiled with the recorder in its reach.
    Annotations,
}

/// A graph of packages, in as far as roles depend on it.
#[derive(Debug, Default)]
struct Graph {
    nodes: BTreeMap<PackageId, Node>,
}

#[derive(Debug, Default)]
struct Node {
    /// Its source lies in a folder of the user's.
    local: bool,
    /// It is a member of the workspace.
    root: bool,
    /// It has a shim, and is itself compiled in this way.
    shimmed: Option<Real>,
    nature: Nature,
    edges: Vec<Edge>,
}

/// What a package is, apart from where it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Nature {
    /// Nothing special.
    #[default]
    Usual,
    /// A procedural macro.
    Macros,
    /// The crate by which programs speak.
    Annotations,
}

#[derive(Debug)]
struct Edge {
    to: PackageId,
    normal: bool,
    dev: bool,
}

/// The role of each package of the resolved graph.
pub(super) fn roles(metadata: &Metadata, scope: Scope) -> BTreeMap<PackageId, Role> {
    roles_in(&graph(metadata), scope)
}

/// The shims of packages of the graph.
pub(super) fn shims(metadata: &Metadata) -> BTreeMap<PackageId, &'static str> {
    let roots: BTreeSet<&PackageId> = metadata.workspace_members.iter().collect();
    let found =
        metadata.packages.iter().filter_map(|it| Some((it.id.clone(), stood_in_for(it, &roots)?.krate)));
    found.collect()
}

fn graph(metadata: &Metadata) -> Graph {
    let mut graph = Graph::default();
    let roots: BTreeSet<&PackageId> = metadata.workspace_members.iter().collect();
    let resolved = metadata.resolve.as_ref().map_or(&[][..], |it| &it.nodes);
    let edges: BTreeMap<&PackageId, &cargo_metadata::Node> = resolved.iter().map(|it| (&it.id, it)).collect();
    for package in &metadata.packages {
        let Some(node) = edges.get(&package.id) else { continue };
        let has = |kind| move |it: &&cargo_metadata::DepKindInfo| it.kind == kind;
        let edges = node.deps.iter().map(|dep| Edge {
            to: dep.pkg.clone(),
            normal: dep.dep_kinds.iter().any(|it| has(DependencyKind::Normal)(&it)),
            dev: dep.dep_kinds.iter().any(|it| has(DependencyKind::Development)(&it)),
        });
        let value = Node {
            local: package.source.is_none(),
            root: roots.contains(&package.id),
            shimmed: stood_in_for(package, &roots).map(|it| it.facts.real),
            nature: nature(package, &roots),
            edges: edges.collect(),
        };
        graph.nodes.insert(package.id.clone(), value);
    }
    graph
}

fn nature(package: &Package, roots: &BTreeSet<&PackageId>) -> Nature {
    if package.targets.iter().any(cargo_metadata::Target::is_proc_macro) {
        Nature::Macros
    } else if package.name == ANNOTATIONS && !roots.contains(&package.id) {
        Nature::Annotations
    } else {
        Nature::Usual
    }
}

/// The shim for this package. The user's own crate has none: it is what is to be seen.
fn stood_in_for(package: &Package, roots: &BTreeSet<&PackageId>) -> Option<&'static Shim> {
    if roots.contains(&package.id) { None } else { shim::of_package(&package.name, &package.version) }
}

fn roles_in(graph: &Graph, scope: Scope) -> BTreeMap<PackageId, Role> {
    let all = |test: fn(&Node) -> bool| graph.nodes.iter().filter(move |(_, it)| test(it)).map(|(id, _)| id);
    let below_shims = reached(graph, all(|it| it.shimmed == Some(Real::Plain)), |_, _| true);
    let annotated = reached(graph, all(|it| it.nature == Nature::Annotations), |_, _| true);
    let program = reached(graph, all(|it| it.root), |from, edge| {
        from.nature != Nature::Macros && (edge.normal || (edge.dev && from.root))
    });
    let role = |id: &PackageId, node: &Node| {
        if below_shims.contains(id) || annotated.contains(id) {
            if node.nature == Nature::Annotations { Role::Annotations } else { Role::Plain }
        } else if node.local {
            Role::Member
        } else if scope == Scope::Graph && program.contains(id) && node.nature != Nature::Macros {
            Role::Instrumented
        } else {
            Role::Plain
        }
    };
    graph.nodes.iter().map(|(id, node)| (id.clone(), role(id, node))).collect()
}

/// What can be reached from these packages over edges that are followed.
fn reached<'a>(
    graph: &'a Graph,
    from: impl Iterator<Item = &'a PackageId>,
    follow: impl Fn(&Node, &Edge) -> bool,
) -> BTreeSet<&'a PackageId> {
    let mut todo: Vec<&PackageId> = from.collect();
    let mut known: BTreeSet<&PackageId> = todo.iter().copied().collect();
    while let Some(id) = todo.pop() {
        let Some(node) = graph.nodes.get(id) else { continue };
        for edge in node.edges.iter().filter(|edge| follow(node, edge)) {
            if known.insert(&edge.to) {
                todo.push(&edge.to);
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> PackageId {
        PackageId { repr: name.to_owned() }
    }

    /// A graph from lines such as `shop(root local): tokio build:cc dev:rand`.
    fn graph_of(text: &str) -> Graph {
        let mut graph = Graph::default();
        for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
            let (head, tail) = line.split_once(':').expect("a colon follows the package");
            let (name, marks) = head.trim_end_matches(')').split_once('(').unwrap_or((head, ""));
            let has = |mark| marks.split(' ').any(|it| it == mark);
            let edges = tail.split_whitespace().map(|word| match word.split_once(':') {
                Some(("dev", to)) => Edge { to: id(to), normal: false, dev: true },
                Some((_, to)) => Edge { to: id(to), normal: false, dev: false },
                None => Edge { to: id(word), normal: true, dev: false },
            });
            let node = Node {
                local: has("local"),
                root: has("root"),
                shimmed: [("shimmed", Real::Plain), ("shimmed-instrumented", Real::Instrumented)]
                    .into_iter()
                    .find_map(|(mark, real)| has(mark).then_some(real)),
                nature: match (has("macros"), has("annotations")) {
                    (true, _) => Nature::Macros,
                    (_, true) => Nature::Annotations,
                    _ => Nature::Usual,
                },
                edges: edges.collect(),
            };
            graph.nodes.insert(id(name), node);
        }
        graph
    }

    const SHOP: &str = "
        shop(root local): till tokio hyper derive dev:rand dev:say build:cc
        till(local): bytes
        tokio(shimmed): bytes mio tokio-macros
        tokio-macros(macros): syn
        hyper: tokio slab util dev:flaky
        util(shimmed-instrumented): tokio slab
        derive(macros): syn
        syn:
        bytes:
        mio: libc
        libc:
        slab:
        rand: libc
        cc: jobs
        jobs:
        flaky:
        say(annotations local): vocabulary
        vocabulary(local):
    ";

    fn with_role(role: Role, scope: Scope) -> Vec<String> {
        let roles = roles_in(&graph_of(SHOP), scope);
        roles.into_iter().filter(|it| it.1 == role).map(|it| it.0.repr).collect()
    }

    #[test]
    fn path_packages_are_members() {
        assert_eq!(with_role(Role::Member, Scope::Graph), ["shop", "till"]);
        assert_eq!(with_role(Role::Member, Scope::Workspace), ["shop", "till"]);
    }

    #[test]
    fn the_programs_own_dependencies_are_instrumented() {
        assert_eq!(with_role(Role::Instrumented, Scope::Graph), ["hyper", "rand", "slab", "util"]);
        assert!(with_role(Role::Instrumented, Scope::Workspace).is_empty());
    }

    #[test]
    fn what_is_below_a_shim_or_only_part_of_the_build_stays_as_it_is() {
        let plain = [
            "bytes",
            "cc",
            "derive",
            "flaky",
            "jobs",
            "libc",
            "mio",
            "syn",
            "tokio",
            "tokio-macros",
            "vocabulary",
        ];
        assert_eq!(with_role(Role::Plain, Scope::Graph), plain);
    }

    #[test]
    fn the_crate_by_which_the_program_speaks_is_none_of_its_own() {
        for scope in [Scope::Graph, Scope::Workspace] {
            assert_eq!(with_role(Role::Annotations, scope), ["say"]);
        }
    }
}
