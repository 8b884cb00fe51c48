//! The user's configuration: what options are where the command line does not say.
//!
//! A key of a profile is the name of an option, and its value is what the option takes; so there is one set of names, checks and
//! help texts. The command line goes before `RVCHECK_*`, these before the profile, and the profile before what the tool does by itself.

mod file;
mod options;
pub mod reference;
mod schema;

pub use file::{Config, Profile, Setting};
pub use options::{Effective, Kind, Options, Origin, Parsed, parse};
pub use schema::render_schema;

use crate::error::{Expected, Result, reading};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::io::ErrorKind;

/// Where the file is, below the root of the workspace.
pub const PATH: &str = ".config/rvcheck.toml";

/// The configuration in this file, or in the workspace with this root. Anything wrong with it is an error that reports all of it.
fn load(given: Option<&Utf8Path>, root: Option<&Utf8Path>, options: &Options) -> Result<Config> {
    let (path, shown): (Utf8PathBuf, &str) = match (given, root) {
        (Some(path), _) => (path.to_owned(), path.as_str()),
        (None, Some(root)) => (root.join(PATH), PATH),
        (None, None) => return Ok(Config::default()),
    };
    let text = match fs::read(&path) {
        Ok(bytes) => String::from_utf8(bytes)
            .map_err(|_| Expected::Configuration(format!("{shown} is not UTF-8, as TOML has to be")))?,
        Err(error) if error.kind() == ErrorKind::NotFound && given.is_none() => return Ok(Config::default()),
        Err(source) if given.is_some() => return Err(Expected::Given { path, source }),
        Err(error) => return Err(reading(&path)(error)),
    };
    let (config, problems) = Config::read(shown, &text, options);
    if problems.is_empty() {
        return Ok(config);
    }
    let rendered: Vec<String> = problems.iter().map(|it| it.rendered(&text, false)).collect();
    Err(Expected::Configuration(format!("the configuration cannot be used\n{}", rendered.join("\n"))))
}

#[cfg(test)]
mod tests;
