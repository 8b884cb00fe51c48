//! End-to-end tests of rvcheck: a fixture is a small crate that is copied, run under the tool, and checked by its report.

#![expect(
    clippy::missing_panics_doc,
    reason = "these are tests: whatever goes wrong is a failure with its reason"
)]

mod clean;
mod fixture;
pub mod guide;
pub mod pages;
pub mod pieces;
mod place;
pub mod prose;
mod run;
mod slot;
mod tree;
pub mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::Validator;
use serde_json::Value;

pub use fixture::Fixture;
pub use run::Run;

/// The root of this repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// The tool, built once for each test process; with nothing changed that takes a moment. `RVCHECK_TOOL` names another one, such as an older
/// one to measure.
pub fn tool() -> &'static Path {
    static TOOL: OnceLock<PathBuf> = OnceLock::new();
    TOOL.get_or_init(|| {
        if let Some(other) = std::env::var_os("RVCHECK_TOOL") {
            return other.into();
        }
        // What is measured is what is used.
        let profile: &[&str] = if cfg!(debug_assertions) { &[] } else { &["--release"] };
        // With these packages and targets it has the features that it has in `cargo test --workspace`, so that nothing is built
        // a second time.
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--workspace", "--lib", "--bin", "cargo-rvcheck", "--examples"])
            .args(profile)
            .args(["--message-format", "json-render-diagnostics"])
            .current_dir(repository())
            .output()
            .expect("cargo runs");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        String::from_utf8_lossy(&build.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|message| message["target"]["name"] == "cargo-rvcheck")
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .expect("cargo names the executable")
    })
}

/// Fails unless the value is valid by the schema `docs/schema/<name>`.
#[track_caller]
pub fn assert_valid(value: &Value, name: &str) {
    static KNOWN: Mutex<BTreeMap<String, Arc<Validator>>> = Mutex::new(BTreeMap::new());
    let read = || {
        let path = repository().join("docs/schema").join(name);
        let text = std::fs::read_to_string(path).expect("there is such a schema");
        let schema = serde_json::from_str(&text).expect("it is JSON");
        Arc::new(jsonschema::validator_for(&schema).expect("it is a schema"))
    };
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let validator = Arc::clone(known.entry(name.to_owned()).or_insert_with(read));
    drop(known);
    let problems: Vec<String> =
        validator.iter_errors(value).map(|it| format!("{}: {it}", it.instance_path())).collect();
    assert!(problems.is_empty(), "{name}: {}", problems.join("\n"));
}
