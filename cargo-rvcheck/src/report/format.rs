//! The forms of the report. A new one is a file beside this one, with its `mod`, and a row here.

use super::{Report, Style};
use clap::ValueEnum;
use std::io::{self, Write};

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident $name:literal $render:path;)*) => {
        /// A form of the report.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// The name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Format::$format => $name,)*
                }
            }

            /// Writes the report in this form.
            ///
            /// # Errors
            ///
            /// When it cannot be written.
            pub fn render(self, report: &Report, out: &mut dyn Write, style: Style) -> io::Result<()> {
                match self {
                    $(Format::$format => $render(report, out, style),)*
                }
            }
        }
    };
}

formats! {
    /// For a person, with the lines of source.
    Human "human" super::human::render_human;
    /// One line a finding.
    Short "short" super::short::render_short;
    /// One document, of the schema `rvcheck.report/1`; as `--message-format`, a line for each thing that happens, the report last.
    Json "json" super::json::render_json;
    /// For code scanning services, SARIF 2.1.0.
    Sarif "sarif" super::sarif::render_sarif;
    /// For CI services, a case for each property and test.
    Junit "junit" super::junit::render_junit;
    /// Annotations of GitHub Actions.
    Github "github" super::github::render_github;
    /// For the summary of a CI job.
    Markdown "markdown" super::markdown::render_markdown;
    /// For editors: as cargo prints rustc's messages with `--message-format json`.
    RustcJson "rustc-json" super::rustc_json::render_rustc_json;
    /// Pages for a browser, with pictures; with a path, a folder that has a page for each finding.
    Html "html" super::html::render_html;
    /// What the traces show, as trace events for Perfetto and other viewers.
    ChromeTrace "chrome-trace" super::chrome_trace::render_chrome_trace;
    /// What the traces show, as spans of OpenTelemetry.
    Otlp "otlp" super::otlp::render_otlp;
}

impl Format {
    /// Every form, as a list for people.
    pub fn all() -> String {
        let names: Vec<&str> = Format::value_variants().iter().map(|it| it.name()).collect();
        names.join(", ")
    }
}
