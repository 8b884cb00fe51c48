//! Which process and thread started this one, as far as the system tells.

use std::fs::{self, File};
use std::io::Read;

use rvcheck_event::trace::format::header;

use super::map::Map;

/// How many processes that do not record may stand between this one and the one that started it.
const GENERATIONS: usize = 16;

/// Notes in the header who started this process. `path` is the file of the process that the tool started.
pub(super) fn note(map: &Map, path: &str) {
    let first = process_of(path);
    let mut child = std::process::id();
    let mut parent = std::os::unix::process::parent_id();
    for _ in 0..GENERATIONS {
        // Whoever is left to the first process of the system was started by one that has ended.
        if parent <= 1 {
            return;
        }
        if Some(parent) == first || fs::exists(format!("{path}.{parent}")).unwrap_or(false) {
            map.store_u32(header::STARTER, parent);
            if let Some((thread, name)) = thread_with_child(parent, child) {
                map.store_u32(header::STARTER_THREAD, thread);
                let length = name.len().min(header::STARTER_NAME_LENGTH);
                map.bytes(header::STARTER_NAME, &name.as_bytes()[..length]);
            }
            return;
        }
        child = parent;
        let Some(next) = parent_of(parent) else { return };
        parent = next;
    }
}

/// The process that writes this trace.
fn process_of(path: &str) -> Option<u32> {
    let mut bytes = [0; header::PID + 4];
    File::open(path).ok()?.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(*bytes.last_chunk()?))
}

/// The parent of a process.
fn parent_of(process: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may contain anything, also parentheses; behind it come the state and the parent.
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The thread of `process` that started `child`, with its name.
fn thread_with_child(process: u32, child: u32) -> Option<(u32, String)> {
    let child = child.to_string();
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten() {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        if children.split_whitespace().any(|it| it == child) {
            let name = fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
            return Some((thread.file_name().to_str()?.parse().ok()?, name.trim_end().to_owned()));
        }
    }
    None
}
