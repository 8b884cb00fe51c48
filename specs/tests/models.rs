//! The models of libraries: all of them compile, and those to predict from have the rules that they are put together from.

#[path = "support/mod.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rvcheck_spec::PropertySource;
use support::sources;

/// The weakest first.
const STRENGTHS: [&str; 3] = ["top", "lifecycle", "lifestate"];

/// What rests on messages outside of callbacks, or what no call depends on.
const ONLY_VALIDATED: [&str; 2] = ["starts", "blocking"];

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lib/models")
}

/// The properties in a file of the models; none where there is no file.
fn properties(path: &str) -> Vec<PropertySource> {
    std::fs::read_to_string(models().join(path)).map_or_else(|_| Vec::new(), |text| sources(&text))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the models are there");
    let paths = entries.map(|it| it.expect("an entry").path());
    paths.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

/// The libraries whose calls are prohibited somewhere.
fn libraries() -> Vec<String> {
    let stem = |it: &PathBuf| it.file_stem().and_then(|it| it.to_str()).expect("a plain name").to_owned();
    files(&models().join("sensitive")).iter().map(stem).collect()
}

/// The rules on callbacks, each once.
fn callbacks(strength: &str, library: &str) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for file in ["tokio", "drop", library].into_iter().filter(|it| seen.insert(it)) {
        for property in properties(&format!("callbacks/{strength}/{file}.toml")) {
            if !ONLY_VALIDATED.contains(&property.id.as_str()) {
                let fresh: Vec<String> =
                    property.rules.into_iter().filter(|it| !rules.contains(it)).collect();
                rules.extend(fresh);
            }
        }
    }
    rules
}

#[test]
fn every_model_of_libraries_compiles() {
    let files = files(&models());
    assert!(files.len() > 15, "{files:?}");
    for file in files {
        let sources = sources(&std::fs::read_to_string(&file).expect("it is text"));
        assert!(!sources.is_empty(), "{}", file.display());
        for source in sources {
            let (property, problems) = rvcheck_spec::compile(&source, &rvcheck_spec::Vocabulary::default());
            let place = format!("{}: {}", file.display(), source.id);
            assert_eq!((property.is_some(), problems), (true, Vec::new()), "{place}");
        }
    }
}

#[test]
fn models_to_predict_from_prohibit_the_same_calls_at_every_strength() {
    for library in libraries() {
        let sensitive = properties(&format!("sensitive/{library}.toml"));
        for strength in STRENGTHS {
            let callbacks = callbacks(strength, &library);
            let whole = properties(&format!("{strength}/{library}.toml"));
            assert_eq!(whole.len(), sensitive.len(), "{strength}/{library}");
            for (whole, sensitive) in whole.iter().zip(&sensitive) {
                let wanted: Vec<&String> = sensitive.rules.iter().chain(&callbacks).collect();
                let found: Vec<&String> = whole.rules.iter().collect();
                let advice = "run `python3 tools/precision/compose.py`";
                assert_eq!(found, wanted, "{strength}/{library}, {}: {advice}", sensitive.id);
                let said = |it: &PropertySource| (it.id.clone(), it.level.clone(), it.message.clone());
                assert_eq!(said(whole), said(sensitive), "{strength}/{library}: {advice}");
            }
        }
    }
}

#[test]
fn only_sensitive_properties_prohibit_what_the_program_does() {
    for strength in STRENGTHS {
        for library in libraries() {
            for rule in callbacks(strength, &library) {
                let (_, message) = rule.rsplit_once('|').expect("it has a sign");
                let from_library = message[1..].trim_start();
                let is_back = from_library.starts_with("cb ") || from_library.starts_with("ciret ");
                assert!(is_back, "callbacks/{strength}: {rule}");
            }
        }
    }
}

#[test]
fn what_everybody_knows_is_known_of_lifestates_too() {
    for library in libraries() {
        let lifestate = callbacks("lifestate", &library);
        for rule in callbacks("lifecycle", &library) {
            assert!(lifestate.contains(&rule), "{library}: {rule}");
        }
    }
}
