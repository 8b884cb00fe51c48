//! The tool in place of rustc. Cargo calls it once for every crate of the graph.

pub mod arguments;
mod attempt;
pub mod failed;
pub mod members;
mod mir;
pub mod plan;
pub mod response;
mod rewritten;
pub mod rustdoc;

use crate::dep_info;
use crate::error::{Expected, Result, reading};
use crate::inject::probe::StdReplacement;
use crate::inject::shim::{Note, ShimRequest, folders, read_note, shim, write_note};
use crate::layout::{OwnLayout, write_whole};
use crate::project::Role;
use crate::rollback::decisions::{CrateId, PLAIN, variable};
use crate::shim::STD;
use arguments::Arguments;
use attempt::Attempt;
use camino::{Utf8Path, Utf8PathBuf};
use plan::{Plan, Planned};
use rewritten::Attempts;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The version of what the wrapper does to the calls; a new one makes a new build folder.
pub const VERSION: u32 = 8;

/// The name by which crates of the user's know the recorder. It differs from the crate's own, by which they may know the one by
/// which they speak.
const INJECTED: &str = "rvcheck_injected";

/// Runs the compiler as `own_path rustc args…` asks for, and gives its exit code.
pub fn main(own_path: &Utf8Path, args: Vec<OsString>) -> Result<u8> {
    let folder = plan::folder_of(own_path);
    let plan = Plan::read(folder)?;
    let Some((rustc, args)) = unicode(&args) else {
        // Cargo's own arguments are Unicode; others are none of the tool's business.
        return Err(exec(&plan, args));
    };
    let (around, rustc, args) = without_workspace_wrapper(rustc, args);
    let in_file = response::expanded(&args)?;
    let is_long = in_file.is_some();
    let args = in_file.unwrap_or(args);
    let found = arguments::parse(&args);
    let manifest = std::env::var("CARGO_MANIFEST_DIR").ok();
    let package = manifest.and_then(|it| plan.packages.get_key_value(Utf8Path::new(&it)));
    let call =
        Call { plan: &plan, folder, own: OwnLayout::at(&plan.own), around, rustc, args, is_long, found };
    match package {
        Some((place, package)) if call.found.by_cargo => call.run(place, package),
        _ => Err(call.become_rustc()?),
    }
}

/// The program and its arguments as text.
fn unicode(args: &[OsString]) -> Option<(String, Vec<String>)> {
    let mut args = args.iter().map(|it| it.to_str().map(str::to_owned));
    Some((args.next()??, args.collect::<Option<_>>()?))
}

/// For members, cargo puts another wrapper before the compiler. The compiler's own first argument is an
/// option, or names a file with arguments.
fn without_workspace_wrapper(first: String, mut rest: Vec<String>) -> (Option<String>, String, Vec<String>) {
    if rest.first().is_some_and(|it| !it.starts_with(['-', '@'])) {
        let rustc = rest.remove(0);
        (Some(first), rustc, rest)
    } else {
        (None, first, rest)
    }
}

/// Becomes the compiler. Only a failure comes back.
fn exec(plan: &Plan, args: impl IntoIterator<Item = OsString>) -> Expected {
    let mut words = plan.inner_wrapper.iter().map(OsString::from).chain(args);
    let Some(program) = words.next() else {
        return Expected::Configuration("the name of the compiler is missing".to_owned());
    };
    let source = Command::new(&program).args(words).exec();
    Expected::Start { program: program.to_string_lossy().into_owned(), source }
}

/// A call of rustc for a crate of the graph.
struct Call<'a> {
    plan: &'a Plan,
    /// The folder of the plan.
    folder: &'a Utf8Path,
    own: OwnLayout,
    /// The wrapper for members.
    around: Option<String>,
    rustc: String,
    args: Vec<String>,
    /// They were too long for the system, and so came in a file.
    is_long: bool,
    found: Arguments,
}

impl Call<'_> {
    fn run(mut self, folder: &Utf8Path, package: &Planned) -> Result<u8> {
        self.take_note(package)?;
        // Backtraces keep their lines, and a debugger the variables of the members. The last one of these options counts.
        if self.found.has_variables && package.role != Role::Member {
            self.args.push("-Cdebuginfo=line-tables-only".to_owned());
        }
        // Whatever is compiled may be linked with an instrumented crate, also a procedural macro.
        self.args.push(format!("-Ldependency={}", self.plan.core.folder));
        let in_the_build =
            self.found.runs_in_the_build() || !self.plan.instruments(self.found.target.as_deref());
        let role = if in_the_build { Role::Plain } else { package.role };
        if role == Role::Annotations {
            self.let_it_speak();
        }
        let Some(id) = self.id(folder)?.filter(|_| !matches!(role, Role::Plain | Role::Annotations)) else {
            self.find_shims();
            return Err(self.become_rustc()?);
        };
        let plain = self.plan.decisions.is_plain(&id);
        let is_member = role == Role::Member;
        let is_rewritten = (is_member || self.plan.overlay.packages.contains_key(folder)) && !plain;
        let mut given = BTreeSet::new();
        if !plain {
            given = self.replace_libraries()?;
            let core = &self.plan.core;
            let libraries: &[(&str, &Utf8PathBuf)] = match (core.std_replacement, is_rewritten) {
                (StdReplacement::Flag, _) => &[(STD, &core.std)],
                (StdReplacement::Item, true) => &[("rvstd", &core.std), (INJECTED, &core.runtime)],
                (StdReplacement::Item, false) => &[],
            };
            if !libraries.is_empty() {
                given.insert(STD.to_owned());
            }
            for (name, path) in libraries {
                self.args.extend(["--extern".to_owned(), format!("{name}={path}")]);
            }
        }
        self.find_shims();
        let attempt =
            if is_rewritten { self.compile_rewritten(folder, package)? } else { self.attempt(&self.args)? };
        if !attempt.succeeded() {
            return self.failed(id, given, attempt);
        }
        self.map_dep_info(folder, &given)?;
        if is_rewritten && is_member {
            self.keep_mir()?;
        }
        Ok(attempt.pass_on())
    }

    /// Gives the crate by which the program speaks the recorder to speak to.
    fn let_it_speak(&mut self) {
        self.args.extend(["--cfg", "rvcheck_instrumented", "--extern"].map(str::to_owned));
        self.args.push(format!("{INJECTED}={}", self.plan.core.runtime));
    }

    /// Becomes the compiler. Only a failure comes back.
    fn become_rustc(self) -> Result<Expected> {
        let args = self.passed(&self.args)?;
        let words = self.around.into_iter().chain([self.rustc]).chain(args);
        Ok(exec(self.plan, words.map(Into::into)))
    }

    /// The arguments as they can be passed to the compiler.
    pub(crate) fn passed(&self, args: &[String]) -> Result<Vec<String>> {
        if self.is_long { response::packed(args, &self.folder.join("arguments")) } else { Ok(args.to_vec()) }
    }

    /// Which crate of the graph it is; `None` for none that is made from a file.
    fn id(&self, package: &Utf8Path) -> Result<Option<CrateId>> {
        let Some(source) = self.found.source else { return Ok(None) };
        let root = here()?.join(&self.args[source]);
        Ok(Some(CrateId { package: package.to_owned(), root, for_tests: self.found.for_tests }))
    }

    /// Writes down how a crate that has a shim is built.
    fn take_note(&self, package: &Planned) -> Result<()> {
        let Some(krate) = package.shim.clone().filter(|_| !self.found.runs_in_the_build()) else {
            return Ok(());
        };
        let Some(library) = self.found.library() else { return Ok(()) };
        let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
        let cfgs = self.found.cfgs.clone();
        let externs = self.found.externs.iter().map(|it| (it.name().to_owned(), it.path.clone())).collect();
        write_note(&self.own, &library, &Note { krate, version, cfgs, externs })
    }

    /// Gives the crate the shims of its libraries, where there are any. Gives the names of the crates that have one.
    fn replace_libraries(&mut self) -> Result<BTreeSet<String>> {
        let mut given = BTreeSet::new();
        for library in &self.found.externs {
            let Some(note) = read_note(&self.own, library.library()) else { continue };
            let request = ShimRequest {
                own: &self.own,
                core: &self.plan.core,
                rustc: &self.rustc,
                real: &library.path,
                note: &note,
                search: &self.found.search,
                decisions: &self.plan.decisions,
            };
            if let Some(path) = shim(&request)? {
                self.args[library.index] = format!("{}{path}", library.before);
            }
            given.insert(note.krate);
        }
        Ok(given)
    }

    /// Lets rustc find the shims that other crates were compiled against.
    fn find_shims(&mut self) {
        self.args.extend(folders(&self.own).iter().map(|it| format!("-Ldependency={it}")));
    }

    /// Compiles the rewritten files in place of the user's.
    fn compile_rewritten(&mut self, folder: &Utf8Path, package: &Planned) -> Result<Attempt> {
        let overlay = &self.plan.overlay;
        if package.build_script {
            let _lock = self.own.lock("overlay")?;
            overlay.refresh_part(folder)?;
        }
        self.args.extend(["--cap-lints".to_owned(), "allow".to_owned()]);
        let unmarked = self.args.clone();
        let source = self
            .found
            .source
            .map(|index| Ok::<_, Expected>((index, here()?.join(&self.args[index]))))
            .transpose()?;
        if let Some((_, root)) = &source
            && overlay.package_of(root).is_some_and(|it| it.core.contains_key(root))
        {
            self.args.extend(["--extern".to_owned(), format!("core={}", self.plan.core.core)]);
        }
        let copy = source.and_then(|(index, path)| Some((index, overlay.copy_of(&path)?)));
        if let Some((index, (mirror, copy))) = copy.filter(|(_, (_, copy))| copy.exists()) {
            self.args[index] = copy.into_string();
            self.args.push(format!("--remap-path-prefix={}={}", mirror.copy, mirror.shown));
            if package.role == Role::Member {
                self.ask_for_mir()?;
            }
        }
        Attempts::new(self, &unmarked).compile()
    }

    /// Runs the compiler with these arguments.
    fn attempt(&self, args: &[String]) -> Result<Attempt> {
        let around = self.plan.inner_wrapper.iter().chain(&self.around);
        let args = self.passed(args)?;
        let mut words = around.chain([&self.rustc]).chain(&args);
        let mut command = Command::new(words.next().unwrap_or(&self.rustc));
        command.args(words);
        Attempt::run(command)
    }

    /// Makes cargo look at the user's files and not at the rewritten ones, at the variables that say what is left out of the
    /// shims that were given, and at what else shapes the package in this folder.
    fn map_dep_info(&self, folder: &Utf8Path, given: &BTreeSet<String>) -> Result<()> {
        let Some(path) = self.found.dep_info().filter(|it| it.exists()) else { return Ok(()) };
        let text = fs::read_to_string(&path).map_err(reading(&path))?;
        let mut mapped = dep_info::mapped(&text, |file| self.plan.overlay.original_of(file));
        let mut variables: Vec<String> = given.iter().map(|it| variable(it)).collect();
        if given.is_empty() {
            variables.push(PLAIN.to_owned());
        }
        for variable in variables {
            mapped.push_str(&dep_info::environment(&variable, std::env::var(&variable).ok().as_deref()));
        }
        let shape = self.plan.shaping.shape_file(&self.plan.overlay, folder);
        write_whole(&path, dep_info::with_file(&mapped, &shape).as_bytes())
    }
}

/// The folder in which cargo has started this process.
pub(crate) fn here() -> Result<Utf8PathBuf> {
    let unusable = || Expected::Configuration("the name of the current folder is not Unicode".to_owned());
    let here = std::env::current_dir().map_err(reading(Utf8Path::new(".")))?;
    Utf8PathBuf::from_path_buf(here).map_err(|_| unusable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrapper_for_members_is_distinguished_from_the_compiler() {
        let cases = [
            ("/bin/rustc -vV", None, "/bin/rustc", 1),
            ("/bin/rustc --crate-name a src/lib.rs", None, "/bin/rustc", 3),
            ("/t/rvcheck-members /bin/rustc --crate-name a", Some("/t/rvcheck-members"), "/bin/rustc", 2),
            ("rustc", None, "rustc", 0),
            ("/bin/rustc @arguments", None, "/bin/rustc", 1),
            ("/t/rvcheck-members /bin/rustc @arguments", Some("/t/rvcheck-members"), "/bin/rustc", 1),
        ];
        for (line, around, rustc, count) in cases {
            let mut words = line.split(' ').map(str::to_owned);
            let first = words.next().unwrap_or_default();
            let found = without_workspace_wrapper(first, words.collect());
            assert_eq!(
                (found.0.as_deref(), found.1.as_str(), found.2.len()),
                (around, rustc, count),
                "{line}"
            );
        }
    }
}
