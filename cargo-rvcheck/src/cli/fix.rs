//! The arguments of `fix`.

use crate::request::{BuildArgs, BuildMonitorArgs, TargetArgs};
use clap::Args;

/// Arguments of `fix`.
#[derive(Clone, Debug, Args)]
pub struct FixArgs {
    /// Fix only what was found of these properties
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Print what would be changed as a diff, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not run the tests to see whether one fails behind a fix
    #[arg(long, conflicts_with = "dry_run")]
    pub no_test: bool,
    /// What may be lost.
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Cargo's own options.
    #[command(flatten)]
    pub build: BuildArgs,
    /// Which targets to look at.
    #[command(flatten)]
    pub targets: TargetArgs,
    /// How the program would be monitored, were it run.
    #[command(flatten)]
    pub monitor: BuildMonitorArgs,
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
