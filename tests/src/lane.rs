//! Target folders that fixtures share.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::place::{first_free, fixtures};
use crate::tree::copy_tree;

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
pub(crate) fn shared_target() -> PathBuf {
    LANE.with(|it| it.0.as_ref().expect("it is taken until the thread ends").target.clone())
}

/// How many builds of the fixtures are kept. Workspaces with the same dependencies share one, and each change of the tool makes
/// new ones.
const KEPT_BUILDS: usize = 10;

/// Removes the builds that were not used for longest.
fn prune(rvcheck: &Path) {
    for build in builds(rvcheck).iter().skip(KEPT_BUILDS) {
        fs::remove_dir_all(build).expect("an old build can be removed");
    }
}

/// The builds in this folder; what was used last comes first.
fn builds(rvcheck: &Path) -> Vec<PathBuf> {
    let entries = rvcheck.read_dir().into_iter().flatten().flatten();
    let builds = entries.map(|it| it.path()).filter(|it| it.join("rv").is_dir());
    // Cargo works in this folder in each build.
    let used = |build: &PathBuf| build.join("debug/deps").metadata().and_then(|it| it.modified()).ok();
    let mut builds: Vec<PathBuf> = builds.collect();
    builds.sort_by_key(|build| std::cmp::Reverse(used(build)));
    builds
}

/// Gives a new target folder the recorders that were compiled in the shared one, so that they are not compiled for each.
pub(crate) fn lend_recorders(target: &Path) {
    for build in builds(&shared_target().join("rvcheck")) {
        let from = build.join("rv");
        let to = target.join("rvcheck").join(build.file_name().expect("a build has a name")).join("rv");
        // It is there last.
        let Ok(recorder) = from.join("core").read_dir() else { continue };
        copy_tree(&from.join("sources"), &to.join("sources"));
        fs::create_dir(to.join("core")).expect("the folder can be made");
        for file in recorder {
            let file = file.expect("the entry can be read");
            let (from, to) = (file.path(), to.join("core").join(file.file_name()));
            // The tool exchanges the folder, but never writes to these files.
            let linked = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop));
            linked.expect("the file can be linked or copied");
        }
    }
}
