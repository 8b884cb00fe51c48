//! What policies make of reports.

use super::*;
use crate::exit_code::Standing;
use crate::finding::{Allowance, Anchor, SUPPRESSION};
use crate::levels::Choice;
use crate::report::{Outcome, PropertyReport, SiteCount, Verdict};
use std::collections::BTreeMap;

fn found(property: &str, level: Level, file: &str, line: u32, item: &str) -> Finding {
    let anchor = Anchor { item: item.into(), code: "spawn();".into() };
    Finding { anchor, ..of_file(property, level, (file, line), "it is so".into(), "") }
}

fn report(findings: Vec<Finding>) -> Report {
    let mut report = Report::empty("b");
    report.run.units = 1;
    report.run.sites = SiteCount::of(100, 10);
    report.findings = findings;
    let property = |(id, level): (&str, Level)| PropertyReport {
        id: id.into(),
        title: String::new(),
        level,
        verdict: Verdict::Held,
        units: Vec::new(),
        sites: SiteCount::default(),
        events: 0,
        reasons: BTreeMap::new(),
        elsewhere: 0,
        notes: 0,
        live: None,
    };
    report.properties = [("lost-error", Level::Error), ("calm", Level::Note)].map(property).into();
    report
}

fn policy() -> Policy {
    Policy {
        gate: Gate { fail_on: Level::Error, allow_empty: false, strict: false },
        levels: Levels::default(),
        baseline: None,
        max_unmonitored: None,
        changes: None,
        packages: Vec::new(),
    }
}

fn with_levels(choices: &[(&str, Choice)]) -> Policy {
    Policy { levels: Levels::of(choices.iter().copied()).expect("they agree"), ..policy() }
}

/// The findings as `property level`, those that are suppressed in brackets.
fn shown(report: &Report) -> Vec<String> {
    let word = |it: &Finding| {
        if it.suppressed { format!("({})", it.property) } else { format!("{} {}", it.property, it.level) }
    };
    report.findings.iter().map(word).collect()
}

/// Levels, and the findings under them.
type Case<'a> = (&'a [(&'a str, Choice)], [&'a str; 4]);

#[test]
fn levels_change_what_counts_but_not_what_is_in_doubt() {
    let findings = || {
        vec![
            found("lost-error", Level::Error, "a.rs", 1, "f"),
            found("lost-error", Level::Warning, "a.rs", 2, "f"),
            found("lost-error", Level::Note, "a.rs", 3, "f"),
            found("calm", Level::Note, "a.rs", 4, "f"),
        ]
    };
    let cases: [Case<'_>; 5] = [
        (&[], ["lost-error error", "lost-error warning", "lost-error note", "calm note"]),
        (
            &[("lost-error", Choice::Warn)],
            ["lost-error warning", "lost-error warning", "lost-error note", "calm note"],
        ),
        (
            &[("lost-error", Choice::Deny), ("calm", Choice::Deny)],
            ["lost-error error", "lost-error error", "calm error", "lost-error note"],
        ),
        (
            &[("warnings", Choice::Deny)],
            ["lost-error error", "lost-error error", "lost-error note", "calm note"],
        ),
        (&[("all", Choice::Allow)], ["(lost-error)", "(lost-error)", "(lost-error)", "(calm)"]),
    ];
    for (choices, expected) in cases {
        let settled = settled(&report(findings()), &with_levels(choices));
        assert_eq!(shown(&settled), expected, "{choices:?}");
    }
}

#[test]
fn a_package_says_what_counts_in_its_code_unless_the_user_does() {
    let package = |folder: &str, skip, levels: &[(&str, Choice)]| Settings {
        id: String::new(),
        targets: Vec::new(),
        name: folder.into(),
        folder: folder.into(),
        skip,
        levels: Levels::of(levels.iter().copied()).expect("they agree"),
    };
    let packages = vec![
        package("", false, &[]),
        package("a/", false, &[("lost-error", Choice::Warn)]),
        package("old/", true, &[]),
    ];
    let findings = ["a.rs", "a/src/b.rs", "old/c.rs"].map(|it| lost(it, 1, "f"));
    let under = |choices: &[(&str, Choice)]| {
        let policy = Policy { packages: packages.clone(), ..with_levels(choices) };
        shown(&settled(&report(findings.to_vec()), &policy))
    };
    assert_eq!(under(&[]), ["lost-error error", "(lost-error)", "lost-error warning"]);
    let denied = under(&[("lost-error", Choice::Deny)]);
    assert_eq!(denied, ["lost-error error", "lost-error error", "(lost-error)"]);
}

#[test]
fn too_much_that_is_not_monitored_is_a_finding() {
    let at = |most: &str| {
        let policy = Policy { max_unmonitored: Some(most.parse().expect("it is a share")), ..policy() };
        settled(&report(Vec::new()), &policy)
    };
    assert_eq!(at("10%").findings, []);
    let over = at("9.99%");
    assert_eq!(over.findings[0].message, "10 of 100 sites (10%) are unmonitored; at most 9.99% may be");
    let outcome = Outcome { standing: Standing::Findings, exit_code: 10 };
    assert_eq!(over.outcome, Some(outcome));
    // Whoever shows it again with another limit gets what that limit means.
    assert_eq!(settled(&over, &policy()).findings, []);
}

/// The baseline of these findings.
fn baseline(findings: &[Finding]) -> Baseline {
    let (fresh, _) = baseline::renewed(&Baseline::default(), findings, true, true);
    fresh
}

fn under(known: &Baseline, findings: Vec<Finding>) -> Vec<String> {
    shown(&settled(&report(findings), &Policy { baseline: Some(known.clone()), ..policy() }))
}

fn lost(file: &str, line: u32, item: &str) -> Finding {
    found("lost-error", Level::Error, file, line, item)
}

#[test]
fn what_is_in_the_baseline_does_not_fail_wherever_it_moves() {
    let known = baseline(&[lost("a.rs", 1, "f")]);
    for moved in [lost("a.rs", 1, "f"), lost("a.rs", 77, "f"), lost("b.rs", 5, "f")] {
        let settled = settled(&report(vec![moved]), &Policy { baseline: Some(known.clone()), ..policy() });
        assert_eq!(shown(&settled), ["(lost-error)"]);
        let by = settled.findings[0].suppression.as_ref().map(|it| it.by);
        assert_eq!(by, Some(Allowance::Baseline));
    }
    let elsewhere = under(&known, vec![lost("a.rs", 1, "g")]);
    assert_eq!(elsewhere, ["lost-error error", "baseline note"]);
}

#[test]
fn one_more_than_the_baseline_is_a_finding_and_one_less_is_reported() {
    let known = baseline(&[lost("a.rs", 1, "f"), lost("a.rs", 2, "f")]);
    assert_eq!(known.entries.iter().map(|it| it.count).collect::<Vec<_>>(), [2]);
    let of_lines = |lines: &[u32]| lines.iter().map(|it| lost("a.rs", *it, "f")).collect();
    assert_eq!(under(&known, of_lines(&[1, 2])), ["(lost-error)", "(lost-error)"]);
    assert_eq!(under(&known, of_lines(&[1, 2, 3])), ["(lost-error)", "(lost-error)", "lost-error error"]);
    assert_eq!(under(&known, of_lines(&[9])), ["(lost-error)", "baseline note"]);
    // A partial run cannot tell.
    let mut partial = report(Vec::new());
    partial.run.partial = true;
    let settled = settled(&partial, &Policy { baseline: Some(known), ..policy() });
    assert_eq!(shown(&settled), [""; 0]);
}

#[test]
fn stale_entries_fail_only_where_that_is_asked_for() {
    let known = Some(baseline(&[lost("a.rs", 1, "f")]));
    let code = |strict| {
        let gate = Gate { strict, ..policy().gate };
        let report = settled(&report(Vec::new()), &Policy { gate, baseline: known.clone(), ..policy() });
        report.outcome.map(|it| it.exit_code)
    };
    assert_eq!((code(false), code(true)), (Some(0), Some(12)));
}

#[test]
fn a_baseline_grows_only_where_that_is_asked_for_and_shrinks_by_itself() {
    let old = baseline(&[lost("a.rs", 1, "f"), lost("a.rs", 2, "g")]);
    let now = [lost("a.rs", 1, "f"), lost("a.rs", 2, "f")];
    let change = baseline::Change { added: 1, removed: 1 };
    assert_eq!(baseline::renewed(&old, &now, false, true), (baseline(&now[..1]), change.clone()));
    assert_eq!(baseline::renewed(&old, &now, true, true), (baseline(&now), change));
    // After a run that did not end as it should, nothing is taken for mended.
    let (kept, change) = baseline::renewed(&old, &now, false, false);
    assert_eq!((kept, change.removed), (old, 0));
}

#[test]
fn what_comments_allow_and_remarks_about_suppressions_are_not_in_a_baseline() {
    let allowed = Finding { suppressed: true, ..lost("a.rs", 1, "f") };
    let remark = found(SUPPRESSION, Level::Note, "a.rs", 2, "f");
    assert_eq!(baseline(&[allowed, remark]).entries, []);
}

#[test]
fn what_has_not_changed_is_not_shown_and_does_not_fail() {
    let diff = "--- a/a.rs\n+++ b/a.rs\n@@ -7,1 +7,2 @@\n x\n+y\n";
    let policy = Policy { changes: Some(Changes::of_diff(diff)), ..policy() };
    let of = |line| settled(&report(vec![lost("a.rs", line, "f")]), &policy);
    assert_eq!(of(8).outcome.map(|it| it.exit_code), Some(10));
    let other = of(9);
    assert_eq!(other.outcome.map(|it| it.exit_code), Some(0));
    assert_eq!(other.findings[0].suppression.as_ref().map(|it| it.by), Some(Allowance::Unchanged));
    assert_eq!(other.run.notes, ["1 finding about lines that have not changed are not shown"]);
}

#[test]
fn to_settle_twice_is_to_settle_once() {
    let findings =
        vec![lost("a.rs", 1, "f"), lost("a.rs", 2, "f"), found("calm", Level::Note, "a.rs", 4, "f")];
    let policy = Policy {
        baseline: Some(baseline(&[lost("a.rs", 1, "f"), lost("b.rs", 1, "h")])),
        max_unmonitored: "1%".parse().ok(),
        ..with_levels(&[("calm", Choice::Deny), ("lost-error", Choice::Warn)])
    };
    let once = settled(&report(findings), &policy);
    assert_eq!(settled(&once, &policy), once);
}
