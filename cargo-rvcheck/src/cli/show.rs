//! How the result is shown, where it goes, and what makes the tool fail.

use super::candidates;
use crate::finding::Level;
use crate::levels::Levels;
use crate::report::Format;
use crate::request::Share;
use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use std::str::FromStr;

/// What to show of the result, and the level that fails.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct PrintArgs {
    /// Write the report in this format to a file (html: a folder), or to standard output; may be repeated
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub output: Vec<Output>,
    /// Show the report in this format: human and short on standard error, the others on standard output
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub message_format: Format,
    /// Fail if there are findings of this level or worse
    #[arg(long, default_value = "error", value_name = "LEVEL", value_parser = level)]
    pub fail_on: Level,
    /// Do not fail if nothing was checked
    #[arg(long)]
    pub allow_empty: bool,
}

impl PrintArgs {
    /// The messages of a run are to be printed while they come.
    pub fn is_stream(&self) -> bool {
        self.message_format == Format::Json
    }
}

/// What to show of a report, and what is made of it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ShowArgs {
    /// What to show.
    #[command(flatten)]
    pub print: PrintArgs,
    /// Do not count findings of this property; `all` and `warnings` work, too
    #[arg(short = 'A', long, value_name = "ID", add = ArgValueCandidates::new(candidates::levelled))]
    pub allow: Vec<String>,
    /// Report findings of this property as warnings
    #[arg(short = 'W', long, value_name = "ID", add = ArgValueCandidates::new(candidates::levelled))]
    pub warn: Vec<String>,
    /// Report findings of this property as errors
    #[arg(short = 'D', long, value_name = "ID", add = ArgValueCandidates::new(candidates::levelled))]
    pub deny: Vec<String>,
    /// Fail if a greater share of the sites is unmonitored, such as 5%
    #[arg(long, value_name = "SHARE")]
    pub max_unmonitored: Option<Share>,
    /// Fail if a suppression or an entry of the baseline is unnecessary or makes no sense
    #[arg(long)]
    pub strict: bool,
    /// Ignore the baseline
    #[arg(long)]
    pub no_baseline: bool,
    /// Report only findings on lines that changed since this Git revision
    #[arg(long, value_name = "REV", conflicts_with = "in_diff")]
    pub since: Option<String>,
    /// Report only findings on lines in this unified diff; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub in_diff: Option<Utf8PathBuf>,
    /// The levels of the configuration.
    #[arg(skip)]
    pub levels: Levels,
}

/// Where a form of the report goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The form.
    pub format: Format,
    /// The file; standard output without one.
    pub path: Option<Utf8PathBuf>,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Output, String> {
        let (name, path) = match text.split_once('=') {
            Some((_, "")) => return Err("the path after `=` is missing".to_owned()),
            Some((name, path)) => (name, Some(path.into())),
            None => (text, None),
        };
        let format = Format::from_str(name, false)
            .map_err(|_| format!("there is no format `{name}`; there are {}", Format::all()))?;
        Ok(Output { format, path })
    }
}

fn level(text: &str) -> Result<Level, String> {
    Level::of_name(text)
        .ok_or_else(|| format!("there is no level `{text}`; there are error, warning and note"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_has_a_format_and_perhaps_a_path() {
        let json = Output { format: Format::Json, path: Some("a=b.json".into()) };
        assert_eq!("json=a=b.json".parse(), Ok(json));
        assert_eq!("short".parse(), Ok(Output { format: Format::Short, path: None }));
    }
}
