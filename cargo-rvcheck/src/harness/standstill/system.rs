//! What the system knows of a process.

use std::fs;
use std::time::Duration;

/// How many ticks of the clock the system counts in a second, on every Linux there is.
const TICKS: u64 = 100;

unsafe extern "C" {
    safe fn kill(process: i32, signal: i32) -> i32;
}

const KILL: i32 = 9;

/// Ends the process at once. What it has recorded is in its trace.
pub(super) fn end(process: u32) {
    if let Ok(process @ 2..) = i32::try_from(process) {
        kill(process, KILL);
    }
}

/// How long all threads of the process were on a core; `None` where that is not told.
pub(super) fn cpu_time(process: u32) -> Option<Duration> {
    let fields = status(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)?;
    // The 14th and the 15th field of the whole line, of which the first two are left out.
    let ticks = |index: usize| fields.get(index).and_then(|it| it.parse::<u64>().ok());
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * (1000 / TICKS)))
}

/// Whether another process was started by this one and is there still; `false` where that is not told.
pub(super) fn has_children(process: u32) -> bool {
    let parent = |entry: fs::DirEntry| {
        entry.file_name().to_str().filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?;
        status(&fs::read_to_string(entry.path().join("stat")).ok()?)?.get(1)?.parse::<u32>().ok()
    };
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(parent).any(|it| it == process)
}

/// The fields of a line of the kernel behind the name of the program, which may hold anything.
fn status(line: &str) -> Option<Vec<String>> {
    let (_, rest) = line.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Instant;

    #[test]
    fn a_process_that_computes_takes_time_and_one_that_sleeps_does_not() {
        let me = std::process::id();
        let before = cpu_time(me).expect("Linux tells");
        let begun = Instant::now();
        while cpu_time(me).is_some_and(|it| it <= before) {
            assert!(begun.elapsed() < Duration::from_secs(20));
        }
        let mut child = Command::new("sleep").arg("60").spawn().expect("there is such a program");
        assert!(has_children(me));
        assert!(cpu_time(child.id()).expect("Linux tells") < Duration::from_millis(500));
        end(child.id());
        assert!(!child.wait().expect("it ends").success());
    }
}
