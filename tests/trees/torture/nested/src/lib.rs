//! Its tests start cargo themselves.

use std::path::Path;
use std::process::{Command, Output};

/// Calls cargo.
pub fn cargo(folder: &Path, args: &[&str]) -> Output {
    Command::new(std::env::var_os("CARGO").unwrap()).args(args).current_dir(folder).output().unwrap()
}
