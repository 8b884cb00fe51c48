//! The report as SARIF 2.1.0, which code scanning services read.
//!
//! The model has the part of the standard that is written: one run, a rule for each property, a result for each finding.

use super::legible::for_people;
use super::path::{as_uri, in_repository};
use super::tried::tried;
use super::{BuildOutcome, Report, Style};
use crate::anchor::fingerprints;
use crate::escape::write_pretty;
use crate::finding::{Allowance, Finding, Fix, Level, Location, TextEdit, page};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Where the schema of the standard is.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The base that relative names of files have.
const BASE: &str = "%SRCROOT%";
/// The repository of the tool.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Writes the findings, suppressed ones included, as an indented document. Columns count characters, and files are named from
/// the root of the repository.
pub(super) fn render_sarif(report: &Report, out: &mut dyn Write, _: Style) -> io::Result<()> {
    // What tells findings apart does not depend on how they are shown.
    let prints = fingerprints(report.findings.iter());
    let report = &for_people(report)?;
    let rules = rules(report);
    let results: Vec<Value> = report
        .findings
        .iter()
        .zip(&prints)
        .map(|(finding, print)| result(report, &rules, finding, print))
        .collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "rvcheck",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": REPOSITORY,
                "rules": rules.iter().map(|id| rule(report, id)).collect::<Vec<_>>(),
            }},
            "originalUriBaseIds": { BASE: { "description": { "text": "the root of the repository" } } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": report.run.build == BuildOutcome::Ok,
                "toolExecutionNotifications":
                    report.run.notes.iter().map(|it| json!({ "message": { "text": it } })).collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    write_pretty(&document, out)
}

/// The ids of the rules, in order: every property, and whatever else has findings.
fn rules(report: &Report) -> Vec<&str> {
    let properties = report.properties.iter().map(|it| it.id.as_str());
    let found = report.findings.iter().map(|it| it.property.as_str());
    properties.chain(found).collect::<BTreeSet<_>>().into_iter().collect()
}

fn rule(report: &Report, id: &str) -> Value {
    let property = report.properties.iter().find(|it| it.id == id);
    let title = property.map(|it| it.title.as_str()).filter(|it| !it.is_empty()).unwrap_or(id);
    let level = property.map_or(Level::Warning, |it| it.level);
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": title },
        "fullDescription": { "text": title },
        "defaultConfiguration": { "level": level.name() },
        "properties": { "tags": ["concurrency"] },
    });
    let help = match rvcheck_specs::find(id) {
        Some(entry) => entry.docs.to_owned(),
        None => format!("{title}\n\n`cargo rvcheck explain {id}` says more."),
    };
    if let Some(page) = page(id) {
        rule["helpUri"] = json!(page);
    }
    rule["help"] = json!({ "text": help, "markdown": help });
    rule
}

fn result(report: &Report, rules: &[&str], finding: &Finding, fingerprint: &str) -> Value {
    let index = rules.iter().position(|it| *it == finding.property);
    let mut text = finding.message.clone();
    if let Some(tried) = tried(finding) {
        text.push_str("\n\n");
        text.push_str(&tried);
    }
    if !finding.next.advice.is_empty() {
        text.push_str("\n\n");
        text.push_str(&finding.next.advice);
    }
    let related: Vec<Value> = finding.related.iter().map(|it| location(report, it)).collect();
    let mut result = json!({
        "ruleId": finding.property,
        "ruleIndex": index,
        "level": finding.level.name(),
        "message": { "text": text },
        "locations": [location(report, &finding.primary)],
        "partialFingerprints": { "rvcheck/v1": fingerprint },
        "occurrenceCount": finding.occurrences.max(1),
        "properties": {
            "proof": finding.proof,
            "test": finding.test,
            "command": finding.next.command,
        },
    });
    for (key, value) in [("explain", &finding.guidance.explain), ("page", &finding.guidance.page)] {
        if !value.is_empty() {
            result["properties"][key] = json!(value);
        }
    }
    if let Some(line) = &finding.guidance.suppression {
        result["properties"]["suppression"] = json!(line);
    }
    if !finding.fixes.is_empty() {
        let fixes: Vec<Value> = finding.fixes.iter().map(|it| fix(report, it)).collect();
        result["fixes"] = fixes.into();
    }
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if finding.suppressed {
        let by = finding.suppression.as_ref();
        let kind = if by.is_none_or(|it| it.by == Allowance::Comment) { "inSource" } else { "external" };
        let mut suppression = json!({ "kind": kind });
        if let Some(reason) = by.map(|it| it.reason.as_str()).filter(|it| !it.is_empty()) {
            suppression["justification"] = reason.into();
        }
        result["suppressions"] = json!([suppression]);
    }
    result
}

/// A fix, with the changes of each file together. That it may be incorrect, its description says.
fn fix(report: &Report, fix: &Fix) -> Value {
    let mut files: Vec<(&str, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        match files.last_mut().filter(|it| it.0 == edit.file) {
            Some(file) => file.1.push(replacement(edit)),
            None => files.push((&edit.file, vec![replacement(edit)])),
        }
    }
    let changes: Vec<Value> = files
        .into_iter()
        .map(|(file, all)| json!({ "artifactLocation": artifact(report, file), "replacements": all }))
        .collect();
    json!({
        "description": { "text": format!("{} ({})", fix.message, fix.applicability.name()) },
        "artifactChanges": changes,
    })
}

fn replacement(edit: &TextEdit) -> Value {
    json!({
        "deletedRegion": {
            "startLine": edit.line,
            "startColumn": edit.column,
            "endLine": edit.end_line,
            "endColumn": edit.end_column,
        },
        "insertedContent": { "text": edit.replacement },
    })
}

fn artifact(report: &Report, file: &str) -> Value {
    let path = in_repository(&report.workspace, file);
    if path.starts_with('/') {
        json!({ "uri": format!("file://{}", as_uri(&path)) })
    } else {
        json!({ "uri": as_uri(&path), "uriBaseId": BASE })
    }
}

fn location(report: &Report, at: &Location) -> Value {
    let artifact = artifact(report, &at.file);
    let (line, column) = (at.line.max(1), at.column.max(1));
    let end_line = at.end_line.max(line);
    let least = if end_line == line { column } else { 1 };
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": artifact,
        "region": {
            "startLine": line,
            "startColumn": column,
            "endLine": end_line,
            "endColumn": at.end_column.max(least),
        },
    }});
    if !at.label.is_empty() {
        location["message"] = json!({ "text": at.label });
    }
    location
}
