//! A list as a file.

use super::declared::declare;
use super::examine::{Examined, examine};
use super::line::{Line, State};
use super::newer::numbers;
use crate::shim_kit::{Crates, own_lock};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// What a version of a crate has.
#[derive(Clone)]
pub(crate) struct List {
    /// Where it is kept.
    pub(crate) path: PathBuf,
    /// The name of the crate in Rust.
    pub(crate) krate: String,
    pub(crate) version: String,
    /// The features that it has been made with.
    pub(crate) features: Vec<String>,
    /// A lock file below this package, for versions that cargo takes only if a lock file names them.
    pub(crate) lock: Option<String>,
    pub(crate) lines: Vec<Line>,
}

const FEATURES: &str = "# features:";
const LOCK: &str = "# lock:";

/// All lists, the crates in alphabetical order.
pub(crate) fn lists() -> Vec<List> {
    let shims = Path::new(env!("CARGO_MANIFEST_DIR")).join("shims");
    let folders = entries(&shims).into_iter().map(|it| it.join("api")).filter(|it| it.is_dir());
    folders.flat_map(|it| entries(&it)).map(|it| List::read(&it)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    entries.sort();
    entries
}

/// All lists share what they have built.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl List {
    fn read(path: &Path) -> List {
        let text = fs::read_to_string(path).unwrap();
        let features = text.lines().find_map(|it| it.strip_prefix(FEATURES)).unwrap_or_default();
        let features =
            features.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
        let lock = text.lines().find_map(|it| it.strip_prefix(LOCK)).map(|it| it.trim().to_owned());
        let lines = text.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
        let lines = lines.map(|it| Line::parse(it).unwrap_or_else(|| panic!("{}: {it}", path.display())));
        let krate = path.ancestors().nth(2).and_then(Path::file_name).unwrap().to_str().unwrap().to_owned();
        let version = path.file_stem().unwrap().to_str().unwrap().to_owned();
        List { path: path.to_owned(), krate, version, features, lock, lines: lines.collect() }
    }

    /// What it is a list of.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.krate, self.version)
    }

    pub(super) fn is_older_than(&self, other: &List) -> bool {
        numbers(&self.version) < numbers(&other.version)
    }

    /// What cargo calls the crate.
    fn package(&self) -> String {
        let text = fs::read_to_string(self.path.ancestors().nth(2).unwrap().join("shim.toml")).unwrap();
        let line = text.lines().find_map(|it| it.strip_prefix("package = ")).unwrap();
        line.trim_matches('"').to_owned()
    }

    /// The crate in this version, and its shim.
    pub(crate) fn crates(&self) -> Crates {
        self.crates_from(&format!("version = \"={}\"", self.version))
    }

    /// The crate from this source, a key and a value of a dependency.
    pub(super) fn crates_from(&self, source: &str) -> Crates {
        let _building = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        Crates::checked("api", &self.dependency(source), &self.lock_text())
    }

    /// The same, to run programs with.
    pub(crate) fn whole_crates(&self) -> Crates {
        let source = format!("version = \"={}\"", self.version);
        Crates::of("api-whole", &self.dependency(&source), &self.lock_text())
    }

    fn dependency(&self, source: &str) -> String {
        let (package, features) = (self.package(), &self.features);
        format!("{package} = {{ {source}, default-features = false, features = {features:?} }}")
    }

    fn lock_text(&self) -> String {
        self.lock_file().map_or_else(own_lock, |it| fs::read_to_string(it).unwrap())
    }

    fn lock_file(&self) -> Option<PathBuf> {
        self.lock.as_ref().map(|it| Path::new(env!("CARGO_MANIFEST_DIR")).join(it))
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let head = format!(
            "# The public API of {} {}, and what the shim does with each item. Written by the test `api`.\n\
             {FEATURES} {}\n",
            self.package(),
            self.version,
            self.features.join(", ")
        );
        let lock = self.lock.as_ref().map(|it| format!("{LOCK} {it}\n"));
        std::iter::once(head).chain(lock).chain(self.lines.iter().map(|it| format!("{it}\n"))).collect()
    }
}

/// The list, made anew from the sources of the crate. The reasons for what is left out are kept, also from `others`.
pub(crate) fn rewritten(list: &List, others: &[List]) -> List {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package=api-list", "--", &list.package(), &list.version]);
    let output = command.arg(list.features.join(",")).args(list.lock_file()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let items = String::from_utf8(output.stdout).unwrap();
    let items: Vec<&str> = items.lines().collect();
    let others: Vec<&List> = others.iter().filter(|it| it.krate == list.krate).collect();
    let mut lines = known(list, &others, &items);
    let older: Vec<&List> = others.into_iter().filter(|it| it.is_older_than(list)).collect();
    if declare(list, &older, &lines) {
        lines = known(list, &older, &items);
    }
    List {
        path: list.path.clone(),
        krate: list.krate.clone(),
        version: list.version.clone(),
        features: list.features.clone(),
        lock: list.lock.clone(),
        lines,
    }
}

/// What the shim does with these items; with the reasons that the lists give for what is left out.
fn known(list: &List, others: &[&List], items: &[&str]) -> Vec<Line> {
    let Examined { states, matters, .. } = examine(&list.crates(), &list.krate, items);
    let known: Vec<&Line> = list.lines.iter().chain(others.iter().flat_map(|it| &it.lines)).collect();
    // What a forwarded type has comes with it.
    let lines = items.iter().zip(states).zip(matters).filter(|(_, matters)| *matters);
    let lines = lines.map(|((item, state), _)| {
        let reason = known.iter().find_map(|it| match &it.state {
            State::LeftOut(reason) if it.item == *item => Some(reason.clone()),
            _ => None,
        });
        let state = match state {
            State::LeftOut(_) => State::LeftOut(reason.unwrap_or_else(|| UNEXPLAINED.to_owned())),
            other => other,
        };
        Line { state, item: (*item).to_owned() }
    });
    lines.collect()
}

/// Stands where a reason has to be given.
pub(super) const UNEXPLAINED: &str = "?";
