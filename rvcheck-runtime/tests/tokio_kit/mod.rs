//! Compiles the shim of tokio against real ones, and programs against both.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::shim::{hash_sources, kit, run, rustc, text_of};

/// A tokio that cargo built with some of its features, and the shim in front of it.
pub(crate) struct Tokio {
    /// Where its dependencies are.
    deps: PathBuf,
    real: PathBuf,
    /// The features and the minor version, as flags of the compiler.
    cfgs: Vec<String>,
    shim: PathBuf,
}

/// A program of `tests/tokio`.
pub(crate) fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tokio").join(name)
}

impl Tokio {
    /// The newest tokio, with these features, and those that they need.
    pub(crate) fn with_features(features: &[&str]) -> Tokio {
        let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock")).unwrap();
        Tokio::of("1", &lock, features)
    }

    /// An old tokio, of which published lock files are full. It is built in a few seconds.
    pub(crate) fn old() -> &'static Tokio {
        static OLD: OnceLock<Tokio> = OnceLock::new();
        OLD.get_or_init(|| Tokio::of("=1.8.1", include_str!("old.lock"), &["rt", "sync", "time"]))
    }

    fn of(version: &str, lock: &str, features: &[&str]) -> Tokio {
        let name = format!("tokio{version}-{}", features.join("-"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let (real, cfgs) = build(&folder, version, lock, features);
        let mut hasher = DefaultHasher::new();
        hash_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shims/tokio"), &mut hasher);
        (fs::read(&real).unwrap(), &cfgs, kit().folder()).hash(&mut hasher);
        let shims = folder.join(format!("shim-{:016x}", hasher.finish()));
        let shim = shims.join("librvtokio.rlib");
        let tokio = Tokio { deps: real.parent().unwrap().to_owned(), real, cfgs, shim };
        if !tokio.shim.exists() {
            tokio.build_shim(&shims);
        }
        tokio
    }

    /// Where programs are compiled to.
    pub(crate) fn folder(&self) -> &Path {
        self.shim.parent().unwrap()
    }

    /// The library of the real crate.
    pub(crate) fn real(&self) -> &Path {
        &self.real
    }

    /// The shim without some groups of types. It has no code, only what checking a program takes.
    pub(crate) fn without(&self, groups: &[&str]) -> Tokio {
        let folder = self.folder().join(groups.concat());
        fs::create_dir_all(&folder).unwrap();
        let mut command = self.shim_compiler();
        command.args(groups.iter().map(|it| format!("--cfg={it}"))).arg("--emit=metadata");
        text_of(&command.arg("--out-dir").arg(&folder).output().unwrap()).unwrap();
        let shim = folder.join("librvtokio.rmeta");
        Tokio { deps: self.deps.clone(), real: self.real.clone(), cfgs: self.cfgs.clone(), shim }
    }

    fn shim_compiler(&self) -> Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("shims/tokio/lib.rs");
        let mut command = self.compiler(&root, "2021");
        command.args([
            "--crate-name=rvtokio",
            "--crate-type=rlib",
            "-O",
            "-Dwarnings",
            "--extern=rvcheck_runtime",
        ]);
        command.arg("--extern").arg(format!("tokio={}", self.real.display()));
        command
    }

    fn build_shim(&self, folder: &Path) {
        // Under another name first: the finished file says that all of it is there.
        let unfinished = folder.join(format!("unfinished-{}", std::process::id()));
        fs::create_dir_all(&unfinished).unwrap();
        text_of(&self.shim_compiler().arg("--out-dir").arg(&unfinished).output().unwrap()).unwrap();
        fs::rename(unfinished.join("librvtokio.rlib"), &self.shim).unwrap();
    }

    /// A compiler that knows the features, and where everything is.
    fn compiler(&self, source: &Path, edition: &str) -> Command {
        let mut command = rustc();
        command.arg("--edition").arg(edition).args(&self.cfgs).arg(source);
        command.arg("-L").arg(kit().folder()).arg("-L").arg(format!("dependency={}", self.deps.display()));
        command
    }

    /// Compiles a program against the real crate.
    pub(crate) fn plain(&self, source: &Path, arguments: &[&str]) -> Result<PathBuf, String> {
        self.compile(source, "plain", &self.real, arguments)
    }

    /// Compiles a program against the shim.
    pub(crate) fn shimmed(&self, source: &Path, arguments: &[&str]) -> Result<PathBuf, String> {
        self.compile(source, "shimmed", &self.shim, arguments)
    }

    fn compile(
        &self,
        source: &Path,
        suffix: &str,
        tokio: &Path,
        arguments: &[&str],
    ) -> Result<PathBuf, String> {
        let stem = source.file_stem().unwrap().to_str().unwrap();
        let output = self.folder().join(format!("{stem}-{suffix}"));
        let mut command = self.compiler(source, "2021");
        command.args(arguments).arg("-Aunexpected_cfgs").arg("-o").arg(&output);
        command.arg("--extern").arg(format!("tokio={}", tokio.display()));
        text_of(&command.output().unwrap()).map(|_| output)
    }

    /// Checks that a program does the same with the real crate and with the shim, recorded or not.
    #[track_caller]
    pub(crate) fn prints_the_same(&self, name: &str) {
        let plain = self.plain(&program(name), &[]).unwrap();
        let shimmed = self.shimmed(&program(name), &[]).unwrap();
        let expected = run(&plain, None);
        assert!(expected.contains('\n'), "{name} prints nothing");
        assert_eq!(run(&shimmed, None), expected, "{name}, not recorded");
        assert_eq!(run(&shimmed, Some(&shimmed.with_extension("rvt"))), expected, "{name}, recorded");
    }
}

/// Has cargo build this version of tokio. Its library, and the flags that shims are compiled with.
fn build(folder: &Path, version: &str, lock: &str, features: &[&str]) -> (PathBuf, Vec<String>) {
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    let manifest = format!(
        "[package]\nname = \"needs-tokio\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
         tokio = {{ version = {version:?}, default-features = false, features = {features:?} }}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("Cargo.lock"), lock).unwrap();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder).args(["build", "--message-format=json"]);
    let messages = text_of(&cargo.arg("--target-dir").arg(folder.join("target")).output().unwrap()).unwrap();
    let artifact = messages
        .lines()
        .find(|it| it.contains("\"compiler-artifact\"") && it.contains("\"name\":\"tokio\""))
        .unwrap_or_else(|| panic!("cargo built no tokio:\n{messages}"));
    let between = |before: &str, after: &str| {
        let (_, rest) = artifact.split_once(before).unwrap_or_else(|| panic!("no {before} in {artifact}"));
        rest.split_once(after).unwrap().0
    };
    let minor: u32 = between("#tokio@1.", ".").parse().unwrap();
    let mut cfgs: Vec<String> = (1..=minor).map(|it| format!("--cfg=rv_tokio_1_{it}")).collect();
    cfgs.extend(
        between("\"features\":[", "]")
            .split(',')
            .filter(|it| !it.is_empty())
            .map(|feature| format!("--cfg=feature={feature}")),
    );
    let real = between("\"filenames\":[", "]")
        .split(',')
        .map(|it| PathBuf::from(it.trim_matches('"')))
        .find(|it| it.extension().is_some_and(|it| it == "rlib"))
        .unwrap();
    (real, cfgs)
}
