//! What a run of the tool gave.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

/// What one run of the tool gave.
#[derive(Debug)]
pub struct Run {
    /// The exit code; -1 for a signal.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The JSON report, if one was asked for and written.
    pub report: Option<Value>,
}

impl Run {
    pub(crate) fn of(output: &Output, report: Option<&Path>) -> Run {
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            report: report
                .and_then(|path| std::fs::read_to_string(path).ok())
                .and_then(|text| serde_json::from_str(&text).ok()),
        }
    }

    /// The report.
    ///
    /// # Panics
    ///
    /// When none was written; the message holds what the tool printed.
    pub fn report(&self) -> &Value {
        self.report.as_ref().unwrap_or_else(|| panic!("no report; exit {}\n{}", self.code, self.stderr))
    }

    /// The findings as `level property file:line`, in the report's order.
    pub fn findings(&self) -> Vec<String> {
        self.findings_where(|_| true)
    }

    /// The same of what a run showed, without what only the source shows.
    pub fn observed(&self) -> Vec<String> {
        self.findings_where(|it| it["proof"] != "static")
    }

    fn findings_where(&self, is_it: impl Fn(&Value) -> bool) -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
        let findings = self.report()["findings"].as_array().cloned().unwrap_or_default();
        findings
            .iter()
            .filter(|it| is_it(it))
            .map(|it| {
                let (primary, level) = (&it["primary"], text(&it["level"]));
                format!("{level} {} {}:{}", text(&it["property"]), text(&primary["file"]), primary["line"])
            })
            .collect()
    }

    /// The report for a person: what follows the tool's lines that it checks and then confirms.
    pub fn human(&self) -> &str {
        let (_, report) = self.stderr.split_once(" Checking ").expect("the tool says when it checks");
        let report = report.split_once('\n').expect("the line ends").1;
        match report.split_once('\n') {
            Some((line, rest)) if line.trim_start().starts_with("Confirming ") => rest,
            _ => report,
        }
    }

    /// Fails with the tool's output unless it ended with this code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}
