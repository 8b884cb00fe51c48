//! The compiler that cargo will use.

use crate::error::{Expected, Result};
use crate::project::cargo_config::CargoConfig;
use crate::request::BuildArgs;
use std::process::Command;

/// A compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    /// The program.
    pub program: String,
    /// All that it says about its version; two compilers that say the same produce crates that fit together.
    pub verbose: String,
    /// Its own target triple.
    pub host: String,
    /// Its version, such as `1.95.0`.
    pub release: String,
}

impl Compiler {
    /// The compiler that cargo uses in this folder with these options.
    pub fn find(args: &BuildArgs) -> Result<Compiler> {
        let program = CargoConfig::here(&args.config).rustc();
        let output = Command::new(&program)
            .arg("-vV")
            .output()
            .map_err(|source| Expected::Start { program: program.clone(), source })?;
        if !output.status.success() {
            return Err(Expected::Configuration(format!(
                "`{program} -vV` fails\n{}",
                String::from_utf8_lossy(&output.stderr).trim_end()
            )));
        }
        let verbose = String::from_utf8_lossy(&output.stdout).into_owned();
        let field = |name: &str| {
            let line = verbose.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.unwrap_or_default().to_owned()
        };
        let (host, release) = (field("host"), field("release"));
        if host.is_empty() {
            return Err(Expected::Configuration(format!(
                "`{program} -vV` does not say for which target it compiles\nit has to be rustc, or a program that calls it"
            )));
        }
        Ok(Compiler { program, verbose, host, release })
    }
}
