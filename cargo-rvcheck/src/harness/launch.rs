//! How an executable is started: as cargo starts it.

use super::run_file::Listed;
use crate::error::Result;
use crate::wrapper::here;
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Command;

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// The executable.
    pub listed: Listed,
    /// The user's own runner, if there is one, and the program.
    pub words: Vec<String>,
    /// What the user wants the program to be given.
    pub args: Vec<String>,
    /// The tests that this selects.
    pub tests: Vec<String>,
    folder: Utf8PathBuf,
    /// The environment. Not all of it has to be text.
    variables: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Launch {
    /// As this process would start it, which gives these variables back.
    pub fn here(
        listed: Listed,
        words: Vec<String>,
        args: &[String],
        tests: Vec<String>,
        given_back: &BTreeMap<String, String>,
    ) -> Result<Launch> {
        let bytes = |it: OsString| it.as_bytes().to_vec();
        let mut variables: BTreeMap<Vec<u8>, Vec<u8>> =
            std::env::vars_os().map(|(name, value)| (bytes(name), bytes(value))).collect();
        variables.extend(given_back.iter().map(|it| (it.0.clone().into_bytes(), it.1.clone().into_bytes())));
        Ok(Launch {
            listed,
            words,
            args: args.to_vec(),
            tests,
            folder: here()?,
            variables: variables.into_iter().collect(),
        })
    }

    /// Has a command run there.
    pub fn surround(&self, command: &mut Command) {
        command.current_dir(&self.folder).env_clear();
        let text = |it: &[u8]| OsString::from_vec(it.to_vec());
        command.envs(self.variables.iter().map(|(name, value)| (text(name), text(value))));
    }
}
