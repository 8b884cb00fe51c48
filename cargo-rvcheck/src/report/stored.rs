//! A report in its run's folder, so that `cargo rvcheck report` can render it again.

use super::{Excerpts, Format, PageData, Report, SCHEMA, Style};
use crate::error::{Expected, Result, reading};
use crate::finding::Pictures;
use crate::layout::REPORT;
use camino::Utf8Path;
use serde_json::Value;
use std::fs;
use std::io;

/// The file with the lines of source that it quotes.
const EXCERPTS: &str = "excerpts.json";

/// The file with the pictures of its findings, in their order, and with what else pages show.
const PAGES: &str = "pages.json";

/// Stores the report in this folder. Errors are those of the file system.
pub fn write(report: &Report, folder: &Utf8Path) -> io::Result<()> {
    let mut text = Vec::new();
    Format::Json.render(report, &mut text, Style::PLAIN)?;
    fs::write(folder.join(REPORT), text)?;
    fs::write(folder.join(EXCERPTS), serde_json::to_vec(&report.excerpts)?)?;
    let pictures: Vec<&Pictures> = report.findings.iter().map(|it| &it.pictures).collect();
    fs::write(folder.join(PAGES), serde_json::to_vec(&(&report.page, pictures))?)
}

/// The report that was stored in this folder. A missing or damaged file of excerpts or pictures only costs these.
pub fn read(folder: &Utf8Path) -> Result<Report> {
    let path = folder.join(REPORT);
    let text = fs::read(&path).map_err(reading(&path))?;
    let value: Value = serde_json::from_slice(&text).map_err(damaged(&path))?;
    if value["schema"].as_str().is_some_and(|it| it != SCHEMA) {
        return Err(Expected::OtherVersion(path));
    }
    let mut report: Report = serde_json::from_value(value).map_err(damaged(&path))?;
    report.excerpts = fs::read(folder.join(EXCERPTS))
        .ok()
        .and_then(|text| serde_json::from_slice::<Excerpts>(&text).ok())
        .unwrap_or_default();
    let pages = fs::read(folder.join(PAGES)).ok();
    let pages = pages.and_then(|it| serde_json::from_slice::<(PageData, Vec<Pictures>)>(&it).ok());
    if let Some((page, pictures)) = pages.filter(|it| it.1.len() == report.findings.len()) {
        report.page = page;
        for (finding, pictures) in report.findings.iter_mut().zip(pictures) {
            finding.pictures = pictures;
        }
    }
    Ok(report)
}

/// A report that the user names. Its lines of source are not at hand.
pub fn read_given(path: &Utf8Path) -> Result<Report> {
    let refused =
        |reason: String| Expected::Configuration(format!("{path} is no report of rvcheck: {reason}"));
    let text = fs::read(path).map_err(|source| Expected::Given { path: path.to_owned(), source })?;
    let value: Value = serde_json::from_slice(&text).map_err(|error| refused(error.to_string()))?;
    match value["schema"].as_str() {
        Some(SCHEMA) => serde_json::from_value(value).map_err(|error| refused(error.to_string())),
        Some(other) => Err(refused(format!("its schema is {other}, and this rvcheck knows {SCHEMA}"))),
        None => Err(refused("it names no schema".to_owned())),
    }
}

fn damaged(path: &Utf8Path) -> impl FnOnce(serde_json::Error) -> Expected {
    move |error| Expected::Damaged { path: path.to_owned(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_cannot_be_read_says_why() {
        let guard = tempfile::tempdir().expect("there is room for a temporary folder");
        let folder = Utf8Path::from_path(guard.path()).expect("its name is Unicode");
        assert!(matches!(read(folder), Err(Expected::Read { .. })));
        let of = |text: &str| {
            fs::write(folder.join(REPORT), text).expect("it can be written");
            read(folder)
        };
        assert!(matches!(of("{\"schema\":\"rvcheck.report/0\"}"), Err(Expected::OtherVersion(_))));
        assert!(matches!(of("{\"sche"), Err(Expected::Damaged { .. })));
        assert!(matches!(of("{}"), Err(Expected::Damaged { .. })));
    }
}
