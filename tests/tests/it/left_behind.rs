//! Who is left behind by a test that passes: pairs of programs, each with an expectation in its header.

use std::collections::BTreeSet;
use std::path::Path;

use rvcheck_tests::{Fixture, Run};
use serde_json::Value;

/// A file of the tree, with what its header and its marks say.
struct Pair {
    /// The path of its file in the tree.
    file: String,
    /// The properties that may explain it.
    properties: Vec<String>,
    /// An ordinary run shows it.
    by_run: bool,
    /// Where somebody is stuck.
    stuck: BTreeSet<u64>,
    /// The first line of the corrected twin, and the first behind it.
    fixed: std::ops::Range<u64>,
}

/// What the corrected twins do beside: they let a task panic that nobody joins.
const BESIDE: &str = "lost-error";

fn pairs(tree: &Path) -> Vec<Pair> {
    let files = std::fs::read_dir(tree.join("src")).expect("the tree has sources");
    let mut paths: Vec<_> = files.map(|it| it.expect("it can be read").path()).collect();
    paths.sort();
    paths.iter().filter_map(|it| pair(it)).collect()
}

fn pair(path: &Path) -> Option<Pair> {
    let text = std::fs::read_to_string(path).expect("it is text");
    let (properties, shown) =
        text.lines().find_map(|it| it.strip_prefix("//! expect: "))?.split_once("; shown by: ")?;
    let numbered = || (1..).zip(text.lines());
    let line = |begin: &str| numbered().find(|it| it.1.starts_with(begin)).map(|it| it.0);
    Some(Pair {
        file: format!("src/{}", path.file_name()?.to_str()?),
        properties: properties
            .split(',')
            .map(|it| it.trim().trim_start_matches("also ").to_owned())
            .collect(),
        by_run: shown.trim() == "run",
        stuck: numbered().filter(|it| it.1.trim_end().ends_with("// stuck here")).map(|it| it.0).collect(),
        fixed: line("pub mod fixed")?..line("mod tests").unwrap_or(u64::MAX),
    })
}

impl Pair {
    /// Whether a finding that counts names a place where somebody is stuck.
    fn is_found(&self, finding: &Value) -> bool {
        let places =
            std::iter::once(&finding["primary"]).chain(finding["related"].as_array().into_iter().flatten());
        let is_here = |it: &Value| {
            it["file"] == *self.file && it["line"].as_u64().is_some_and(|line| self.stuck.contains(&line))
        };
        finding["level"] != "note"
            && self.properties.iter().any(|it| finding["property"] == *it)
            && places.into_iter().any(is_here)
    }

    /// Whether a finding that counts is about the corrected twin.
    fn is_false(&self, finding: &Value) -> bool {
        let primary = &finding["primary"];
        let of_twin = finding["proof"] != "static"
            && finding["test"].as_str().is_some_and(|it| it.contains("::fixed_"));
        finding["level"] != "note"
            && finding["property"] != BESIDE
            && primary["file"] == *self.file
            && (of_twin || primary["line"].as_u64().is_some_and(|line| self.fixed.contains(&line)))
    }
}

fn findings(run: &Run) -> &[Value] {
    run.report()["findings"].as_array().expect("findings are a list")
}

#[test]
fn who_is_stuck_is_found_although_the_test_passes_and_nobody_in_the_corrected_twin() {
    let fixture = Fixture::tree("stuck");
    // All tests run at once, and a panic among them may take a while to print its backtrace.
    let run = fixture.test(&["--confirm-budget", "0", "--leak-grace", "3s"]).expect(10);
    let pairs = pairs(&rvcheck_tests::repository().join("tests/trees/stuck"));
    let name = |it: &Pair| it.file.trim_start_matches("src/").trim_end_matches(".rs").to_owned();
    let missed: Vec<String> = pairs
        .iter()
        .filter(|it| it.by_run && !findings(&run).iter().any(|found| it.is_found(found)))
        .map(name)
        .collect();
    let wrong: Vec<&Value> =
        findings(&run).iter().filter(|found| pairs.iter().any(|it| it.is_false(found))).collect();
    assert!(missed.is_empty(), "missed: {missed:?}");
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}
