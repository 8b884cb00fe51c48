//! Filtersets: expressions that say which tests are run, in nextest's language and with its meaning.
//!
//! Where nextest runs the tests, it evaluates them. Else the tool checks them before anything is built, and the runner evaluates them
//! for each executable when that has listed its tests.

use super::run_file::Listed;
use crate::error::{Expected, Result};
use crate::project::TargetKind;
use crate::project::built::Executable;
use crate::specs::SpecProblem;
use guppy::graph::cargo::BuildPlatform;
use guppy::graph::{PackageGraph, PackageMetadata};
use guppy::{CargoMetadata, PackageId};
use miette::Diagnostic;
use nextest_filtering::errors::FiltersetParseErrors;
use nextest_filtering::{
    BinaryQuery, CompiledExpr, EvalContext, Filterset, FiltersetKind, GroupLookup, KnownGroups, NameMatcher,
    ParseContext, TestQuery,
};
use nextest_metadata::{RustBinaryId, RustTestBinaryKind, TestCaseName};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Filtersets, and the packages that they speak of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filtersets {
    /// The expressions, of which one has to hold.
    expressions: Vec<String>,
    /// What `cargo metadata` says.
    metadata: String,
}

/// What the tests are in that are selected from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite<'a> {
    /// A test executable.
    Executable(&'a Executable),
    /// The documentation of a library.
    Documentation(&'a Executable),
}

impl Filtersets {
    /// These expressions, if they make sense; `None` of none. `metadata` is what `cargo metadata` says.
    ///
    /// # Errors
    ///
    /// With each mistake and its place.
    pub fn new(
        expressions: &[String],
        metadata: impl FnOnce() -> Result<String>,
    ) -> Result<Option<Filtersets>> {
        if expressions.is_empty() {
            return Ok(None);
        }
        if let Some(deep) = expressions.iter().find(|it| depth(it) > DEEPEST) {
            let begin: String = deep.chars().take(40).collect();
            let message = format!(
                "the filterset `{begin}…` is nested more than {DEEPEST} levels deep\nname the tests one by one: `-E` can be given several times"
            );
            return Err(Expected::Configuration(message));
        }
        let filtersets = Filtersets { expressions: expressions.to_vec(), metadata: metadata()? };
        let graph = filtersets.graph()?;
        filtersets.compiled(&graph)?;
        Ok(Some(filtersets))
    }

    /// Those of the tests in a suite that are selected, in their order.
    pub fn select(&self, suite: Suite<'_>, names: Vec<String>) -> Result<Vec<String>> {
        let graph = self.graph()?;
        let compiled = self.compiled(&graph)?;
        let Some(binary) = Binary::of(suite, &graph) else { return Ok(Vec::new()) };
        Ok(names.into_iter().filter(|it| binary.is_selected(it, &compiled)).collect())
    }

    fn graph(&self) -> Result<PackageGraph> {
        let read = CargoMetadata::parse_json(&self.metadata).and_then(CargoMetadata::build_graph);
        read.map_err(|error| Expected::Workspace(format!("its packages do not fit together: {error}")))
    }

    fn compiled(&self, graph: &PackageGraph) -> Result<Vec<Filterset>> {
        let context = ParseContext::new(graph);
        // Groups are what nextest's configuration makes.
        let groups = KnownGroups::Known { custom_groups: HashSet::new() };
        let compile = |text: &String| {
            Filterset::parse(text.clone(), &context, FiltersetKind::Test, &groups).map_err(|it| refused(&it))
        };
        self.expressions.iter().map(compile).collect()
    }
}

/// How deep expressions may be nested. The parser goes as deep as they are.
const DEEPEST: usize = 200;

/// How deep an expression is nested: in groups, and in negations that stand one behind the other.
fn depth(expression: &str) -> usize {
    let (mut groups, mut negations, mut deepest) = (0_usize, 0, 0);
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('!', " ! ");
    for word in spaced.split_whitespace() {
        match word {
            "(" => groups += 1,
            ")" => groups = groups.saturating_sub(1),
            "!" | "not" => negations += 1,
            _ => negations = 0,
        }
        deepest = deepest.max(groups + negations);
    }
    deepest
}

/// What is wrong with an expression, each with its place.
fn refused(errors: &FiltersetParseErrors) -> Expected {
    let rendered = errors.errors.iter().map(|error| {
        let label = error.labels().and_then(|mut it| it.next());
        let span = label.as_ref().map_or(0..errors.input.len(), |it| it.offset()..it.offset() + it.len());
        let detail = label.as_ref().and_then(|it| it.label()).unwrap_or_default();
        let message = error.to_string();
        let message = if detail.is_empty() || message.contains(detail) {
            message
        } else {
            format!("{message}: {detail}")
        };
        let help = error.help().map(|it| it.to_string());
        SpecProblem { file: "-E".to_owned(), span, message, help }.rendered(&errors.input, false)
    });
    let rendered: Vec<String> = rendered.collect();
    Expected::Configuration(format!(
        "the filterset cannot be used\n{}\nnextest's manual describes the language: https://nexte.st/docs/filtersets/reference/",
        rendered.join("\n")
    ))
}

/// A suite as nextest calls it.
struct Binary<'g> {
    package: &'g PackageId,
    id: RustBinaryId,
    kind: RustTestBinaryKind,
    name: String,
    platform: BuildPlatform,
}

/// What nextest has no word for.
const DOCUMENTATION: &str = "doc";

impl<'g> Binary<'g> {
    fn of(suite: Suite<'_>, graph: &'g PackageGraph) -> Option<Binary<'g>> {
        let (Suite::Executable(executable) | Suite::Documentation(executable)) = suite;
        let is_it =
            |it: &PackageMetadata<'_>| it.manifest_path().parent() == Some(executable.package.as_path());
        let package = graph.workspace().iter().find(is_it)?;
        let name = executable.target.clone();
        let kind = match (suite, executable.kind) {
            (Suite::Documentation(_), _) => RustTestBinaryKind::new(DOCUMENTATION),
            (_, TargetKind::Lib) if package.is_proc_macro() => RustTestBinaryKind::PROC_MACRO,
            (_, TargetKind::Lib) => RustTestBinaryKind::LIB,
            (_, TargetKind::Bin) => RustTestBinaryKind::BIN,
            (_, TargetKind::Test) => RustTestBinaryKind::TEST,
            (_, TargetKind::Example) => RustTestBinaryKind::EXAMPLE,
            (_, TargetKind::Bench) => RustTestBinaryKind::BENCH,
        };
        let host = kind == RustTestBinaryKind::PROC_MACRO;
        let platform = if host { BuildPlatform::Host } else { BuildPlatform::Target };
        let id = RustBinaryId::from_parts(package.name(), &kind, &name);
        Some(Binary { package: package.id(), id, kind, name, platform })
    }

    fn is_selected(&self, test: &str, filtersets: &[Filterset]) -> bool {
        let name = TestCaseName::new(test);
        let binary_query = BinaryQuery {
            package_id: self.package,
            binary_id: &self.id,
            kind: &self.kind,
            binary_name: &self.name,
            platform: self.platform,
        };
        let query = TestQuery { binary_query, test_name: &name };
        let context = EvalContext { default_filter: &CompiledExpr::ALL };
        filtersets.iter().any(|it| it.matches_test_with_groups(&query, &context, &NoGroups))
    }
}

/// Without nextest, every test is in the group that has no name of its own.
#[derive(Debug)]
struct NoGroups;

impl GroupLookup for NoGroups {
    fn is_member_test(&self, _: &TestQuery<'_>, matcher: &NameMatcher) -> bool {
        matcher.is_match(nextest_metadata::GLOBAL_TEST_GROUP)
    }
}

impl Listed {
    /// Its tests, to be selected from.
    pub fn suite(&self) -> Suite<'_> {
        Suite::Executable(&self.executable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A workspace of the packages `shop`, with a library and the test `it`, and `till`, which is a library that `shop` depends on.
    fn metadata() -> String {
        let target = |kind: &str, name: &str, path: &str| {
            json!({
                "kind": [kind], "crate_types": [if kind == "lib" { "lib" } else { "bin" }], "name": name, "src_path": path,
                "edition": "2024", "doc": false, "doctest": false, "test": true,
            })
        };
        let package = |name: &str, dependencies: serde_json::Value, targets: serde_json::Value| {
            json!({
                "name": name, "version": "0.1.0", "id": format!("path+file:///{name}#0.1.0"), "license": null,
                "license_file": null, "description": null, "source": null, "dependencies": dependencies, "targets": targets,
                "features": {}, "manifest_path": format!("/{name}/Cargo.toml"), "metadata": null, "publish": null,
                "authors": [], "categories": [], "keywords": [], "readme": null, "repository": null, "homepage": null,
                "documentation": null, "edition": "2024", "links": null, "default_run": null, "rust_version": null,
            })
        };
        let on_till = json!([{
            "name": "till", "source": null, "req": "*", "kind": null, "rename": null, "optional": false,
            "uses_default_features": true, "features": [], "target": null, "registry": null, "path": "/till",
        }]);
        let (shop, till) = ("path+file:///shop#0.1.0", "path+file:///till#0.1.0");
        let dep = json!({ "name": "till", "pkg": till, "dep_kinds": [{ "kind": null, "target": null }] });
        let node = |id: &str, of: &[&str], deps: serde_json::Value| json!({ "id": id, "dependencies": of, "deps": deps, "features": [] });
        json!({
            "packages": [
                package("shop", on_till, json!([target("lib", "shop", "/shop/src/lib.rs"), target("test", "it", "/shop/tests/it.rs")])),
                package("till", json!([]), json!([target("lib", "till", "/till/src/lib.rs")])),
            ],
            "workspace_members": [shop, till],
            "workspace_default_members": [shop, till],
            "resolve": { "nodes": [node(shop, &[till], json!([dep])), node(till, &[], json!([]))], "root": null },
            "target_directory": "/target", "version": 1, "workspace_root": "/", "metadata": null,
        })
        .to_string()
    }

    fn filtersets(expressions: &[&str]) -> Result<Option<Filtersets>> {
        let expressions: Vec<String> = expressions.iter().map(|it| (*it).to_owned()).collect();
        Filtersets::new(&expressions, || Ok(metadata()))
    }

    /// What these expressions select, as `target::test`; of documentation, `doc::test`.
    fn selected(expressions: &[&str]) -> Vec<String> {
        let filtersets = filtersets(expressions).expect("it makes sense").expect("there is one");
        let executable = |package: &str, kind, target: &str| Executable {
            package: package.into(),
            kind,
            target: target.to_owned(),
        };
        let (lib, it) =
            (executable("/shop", TargetKind::Lib, "shop"), executable("/shop", TargetKind::Test, "it"));
        let till = executable("/till", TargetKind::Lib, "till");
        let names = || vec!["sells".to_owned(), "slow::sells".to_owned()];
        let suites = [
            ("shop", Suite::Executable(&lib)),
            ("it", Suite::Executable(&it)),
            ("till", Suite::Executable(&till)),
            ("doc", Suite::Documentation(&lib)),
        ];
        let mut all = Vec::new();
        for (word, suite) in suites {
            let names = filtersets.select(suite, names()).expect("it can be evaluated");
            all.extend(names.into_iter().map(|it| format!("{word}::{it}")));
        }
        all
    }

    #[test]
    fn nesting_beyond_reason_is_refused() {
        let groups = |levels: usize| format!("{}test(a){}", "(".repeat(levels), ")".repeat(levels));
        let negations = |levels: usize| format!("{}test(a)", "not ".repeat(levels));
        for refused in [groups(60_000), negations(60_000), "!".repeat(60_000), "(".repeat(60_000)] {
            let error = filtersets(&[&refused]).expect_err("it is too deep").to_string();
            assert!(error.contains("nested more than 200 levels deep"), "{error}");
        }
        let flat = ["test(a)"; 500].join(" | ");
        for accepted in [groups(150), negations(150), flat] {
            assert!(filtersets(&[&accepted]).is_ok(), "{accepted}");
        }
    }

    #[test]
    fn expressions_mean_what_they_mean_to_nextest() {
        let cases: [(&[&str], &[&str]); 11] = [
            (&["package(till)"], &["till::sells", "till::slow::sells"]),
            (&["package(shop) & kind(test)"], &["it::sells", "it::slow::sells"]),
            (&["binary(=it) and test(slow)"], &["it::slow::sells"]),
            (&["binary_id(shop::it) - test(/^slow/)"], &["it::sells"]),
            (&["kind(doc) & test(=sells)"], &["doc::sells"]),
            (&["deps(=till) & not test(slow)"], &["till::sells"]),
            (&["rdeps(=till) & kind(lib) & !test(slow)"], &["shop::sells", "till::sells"]),
            (
                &["test(#slow*) & (kind(lib) | kind(test))"],
                &["shop::slow::sells", "it::slow::sells", "till::slow::sells"],
            ),
            (&["kind(=test) & test(=sells)", "package(=till) & test(=sells)"], &["it::sells", "till::sells"]),
            (&["none()"], &[]),
            (&["all() - kind(lib) - kind(doc) - test(~slow)"], &["it::sells"]),
        ];
        for (expressions, expected) in cases {
            assert_eq!(selected(expressions), expected, "{expressions:?}");
        }
    }

    #[test]
    fn a_mistake_is_shown_at_its_place() {
        let cases = [
            ("test(a) &", "-E:1:"),
            ("package(nowhere)", "nowhere"),
            ("test(/[/)", "regex"),
            ("group(=mine)", "mine"),
            ("tset(a)", "-E:1:1"),
        ];
        for (expression, part) in cases {
            let message = filtersets(&[expression]).expect_err("it makes no sense").to_string();
            assert!(
                message.contains(part) && message.contains("https://nexte.st"),
                "{expression}: {message}"
            );
        }
    }
}
