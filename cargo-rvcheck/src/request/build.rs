//! Cargo's own options: which packages and targets, and how they are built.

use camino::Utf8PathBuf;
use clap::Args;

/// Which targets to test.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Target Selection")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of cargo's")]
pub struct TargetArgs {
    /// Test the package's library
    #[arg(long)]
    pub lib: bool,
    /// Test all binaries
    #[arg(long)]
    pub bins: bool,
    /// Test this binary
    #[arg(long, value_name = "NAME")]
    pub bin: Vec<String>,
    /// Test all targets that are tested by default
    #[arg(long)]
    pub tests: bool,
    /// Test this test target
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,
    /// Test all examples
    #[arg(long)]
    pub examples: bool,
    /// Test this example
    #[arg(long, value_name = "NAME")]
    pub example: Vec<String>,
    /// Test all benchmarks
    #[arg(long)]
    pub benches: bool,
    /// Test this benchmark
    #[arg(long, value_name = "NAME")]
    pub bench: Vec<String>,
    /// Test all targets
    #[arg(long)]
    pub all_targets: bool,
    /// Test only the documentation of the library
    #[arg(long)]
    pub doc: bool,
}

impl TargetArgs {
    /// Whether only some targets are to be tested.
    pub fn is_chosen(&self) -> bool {
        let kinds = [self.lib, self.bins, self.tests, self.examples, self.benches, self.doc];
        let named = [&self.bin, &self.test, &self.example, &self.bench];
        kinds.contains(&true) || named.iter().any(|it| !it.is_empty())
    }
}

/// Cargo's options about what is built and how.
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of cargo's")]
pub struct BuildArgs {
    /// `--manifest-path`.
    #[command(flatten, next_help_heading = "Manifest Options")]
    pub manifest: clap_cargo::Manifest,
    /// `-p`, `--workspace`, `--exclude`.
    #[command(flatten, next_help_heading = "Package Selection")]
    pub workspace: clap_cargo::Workspace,
    /// `--features` and its like.
    #[command(flatten, next_help_heading = "Feature Selection")]
    pub features: clap_cargo::Features,
    /// Build with optimisations
    #[arg(short, long, conflicts_with = "profile", help_heading = "Compilation Options")]
    pub release: bool,
    /// Build with this profile
    #[arg(long, value_name = "NAME", help_heading = "Compilation Options")]
    pub profile: Option<String>,
    /// Build for this target, which has to be the host
    #[arg(long, value_name = "TRIPLE", help_heading = "Compilation Options")]
    pub target: Vec<String>,
    /// Run this many jobs of cargo at once
    #[arg(short, long, value_name = "N", help_heading = "Compilation Options")]
    pub jobs: Option<String>,
    /// Use this target folder of cargo; rvcheck's own is `rvcheck/` below it
    #[arg(long, value_name = "DIR", help_heading = "Compilation Options")]
    pub target_dir: Option<Utf8PathBuf>,
    /// Override a value of cargo's configuration, or read more of it from this file
    #[arg(long, value_name = "KEY=VALUE|PATH", help_heading = "Compilation Options")]
    pub config: Vec<String>,
    /// Pass this unstable flag to cargo
    #[arg(short = 'Z', value_name = "FLAG", help_heading = "Compilation Options")]
    pub unstable: Vec<String>,
    /// Have cargo report how long each part of the build takes
    #[arg(long, help_heading = "Compilation Options")]
    pub timings: bool,
    /// Have cargo report what future compilers will reject
    #[arg(long, help_heading = "Compilation Options")]
    pub future_incompat_report: bool,
    /// Ignore the `rust-version` of packages
    #[arg(long, help_heading = "Manifest Options")]
    pub ignore_rust_version: bool,
    /// Require that Cargo.lock stays unchanged
    #[arg(long, help_heading = "Manifest Options")]
    pub locked: bool,
    /// Run without the network
    #[arg(long, help_heading = "Manifest Options")]
    pub offline: bool,
    /// `--locked` and `--offline` together
    #[arg(long, help_heading = "Manifest Options")]
    pub frozen: bool,
    /// The options of the command line that are not cargo's, and without which something else would be found.
    #[arg(skip)]
    pub kept: Vec<String>,
}
