//! Compiles the crates that go into a program under test, and programs against them.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rvcheck_event::exploration::outcome::{Beyond, ENDED_ITSELF, Outcome};
use rvcheck_event::exploration::word::{Cause, End};

/// Longer than any of the programs takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What a program is compiled against.
#[derive(Clone, Copy)]
pub(crate) enum Against<'a> {
    /// The real std, plainly.
    RealStd,
    /// The shim in full.
    Shim,
    /// A shim of [`Kit::shim_without`].
    ThisShim(&'a Path),
}

/// The compiled crates.
pub(crate) struct Kit {
    folder: PathBuf,
    shim: PathBuf,
}

/// The crates, compiled once a process, and taken over from an earlier one if no source has changed.
pub(crate) fn kit() -> &'static Kit {
    static KIT: OnceLock<Kit> = OnceLock::new();
    KIT.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut hasher = DefaultHasher::new();
        for folder in ["insert", "event/src", "src", "shims/std"] {
            hash_sources(&here.join(folder), &mut hasher);
        }
        rustc().arg("-vV").output().unwrap().stdout.hash(&mut hasher);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("std-{:016x}", hasher.finish()));
        let kit = Kit { shim: folder.join("librvstd.rlib"), folder };
        if !kit.shim.exists() {
            kit.build(here);
        }
        kit
    })
}

/// The sources of the shim.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shims/std")
}

/// A program of `tests/shims/std`.
pub(crate) fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shims/std").join(name)
}

/// Runs a program, which must succeed in time, and returns what it printed.
#[track_caller]
pub(crate) fn run(binary: &Path, trace: Option<&Path>) -> String {
    let mut command = Command::new(binary);
    command.env("RUST_BACKTRACE", "0").env_remove("RVCHECK_RUN").stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    if let Some(trace) = trace {
        // Beside an old one it would write another.
        let _ = std::fs::remove_file(trace);
        command.env("RVCHECK_RUN", format!("trace={}\natomics=1", trace.display()));
    }
    text_of(&in_time(&mut command)).unwrap_or_else(|problem| panic!("{}: {problem}", binary.display()))
}

/// What came of a controlled run of a program.
pub(crate) struct Controlled {
    pub(crate) status: ExitStatus,
    pub(crate) printed: String,
    pub(crate) errors: String,
    /// What it says of itself.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) took: Duration,
}

/// Runs a program, of which all of `tests` is the own source, controlled by the lines of a plan.
#[track_caller]
pub(crate) fn control(binary: &Path, lines: &str) -> Controlled {
    let [trace, plan, outcome] = ["controlled", "plan", "explored"].map(|it| binary.with_extension(it));
    for file in [&trace, &outcome] {
        let _ = fs::remove_file(file);
    }
    fs::write(&plan, format!("rvcheck-schedule 2\n{lines}")).unwrap();
    let mut command = Command::new(binary);
    command.env("RUST_BACKTRACE", "0").stdout(Stdio::piped()).stderr(Stdio::piped());
    let settings = format!(
        "trace={}\natomics=1\nown={}\nexplore={}\nexplored={}",
        trace.display(),
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shims").display(),
        plan.display(),
        outcome.display()
    );
    let began = Instant::now();
    let output = in_time(command.env("RVCHECK_RUN", settings));
    Controlled {
        status: output.status,
        printed: String::from_utf8_lossy(&output.stdout).into_owned(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        outcome: fs::read_to_string(&outcome).ok().map(|it| Outcome::read(&it).unwrap()),
        took: began.elapsed(),
    }
}

impl Controlled {
    /// That it came to its end, and was controlled all the time. What it printed.
    #[track_caller]
    pub(crate) fn done(self, what: &str) -> String {
        let Controlled { status, errors, outcome, .. } = &self;
        assert!(status.success(), "{what}: {status}\n{errors}\n{}", self.said());
        let outcome = outcome.as_ref().unwrap_or_else(|| panic!("{what}: no outcome\n{errors}"));
        assert_eq!(outcome.end, End::Done, "{what}");
        assert!(!self.has_left(), "{what}: {}", self.said());
        self.printed
    }

    /// Whether it has left control other than for the system's sake.
    fn has_left(&self) -> bool {
        let is_system = |it: &Beyond| matches!(it.what, Cause::Fs | Cause::Net | Cause::Process);
        self.outcome.as_ref().is_some_and(|it| !it.beyond.iter().all(is_system))
    }

    fn said(&self) -> String {
        let all = self.outcome.as_ref().map(ToString::to_string).unwrap_or_default();
        let is_short = |it: &&str| {
            !["pair ", "switch ", "await ", "participant "].iter().any(|word| it.starts_with(word))
        };
        all.lines().filter(is_short).collect::<Vec<_>>().join("\n")
    }
}

/// The same, once more where a busy machine may be why something was taken for what is not controlled.
#[track_caller]
fn control_again(binary: &Path, lines: &str) -> Controlled {
    let controlled = control(binary, lines);
    if controlled.has_left() { control(binary, lines) } else { controlled }
}

/// Checks that a program prints this also where it is controlled.
#[track_caller]
pub(crate) fn prints_controlled(binary: &Path, expected: &str) {
    for plan in ["seed 1\nby random\n", "seed 2\nby random\n", "seed 3\nby random\n"] {
        prints_by(plan, binary, expected);
    }
}

/// Checks that a program prints this also where it is controlled, by the default order.
#[track_caller]
pub(crate) fn prints_by_default(binary: &Path, expected: &str) {
    prints_by("seed 1\n", binary, expected);
}

#[track_caller]
fn prints_by(plan: &str, binary: &Path, expected: &str) {
    let what = format!("{}, {plan}", binary.display());
    let printed = control_again(binary, plan).done(&what);
    let differs = printed.lines().zip(expected.lines()).find(|(printed, expected)| printed != expected);
    assert_eq!(differs, None, "{what}");
    assert_eq!(printed, expected, "{what}");
}

/// Checks that a program comes to its end under many schedules.
#[track_caller]
pub(crate) fn ends_controlled(binary: &Path) {
    let random = (1..=10).map(|seed| format!("seed {seed}\nby random\n"));
    let plans = ["seed 1\n".to_owned(), "seed 1\nby pct 3 50\n".to_owned()].into_iter().chain(random);
    for plan in plans {
        control_again(binary, &plan).done(&format!("{}, {plan}", binary.display()));
    }
}

/// Checks that a program prints the same by the same plan, and not by all plans.
#[track_caller]
pub(crate) fn repeats_controlled(binary: &Path) {
    let printed = |seed: u64| {
        let plan = format!("seed {seed}\n");
        control_again(binary, &plan).done(&format!("{}, {plan}", binary.display()))
    };
    let [all, again] = [(); 2].map(|()| (1..=4).map(printed).collect::<Vec<_>>());
    assert_eq!(all, again, "{}", binary.display());
    assert!(all.iter().any(|it| *it != all[0]), "{}: {}", binary.display(), all[0]);
}

/// Checks that it is noticed at once that a program hangs.
#[track_caller]
pub(crate) fn hangs_controlled(binary: &Path) {
    let Controlled { status, errors, outcome, took, .. } = control(binary, "seed 1\n");
    let end = outcome.map(|it| it.end);
    assert_eq!((end, status.code()), (Some(End::Hang), Some(ENDED_ITSELF)), "{}\n{errors}", binary.display());
    assert!(took < Duration::from_secs(5), "{}: {took:?}", binary.display());
}

/// What came of a command, which is not waited for for ever.
fn in_time(command: &mut Command) -> Output {
    let mut child = command.spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > TIMEOUT {
            child.kill().unwrap();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

pub(crate) fn text_of(output: &Output) -> Result<String, String> {
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
    }
}

pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The `95` of rustc 1.95.0.
fn minor_version() -> u32 {
    let version = text_of(&rustc().arg("-V").output().unwrap()).unwrap();
    version.split('.').nth(1).unwrap().parse().unwrap()
}

pub(crate) fn hash_sources(folder: &Path, hasher: &mut DefaultHasher) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_sources(&path, hasher);
        } else if path.extension().is_some_and(|it| it == "rs") {
            path.hash(hasher);
            fs::read(path).unwrap().hash(hasher);
        }
    }
}

impl Kit {
    /// Where everything is compiled to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn build(&self, here: &Path) {
        fs::create_dir_all(&self.folder).unwrap();
        self.library("rvcheck_insert", "2024", &here.join("insert/lib.rs"), &["--crate-type=proc-macro"]);
        self.library("rvcheck_event", "2024", &here.join("event/src/lib.rs"), &["--crate-type=rlib"]);
        let of_recorder = ["--crate-type=rlib", "--extern=rvcheck_event"];
        self.library("rvcheck_runtime", "2024", &here.join("src/lib.rs"), &of_recorder);
        // Under another name first: the finished file says that all of it is there.
        let unfinished = self.folder.join("unfinished");
        fs::create_dir_all(&unfinished).unwrap();
        self.shim_into(&unfinished, &[], minor_version());
        fs::rename(unfinished.join("librvstd.rlib"), &self.shim).unwrap();
    }

    fn library(&self, name: &str, edition: &str, root: &Path, arguments: &[&str]) {
        let mut command = rustc();
        command.arg("--crate-name").arg(name).arg("--edition").arg(edition).arg(root);
        command
            .arg("--cfg=rvcheck_injected")
            .arg("--cfg=feature=\"recorder\"")
            .arg("-O")
            .arg("-L")
            .arg(&self.folder)
            .args(arguments);
        text_of(&command.arg("--out-dir").arg(&self.folder).output().unwrap()).unwrap();
    }

    fn shim_into(&self, folder: &Path, cfgs: &[String], minor: u32) {
        let mut command = rustc();
        command.args(["--crate-name=rvstd", "--edition=2021", "--crate-type=rlib", "-O"]);
        // For older compilers something may be imported that is not used.
        command.arg(if minor < minor_version() { "-Aunused" } else { "-Dwarnings" });
        command.args(cfgs.iter().map(|it| format!("--cfg={it}")));
        command.args((1..=minor).map(|it| format!("--cfg=rv_std_1_{it}")));
        command.arg(sources().join("lib.rs")).args(["--extern=rvcheck_insert", "--extern=rvcheck_runtime"]);
        command.arg("-L").arg(&self.folder);
        text_of(&command.arg("--out-dir").arg(folder).output().unwrap()).unwrap();
    }

    /// The shim without some groups of wrappers.
    pub(crate) fn shim_without(&self, cfgs: &[String]) -> PathBuf {
        let folder = self.folder.join(cfgs.concat());
        fs::create_dir_all(&folder).unwrap();
        self.shim_into(&folder, cfgs, minor_version());
        folder.join("librvstd.rlib")
    }

    /// The shim as a compiler of this minor version gets it.
    pub(crate) fn shim_of(&self, minor: u32) -> PathBuf {
        let folder = self.folder.join(format!("minor-{minor}"));
        fs::create_dir_all(&folder).unwrap();
        self.shim_into(&folder, &[], minor);
        folder.join("librvstd.rlib")
    }

    /// Compiles a program; the error is what the compiler said.
    pub(crate) fn compile(
        &self,
        source: &Path,
        edition: &str,
        against: Against<'_>,
        arguments: &[&str],
    ) -> Result<PathBuf, String> {
        let stem = source.file_stem().unwrap().to_str().unwrap();
        let (shim, suffix) = match against {
            Against::RealStd => (None, "plain".to_owned()),
            Against::Shim => (Some(self.shim.as_path()), "shim".to_owned()),
            Against::ThisShim(shim) => {
                (Some(shim), shim.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned())
            }
        };
        let output = self.folder.join(format!("{stem}-{edition}-{suffix}"));
        let mut command = rustc();
        command.arg("--edition").arg(edition).arg("--check-cfg=cfg(shimmed)").args(arguments);
        command
            .arg(source)
            .arg("-o")
            .arg(&output)
            .arg("-L")
            .arg(format!("dependency={}", self.folder.display()));
        if let Some(shim) = shim {
            command.arg(format!("--extern=std={}", shim.display()));
        }
        text_of(&command.output().unwrap()).map(|_| output)
    }
}
