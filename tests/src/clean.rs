//! The environment of the commands that tests run.

use std::path::Path;
use std::process::Command;

/// What a command does not inherit, since it changes what the tool does or shows.
const LEFT_OUT: [&str; 8] = [
    "CI",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "CARGO_TERM_COLOR",
    "CARGO_MANIFEST_DIR",
    "RUSTFLAGS",
    "RUST_BACKTRACE",
];

/// The command in this folder, with this target folder, and with nothing of the environment that would change what it does.
pub(crate) fn cleanly(mut command: Command, folder: &Path, target: &Path) -> Command {
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    // Hundreds of small builds: what only a debugger or a second build would read is gigabytes, and takes its time.
    command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    for (name, _) in std::env::vars() {
        let is_of_a_tool = ["RVCHECK_", "CARGO_PKG_", "GITHUB_"].iter().any(|it| name.starts_with(it));
        if is_of_a_tool || LEFT_OUT.contains(&&*name) {
            command.env_remove(name);
        }
    }
    command
}
