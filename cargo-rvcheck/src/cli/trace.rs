//! The arguments of `trace`, which looks at recorded traces.

use super::ListFormat;
use crate::request::{BuildArgs, Moment};
use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

/// What to do with a recorded trace.
#[derive(Debug, Subcommand)]
pub enum TraceCommand {
    /// Print the events, one a line
    Print(TracePrintArgs),
    /// Count the events, tasks and objects, and say what is missing
    Stat(TraceStatArgs),
    /// Write the events in a form that other programs read
    Export(TraceExportArgs),
}

/// Which trace.
#[derive(Debug, Args)]
pub struct TraceArgs {
    /// The folder of a run, a trace of the recorder, JSON lines (.jsonl), comma-separated values (.csv) or RAPID's form (.std); else the last run
    #[arg(value_name = "TRACE")]
    pub trace: Option<Utf8PathBuf>,
    /// Only this process of a run: its number, or its name as `trace stat` shows it
    #[arg(long, value_name = "PROCESS")]
    pub process: Option<String>,
    /// Take the parameters of the program's own events from this property file; may be repeated
    #[arg(long, value_name = "FILE")]
    pub spec: Vec<Utf8PathBuf>,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
}

/// Arguments of `trace print`.
#[derive(Debug, Args)]
pub struct TracePrintArgs {
    /// Which trace.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Which events.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Stop after this many events
    #[arg(long, value_name = "COUNT")]
    pub limit: Option<u64>,
}

/// Which events of a trace. Those of one option are alternatives; what several options say has to hold together.
#[derive(Debug, Args)]
#[command(next_help_heading = "Filter")]
pub struct FilterArgs {
    /// Only events of this kind, such as `acquire`; may be repeated
    #[arg(long, value_name = "EVENT")]
    pub kind: Vec<String>,
    /// Only events of or about this task: its number, such as `task:3`, or a part of its name; may be repeated
    #[arg(long, value_name = "TASK")]
    pub task: Vec<String>,
    /// Only events about this object: its number, such as `lock:17`, or a part of its name; may be repeated
    #[arg(long, value_name = "OBJECT")]
    pub object: Vec<String>,
    /// Only events of tests whose name contains this; may be repeated
    #[arg(long, value_name = "TEST")]
    pub unit: Vec<String>,
    /// Only events from this time on, such as 1.5ms
    #[arg(long, value_name = "TIME")]
    pub from: Option<Moment>,
    /// Only events before this time
    #[arg(long, value_name = "TIME")]
    pub until: Option<Moment>,
}

/// Arguments of `trace stat`.
#[derive(Debug, Args)]
pub struct TraceStatArgs {
    /// Which trace.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Print it in this format
    #[arg(long, value_enum, default_value_t = ListFormat::Human, value_name = "FORMAT")]
    pub message_format: ListFormat,
}

/// Arguments of `trace export`.
#[derive(Debug, Args)]
pub struct TraceExportArgs {
    /// Which trace.
    #[command(flatten)]
    pub trace: TraceArgs,
    /// Write it in this form
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: TraceFormat,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<Utf8PathBuf>,
    /// Stop after this many events; chrome-trace and otlp stop after a million otherwise
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
}

/// A form of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// JSON lines, which `replay` reads
    Jsonl,
    /// Comma-separated values, which `replay` reads
    Csv,
    /// Trace events, which Perfetto reads
    ChromeTrace,
    /// Spans of OpenTelemetry, as JSON lines
    Otlp,
    /// A table in a Parquet file; needs a build with the feature `parquet`
    Parquet,
}
