//! What the system knows of processes, and ending them.

use rustix::process::{Pid, Signal};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::Duration;

/// How many ticks of the clock the system counts in a second, on every Linux there is.
const TICKS: u64 = 100;

unsafe extern "C" {
    safe fn tcgetpgrp(file: i32) -> i32;
    safe fn getpgrp() -> i32;
}

/// Whether this process is in the group to which its terminal sends interruptions.
pub(crate) fn is_in_foreground() -> bool {
    const STREAMS: [i32; 3] = [0, 1, 2];
    let group = getpgrp();
    STREAMS.into_iter().any(|it| tcgetpgrp(it) == group)
}

/// Makes processes whose starter has ended children of this one, so that what was started by it can always be found. Only Linux can do
/// that.
pub(crate) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // An old kernel refuses; then orphans are not found, as elsewhere.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends a process of this one's descendants at once. What it has recorded is in its trace.
pub(crate) fn end(process: u32) -> io::Result<()> {
    signal(process, Signal::KILL)
}

/// Asks a process of this one's descendants to end.
pub(crate) fn terminate(process: u32) -> io::Result<()> {
    signal(process, Signal::TERM)
}

fn signal(process: u32, signal: Signal) -> io::Result<()> {
    let number = i32::try_from(process).ok().filter(|it| *it > 1).and_then(Pid::from_raw);
    let number = number.ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::kill_process(number, signal)?)
}

/// How long all threads of the process were on a core; `None` where that is not told.
pub(crate) fn cpu_time(process: u32) -> Option<Duration> {
    let fields = status(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)?;
    // The 14th and the 15th field of the whole line, of which the first two are left out.
    let ticks = |index: usize| fields.get(index).and_then(|it| it.parse::<u64>().ok());
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * (1000 / TICKS)))
}

/// How much of the processor's time this process has used.
pub(crate) fn processor_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// Every process that has not ended, with the one that has started it; none where that is not told.
fn parents() -> BTreeMap<u32, u32> {
    let parent = |entry: fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let fields = status(&fs::read_to_string(entry.path().join("stat")).ok()?)?;
        // One that has ended stays there until somebody asks how.
        let has_ended = matches!(fields.first()?.as_str(), "Z" | "X");
        (!has_ended).then_some((process, fields.get(1)?.parse().ok()?))
    };
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(parent).collect()
}

/// Whether another process was started by this one and is there still; `false` where that is not told.
pub(crate) fn has_children(process: u32) -> bool {
    parents().values().any(|it| *it == process)
}

/// The processes that this one has started, and those that these have started, as long as they have not ended; none where that is
/// not told.
pub(crate) fn descendants(process: u32) -> Vec<u32> {
    family(process, &parents())
}

/// Those of its descendants that have none of their own.
pub(crate) fn leaves(process: u32) -> Vec<u32> {
    let parents = parents();
    let is_leaf = |it: &u32| !parents.values().any(|parent| parent == it);
    family(process, &parents).into_iter().filter(is_leaf).collect()
}

fn family(process: u32, parents: &BTreeMap<u32, u32>) -> Vec<u32> {
    let mut found = vec![process];
    let mut looked_at = 0;
    while let Some(above) = found.get(looked_at).copied() {
        looked_at += 1;
        found.extend(parents.iter().filter(|(_, parent)| **parent == above).map(|(process, _)| *process));
    }
    found.split_off(1)
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
        assert!(descendants(me).contains(&child.id()));
        assert!(!descendants(child.id()).contains(&me));
        assert!(cpu_time(child.id()).expect("Linux tells") < Duration::from_millis(500));
        assert!(leaves(me).contains(&child.id()) && !leaves(me).contains(&me));
        end(child.id()).expect("it is a child of this process");
        assert!(!child.wait().expect("it ends").success());
    }
}
