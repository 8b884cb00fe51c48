//! How a program is monitored.

use super::remedy::Wish;
use super::thresholds::ThresholdArgs;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// How to monitor.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Monitoring")]
pub struct MonitorArgs {
    /// Compile these crates against the shims for std, tokio and others
    #[arg(long, value_enum, default_value_t = Scope::Graph, value_name = "SCOPE")]
    pub scope: Scope,
    /// Limit the trace of one process to this size, such as 512M or 4G
    #[arg(long, default_value = "2G", value_name = "SIZE")]
    pub trace_cap: Size,
    /// Also report violations on standard error as soon as they happen
    #[arg(long)]
    pub online: bool,
    /// End a test that waits when nothing has happened for this long, such as 500ms, 20s or 2m; 0 for never
    #[arg(long, default_value = "20s", value_name = "TIME")]
    pub stall_timeout: Span,
    /// Let what a test leaves behind go on for this long at most, before looking for those that wait forever; 0 for not at all
    #[arg(long, default_value = "200ms", value_name = "TIME")]
    pub leak_grace: Span,
    /// Keep this many runs with their traces, the present one included
    #[arg(long, default_value_t = KEPT_RUNS, value_name = "COUNT")]
    pub keep_runs: NonZeroU32,
    /// Show this many events of the test before each violation
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    pub tail: usize,
    /// Enforce a property by a remedy, from the second time on that a place violates it: offload, handle, gate or refuse
    #[arg(long, value_name = "PROPERTY=REMEDY")]
    pub enforce: Vec<Wish>,
    /// From when on something is reported.
    #[command(flatten)]
    pub thresholds: ThresholdArgs,
}

/// How to monitor, as far as that matters where nothing runs.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Monitoring")]
pub struct BuildMonitorArgs {
    /// Compile these crates against the shims for std, tokio and others
    #[arg(long, value_enum, default_value_t = Scope::Graph, value_name = "SCOPE")]
    pub scope: Scope,
    /// Keep this many runs, the present one included
    #[arg(long, default_value_t = KEPT_RUNS, value_name = "COUNT")]
    pub keep_runs: NonZeroU32,
}

impl BuildMonitorArgs {
    /// How the program would be monitored, were it run.
    pub const fn monitoring(self) -> MonitorArgs {
        MonitorArgs::of_build(self.scope, self.keep_runs)
    }
}

impl MonitorArgs {
    /// Of a program that is built as if it were to be monitored, and not run.
    pub const fn of_build(scope: Scope, keep_runs: NonZeroU32) -> MonitorArgs {
        MonitorArgs {
            scope,
            trace_cap: LEAST_TRACE,
            online: false,
            stall_timeout: Span(Duration::ZERO),
            leak_grace: Span(Duration::ZERO),
            tail: 0,
            keep_runs,
            enforce: Vec::new(),
            thresholds: ThresholdArgs::DEFAULT,
        }
    }
}

/// How many runs are kept where nobody says so.
pub const KEPT_RUNS: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Which crates are compiled against the shims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The members and their dependencies, so that tasks spawned by a dependency are known, too
    Graph,
    /// Only the members: a faster first build, but what dependencies spawn and lock is unknown
    Workspace,
}

impl Scope {
    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Graph => "graph",
            Scope::Workspace => "workspace",
        }
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// The least trace that makes sense: the header and a few chunks.
const LEAST_SIZE: u64 = 1 << 20;

/// The same as a size.
pub const LEAST_TRACE: Size = Size(LEAST_SIZE);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let digits = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let shift = match unit.to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err(format!("there is no unit `{unit}`; there are K, M, G and T")),
        };
        let number: u64 = number.parse().map_err(|_| "a size begins with a whole number".to_owned())?;
        match number.checked_mul(1 << shift) {
            Some(bytes) if bytes >= LEAST_SIZE => Ok(Size(bytes)),
            Some(_) => Err("a trace needs at least 1M".to_owned()),
            None => Err("that is more than any disk holds".to_owned()),
        }
    }
}

/// A stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub Duration);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let digits = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| "a time begins with a whole number".to_owned())?;
        let milliseconds = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" | "min" => 60_000,
            "" if number == 0 => 1,
            "" => return Err("a time has a unit: ms, s or m".to_owned()),
            _ => return Err(format!("there is no unit `{unit}`; there are ms, s and m")),
        };
        let milliseconds = number.checked_mul(milliseconds).ok_or("that is more than any clock shows")?;
        Ok(Span(Duration::from_millis(milliseconds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let cases = [
            ("500ms", Some(500)),
            ("20s", Some(20_000)),
            ("2m", Some(120_000)),
            ("0", Some(0)),
            ("20", None),
            ("s", None),
            ("1h", None),
            ("", None),
        ];
        for (text, milliseconds) in cases {
            let expected = milliseconds.map(Duration::from_millis);
            assert_eq!(text.parse::<Span>().ok().map(|it| it.0), expected, "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        let cases = [
            ("1M", Some(1 << 20)),
            ("2g", Some(2 << 30)),
            ("1048576", Some(1 << 20)),
            ("3KiB", None),
            ("", None),
        ];
        for (text, bytes) in cases {
            assert_eq!(text.parse::<Size>().ok().map(|it| it.0), bytes, "{text}");
        }
    }
}
