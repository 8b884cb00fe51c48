//! Compiles shims against crates that cargo has built, and programs against both.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use cargo_metadata::semver::{Version, VersionReq};
use cargo_metadata::{Artifact, Message, TargetKind};

use super::shim::{
    ends_controlled, hangs_controlled, hash_sources, kit, prints_by_default, prints_controlled,
    repeats_controlled, run, rustc, text_of,
};

/// Some crates, everything that they depend on, and the shims in front of those that have one.
#[derive(Clone)]
pub(crate) struct Crates {
    folder: PathBuf,
    /// In the order in which they were built: a crate comes after those that it depends on.
    all: Vec<Krate>,
    made: Made,
}

/// What is made of crates and shims.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Made {
    /// Libraries.
    Whole,
    /// Only what it takes to check a program.
    Metadata,
}

impl Made {
    /// The library of this name in a folder.
    fn library(self, folder: &Path, name: &str) -> PathBuf {
        let extension = match self {
            Made::Whole => "rlib",
            Made::Metadata => "rmeta",
        };
        folder.join(format!("lib{name}.{extension}"))
    }
}

#[derive(Clone)]
struct Krate {
    name: String,
    version: Version,
    real: PathBuf,
    /// Those that it depends on itself, by their places among all.
    needs: Vec<usize>,
    /// Differs wherever a program could tell what has been compiled.
    key: u64,
    /// Its root file and its edition.
    source: (PathBuf, String),
    /// The real crate, compiled against the shims of what it uses, where that is what programs or its shim see.
    instrumented: Option<PathBuf>,
    /// The features and the version, as flags of the compiler for the shim.
    cfgs: Vec<String>,
    shim: Option<PathBuf>,
}

/// The folder of the shims' sources.
fn shims() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shims")
}

/// The file of a program: below `tests`, if the path is relative.
fn program(source: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shims").join(source)
}

/// The lock file of this workspace.
pub(crate) fn own_lock() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock")).unwrap()
}

/// Where the real crates and the shims are kept for all tests of this package.
fn store() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("shims")
}

impl Crates {
    /// What these lines of a `[dependencies]` table ask for, in the versions that the text of a lock file names. The name is for
    /// the folder of the programs.
    pub(crate) fn of(name: &str, dependencies: &str, lock: &str) -> Crates {
        Crates::made(Made::Whole, name, dependencies, lock)
    }

    /// The same for programs that are only checked.
    pub(crate) fn checked(name: &str, dependencies: &str, lock: &str) -> Crates {
        Crates::made(Made::Metadata, name, dependencies, lock)
    }

    /// The same in a selection of features that matters only to what compiles. `RVCHECK_SHIMS=run` has the programs run as well, as
    /// `.ci/nightly` does.
    pub(crate) fn selected(name: &str, dependencies: &str, lock: &str) -> Crates {
        let are_run = std::env::var_os("RVCHECK_SHIMS").is_some_and(|it| it == "run");
        Crates::made(if are_run { Made::Whole } else { Made::Metadata }, name, dependencies, lock)
    }

    fn made(made: Made, name: &str, dependencies: &str, lock: &str) -> Crates {
        let folder = store().join(name);
        let all = build(&folder, made, dependencies, lock);
        let mut crates = Crates { folder, all, made };
        for at in 0..crates.all.len() {
            crates.all[at].key = crates.key(at);
            crates.shim(at);
        }
        let mut hasher = DefaultHasher::new();
        crates.all.iter().for_each(|it| it.key.hash(&mut hasher));
        crates.folder.push(format!("shims-{:016x}", hasher.finish()));
        fs::create_dir_all(&crates.folder).unwrap();
        crates
    }

    fn key(&self, at: usize) -> u64 {
        let krate = &self.all[at];
        let mut hasher = DefaultHasher::new();
        // Cargo names its files by what it made them of.
        (&krate.real, &krate.source, &krate.cfgs, self.made, kit().folder()).hash(&mut hasher);
        krate.needs.iter().for_each(|need| self.all[*need].key.hash(&mut hasher));
        let shim = shims().join(&krate.name);
        if shim.exists() {
            fs::read(shim.join("shim.toml")).unwrap().hash(&mut hasher);
            hash_sources(&shim, &mut hasher);
        }
        hasher.finish()
    }

    /// Compiles the shim of this crate, if there is one, or the crate itself, if it uses one whose real crate is instrumented, where that
    /// has not been done.
    fn shim(&mut self, at: usize) {
        let name = self.all[at].name.clone();
        let Ok(facts) = fs::read_to_string(shims().join(&name).join("shim.toml")) else {
            // Those above it have to see the same types.
            if self.all[at].needs.iter().any(|need| self.all[*need].instrumented.is_some()) {
                self.all[at].instrumented = Some(self.library(at, &name, || self.instrumented_compiler(at)));
            }
            return;
        };
        // As the tool does, which leaves versions alone that the shim is not for.
        if !fits(&facts, &self.all[at].version) {
            return;
        }
        if facts.lines().any(|it| it == "real = \"instrumented\"") {
            self.all[at].instrumented = Some(self.library(at, &name, || self.instrumented_compiler(at)));
        }
        self.all[at].shim = Some(self.library(at, &format!("rv{name}"), || self.shim_compiler(at)));
    }

    /// The library of this name, compiled now if it is not there yet.
    fn library(&self, at: usize, name: &str, compiler: impl FnOnce() -> Command) -> PathBuf {
        let folder = self.all[at].kept();
        let library = self.made.library(&folder, name);
        if !library.exists() {
            // Under another name first: the finished file says that all of it is there. Another thread may be at it, too.
            let unfinished =
                folder.join(format!("unfinished-{}-{:?}", std::process::id(), thread::current().id()));
            fs::create_dir_all(&unfinished).unwrap();
            let mut compiler = compiler();
            if self.made == Made::Metadata {
                compiler.arg("--emit=metadata");
            }
            text_of(&compiler.arg("--out-dir").arg(&unfinished).output().unwrap()).unwrap();
            fs::rename(unfinished.join(library.file_name().unwrap()), &library).unwrap();
        }
        library
    }

    /// A compiler for a real crate that is itself instrumented.
    fn instrumented_compiler(&self, at: usize) -> Command {
        let krate = &self.all[at];
        let mut command = rustc();
        let (root, edition) = &krate.source;
        command.arg(root).args(["--crate-type=rlib", "--cap-lints=allow", "--crate-name", &krate.name]);
        command.args(["--edition", edition, "-Cmetadata=instrumented"]).args(&krate.cfgs);
        self.search(&mut command);
        command.arg(format!("--extern=std={}", kit().folder().join("librvstd.rlib").display()));
        for need in &krate.needs {
            command.arg("--extern").arg(self.all[*need].seen(true));
        }
        command
    }

    /// The crates with a shim from which some groups of types are left out, such as `rv_no_mutex`. It has no code, only what
    /// checking a program takes.
    pub(crate) fn without(&self, krate: &str, groups: &[&str]) -> Crates {
        let at = self.position(krate);
        let folder = self.folder.join(format!("{krate}-{}", groups.concat()));
        fs::create_dir_all(&folder).unwrap();
        let mut command = self.shim_compiler(at);
        command.args(groups.iter().map(|it| format!("--cfg={it}"))).arg("--emit=metadata");
        text_of(&command.arg("--out-dir").arg(&folder).output().unwrap()).unwrap();
        let mut crates = self.clone();
        crates.all[at].shim = Some(folder.join(format!("librv{krate}.rmeta")));
        crates
    }

    fn shim_compiler(&self, at: usize) -> Command {
        let krate = &self.all[at];
        let mut command = rustc();
        if self.made == Made::Whole {
            // As the tool does.
            command.arg("-O");
        }
        command.arg(shims().join(&krate.name).join("lib.rs"));
        command.args(["--edition=2021", "--crate-type=rlib", "-Dwarnings", "--crate-name"]);
        command.arg(format!("rv{}", krate.name)).args(&krate.cfgs);
        self.search(&mut command);
        command.arg("--extern=rvcheck_runtime").arg("--extern");
        command.arg(format!(
            "{}={}",
            krate.name,
            krate.instrumented.as_ref().unwrap_or(&krate.real).display()
        ));
        for need in &krate.needs {
            command.arg("--extern").arg(self.all[*need].seen(true));
        }
        command
    }

    fn search(&self, command: &mut Command) {
        command.arg("-L").arg(kit().folder());
        let real = self.all.first().and_then(|it| Some(it.real.parent()?.to_owned()));
        let kept =
            self.all.iter().filter(|it| it.shim.is_some() || it.instrumented.is_some()).map(Krate::kept);
        for folder in real.into_iter().chain(kept) {
            command.arg("-L").arg(format!("dependency={}", folder.display()));
        }
    }

    fn position(&self, krate: &str) -> usize {
        self.all.iter().position(|it| it.name == krate).unwrap_or_else(|| panic!("no {krate} was built"))
    }

    /// Where programs are compiled to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The library of a real crate, as its shim sees it.
    pub(crate) fn real(&self, krate: &str) -> &Path {
        let krate = &self.all[self.position(krate)];
        krate.instrumented.as_ref().unwrap_or(&krate.real)
    }

    /// The root file of a real crate.
    pub(crate) fn source(&self, krate: &str) -> &Path {
        &self.all[self.position(krate)].source.0
    }

    /// Compiles a program against the real crates.
    pub(crate) fn plain(&self, source: impl AsRef<Path>, arguments: &[&str]) -> Result<PathBuf, String> {
        self.compile(&program(source), "plain", false, arguments)
    }

    /// Compiles a program against the shims.
    pub(crate) fn shimmed(&self, source: impl AsRef<Path>, arguments: &[&str]) -> Result<PathBuf, String> {
        self.compile(&program(source), "shimmed", true, arguments)
    }

    fn compile(
        &self,
        source: &Path,
        suffix: &str,
        shimmed: bool,
        arguments: &[&str],
    ) -> Result<PathBuf, String> {
        let stem = source.file_stem().unwrap().to_str().unwrap();
        let output = self.folder.join(format!("{stem}-{suffix}"));
        let mut command = rustc();
        command.args(["--edition", "2021", "-Aunexpected_cfgs"]).arg(source).arg("-o").arg(&output);
        self.search(&mut command);
        for krate in &self.all {
            command.arg("--extern").arg(krate.seen(shimmed));
            if krate.shim.is_some() {
                command.args(&krate.cfgs);
            }
        }
        text_of(&command.args(arguments).output().unwrap()).map(|_| output)
    }

    /// Checks that a program compiles against the shims and, unless programs are only checked, comes to its end.
    #[track_caller]
    pub(crate) fn runs(&self, source: &str) {
        match self.made {
            Made::Whole => drop(run(&self.shimmed(source, &[]).unwrap(), None)),
            Made::Metadata => drop(self.shimmed(source, &["--emit=metadata"]).unwrap()),
        }
    }

    /// Checks that each of these groups of a shim can be left out. With `--cfg=left_out_<group>` the program compiles only
    /// where items of the group are those of the crate `real_<name>`.
    #[track_caller]
    pub(crate) fn leaves_out(&self, krate: &str, groups: &[&str], source: &str) {
        let real = format!("--extern=real_{krate}={}", self.real(krate).display());
        for group in groups {
            let left_out = format!("--cfg=left_out_{group}");
            let arguments = ["--crate-type=lib", "--emit=metadata", &real, &left_out];
            let without = self.without(krate, &[&format!("rv_no_{group}")]);
            without.shimmed(source, &arguments).unwrap();
            self.shimmed(source, &arguments).unwrap_err();
        }
    }

    /// Checks that a program does the same with the real crates and with the shims, recorded or not.
    #[track_caller]
    pub(crate) fn prints_the_same(&self, source: &str) {
        let (whole, expected) = self.prints_the_same_by_default(source);
        prints_controlled(&whole, &expected);
    }

    /// The same where what it prints depends on the schedule. The program against the shims, as the tool makes it, and what was printed.
    #[track_caller]
    pub(crate) fn prints_the_same_by_default(&self, source: &str) -> (PathBuf, String) {
        let plain = self.plain(source, &[]).unwrap();
        let whole = self.whole(source).unwrap();
        let expected = run(&plain, None);
        assert!(expected.contains('\n'), "{source} prints nothing");
        assert_eq!(run(&whole, None), expected, "{source}, not recorded");
        assert_eq!(run(&whole, Some(&whole.with_extension("rvt"))), expected, "{source}, recorded");
        prints_by_default(&whole, &expected);
        (whole, expected)
    }

    /// Compiles a program against the shims, among them that of std.
    fn whole(&self, source: &str) -> Result<PathBuf, String> {
        let std = format!("--extern=std={}", kit().folder().join("librvstd.rlib").display());
        self.compile(&program(source), "whole", true, &["--cfg=shimmed", &std])
    }

    /// Checks that a program comes to its end under many schedules.
    #[track_caller]
    pub(crate) fn ends_controlled(&self, source: &str) {
        ends_controlled(&self.whole(source).unwrap());
    }

    /// Checks that a controlled program does the same again by the same plan.
    #[track_caller]
    pub(crate) fn repeats_controlled(&self, source: &str) {
        repeats_controlled(&self.whole(source).unwrap());
    }

    /// Checks that it is noticed at once that a program hangs.
    #[track_caller]
    pub(crate) fn hangs_controlled(&self, source: &str) {
        hangs_controlled(&self.whole(source).unwrap());
    }

    /// Runs an instrumented program, and gives its text and its trace. Its own file is the only one that is the program's.
    #[track_caller]
    pub(crate) fn recorded(&self, source: &str) -> (String, Vec<u8>) {
        let source = program(source);
        let text = fs::read_to_string(&source).unwrap();
        let name = source.file_name().unwrap().to_str().unwrap();
        // Files with relative paths are the program's own; those of the real crates stay absolute.
        let own = format!("--remap-path-prefix={}={name}", source.display());
        let binary = self.shimmed(&source, &[&own]).unwrap();
        let path = binary.with_extension("rvt");
        run(&binary, Some(&path));
        (text, fs::read(&path).unwrap())
    }
}

impl Krate {
    /// Where its shim is kept.
    fn kept(&self) -> PathBuf {
        store().join("kept").join(format!("{}-{:016x}", self.name, self.key))
    }

    /// The crate as programs see it.
    fn seen(&self, shimmed: bool) -> String {
        let compiled = self.shim.as_ref().or(self.instrumented.as_ref());
        let library = compiled.filter(|_| shimmed).unwrap_or(&self.real);
        format!("{}={}", self.name, library.display())
    }
}

/// Has cargo build these dependencies. All tests share what it builds, so that no crate is built twice in the same way.
fn build(folder: &Path, made: Made, dependencies: &str, lock: &str) -> Vec<Krate> {
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    let manifest = format!(
        "[package]\nname = \"needs-them\"\nedition = \"2021\"\n[workspace]\n\
         [profile.dev]\ndebug = false\n[dependencies]\n{dependencies}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("Cargo.lock"), lock).unwrap();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder).arg(if made == Made::Whole { "build" } else { "check" });
    cargo.arg("--message-format=json").stderr(Stdio::piped());
    let output = cargo.arg("--target-dir").arg(store().join("target")).output().unwrap();
    let messages = text_of(&output).unwrap();
    let messages = Message::parse_stream(messages.as_bytes()).map(Result::unwrap);
    let artifacts = messages.filter_map(|message| match message {
        Message::CompilerArtifact(it) => Some(it),
        _ => None,
    });
    let kinds = [TargetKind::Lib, TargetKind::ProcMacro];
    let libraries: Vec<Artifact> =
        artifacts.filter(|it| it.target.kind.iter().any(|kind| kinds.contains(kind))).collect();
    let locked = fs::read_to_string(folder.join("Cargo.lock")).unwrap();
    let libraries = in_order(libraries, &locked);
    let packages: Vec<(&str, &str)> = libraries.iter().map(|it| package(&it.package_id.repr)).collect();
    let krates = libraries.iter().zip(&packages).map(|(artifact, (package, version))| {
        let name = artifact.target.name.replace('-', "_");
        let features = artifact.features.iter().map(|it| format!("--cfg=feature={it:?}"));
        let cfgs = version_cfgs(&name, version).into_iter().chain(features).collect();
        let source = (artifact.target.src_path.clone().into(), artifact.target.edition.to_string());
        let needs = needs(&locked, package, version);
        let needs =
            (0..packages.len()).filter(|at| needs.iter().any(|it| is_meant(it, packages[*at]))).collect();
        let mut files = artifact.filenames.iter();
        let real = files.clone().find(|it| it.extension() != Some("rmeta")).or_else(|| files.next());
        let (real, version) = (real.unwrap().into(), version.parse().unwrap());
        Krate { name, version, real, needs, key: 0, source, instrumented: None, cfgs, shim: None }
    });
    krates.filter(|it| it.name != "needs_them").collect()
}

/// Each library behind those that it depends on by this lock file. Cargo names them as they are done, and that may be before one that they
/// depend on.
fn in_order(mut libraries: Vec<Artifact>, lock: &str) -> Vec<Artifact> {
    // The same ones always come in the same order, by which they are known again.
    libraries.sort_by(|a, b| a.package_id.repr.cmp(&b.package_id.repr));
    let mut ordered = Vec::new();
    while !libraries.is_empty() {
        let is_ready = |it: &Artifact| {
            let (name, version) = package(&it.package_id.repr);
            let needs = needs(lock, name, version);
            let is_needed =
                |other: &Artifact| needs.iter().any(|it| is_meant(it, package(&other.package_id.repr)));
            !libraries.iter().any(is_needed)
        };
        let next = libraries.iter().position(is_ready).expect("crates do not depend on each other");
        ordered.push(libraries.remove(next));
    }
    ordered
}

/// The name and the version of a package by its id: `registry+…#name@1.0.0`, or `path+…/name#1.0.0`.
fn package(id: &str) -> (&str, &str) {
    let (source, package) = id.split_once('#').unwrap_or_else(|| panic!("{id} is no id"));
    package.split_once('@').unwrap_or_else(|| (source.rsplit('/').next().unwrap_or(source), package))
}

/// What a package depends on by a lock file: a name, or a name and a version where there are several.
fn needs<'l>(lock: &'l str, name: &str, version: &str) -> Vec<&'l str> {
    let head = format!("\nname = \"{name}\"\nversion = \"{version}\"\n");
    let entry = lock.split("[[package]]").find(|it| it.starts_with(&head));
    let list = entry.and_then(|it| it.split_once("dependencies = [")?.1.split(']').next());
    list.unwrap_or_default().split('"').skip(1).step_by(2).collect()
}

/// Whether a dependency in a lock file is this package.
fn is_meant(dependency: &str, (name, version): (&str, &str)) -> bool {
    match dependency.split_once(' ') {
        Some((its_name, rest)) => its_name == name && rest.split(' ').next() == Some(version),
        None => dependency == name,
    }
}

/// Whether a shim with this `shim.toml` is for this version.
fn fits(facts: &str, version: &Version) -> bool {
    let versions = facts.lines().find_map(|it| it.strip_prefix("versions = ")).unwrap();
    let mut requirements = versions.split('"').skip(1).step_by(2).map(|it| it.parse::<VersionReq>().unwrap());
    requirements.any(|it| it.matches(version))
}

/// The flags that tell a version: `rv_x_1`, `rv_x_1_8`, `rv_x_1_8_3`, each with the lower ones of its row.
fn version_cfgs(krate: &str, version: &str) -> Vec<String> {
    let numbers: Vec<&str> = version.split('.').collect();
    let mut cfgs = Vec::new();
    for (at, number) in numbers.iter().take(3).enumerate() {
        let last: u64 = number.parse().unwrap_or(0);
        let before = [&[krate], &numbers[..at]].concat().join("_");
        cfgs.extend((1..=last).map(|it| format!("--cfg=rv_{before}_{it}")));
    }
    cfgs
}
