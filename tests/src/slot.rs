//! Target folders that fixtures share.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, Once, PoisonError};

use crate::clean::cleanly;
use crate::place::{Place, first_free, fixtures};
use crate::tool;
use crate::tree::link_tree;

/// A target folder that fixtures share, for one test at a time. There are only as many as are in use at once, since each
/// builds the dependencies anew; with a single one, all tests would wait for each other.
struct Slot {
    target: PathBuf,
    _lock: File,
}

/// The slots of this process that no test uses. Whoever comes next takes the one that was given back last.
static FREE: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

thread_local! {
    static SLOT: TakenSlot = TakenSlot::take();
}

impl Slot {
    /// The first one that no other process uses, without the builds that nobody needs any more, and with the recorder.
    fn first() -> Slot {
        let all = fixtures();
        let (number, lock) = first_free(&all);
        let target = all.join(format!("lane-{number}"));
        let others_wait = lending();
        prune(&target.join("rvcheck"));
        lend(&target);
        compile_recorder(&target);
        drop(others_wait);
        Slot { target, _lock: lock }
    }
}

/// A slot for as long as a thread lives. Each test has a thread of its own.
struct TakenSlot(Option<Slot>);

impl TakenSlot {
    fn take() -> TakenSlot {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        TakenSlot(Some(free.unwrap_or_else(Slot::first)))
    }
}

impl Drop for TakenSlot {
    fn drop(&mut self) {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.0.take());
    }
}

/// The target folder that fixtures of this thread share.
pub(crate) fn shared_target() -> PathBuf {
    SLOT.with(|it| it.0.as_ref().expect("it is taken until the thread ends").target.clone())
}

/// How many builds of the fixtures are kept. Workspaces with the same dependencies share one, and each change of the tool makes
/// new ones.
const KEPT_BUILDS: usize = 10;

/// How many recorders are kept, and how many libraries with monitors: of this tool, and of some compilers that tests make up.
const KEPT_RECORDERS: usize = 5;

/// What the names of the folders begin with that have what is made of the tool's own sources, and that all builds share.
const MADE_OF_THE_TOOL: [&str; 2] = ["core-", "enforcement-"];

/// Removes what was not used for longest.
fn prune(rvcheck: &Path) {
    let recorders = MADE_OF_THE_TOOL.map(|it| (it, KEPT_RECORDERS));
    for (kind, kept) in [("build-", KEPT_BUILDS)].into_iter().chain(recorders) {
        for old in folders(rvcheck, kind).iter().skip(kept) {
            fs::remove_dir_all(old).expect("what is old can be removed");
        }
    }
}

/// The folders whose names begin so; what was used last comes first.
fn folders(rvcheck: &Path, kind: &str) -> Vec<PathBuf> {
    let entries = rvcheck.read_dir().into_iter().flatten().flatten();
    let is_it = |it: &PathBuf| it.file_name().is_some_and(|it| it.to_string_lossy().starts_with(kind));
    let mut folders: Vec<PathBuf> = entries.map(|it| it.path()).filter(is_it).collect();
    let used = |it: &PathBuf| it.join("rv-used").metadata().and_then(|it| it.modified()).ok();
    folders.sort_by_key(|it| std::cmp::Reverse(used(it)));
    folders
}

/// Only one thread of all processes lends recorders or removes them.
fn lending() -> File {
    locked("lending.lock")
}

fn locked(name: &str) -> File {
    let lock = File::create(fixtures().join(name)).expect("the lock can be made");
    lock.lock().expect("the lock can be taken");
    lock
}

/// Has the tool compile the recorder, unless it is there. Whoever comes next finds it.
fn compile_recorder(target: &Path) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| test_nothing(target, ""));
}

/// Has the tool test a crate with nothing in it but these properties.
fn test_nothing(target: &Path, properties: &str) {
    let place = Place::take();
    let manifest = "[package]\nname = \"nothing\"\nedition = \"2021\"\n[workspace]\n";
    for (name, text) in [("Cargo.toml", manifest), ("src/lib.rs", ""), ("specs/own.toml", properties)] {
        let path = place.folder.join(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the file can be written");
    }
    let mut command = cleanly(Command::new(tool()), &place.folder, target);
    let output = command.args(["rvcheck", "test", "--allow-empty"]).output().expect("the tool starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A property that stops the program.
const STOPS: &str = r#"schema = 1
[[property]]
id = "unlocked"
title = "Nothing is locked"
logic = "automaton"
params = ["l: lock"]
initial = "free"
bad = ["locked"]
transitions = ["free -- acquire(_, l) --> locked"]
message = "{l} is locked"
on_violation = "stop"
"#;

/// Gives a target folder the library with the monitors that stop a program. It takes as long to compile as all else that one test needs, so
/// one thread compiles it for all.
pub(crate) fn lend_monitors(target: &Path) {
    static ONCE: Once = Once::new();
    let _others_wait = locked("monitors.lock");
    lend_recorders(target);
    ONCE.call_once(|| test_nothing(target, STOPS));
}

/// Gives a target folder the recorders that were compiled in those of the slots, so that they are not compiled for each.
pub(crate) fn lend_recorders(target: &Path) {
    let _others_wait = lending();
    lend(target);
}

fn lend(target: &Path) {
    let to = target.join("rvcheck");
    for slot in fixtures().read_dir().into_iter().flatten().flatten() {
        for kind in MADE_OF_THE_TOOL {
            for folder in folders(&slot.path().join("rvcheck"), kind) {
                let place = to.join(folder.file_name().expect("a folder has a name"));
                if !place.exists() {
                    // It is there when it is whole.
                    let unfinished = to.join("lent.new");
                    link_tree(&folder, &unfinished);
                    fs::rename(unfinished, place).expect("the folder can be renamed");
                }
            }
        }
    }
}
