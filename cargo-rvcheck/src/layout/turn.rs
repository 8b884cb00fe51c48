//! One tool at a time in one target folder: two would rewrite the sources under each other's compilers.

use crate::console::Console;
use crate::error::{Expected, Result, reading, writing};
use crate::interruption::check_interrupted;
use camino::Utf8Path;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::time::Duration;

/// Waits for the turn, and says for whom it waits. The lock is given back when the file is closed, also when the
/// process is killed.
pub(super) fn take(root: &Utf8Path, console: Console) -> Result<File> {
    let path = root.join("lock");
    let mut file =
        File::options().create(true).truncate(false).write(true).open(&path).map_err(writing(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let text = fs::read_to_string(&path).map_err(reading(&path))?;
            let holder: Option<u32> = text.trim().parse().ok();
            if holder.is_some_and(is_above) {
                // The one that it would wait for waits for it.
                return Err(Expected::Nested { folder: root.to_owned() });
            }
            let holder = holder.map_or(String::new(), |it| format!(" (process {it})"));
            console.status("Blocking", format_args!("until another rvcheck{holder} has done with {root}"));
            wait(&file, &path)?;
        }
        Err(TryLockError::Error(error)) => return Err(writing(&path)(error)),
    }
    let note = format!("{}\n", std::process::id());
    file.set_len(0).and_then(|()| file.write_all(note.as_bytes())).map_err(writing(&path))?;
    Ok(file)
}

/// How often it is asked whether the other one has done.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits for the lock, or for an interruption.
fn wait(file: &File, path: &Utf8Path) -> Result<()> {
    loop {
        check_interrupted()?;
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(writing(path)(error)),
        }
    }
}

/// Whether this process was started, directly or not, by the one with this number. Only Linux tells.
fn is_above(ancestor: u32) -> bool {
    std::iter::successors(Some(std::process::id()), |process| parent(*process)).any(|it| it == ancestor)
}

fn parent(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // `number (name) state parent …`, where the name may hold anything.
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_below_those_that_started_it() {
        let parent = std::os::unix::process::parent_id();
        assert!(is_above(parent));
        assert!(is_above(std::process::id()));
        assert!(!is_above(u32::MAX));
    }
}
