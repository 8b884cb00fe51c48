//! The crates depend on each other as ARCHITECTURE.md says, and not otherwise.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand};
use rvcheck_tests::repository;

#[test]
fn the_crate_arrows_are_those_of_the_architecture() {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let (_, after) = text.split_once("```arrows\n").expect("ARCHITECTURE.md has a block of arrows");
    let (block, _) = after.split_once("```").expect("the block ends");
    let drawn: BTreeSet<String> =
        block.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();

    let metadata =
        MetadataCommand::new().manifest_path(repository().join("Cargo.toml")).no_deps().exec().unwrap();
    let ours: BTreeSet<_> = metadata.packages.iter().map(|it| it.name.to_string()).collect();
    let mut real = BTreeSet::new();
    for package in &metadata.packages {
        for dependency in
            package.dependencies.iter().filter(|it| ours.contains(&it.name) && it.name != *package.name)
        {
            let kind = match dependency.kind {
                DependencyKind::Normal => "",
                DependencyKind::Build => " (build)",
                _ => " (dev)",
            };
            real.insert(format!("{} <- {}{kind}", dependency.name, package.name));
        }
    }
    assert_eq!(drawn, real);
}

#[test]
fn what_is_compiled_into_the_program_has_no_third_party_dependency() {
    let metadata =
        MetadataCommand::new().manifest_path(repository().join("Cargo.toml")).no_deps().exec().unwrap();
    for package in metadata.packages.iter().filter(|it| it.manifest_path.as_str().contains("rvcheck-runtime"))
    {
        // What a procedural macro depends on is compiled into the compiler.
        let is_of_macros = package.targets.iter().any(cargo_metadata::Target::is_proc_macro);
        let of_macros: &[&str] = if is_of_macros { &["proc-macro2", "quote", "syn"] } else { &[] };
        for dependency in package.dependencies.iter().filter(|it| it.kind == DependencyKind::Normal) {
            let is_fine = dependency.path.is_some() || of_macros.contains(&&*dependency.name);
            assert!(is_fine, "{} depends on {}", package.name, dependency.name);
        }
    }
}
