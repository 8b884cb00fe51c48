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
        if let Some(old) = too_old(&release) {
            return Err(Expected::Configuration(format!(
                "rustc {old} is too old to compile what rvcheck adds to the program: that takes {}.{} or later\n\
                 name a later toolchain, as in `cargo +stable rvcheck test`",
                OLDEST.0, OLDEST.1
            )));
        }
        Ok(Compiler { program, verbose, host, release })
    }
}

/// The oldest compiler that what is added to programs needs: the `rust-version` of `rvcheck-runtime`.
const OLDEST: (u32, u32) = (1, 89);

/// The version without what says that it is a nightly or a beta, if it is too old. What has another form may be anything.
fn too_old(release: &str) -> Option<&str> {
    let version = release.split('-').next()?;
    let mut parts = version.split('.').map_while(|it| it.parse().ok());
    ((parts.next()?, parts.next()?) < OLDEST).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_version_that_is_known_to_be_too_old_is_refused() {
        let cases = [
            ("1.88.0", Some("1.88.0")),
            ("1.85.0-nightly", Some("1.85.0")),
            ("1.89.0", None),
            ("1.100.0-beta.2", None),
            ("2.0.0", None),
            ("dev", None),
            ("", None),
        ];
        for (release, expected) in cases {
            assert_eq!(too_old(release), expected, "{release}");
        }
        let manifest = include_str!("../../../rvcheck-runtime/Cargo.toml");
        assert!(manifest.contains(&format!("\nrust-version = \"{}.{}\"\n", OLDEST.0, OLDEST.1)));
    }
}
