//! What can go wrong outside the tool: each with what happened, where, and what to do next.

use crate::exit_code::ExitCode;
use camino::{Utf8Path, Utf8PathBuf};
use std::io;

/// The result of everything that touches the world.
pub type Result<T> = std::result::Result<T, Expected>;

/// An error that a user can cause or at least act on. Messages are fragments without a capital or a final stop.
#[derive(Debug, thiserror::Error)]
pub enum Expected {
    /// A file or folder could not be written.
    #[error(
        "cannot write {path}: {source}\n{}, or choose another place: --target-dir for what is built and recorded, --output for a report",
        what_mends(source)
    )]
    Write {
        /// What was to be written.
        path: Utf8PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file or folder could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// What was to be read.
        path: Utf8PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file that the user named cannot be read.
    #[error("cannot read {path}: {source}")]
    Given {
        /// The file.
        path: Utf8PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A trace that the user named makes no sense; what, with its places.
    #[error("the trace cannot be used\n{0}")]
    Trace(String),
    /// A file of the tool's own is not what the tool wrote.
    #[error(
        "{path} is damaged: {reason}\n`cargo rvcheck clean` removes it together with everything else that is stored"
    )]
    Damaged {
        /// The file.
        path: Utf8PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// The compiler did not come to its end.
    #[error(
        "{program} was ended by signal {signal}\nif that was not intended, the machine may have too little memory: fewer jobs (`-j 1`) \
         need less"
    )]
    CompilerKilled {
        /// The compiler.
        program: String,
        /// The signal.
        signal: i32,
    },
    /// The result could not be printed.
    #[error("cannot print the result: {0}")]
    Print(io::Error),
    /// The tool's own sources do not compile.
    #[error(
        "`{krate}`, which rvcheck adds to the program, does not compile with this compiler; please report this\n{message}"
    )]
    Injected {
        /// The crate.
        krate: String,
        /// What rustc said.
        message: String,
    },
    /// Cargo does not understand the workspace.
    #[error("cargo cannot read the workspace\n{0}")]
    Workspace(String),
    /// There is no such package.
    #[error("there is no package `{name}` in the workspace\nits packages are: {known}")]
    UnknownPackage {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Cargo gave up before it compiled anything.
    #[error("cargo did not begin to build; its message is above")]
    CargoRefused,
    /// Nextest was asked for, and is not there.
    #[error(
        "`cargo nextest` cannot be run\n`cargo install cargo-nextest --locked` installs it; `--test-tool cargo` does without it"
    )]
    NoNextest,
    /// Nextest ended before it ran anything.
    #[error("cargo nextest did not run the tests; its message is above")]
    NextestRefused,
    /// `--extern std` does not replace `std` on this compiler.
    #[error(
        "rustc {version} does not let rvcheck instrument `std`\nrustc 1.95 is known to work; choose it with `cargo +1.95 rvcheck …`\n{message}"
    )]
    UnsupportedCompiler {
        /// The compiler's version.
        version: String,
        /// What it said to the probe.
        message: String,
    },
    /// A configuration that the tool cannot be added to.
    #[error("{0}")]
    Configuration(String),
    /// Something is wrong with property files; what, with its places.
    #[error("the properties cannot be used\n{0}")]
    Specification(String),
    /// A word that means nothing here.
    #[error("there is no {what} `{name}`\n{known}")]
    Unknown {
        /// What kind of thing was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// What there is instead.
        known: String,
    },
    /// The tool was started by a test that the tool runs, for the same folder.
    #[error(
        "this rvcheck was started by a program that another rvcheck runs, and both want {folder}\ngive it a folder of its own with --target-dir"
    )]
    Nested {
        /// The folder.
        folder: Utf8PathBuf,
    },
    /// There is no earlier run of this workspace.
    #[error("there is no stored run of this workspace below {0}\n`cargo rvcheck test` makes one")]
    NoRun(Utf8PathBuf),
    /// What is stored has another form.
    #[error("{0} was written by another version of rvcheck\n`cargo rvcheck test` makes a new one")]
    OtherVersion(Utf8PathBuf),
    /// What was seen speaks against what was proved, one sentence a line.
    #[error("an observation contradicts a proof; please report this\n{0}")]
    Audit(String),
    /// The user stopped the tool.
    #[error("interrupted")]
    Interrupted,
}

impl Expected {
    /// The exit code of the tool that ends with this error.
    pub const fn exit_code(&self) -> ExitCode {
        match self {
            Expected::Write { .. }
            | Expected::Read { .. }
            | Expected::Damaged { .. }
            | Expected::Start { .. }
            | Expected::Print(_)
            | Expected::Audit(_)
            | Expected::CompilerKilled { .. }
            | Expected::Injected { .. } => ExitCode::Internal,
            Expected::Workspace(_)
            | Expected::UnknownPackage { .. }
            | Expected::CargoRefused
            | Expected::NoNextest
            | Expected::NextestRefused
            | Expected::UnsupportedCompiler { .. }
            | Expected::Configuration(_)
            | Expected::Specification(_)
            | Expected::Given { .. }
            | Expected::Trace(_)
            | Expected::Unknown { .. }
            | Expected::Nested { .. }
            | Expected::NoRun(_)
            | Expected::OtherVersion(_) => ExitCode::Usage,
            Expected::Interrupted => ExitCode::Interrupted,
        }
    }
}

/// What makes a place that cannot be written one that can.
fn what_mends(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space there",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "move the file that is in the way",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "make it writable",
        _ => "check the path",
    }
}

/// Turns an error of the file system into one that names the path that was to be written.
pub fn writing(path: &Utf8Path) -> impl FnOnce(io::Error) -> Expected {
    move |source| Expected::Write { path: path.to_owned(), source }
}

/// Turns an error of the file system into one that names the path that was to be read.
pub fn reading(path: &Utf8Path) -> impl FnOnce(io::Error) -> Expected {
    move |source| Expected::Read { path: path.to_owned(), source }
}
