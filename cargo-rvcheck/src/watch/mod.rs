//! Doing something again whenever files of the workspace change.
//!
//! The system says that something has happened in a folder. What has happened is found out by looking at the files, so that a build, which
//! touches some of them, is no change.

mod files;

use crate::error::{Expected, Result};
use crate::interruption::check_interrupted;
use camino::{Utf8Path, Utf8PathBuf};
pub use files::Watched;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long nothing must happen after a change, because editors write several files, and some of them in several steps.
const QUIET: Duration = Duration::from_millis(200);

/// How often it is looked for an interruption.
const PAUSE: Duration = Duration::from_millis(100);

/// The folders of a workspace, and what was last seen in them.
pub struct Watch {
    roots: Vec<Utf8PathBuf>,
    left_out: Option<Utf8PathBuf>,
    watcher: RecommendedWatcher,
    events: Receiver<()>,
    watched: BTreeSet<Utf8PathBuf>,
    last: Watched,
}

impl Watch {
    /// Watches what is below these folders, but for this one.
    ///
    /// # Errors
    ///
    /// When the system does not let it.
    pub fn of(roots: Vec<Utf8PathBuf>, left_out: Option<Utf8PathBuf>) -> Result<Watch> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(move |_: notify::Result<notify::Event>| {
            // Whoever has ended looks at nothing any more.
            let _ = sender.send(());
        });
        let watcher = watcher.map_err(|error| refused(&error))?;
        let mut watch =
            Watch { roots, left_out, watcher, events, watched: BTreeSet::new(), last: Watched::default() };
        watch.last = watch.look()?;
        Ok(watch)
    }

    /// Looks at the files, and watches the folders that are new.
    fn look(&mut self) -> Result<Watched> {
        loop {
            let now = Watched::now(&self.roots, self.left_out.as_deref());
            self.watched.retain(|it| now.folders.contains(it));
            let new: Vec<_> = now.folders.difference(&self.watched).cloned().collect();
            if new.is_empty() {
                return Ok(now);
            }
            for folder in new {
                self.add(&folder)?;
            }
            // Nobody says what came into a new folder before it was watched.
        }
    }

    fn add(&mut self, folder: &Utf8Path) -> Result<()> {
        match self.watcher.watch(folder.as_std_path(), RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.watched.insert(folder.to_owned());
                Ok(())
            }
            // It may be gone meanwhile.
            Err(_) if !folder.exists() => Ok(()),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Takes the lock files as they are now, since a build writes them itself.
    ///
    /// # Errors
    ///
    /// When the system does not let it watch a new folder.
    pub fn take_lock_files(&mut self) -> Result<()> {
        let now = self.look()?;
        self.last.take_lock_files(now);
        Ok(())
    }

    /// Waits until files have changed since it was last asked, and nothing more happens; gives them.
    ///
    /// # Errors
    ///
    /// When the user interrupts it, or the system does not let it watch a new folder.
    pub fn wait(&mut self) -> Result<Vec<Utf8PathBuf>> {
        // What has happened meanwhile counts, too.
        let mut now = self.look()?;
        loop {
            if now.changed(&self.last).is_empty() {
                self.await_event()?;
            }
            self.await_quiet()?;
            // A file that was just being written is empty for a moment.
            let seen = std::mem::replace(&mut now, self.look()?);
            let changed = now.changed(&self.last);
            if !changed.is_empty() && now == seen {
                self.last = now;
                return Ok(changed);
            }
        }
    }

    fn await_quiet(&self) -> Result<()> {
        while self.events.recv_timeout(QUIET).is_ok() {
            check_interrupted()?;
        }
        Ok(())
    }

    fn await_event(&self) -> Result<()> {
        loop {
            check_interrupted()?;
            match self.events.recv_timeout(PAUSE) {
                Ok(()) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
                // The watcher lives as long as this.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(PAUSE),
            }
        }
    }
}

/// Why the system does not let it watch.
fn refused(error: &notify::Error) -> Expected {
    let advice = match error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "\nthe limit is fs.inotify.max_user_watches; sysctl shows and raises it"
        }
        _ => "",
    };
    Expected::Configuration(format!("the files of the workspace cannot be watched: {error}{advice}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_change_is_seen_once_whether_it_came_before_or_while_somebody_waits() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("its name is Unicode");
        let file = root.join("lib.rs");
        fs::write(&file, "1").expect("there is room");
        let mut watch = Watch::of(vec![root.clone()], None).expect("it can be watched");
        fs::write(&file, "2").expect("there is room");
        assert_eq!(watch.wait().expect("nobody interrupts it"), std::slice::from_ref(&file));
        let inner = root.join("inner");
        let later = inner.join("new.rs");
        let writer = std::thread::spawn({
            let later = later.clone();
            move || {
                // Nothing but what stands in it counts.
                let touched = fs::File::options().append(true).open(&file).expect("it is there");
                touched.set_modified(std::time::SystemTime::now()).expect("it may be changed");
                fs::create_dir(inner).expect("there is room");
                fs::write(later, "3").expect("there is room");
            }
        });
        assert_eq!(watch.wait().expect("nobody interrupts it"), [later]);
        writer.join().expect("it does not panic");
    }
}
