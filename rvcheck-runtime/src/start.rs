//! The start of the recorder: whether this process is recorded is decided once, before `main`.
//!
//! The tool starts a process with `RVCHECK_RUN` set to lines of `key=value`:
//! `trace` (the file to write), `cap` (its greatest size in bytes), `libtest` (`1`: threads that this runtime did not see
//! being spawned are tests, and their names are the tests' names), any number of `own` (path prefixes of the program's
//! own source files; relative paths are always its own), any number of `group` (a name, a file, and the lines in it where tasks are spawned that
//! belong together), any number of `library` (a folder, or a file and lines in it, with the code of a library), `atomics` (`1`: they are
//! followed), `grace` (for how many ms what a test has left behind may go on before it is looked at, see [`crate::settling`]), `tickets` (`1`: each record has one), `enforcement` with `enforced` (the
//! library with the monitors that can stop the program, and the file with the properties), `learnt` (a file with what earlier runs have
//! learnt of places, see [`crate::learnt`]), and `schedule` (a file that says where
//! tasks are delayed), `explore` with `explored` (the plan by which the process is controlled, and the file for what came of it, see
//! [`crate::control`]).
//!
//! Child processes inherit the variable. One that records as well finds the file taken, and writes one of its own beside it;
//! a child that was only forked off shares the map and records nothing, see [`crate::switch`].

use crate::settings::{GroupPlace, LibraryPlace, Settings};
use crate::{
    atomic, control, enforcement, learnt, outcome, output, panics, schedule, settling, statics, stream,
    switch,
};

/// The variable that the tool sets.
const VARIABLE: &str = "RVCHECK_RUN";
/// The size of a trace, unless the tool says otherwise: 2 GiB.
const DEFAULT_CAP: u64 = 2 << 30;

fn start() {
    let Ok(text) = std::env::var(VARIABLE) else { return };
    let mut settings =
        Settings { libtest: false, own: Vec::new(), groups: Vec::new(), libraries: Vec::new() };
    let (mut trace, mut cap) = (None, DEFAULT_CAP);
    let (mut enforcement, mut enforced, mut tickets, mut schedule) = (None, "", false, None);
    let mut atomics = false;
    let (mut learnt, mut grace) = (None, None);
    let (mut explore, mut explored) = (None, "");
    for line in text.lines() {
        match line.split_once('=') {
            Some(("trace", path)) => trace = Some(path),
            Some(("cap", bytes)) => cap = bytes.parse().unwrap_or(DEFAULT_CAP),
            Some(("libtest", value)) => settings.libtest = value == "1",
            Some(("atomics", value)) => atomics = value == "1",
            Some(("tickets", value)) => tickets = value == "1",
            Some(("enforcement", path)) => enforcement = Some(path),
            Some(("enforced", path)) => enforced = path,
            Some(("grace", milliseconds)) => grace = milliseconds.parse().ok(),
            Some(("learnt", path)) => learnt = Some(path),
            Some(("schedule", path)) => schedule = Some(path),
            Some(("explore", path)) => explore = Some(path),
            Some(("explored", path)) => explored = path,
            Some(("own", prefix)) => settings.own.push(prefix.to_owned()),
            Some(("group", place)) => settings.groups.extend(GroupPlace::read(place)),
            Some(("library", place)) => settings.libraries.extend(LibraryPlace::read(place)),
            _ => {}
        }
    }
    let Some(path) = trace else { return };
    let tickets = tickets || enforcement.is_some() || schedule.is_some() || explore.is_some();
    let is_first = match output::open(path, cap, tickets) {
        Ok(is_first) => is_first,
        Err(error) => {
            eprintln!("rvcheck: cannot record into {path}: {error}; the program runs unmonitored");
            return;
        }
    };
    settings.install();
    statics::learn();
    stream::before_tests_end(settling::settle);
    if let Some(grace) = grace {
        settling::set_grace(grace);
    }
    switch::open();
    if let Some(Err(error)) = enforcement.map(|path| enforcement::load(path, enforced)) {
        eprintln!("rvcheck: nothing can stop this program: {error}; violations are only reported");
        output::note(&format!("nothing could stop the program: {error}"));
    }
    if let Some(Err(error)) = learnt.map(learnt::load) {
        eprintln!("rvcheck: nothing of what earlier runs have learnt is used: {error}");
        output::note(&format!("nothing of what earlier runs had learnt was used: {error}"));
    }
    panics::install();
    if !outcome::check() {
        output::note(
            "this compiler does not let the recorder tell an `Err` from an `Ok`; errors of tasks are not seen",
        );
    }
    // SAFETY: both functions are C's, and the callbacks neither unwind nor touch freed memory.
    unsafe {
        atexit(at_exit);
        pthread_atfork(None, None, Some(in_child));
    }
    if atomics {
        atomic::begin();
    }
    switch::begin(tickets);
    // Its places are named where records have tickets.
    if let Some(Err(error)) = schedule.map(schedule::load) {
        eprintln!("rvcheck: no task is delayed: {error}");
        output::note(&format!("no task was delayed: {error}"));
    }
    // A process that this one starts runs as it likes.
    if let Some(Err(error)) = explore.filter(|_| is_first).map(|plan| control::begin(plan, explored)) {
        eprintln!("rvcheck: this run is not controlled: {error}");
        output::note(&format!("the run was not controlled: {error}"));
    }
}

unsafe extern "C" {
    fn atexit(callback: extern "C" fn()) -> i32;
    fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> i32;
}

extern "C" fn at_exit() {
    control::ended();
    learnt::finish();
    output::finish();
}

/// A forked child shares the map, so it must not write into it. It has one thread, and what others held in its parent stays held: from
/// here on no hook takes a lock of the recorder's.
extern "C" fn in_child() {
    switch::end();
    atomic::stop();
}

extern "C" fn before_main() {
    start();
}

#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static BEFORE_MAIN: extern "C" fn() = before_main;
