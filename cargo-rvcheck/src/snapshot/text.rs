//! The stable text of a report: no times, counts of events, ids or line numbers; sorted; what proves and what is not monitored included.

use crate::check::inversions::EARLIER;
use crate::finding::{Allowance, Finding, Level};
use crate::report::{Report, Verdict, counted};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The text: the properties with their verdicts and findings, then other findings, then what is not monitored.
pub fn stable_text(report: &Report) -> String {
    let mut text = String::new();
    let mut rest: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    // What other runs have shown before is not the same everywhere.
    let counted_here = || report.findings.iter().filter(|it| it.witness.state != EARLIER);
    for finding in counted_here() {
        *rest.entry(&finding.property).or_default().entry(line(finding)).or_default() += 1;
    }
    for property in &report.properties {
        let _ = write!(text, "{}: {}", property.id, property.verdict.name().replace('-', " "));
        let proved: Vec<String> =
            property.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        // Of what is proved as a whole, another place changes nothing.
        if property.sites.proved > 0 && property.verdict != Verdict::Proved {
            let reasons = if proved.is_empty() { String::new() } else { format!(" ({})", proved.join(", ")) };
            let _ = write!(text, ", {} sites proved{reasons}", property.sites.proved);
        }
        let notes = counted_here().filter(|it| it.property == property.id && is_open_note(it)).count() as u64;
        if notes > 0 {
            let _ = write!(text, ", {}", counted(notes, "note"));
        }
        text.push('\n');
        list(&mut text, rest.remove(property.id.as_str()).unwrap_or_default());
    }
    for (id, findings) in rest {
        let _ = writeln!(text, "{id}");
        list(&mut text, findings);
    }
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    for place in &report.unmonitored {
        *places.entry(format!("{}: {}", place.file, one_line(&place.reason))).or_default() += 1;
    }
    if !places.is_empty() {
        text.push_str("\nnot monitored\n");
        list(&mut text, places);
    }
    text
}

fn is_open_note(finding: &Finding) -> bool {
    finding.level == Level::Note && !finding.suppressed
}

fn list(text: &mut String, lines: BTreeMap<String, u64>) {
    for (line, count) in lines {
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        let _ = writeln!(text, "  {line}{times}");
    }
}

/// A finding without its lines.
fn line(finding: &Finding) -> String {
    let proof = serde_json::to_value(finding.proof).ok();
    let proof = proof.as_ref().and_then(|it| it.as_str()).unwrap_or("");
    let item = &finding.anchor.item;
    let place = &finding.primary.file;
    let place = if item.is_empty() { place.clone() } else { format!("`{item}` of {place}") };
    let mut line =
        format!("{}, {proof}, in {place}: {}", finding.level, without_lines(&one_line(&finding.message)));
    if finding.suppressed {
        let by = match finding.suppression.as_ref().map(|it| it.by) {
            Some(Allowance::Baseline) => "the baseline",
            Some(Allowance::Level) => "its level",
            _ => "a comment",
        };
        let _ = write!(line, " [allowed by {by}]");
    }
    line
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without the numbers of lines and columns behind names of files.
fn without_lines(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(".rs:") {
        let (before, after) = rest.split_at(at + ".rs".len());
        kept.push_str(before);
        rest = after;
        while let Some(number) =
            rest.strip_prefix(':').filter(|it| it.starts_with(|it: char| it.is_ascii_digit()))
        {
            rest = number.trim_start_matches(|it: char| it.is_ascii_digit());
        }
        if let Some(stays) = rest.strip_prefix(':') {
            kept.push(':');
            rest = stays;
        }
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_lines_are_left_out_and_other_numbers_stay() {
        let cases = [
            ("lock 5 of src/lib.rs:16:3, then 7", "lock 5 of src/lib.rs, then 7"),
            ("a.rs:1 and b.rs:22", "a.rs and b.rs"),
            ("a.rs: it is 3:4", "a.rs: it is 3:4"),
            ("none", "none"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_lines(text), expected);
        }
    }
}
