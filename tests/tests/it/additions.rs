//! A property, a rule and an output format are each added in the few places that ARCHITECTURE.md names, and the tree compiles.

use std::path::Path;
use std::process::Command;

use rvcheck_tests::{Fixture, repository};

/// Something that is added to the tree.
struct Addition {
    /// The new files.
    files: &'static [(&'static str, &'static str)],
    /// The lines in files that are there: the file, the line before, and the line.
    lines: &'static [(&'static str, &'static str, &'static str)],
}

const ADDITIONS: [Addition; 3] = [
    Addition {
        files: &[
            (
                "specs/lib/added.toml",
                "schema = 1\n\n[[property]]\nid = \"added\"\ntitle = \"Tasks finish\"\nlogic = \"ltl\"\n\
                 formula = \"forall t: task . F finish(t)\"\nmessage = \"{t} does not finish\"\nprimary = [\"spawn\"]\n",
            ),
            ("specs/lib/added.md", "# `added`\n"),
        ],
        lines: &[("specs/src/lib.rs", "library! {", "    \"added\",")],
    },
    Addition {
        files: &[(
            "cargo-rvcheck/source/src/rules/added.rs",
            "//! `added`: nothing.\n\nuse super::{Hit, Rule};\nuse crate::facts::Facts;\n\n\
             pub(super) const RULE: Rule = Rule { id: \"added\", property: \"added\", doc: \"\", shown_by: super::ShownBy::Run(\"\"), check };\n\n\
             fn check(_: &Facts<'_>) -> Vec<Hit> {\n    Vec::new()\n}\n",
        )],
        lines: &[
            ("cargo-rvcheck/source/src/rules/mod.rs", "mod affinity;", "mod added;"),
            ("cargo-rvcheck/source/src/rules/mod.rs", "pub const RULES: &[Rule] = &[", "    added::RULE,"),
        ],
    },
    Addition {
        files: &[(
            "cargo-rvcheck/src/report/added.rs",
            "//! A number.\n\nuse super::{Report, Style};\nuse std::io::{self, Write};\n\n\
             pub(super) fn render_added(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {\n    \
             writeln!(out, \"{}\", report.findings.len())\n}\n",
        )],
        lines: &[
            ("cargo-rvcheck/src/report/mod.rs", "pub mod excerpt;", "mod added;"),
            (
                "cargo-rvcheck/src/report/format.rs",
                "formats! {",
                "    /// The number of findings.\n    Added \"added\" super::added::render_added;",
            ),
        ],
    },
];

/// Adds it, and gives the folders of the files that were there and changed.
fn add(addition: &Addition, tree: &Path) {
    for (path, text) in addition.files {
        assert!(!tree.join(path).exists(), "{path} is new");
        std::fs::write(tree.join(path), text).unwrap();
    }
    for (path, before, line) in addition.lines {
        let text = std::fs::read_to_string(tree.join(path)).unwrap();
        let (head, tail) = text.split_once(before).unwrap_or_else(|| panic!("{before:?} is in {path}"));
        std::fs::write(tree.join(path), format!("{head}{before}\n{line}{tail}")).unwrap();
    }
}

#[test]
#[ignore = "nightly: it compiles a copy of the workspace"]
fn a_property_a_lint_and_a_format_are_each_a_file_and_at_most_two_lines() {
    let fixture = Fixture::copy(repository());
    for addition in &ADDITIONS {
        add(addition, fixture.path());
        assert!(addition.lines.len() <= 2);
    }
    // What is not of this tree has been checked for the repository. Macros are compiled, and would take the place of the repository's,
    // which crates that are built already need as they were.
    let check = Command::new(env!("CARGO"))
        .args(["check", "--workspace", "--exclude", "rvcheck-macros", "--exclude", "rvcheck-runtime"])
        .args(["--lib", "--offline", "--locked", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap())
        .current_dir(fixture.path())
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    let spec = fixture.run(&["spec", "check", "specs/lib/added.toml"]);
    assert_eq!(spec.code, 0, "{}{}", spec.stdout, spec.stderr);
}
