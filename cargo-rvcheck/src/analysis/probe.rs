//! Whether the MIR of the compiler at hand is understood: it is tried on a crate of which it is known what has to be found in it.

use crate::error::{Expected, Result, reading, writing};
use crate::inject::compiler::Compiler;
use crate::inject::core::Core;
use crate::inject::probe::StdReplacement;
use crate::layout::{OwnLayout, create_folder, read_value, write_value};
use camino::Utf8Path;
use rvcheck_source::conditions::Conditions;
use rvcheck_source::delivery::with_items;
use rvcheck_source::edition::Edition;
use rvcheck_source::marker::file_number;
use rvcheck_source::mir::{Mir, read};
use rvcheck_source::program::{Program, Source};
use rvcheck_source::rewrite::{Options, rewrite};
use rvcheck_source::rules::{CodeRef, Found, check};
use rvcheck_source::sites::sites_by_number;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// The name of the crate, and of the function in which a guard is kept while its task is suspended. In no other one it is.
const NAME: &str = "rvcheck_mir_probe";
const KEPT: &str = "Probe::kept";

const SOURCE: &str = "\
use std::sync::Mutex;
pub struct Probe { lock: Mutex<Vec<u32>> }
pub async fn other() {}
impl Probe {
    pub async fn kept(&self) -> usize {
        let guard = self.lock.lock().unwrap();
        other().await;
        guard.len()
    }
    pub async fn dropped(&self) -> usize {
        let guard = self.lock.lock().unwrap();
        let count = guard.len();
        drop(guard);
        other().await;
        count
    }
    pub async fn moved(&self, early: bool) -> usize {
        let guard = self.lock.lock().unwrap();
        if early { return guard.len(); }
        let count = { let taken = guard; taken.len() };
        other().await;
        count
    }
}
";

/// `None` if the MIR of this compiler is understood, or else why not. What was found out is kept.
pub fn against(own: &OwnLayout, compiler: &Compiler, core: &Core) -> Result<Option<String>> {
    let folder = own.root().join("probe");
    let passed = folder.join("mir.json");
    if let Ok(known) = read_value(&passed) {
        return Ok(known);
    }
    create_folder(&folder)?;
    let found = trial(&folder, compiler, core)?;
    write_value(&passed, &found)?;
    Ok(found)
}

fn trial(folder: &Utf8Path, compiler: &Compiler, core: &Core) -> Result<Option<String>> {
    let file = format!("{NAME}.rs");
    let skip = BTreeMap::new();
    let number = file_number(&file);
    let options = Options { root: true, file: number, skip: &skip, ..Options::PLAIN };
    let mut rewritten = rewrite(SOURCE, Edition::Rust2021, &options);
    let mut command = Command::new(&compiler.program);
    match core.std_replacement {
        StdReplacement::Flag => {
            command.arg("--extern").arg(format!("std={}", core.std));
        }
        StdReplacement::Item => {
            rewritten = with_items(SOURCE, rewritten, true);
            command.arg("--extern").arg(format!("rvstd={}", core.std));
            command.arg("--extern").arg(format!("rvcheck_injected={}", core.runtime));
        }
    }
    fs::write(folder.join(&file), &rewritten.text).map_err(writing(folder))?;
    command.args(["--crate-name", NAME, "--crate-type", "rlib", "--edition", "2021", "--cap-lints", "allow"]);
    command.arg("--emit=metadata,mir").arg("-L").arg(format!("dependency={}", core.folder));
    let output = command.arg(&file).current_dir(folder).output();
    let output = output.map_err(|source| Expected::Start { program: compiler.program.clone(), source })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().next().unwrap_or_default();
        return Ok(Some(format!("a crate that is tried does not compile: {first}")));
    }
    let path = folder.join(NAME).with_extension("mir");
    let text = fs::read_to_string(&path).map_err(reading(&path))?;
    Ok(misunderstood(read(&text), &file, &rewritten.text))
}

/// What is wrong in what is made of the MIR of the crate above; `None` if all is as it has to be.
fn misunderstood(mir: Mir, file: &str, text: &str) -> Option<String> {
    if let Some(unknown) = mir.bodies.iter().find_map(|it| it.unknown.as_ref()) {
        return Some(format!("a line of a crate that is tried has an unknown form: {}", unknown.text));
    }
    let sites = sites_by_number(SOURCE, file, file, Edition::Rust2021);
    let expected: Vec<_> =
        sites.iter().filter(|(_, it)| it.item == KEPT).map(|(number, _)| *number).collect();
    let source = Source { file, text, edition: Edition::Rust2021 };
    let hits = check(&Program::new(mir, &[source], &Conditions::default(), sites));
    let mut found: Vec<_> = Vec::new();
    for Found { hit, .. } in &hits {
        let marks = std::iter::once(&hit.primary).chain(&hit.related).map(|it| &it.0);
        found
            .extend(marks.filter_map(|it| if let CodeRef::Site(number) = it { Some(*number) } else { None }));
    }
    found.sort();
    let is_right = hits.len() == 1 && hits[0].rule.property == "guard-across-await" && found == expected;
    (!is_right).then(|| {
        let what: Vec<&str> = hits.iter().map(|it| it.hit.message.as_str()).collect();
        format!("in a crate that is tried, something else is found than there is: {what:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mir_that_says_nothing_is_not_understood() {
        let empty = misunderstood(Mir::default(), "a.rs", SOURCE);
        assert!(empty.is_some_and(|it| it.contains("something else is found")));
        let odd = read("fn a() -> () {\n    bb0: {\n        what is this;\n        return;\n    }\n}\n");
        assert!(misunderstood(odd, "a.rs", SOURCE).is_some_and(|it| it.contains("what is this")));
    }
}
