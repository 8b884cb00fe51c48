//! End-to-end tests of rvcheck: a fixture is a small crate that is copied, run under the tool, and judged by its report.

#![expect(
    clippy::missing_panics_doc,
    reason = "these are tests: whatever goes wrong is a failure with its reason"
)]

pub mod guide;
pub mod pages;
pub mod pieces;
pub mod prose;
pub mod words;

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use jsonschema::Validator;
use serde_json::Value;

/// The root of this repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace")
}

/// The tool, built once for each test process; with nothing changed that takes a moment.
pub fn tool() -> &'static Path {
    static TOOL: OnceLock<PathBuf> = OnceLock::new();
    TOOL.get_or_init(|| {
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "cargo-rvcheck", "--message-format"])
            .arg("json-render-diagnostics")
            .current_dir(repository())
            .output()
            .expect("cargo runs");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        String::from_utf8_lossy(&build.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
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

/// A copy of a crate, in a folder of its own.
pub struct Fixture {
    _place: Place,
    path: PathBuf,
    target: PathBuf,
    environment: Vec<(String, String)>,
}

/// What one run of the tool gave.
#[derive(Debug)]
pub struct Run {
    /// The exit code; -1 for a signal.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The JSON report, if one was asked for and written.
    pub report: Option<Value>,
}

impl Fixture {
    /// A copy of `tests/trees/<name>`.
    ///
    /// In its manifest, `REPOSITORY` stands for the path of this repository.
    pub fn tree(name: &str) -> Fixture {
        let fixture = Fixture::copy(&repository().join("tests/trees").join(name));
        let manifest = fixture.path.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap_or_default();
        if text.contains("REPOSITORY") {
            let text = text.replace("REPOSITORY", &repository().display().to_string());
            std::fs::write(&manifest, text).expect("the copy can be written");
        }
        fixture
    }

    /// A copy of `tests/trees/<name>` in a folder of this name.
    pub fn tree_in(name: &str, folder: &str) -> Fixture {
        let fixture = Fixture::copy(&repository().join("tests/trees").join(name));
        let path = fixture.path.join(folder);
        let inside = fixture
            .path
            .read_dir()
            .expect("the copy can be read")
            .map(|it| it.expect("the entry can be read"));
        let inside: Vec<_> = inside.map(|it| it.file_name()).collect();
        std::fs::create_dir(&path).expect("the folder can be made");
        for name in inside {
            std::fs::rename(fixture.path.join(&name), path.join(&name)).expect("the entry can be moved");
        }
        Fixture { path, ..fixture }
    }

    /// A copy of `examples/<name>`.
    pub fn example(name: &str) -> Fixture {
        Fixture::copy(&repository().join("examples").join(name))
    }

    /// A copy of the crate in this folder. Fixtures share a few target folders, so that dependencies are seldom built.
    pub fn copy(from: &Path) -> Fixture {
        let place = Place::take();
        copy_tree(from, &place.folder);
        Fixture {
            path: place.folder.clone(),
            _place: place,
            target: shared_target(),
            environment: Vec::new(),
        }
    }

    /// A workspace of these files and nothing else.
    pub fn files(files: &[(&str, &str)]) -> Fixture {
        let place = Place::take();
        for (name, text) in files {
            let path = place.folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
                .expect("the folder can be made");
            std::fs::write(path, text).expect("the file can be written");
        }
        Fixture {
            path: place.folder.clone(),
            _place: place,
            target: shared_target(),
            environment: Vec::new(),
        }
    }

    /// A crate `sample` with these files, which depends on tokio. The sources need not be complete crates: what is not
    /// named is not there.
    pub fn sample(files: &[(&str, &str)]) -> Fixture {
        let like = repository().join("examples/clean");
        let of_example = |name| {
            let text = std::fs::read_to_string(like.join(name)).expect("the example has it");
            text.replace("name = \"clean\"", "name = \"sample\"")
        };
        let (manifest, lock) = (of_example("Cargo.toml"), of_example("Cargo.lock"));
        Fixture::files(&[&[("Cargo.toml", manifest.as_str()), ("Cargo.lock", lock.as_str())], files].concat())
    }

    /// The copy.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The target folder that the tool is given.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Uses a target folder of its own, for tests about that folder.
    pub fn with_own_target(mut self) -> Fixture {
        self.target = self.path().join("target");
        self
    }

    /// Sets an environment variable for the tool.
    pub fn with_variable(mut self, name: &str, value: &Path) -> Fixture {
        self.environment.push((name.to_owned(), value.display().to_string()));
        self
    }

    /// Replaces text in a file of the copy.
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.path().join(file);
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        assert!(text.contains(from), "{file} does not contain {from:?}");
        std::fs::write(path, text.replace(from, to)).expect("the file can be written");
    }

    /// The tool with these arguments, in a clean environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.cleanly(Command::new(tool()));
        command.arg("rvcheck").args(arguments);
        command
    }

    /// Cargo itself with these arguments, in the same environment.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.cleanly(Command::new(env!("CARGO")));
        command.args(arguments);
        command
    }

    /// The command in the folder and the environment of the fixture.
    fn cleanly(&self, mut command: Command) -> Command {
        command.current_dir(self.path()).env("CARGO_TARGET_DIR", &self.target);
        // Hundreds of small builds: what only a debugger or a second build would read is gigabytes.
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
        for (name, _) in std::env::vars() {
            let inherited =
                name.starts_with("RVCHECK_") || name.starts_with("CARGO_PKG_") || name.starts_with("GITHUB_");
            if inherited
                || [
                    "CI",
                    "NO_COLOR",
                    "CLICOLOR",
                    "CLICOLOR_FORCE",
                    "CARGO_TERM_COLOR",
                    "CARGO_MANIFEST_DIR",
                    "RUSTFLAGS",
                    "RUST_BACKTRACE",
                ]
                .contains(&&*name)
            {
                command.env_remove(name);
            }
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Keeps others from the target folder until it is dropped.
    ///
    /// Cargo does not tell crates of the same name in different folders apart, only older from newer sources. So after
    /// another fixture was built there, all files of this one are made new.
    fn alone(&self) -> File {
        std::fs::create_dir_all(&self.target).expect("the target folder can be made");
        let path = self.target.join("fixture");
        let mut options = File::options();
        let mut lock = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .expect("the lock can be made");
        lock.lock().expect("the lock can be taken");
        let (mut last, this) = (String::new(), self.path().display().to_string());
        lock.read_to_string(&mut last).expect("the lock can be read");
        if last != this {
            make_new(self.path());
            lock.set_len(0).and_then(|()| lock.rewind()).expect("the lock can be emptied");
            lock.write_all(this.as_bytes()).expect("the lock can be written");
        }
        lock
    }

    /// Runs the tool.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let _alone = self.alone();
        Run::of(&self.command(arguments).output().expect("the tool starts"), None)
    }

    /// Runs `test` with these further arguments, and reads its JSON report.
    pub fn test(&self, arguments: &[&str]) -> Run {
        let report = self.path().join("rvcheck-report.json");
        let output = format!("json={}", report.display());
        let all = [&["test", "--output", &output], arguments].concat();
        let alone = self.alone();
        let run = Run::of(&self.command(&all).output().expect("the tool starts"), Some(&report));
        drop(alone);
        if let Some(report) = &run.report {
            assert_valid(report, "report.json");
        }
        let _ = std::fs::remove_file(report);
        run
    }
}

impl Run {
    fn of(output: &Output, report: Option<&Path>) -> Run {
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            report: report
                .and_then(|path| std::fs::read_to_string(path).ok())
                .and_then(|text| serde_json::from_str(&text).ok()),
        }
    }

    /// The report.
    ///
    /// # Panics
    ///
    /// When none was written; the message holds what the tool printed.
    pub fn report(&self) -> &Value {
        self.report.as_ref().unwrap_or_else(|| panic!("no report; exit {}\n{}", self.code, self.stderr))
    }

    /// The findings as `level property file:line`, in the report's order.
    pub fn findings(&self) -> Vec<String> {
        self.findings_where(|_| true)
    }

    /// The same of what a run showed, without what only the source tells.
    pub fn observed(&self) -> Vec<String> {
        self.findings_where(|it| it["proof"] != "static")
    }

    fn findings_where(&self, is_it: impl Fn(&Value) -> bool) -> Vec<String> {
        let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
        let findings = self.report()["findings"].as_array().cloned().unwrap_or_default();
        findings
            .iter()
            .filter(|it| is_it(it))
            .map(|it| {
                let (primary, level) = (&it["primary"], text(&it["level"]));
                format!("{level} {} {}:{}", text(&it["property"]), text(&primary["file"]), primary["line"])
            })
            .collect()
    }

    /// The report for a person: what follows the tool's word that it judges, and then that it confirms.
    pub fn human(&self) -> &str {
        let (_, report) = self.stderr.split_once(" Checking ").expect("the tool says when it checks");
        let report = report.split_once('\n').expect("the line ends").1;
        match report.split_once('\n') {
            Some((line, rest)) if line.trim_start().starts_with("Confirming ") => rest,
            _ => report,
        }
    }

    /// Fails with the tool's output unless it ended with this code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// A folder for one fixture at a time. There are only as many as are in use at once, since what is built of each
/// workspace has a place of its own in the target folder.
struct Place {
    folder: PathBuf,
    _lock: File,
}

impl Place {
    /// The first one that is free, emptied.
    fn take() -> Place {
        let mut hasher = DefaultHasher::new();
        fixtures().hash(&mut hasher);
        let all = std::env::temp_dir().join(format!("rvcheck-{:016x}", hasher.finish()));
        let (number, lock) = first_free(&all);
        let place = Place { folder: all.join(number.to_string()), _lock: lock };
        place.empty();
        std::fs::create_dir(&place.folder).expect("the folder can be made");
        place
    }

    fn empty(&self) {
        // It is not there at first.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.empty();
    }
}

/// The folder that everything that fixtures need lies in: below the one that this test was built into.
fn fixtures() -> PathBuf {
    let executable = std::env::current_exe().expect("the test knows its path");
    let target = executable.ancestors().nth(3).expect("tests lie in target/<profile>/deps");
    target.join("tmp").join("fixtures")
}

/// A target folder that fixtures share, for one test at a time. There are only as many as are in use at once, since each
/// builds the dependencies anew; with a single one, all tests would wait for each other.
struct Lane {
    target: PathBuf,
    _lock: File,
}

/// The lanes of this process that no test uses. Whoever comes next takes the one that was given back last.
static FREE: Mutex<Vec<Lane>> = Mutex::new(Vec::new());

thread_local! {
    static LANE: TakenLane = TakenLane::take();
}

impl Lane {
    /// The first one that no other process uses, without the builds that nobody needs any more.
    fn first() -> Lane {
        let all = fixtures();
        let (number, lock) = first_free(&all);
        let target = all.join(format!("lane-{number}"));
        prune(&target.join("rvcheck"));
        Lane { target, _lock: lock }
    }
}

/// A lane for as long as a thread lives. Each test has a thread of its own.
struct TakenLane(Option<Lane>);

impl TakenLane {
    fn take() -> TakenLane {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        TakenLane(Some(free.unwrap_or_else(Lane::first)))
    }
}

impl Drop for TakenLane {
    fn drop(&mut self) {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.0.take());
    }
}

/// The target folder that fixtures of this thread share.
fn shared_target() -> PathBuf {
    LANE.with(|it| it.0.as_ref().expect("it is taken until the thread ends").target.clone())
}

/// The smallest number that nobody else uses in this folder, with the lock that keeps it.
fn first_free(folder: &Path) -> (u32, File) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let free = (1..).find_map(|number: u32| {
        let lock = File::create(folder.join(format!("{number}.lock"))).expect("the lock can be made");
        match lock.try_lock() {
            Ok(()) => Some((number, lock)),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(error)) => panic!("the lock cannot be taken: {error}"),
        }
    });
    free.expect("there are enough numbers")
}

/// How many builds of the fixtures are kept. Each change of the tool makes a new one.
const KEPT_BUILDS: usize = 2;

/// Removes the builds that were not used for longest.
fn prune(rvcheck: &Path) {
    let entries = rvcheck.read_dir().into_iter().flatten().flatten();
    let builds = entries.map(|it| it.path()).filter(|it| it.join("rv").is_dir());
    // Cargo works in this folder in each build.
    let used = |build: &PathBuf| build.join("debug/deps").metadata().and_then(|it| it.modified()).ok();
    let mut builds: Vec<PathBuf> = builds.collect();
    builds.sort_by_key(|build| std::cmp::Reverse(used(build)));
    for build in builds.iter().skip(KEPT_BUILDS) {
        std::fs::remove_dir_all(build).expect("an old build can be removed");
    }
}

/// Copies a folder, without build artefacts.
fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let entry = entry.expect("the entry can be read");
        let (source, name) = (entry.path(), entry.file_name());
        if source.is_dir() && name != "target" {
            copy_tree(&source, &to.join(name));
        } else if source.is_file() {
            std::fs::copy(&source, to.join(name)).expect("the file can be copied");
        }
    }
}

/// Gives all files of a folder, but those of builds, the present as their time of change.
fn make_new(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            make_new(&path);
        } else if path.is_file() {
            let file = File::options().append(true).open(&path).expect("the file can be opened");
            file.set_modified(SystemTime::now()).expect("its time can be set");
        }
    }
}
