//! The report as `JUnit` XML, which most CI services read: a suite for each property, a case for each unit.

use super::legible::for_people;
use super::{BuildOutcome, PropertyReport, Report, Style, UnitVerdict, Verdict};
use crate::finding::{Finding, Level};
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes the report as one XML document. A finding that is a note or that was suppressed fails no case.
pub(super) fn render_junit(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    let report = &for_people(report)?;
    let mut document = Document::new("rvcheck");
    let mut listed = BTreeSet::new();
    for property in &report.properties {
        listed.insert(property.id.as_str());
        document.add_test_suite(suite(report, property));
    }
    let others: BTreeSet<&str> =
        report.open().map(|it| it.property.as_str()).filter(|id| !listed.contains(id)).collect();
    for id in others {
        let mut suite = TestSuite::new(id);
        suite.add_test_cases(placed(report, id, &BTreeSet::new()));
        document.add_test_suite(suite);
    }
    if report.run.build != BuildOutcome::Ok {
        let mut suite = TestSuite::new("build");
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(report.run.notes.join("\n"));
        suite.add_test_case(TestCase::new("build under rvcheck", status));
        document.add_test_suite(suite);
    }
    document.serialize(&mut *out).map_err(io::Error::other)?;
    writeln!(out)
}

fn suite(report: &Report, property: &PropertyReport) -> TestSuite {
    let mut suite = TestSuite::new(&*property.id);
    let units: BTreeSet<&str> = property.units.iter().map(|it| it.test.as_str()).collect();
    let places = placed(report, &property.id, &units);
    if property.verdict == Verdict::Proved && places.is_empty() {
        suite.add_test_case(TestCase::new("proved", TestCaseStatus::success()));
    } else if units.is_empty() && places.is_empty() {
        let mut status = TestCaseStatus::skipped();
        status.set_message("not exercised: nothing that it refers to happened");
        suite.add_test_case(TestCase::new("not exercised", status));
    }
    suite.add_test_cases(property.units.iter().map(|unit| case(report, property, unit)));
    suite.add_test_cases(places);
    suite
}

/// The case of a unit.
fn case(report: &Report, property: &PropertyReport, unit: &UnitVerdict) -> TestCase {
    let status = match unit.verdict {
        Verdict::Held | Verdict::Proved => TestCaseStatus::success(),
        Verdict::NotExercised => skipped("not exercised"),
        Verdict::Inconclusive => skipped("inconclusive: the test ended abnormally, or events were lost"),
        Verdict::Violated | Verdict::Refuted | Verdict::Found | Verdict::Predicted => {
            let of_property = || failing(report, &property.id);
            let here: Vec<&Finding> = of_property().filter(|it| it.test == unit.test).collect();
            match (here.first(), of_property().next()) {
                (Some(_), _) => failure(&here),
                // The same defect in another unit is counted there.
                (None, Some(first)) => skipped(&format!("the same as in {}", first.test)),
                (None, None) => TestCaseStatus::success(),
            }
        }
    };
    named(&unit.test, &property.id, status)
}

/// The cases of the findings that belong to none of these units.
fn placed(report: &Report, id: &str, units: &BTreeSet<&str>) -> Vec<TestCase> {
    let elsewhere = failing(report, id).filter(|it| !units.contains(it.test.as_str()));
    let case = |finding: &Finding| {
        let name = format!("{}:{}:{}", finding.primary.file, finding.primary.line, finding.primary.column);
        named(&name, id, failure(&[finding]))
    };
    elsewhere.map(case).collect()
}

/// What fails a case.
fn failing<'a>(report: &'a Report, id: &'a str) -> impl Iterator<Item = &'a Finding> {
    report.open().filter(move |it| it.property == id && it.level > Level::Note)
}

fn named(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

fn failure(findings: &[&Finding]) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let mut text = String::new();
    for finding in findings {
        let at = &finding.primary;
        let _ = writeln!(
            text,
            "{}:{}:{}: {}[{}] {}",
            at.file, at.line, at.column, finding.level, finding.property, finding.message
        );
        for place in &finding.related {
            let _ = writeln!(text, "  {}:{}:{}: {}", place.file, place.line, place.column, place.label);
        }
        let helps = [
            ("help", &finding.next.advice),
            ("to see it again", &finding.next.command),
            ("details", &finding.guidance.explain),
        ];
        for (word, help) in helps {
            if !help.is_empty() {
                let _ = writeln!(text, "  {word}: {help}");
            }
        }
    }
    let first = findings.first();
    status.set_type(first.map_or("", |it| it.level.name()));
    status.set_message(first.map_or("", |it| it.message.as_str()));
    status.set_description(text);
    status
}
