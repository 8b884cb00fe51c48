//! What a callee or a type is, is asked of [`Callee`](rvcheck_source::callee::Callee) or [`Ty`](rvcheck_source::ty::Ty), and what a library
//! does stands in its table. The places that still compare texts of them are counted, and may only become fewer.

use std::fs;
use std::path::Path;

/// The rooms that reason about MIR.
const ROOMS: [&str; 5] = ["body", "facts", "program", "residual", "rules"];

/// How texts are compared: with a name, with several, or in parts.
const FORMS: [&str; 20] = [
    "name() == \"",
    "name() != \"",
    "owner() == \"",
    " name == \"",
    " name != \"",
    "name(), \"",
    "owner(), \"",
    "(name, \"",
    "name() {",
    "match name {",
    ".is(\"",
    ".names(\"",
    "is_trait(\"",
    "of_trait() == Some(\"",
    "starts_with(\"",
    "ends_with(\"",
    ".contains(\"",
    "strip_prefix(\"",
    "strip_suffix(\"",
    ".text()",
];

/// As many as there are. Whoever takes some away writes down how many are left.
const MOST: usize = 515;

/// The comparisons in a file or in those of a folder.
fn comparisons(path: &Path) -> usize {
    if path.is_dir() {
        let inside = fs::read_dir(path).expect("it is a folder").flatten();
        return inside.map(|it| comparisons(&it.path())).sum();
    }
    if path.file_stem().is_some_and(|it| it == "tests") {
        return 0;
    }
    let text = fs::read_to_string(path).expect("it is a source");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(str::trim).filter(|it| !it.starts_with("//"));
    // Where a list begins a line of its own, it is compared with all the same.
    let code = lines.collect::<Vec<_>>().join(" ").replace("( ", "(");
    FORMS.iter().map(|it| code.matches(it).count()).sum()
}

#[test]
fn texts_of_callees_and_types_are_compared_ever_less() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let found: usize = ROOMS.iter().map(|it| comparisons(&sources.join(it))).sum();
    assert!(
        found <= MOST,
        "{found} comparisons, but at most {MOST}: ask `Callee`, `Ty` or the table instead"
    );
}
