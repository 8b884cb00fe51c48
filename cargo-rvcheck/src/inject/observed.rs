//! The functions of the members that are events.

use super::member_file::MemberFile;
use crate::error::{Expected, Result};
use crate::project::{Package, Project, Role, TargetKind};
use crate::specs::{self, ObserveEntry, SpecProblem};
use camino::{Utf8Path, Utf8PathBuf};
use rvcheck_source::observe::pattern::PathPattern;
use rvcheck_source::observe::{Module, Observation, paths_in};
use rvcheck_spec::language::problem::did_you_mean;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Which functions are observed, and what it takes to know their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedFunctions {
    /// The functions.
    pub observations: Vec<Observation>,
    /// The names of the members' crates, as they are written in paths, by their root files.
    pub crates: BTreeMap<Utf8PathBuf, String>,
    /// It is known which code of the workspace is a library, so that it matters who calls a function that is a message.
    #[serde(default)]
    pub libraries: bool,
}

impl ObservedFunctions {
    /// These functions of the members among these packages.
    pub fn of<'a>(
        packages: impl Iterator<Item = &'a Package>,
        observations: &[Observation],
        libraries: bool,
    ) -> ObservedFunctions {
        let observations = observations.to_vec();
        let mut observed = ObservedFunctions { observations, crates: BTreeMap::new(), libraries };
        for package in packages.filter(|it| it.role == Role::Member || is_foreign(it, &observed.observations))
        {
            observed.crates.extend(crates(package));
        }
        observed
    }

    /// No functions, but what it takes to know the paths of those of the members among these packages.
    pub fn crates_of<'a>(packages: impl Iterator<Item = &'a Package>) -> ObservedFunctions {
        let members = packages.filter(|it| it.role == Role::Member);
        ObservedFunctions { crates: members.flat_map(crates).collect(), ..Self::default() }
    }

    /// The crate and the modules that a file is in, by where it lies. What a `#[path]` says is not known.
    pub fn module_of(&self, path: &Utf8Path) -> (&str, Vec<String>) {
        if let Some(name) = self.crates.get(path) {
            return (name, Vec::new());
        }
        // A file belongs to the crate whose root is the nearest; the library, where that is beside the program.
        let below = |root: &Utf8Path| path.strip_prefix(root.parent()?).ok().map(Utf8Path::to_owned);
        let near = self.crates.iter().filter_map(|(root, name)| Some((below(root)?, root, name)));
        let rank = |(rest, root, _): &(Utf8PathBuf, &Utf8PathBuf, &String)| {
            (rest.components().count(), root.file_name() != Some("lib.rs"))
        };
        let Some((rest, _, name)) = near.min_by_key(rank) else { return ("", Vec::new()) };
        let file = rest.with_extension("");
        let mut modules: Vec<String> = file.components().map(|it| it.as_str().to_owned()).collect();
        if modules.last().is_some_and(|it| it == "mod") {
            modules.pop();
        }
        (name, modules)
    }

    /// The path inside this file of an item that has that path in its crate, which may be named first. `None` where the file is another
    /// module.
    pub fn path_within<'p>(&self, file: &Utf8Path, path: &'p str) -> Option<&'p str> {
        let (krate, modules) = self.module_of(file);
        let below = |path: &'p str, name: &str| path.strip_prefix(name)?.strip_prefix("::");
        let path = below(path, krate).unwrap_or(path);
        modules.iter().try_fold(path, |path, module| below(path, module))
    }
}

/// The root files of a package's crates, and what these are called in paths.
fn crates(package: &Package) -> impl Iterator<Item = (Utf8PathBuf, String)> {
    package.targets.iter().map(|it| (it.root.clone(), it.name.replace('-', "_")))
}

/// Whether this is somebody else's package of which functions are observed: they are meant by the name of the crate.
pub fn is_foreign(package: &Package, observations: &[Observation]) -> bool {
    let library = package.targets.iter().find(|it| it.kind == TargetKind::Lib);
    let Some(name) = library.map(|it| it.name.replace('-', "_")) else { return false };
    package.role == Role::Instrumented && observations.iter().any(|it| it.path.names_crate(&name))
}

/// Complains of each entry that names no function in these files, or one with another number of parameters.
pub fn matched<F: Borrow<MemberFile>>(
    entries: &[ObserveEntry],
    files: &[F],
    project: &Project,
) -> Result<()> {
    let observed = || files.iter().flat_map(|it| &it.borrow().rewritten.observed);
    let observations: Vec<Observation> = entries.iter().map(|it| it.observation.clone()).collect();
    let crates = ObservedFunctions::of(project.packages.values(), &observations, false);
    let mut problems = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let mut found = observed().filter(|it| it.observation == Some(number)).peekable();
        if found.peek().is_none() && entry.is_companion {
            continue;
        }
        if found.peek().is_none() {
            let path = &entry.observation.path;
            let mut problem =
                no_such("function or enum variant", path, (&entry.file, &entry.at), files, &crates);
            problem.help = not_observable(path, project).or(problem.help);
            problems.push(problem);
        } else if let Some(count) = entry.parameters
            && let Some(other) = found.find(|it| it.parameters != count)
        {
            problems.push(SpecProblem {
                file: entry.file.clone(),
                span: entry.at.clone(),
                message: format!("`{}` has {} here", other.function, parameters(count)),
                help: Some(format!(
                    "it has {} in the program; use `_` for one that is not needed",
                    other.parameters
                )),
            });
        }
    }
    report_problems(problems, project)
}

/// The problem that nothing of this kind in these files is called so, where a property file says it.
pub(super) fn no_such<F: Borrow<MemberFile>>(
    what: &str,
    pattern: &PathPattern,
    (file, at): (&str, &Range<usize>),
    files: &[F],
    crates: &ObservedFunctions,
) -> SpecProblem {
    let paths: BTreeSet<String> = files.iter().flat_map(|it| paths(it.borrow(), crates)).collect();
    let pattern = pattern.to_string();
    SpecProblem {
        file: file.to_owned(),
        span: at.clone(),
        message: format!("no {what} of the workspace is called `{pattern}`"),
        help: guess(&pattern, &paths),
    }
}

/// An error that reports these problems, if there are any.
pub(super) fn report_problems(problems: Vec<SpecProblem>, project: &Project) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    let texts = specs::own(&project.root)?;
    let rendered = problems.into_iter().map(|problem| {
        let text = texts.iter().find(|(name, _)| *name == problem.file).map_or("", |(_, text)| text);
        problem.rendered(text, false)
    });
    Err(Expected::Specification(rendered.collect::<Vec<_>>().join("\n\n")))
}

/// What is said of functions of a crate that is compiled as it is.
fn not_observable(pattern: &PathPattern, project: &Project) -> Option<String> {
    let plain = project.packages.values().filter(|it| it.role == Role::Plain);
    let mut names = plain.flat_map(crates).map(|it| it.1);
    let name = names.find(|it| pattern.names_crate(it))?;
    Some(format!(
        "rvcheck is built upon `{name}`, or the build needs it, so that its functions cannot be observed"
    ))
}

fn parameters(count: usize) -> String {
    match count {
        0 => "no parameter".to_owned(),
        1 => "1 parameter".to_owned(),
        count => format!("{count} parameters"),
    }
}

fn paths(file: &MemberFile, observed: &ObservedFunctions) -> Vec<String> {
    let (krate, modules) = observed.module_of(&file.path);
    paths_in(&file.text, file.edition, &Module { krate, path: &modules })
}

/// The function that is probably meant: one whose path ends in nearly the same.
fn guess(pattern: &str, paths: &BTreeSet<String>) -> Option<String> {
    let count = pattern.split("::").count();
    let ends = paths.iter().map(|path| {
        let skipped = path.split("::").count().saturating_sub(count);
        path.split("::").skip(skipped).collect::<Vec<_>>().join("::")
    });
    let ends: BTreeSet<String> = ends.collect();
    did_you_mean(pattern, ends.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_in_the_module_that_it_is_called_after() {
        let crates = [("/a/src/lib.rs", "shop"), ("/a/src/main.rs", "till"), ("/a/tests/it.rs", "it")];
        let crates = crates.map(|(root, name)| (Utf8PathBuf::from(root), name.to_owned()));
        let observed = ObservedFunctions { crates: crates.into(), ..ObservedFunctions::default() };
        let cases = [
            ("/a/src/lib.rs", "shop", ""),
            ("/a/src/main.rs", "till", ""),
            ("/a/src/pool/worker.rs", "shop", "pool::worker"),
            ("/a/src/pool/mod.rs", "shop", "pool"),
            ("/a/tests/common/mod.rs", "it", "common"),
            ("/b/src/lib.rs", "", ""),
        ];
        for (path, krate, modules) in cases {
            let (found, path) = observed.module_of(Utf8Path::new(path));
            assert_eq!((found, path.join("::").as_str()), (krate, modules));
        }
        let worker = Utf8Path::new("/a/src/pool/worker.rs");
        let within = |path| observed.path_within(worker, path);
        assert_eq!(within("pool::worker::Worker::run"), Some("Worker::run"));
        assert_eq!(within("shop::pool::worker::run"), Some("run"));
        assert_eq!(within("pool::run"), None);
    }
}
