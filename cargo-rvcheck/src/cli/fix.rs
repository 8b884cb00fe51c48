//! The arguments of `fix`.

use crate::request::{
    BuildArgs, KEPT_RUNS, LEAST_TRACE, MonitorArgs, Scope, Span, TargetArgs, ThresholdArgs,
};
use clap::Args;
use std::num::NonZeroU32;
use std::time::Duration;

/// Arguments of `fix`.
#[derive(Clone, Debug, Args)]
pub struct FixArgs {
    /// Fix only what was found of these properties
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Print what would be changed as a diff, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// What may be lost.
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets to look at.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// Compile these crates against the shims for std, tokio and others
    #[arg(long, value_enum, default_value_t = Scope::Graph, value_name = "SCOPE", help_heading = "Monitoring")]
    pub scope: Scope,
    /// Keep this many runs, the present one included
    #[arg(long, default_value_t = KEPT_RUNS, value_name = "COUNT", help_heading = "Monitoring")]
    pub keep_runs: NonZeroU32,
}

/// In which state of the repository sources may be changed.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Repository")]
pub struct RepositoryArgs {
    /// Change sources even if the repository has changes that are not committed
    #[arg(long)]
    pub allow_dirty: bool,
    /// Change sources even if the repository has changes that are staged
    #[arg(long)]
    pub allow_staged: bool,
    /// Change sources even if there is no repository
    #[arg(long)]
    pub allow_no_vcs: bool,
}

impl FixArgs {
    /// How the program would be monitored, were it run.
    pub const fn monitoring(&self) -> MonitorArgs {
        MonitorArgs {
            scope: self.scope,
            trace_cap: LEAST_TRACE,
            online: false,
            stall_timeout: Span(Duration::ZERO),
            tail: 0,
            keep_runs: self.keep_runs,
            enforce: Vec::new(),
            thresholds: ThresholdArgs::DEFAULT,
        }
    }
}
