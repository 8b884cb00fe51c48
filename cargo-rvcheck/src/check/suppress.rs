//! What the user has allowed, and what is wrong with the comments that say so.

use crate::finding::{Allowance, Finding, Level, Location, Suppressed, order};
use rvcheck_source::suppression::{Allowed, Suppression, Unreadable};
use std::collections::{BTreeMap, BTreeSet};

/// The id under which comments that allow nothing are reported.
const ID: &str = crate::finding::SUPPRESSION;

/// Marks the findings that a comment in the file of their primary location allows, and adds findings about comments that
/// cannot be read, that name no property, or that allow nothing.
pub(super) fn apply(
    suppressions: &BTreeMap<&str, &[Suppression]>,
    properties: &BTreeSet<&str>,
    findings: &mut Vec<Finding>,
) {
    let mut odd = Vec::new();
    for (file, suppression) in
        suppressions.iter().flat_map(|(file, all)| all.iter().map(move |it| (*file, it)))
    {
        let problem = match &suppression.meaning {
            Err(problem) => Some(unreadable(*problem)),
            Ok(allowed) if !properties.contains(allowed.id.as_str()) => Some((
                Level::Warning,
                format!("there is no property `{}` to allow", allowed.id),
                "name one of those that `cargo rvcheck list properties` shows",
            )),
            Ok(allowed) if !allow(allowed, file, findings) => Some((
                Level::Note,
                format!("nothing here violates `{}` in this run", allowed.id),
                "remove the comment, unless a test that was not run needs it",
            )),
            Ok(_) => None,
        };
        odd.extend(problem.map(|problem| finding(file, suppression, problem)));
    }
    findings.extend(odd);
    findings.sort_by(order);
}

/// Marks what is allowed; whether there was anything.
fn allow(allowed: &Allowed, file: &str, findings: &mut [Finding]) -> bool {
    let mut any = false;
    for finding in findings {
        let covered = finding.primary.file == file && allowed.lines.contains(&finding.primary.line);
        if covered && (finding.property == allowed.id || finding.rule == allowed.id) {
            finding.suppressed = true;
            finding.suppression = Some(Suppressed { by: Allowance::Comment, reason: allowed.reason.clone() });
            any = true;
        }
    }
    any
}

type Problem = (Level, String, &'static str);

fn unreadable(problem: Unreadable) -> Problem {
    const FORM: &str = "write `// rvcheck: allow(id, reason = \"…\")`";
    match problem {
        Unreadable::NoReason => {
            (Level::Warning, "a suppression without a reason allows nothing".to_owned(), FORM)
        }
        Unreadable::Form => {
            (Level::Warning, "this comment cannot be read and allows nothing".to_owned(), FORM)
        }
    }
}

fn finding(file: &str, suppression: &Suppression, (level, message, advice): Problem) -> Finding {
    let primary = Location {
        file: file.to_owned(),
        line: suppression.start.line,
        column: suppression.start.column,
        end_line: suppression.start.line,
        end_column: suppression.end.column,
        label: String::new(),
    };
    Finding::of_text(ID, level, primary, message, advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rvcheck_source::suppression::suppressions;

    fn lost(line: u32) -> Finding {
        let mut it = finding(
            "src/lib.rs",
            &suppressions("// rvcheck: allow(x)")[0],
            (Level::Error, String::new(), ""),
        );
        it.property = "lost-error".to_owned();
        it.primary.line = line;
        it
    }

    /// The findings after the comments of this text were applied, as `property level suppressed`.
    fn after(text: &str, mut findings: Vec<Finding>) -> Vec<String> {
        let all = suppressions(text);
        let properties = BTreeSet::from(["lost-error", "task-leak"]);
        apply(&BTreeMap::from([("src/lib.rs", all.as_slice())]), &properties, &mut findings);
        findings.iter().map(|it| format!("{} {} {}", it.property, it.level, it.suppressed)).collect()
    }

    #[test]
    fn a_comment_allows_its_property_on_its_lines_and_no_other() {
        let text = "f();\n// rvcheck: allow(lost-error, reason = \"it is repeated\")\ng();\nh();\n";
        assert_eq!(after(text, vec![lost(3), lost(4)]), ["lost-error error true", "lost-error error false"]);
    }

    #[test]
    fn comments_that_allow_nothing_are_findings() {
        let cases = [
            ("// rvcheck: allow(task-leak, reason = \"r\")\nf();", "suppression note false"),
            ("// rvcheck: allow(lost-eror, reason = \"r\")\nf();", "suppression warning false"),
            ("// rvcheck: allow(lost-error)\nf();", "suppression warning false"),
            ("// rvcheck: forbid(lost-error)\nf();", "suppression warning false"),
        ];
        for (text, expected) in cases {
            assert_eq!(after(text, vec![lost(2)]), ["lost-error error false", expected], "{text}");
        }
    }
}
