//! What the monitors inside the program get: the properties that stop it or are enforced, and what is known of places.

use super::run_file::Enforcement;
use crate::console::Console;
use crate::error::{Result, writing};
use crate::inject::compiler::Compiler;
use crate::inject::enforcement::library;
use crate::inject::member_file::MemberFiles;
use crate::layout::{Layout, OwnLayout};
use crate::learnt::Learnt;
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_enforcement::{Enforced, EnforcedProperties};
use rvcheck_event::remedy::Remedy;
use std::fs;

/// Makes ready what stops the program.
pub fn ready(
    enforced: &EnforcedProperties,
    own: &OwnLayout,
    compiler: &Compiler,
    run: &Utf8Path,
    console: Console,
) -> Result<Enforcement> {
    let library = library(own, compiler, console)?;
    let stops = stops(enforced);
    let enforcement = Enforcement {
        library,
        enforced: run.join("stop.txt"),
        stops: (!stops.is_empty()).then(|| run.join("stop-only.txt")),
        learnt: (stops.0.len() < enforced.0.len()).then(|| run.join("learnt.txt")),
    };
    write(enforced, &enforcement)?;
    Ok(enforcement)
}

/// Writes the files with the properties.
pub fn write(enforced: &EnforcedProperties, files: &Enforcement) -> Result<()> {
    written(enforced, &files.enforced)?;
    files.stops.as_ref().map_or(Ok(()), |path| written(&stops(enforced), path).map(drop))
}

/// Writes these properties into this file.
pub fn written(properties: &EnforcedProperties, path: &Utf8Path) -> Result<Utf8PathBuf> {
    fs::write(path, properties.to_text()).map_err(writing(path))?;
    Ok(path.to_owned())
}

/// Those that only stop the program.
fn stops(enforced: &EnforcedProperties) -> EnforcedProperties {
    let mut stops = enforced.clone();
    stops.0.retain(|it| it.action.remedy().is_none());
    stops
}

/// What is known of places, if any of these properties is enforced.
pub fn learnt(
    enforced: &EnforcedProperties,
    layout: &Layout,
    root: &Utf8Path,
    console: Console,
) -> Result<Option<Learnt>> {
    let with_remedy = |it: &Enforced| Some((it.source.id.clone(), it.action.remedy()?.name()));
    let wishes: Vec<(String, &str)> = enforced.0.iter().filter_map(with_remedy).collect();
    if wishes.is_empty() {
        return Ok(None);
    }
    let is_enforced = |id: &str, remedy: &str| wishes.iter().any(|it| (it.0.as_str(), it.1) == (id, remedy));
    Learnt::load(layout.root(), root, is_enforced, |why| console.warn(why)).map(Some)
}

/// Tells the recorder what is known of places, and the monitors where calls are refused. Where places are in what is compiled is known
/// once it is.
pub fn write_learnt(
    enforced: &EnforcedProperties,
    learnt: &Learnt,
    members: &MemberFiles<'_>,
    files: &Enforcement,
) -> Result<()> {
    let Some(path) = &files.learnt else { return Ok(()) };
    fs::write(path, learnt.lines(members)).map_err(writing(path))?;
    let mut enforced = enforced.clone();
    for property in enforced.0.iter_mut().filter(|it| it.action.remedy() == Some(Remedy::Refuse)) {
        property.known = learnt.compiled(&property.source.id, members);
    }
    written(&enforced, &files.enforced).map(drop)
}
