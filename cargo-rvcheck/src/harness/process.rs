//! One process of the instrumented program.

use super::launch::Launch;
use super::libtest::{Harness, Heard, Transcript, Verdicts};
use super::run_file::Enforcement;
use crate::error::{Expected, Result};
use crate::recorded::End;
use crate::rollback::decisions::is_variable;
use crate::system;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A process to be.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// What the recorder is given; nothing is recorded without.
    pub recorder: Option<Recorder>,
    /// What becomes of what it prints.
    pub output: Output,
    /// Variables to be set.
    pub environment: BTreeMap<String, String>,
    /// Variables that it does not inherit.
    pub without: Vec<String>,
    /// Where it runs, if not where this process does.
    pub launch: Option<Arc<Launch>>,
    /// How long it may run before it is ended, with all that it has started.
    pub limit: Option<Duration>,
}

/// What the recorder is given.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// The file to write.
    pub trace: Utf8PathBuf,
    /// Its greatest size in bytes.
    pub cap: u64,
    /// How long what a test leaves behind may go on, before it is looked at.
    pub grace: Duration,
    /// Tests are units.
    pub libtest: bool,
    /// What can stop it, if anything.
    pub enforcement: Option<Enforcement>,
    /// Atomics are followed.
    pub atomics: bool,
    /// Somebody follows it, so its records are to have tickets.
    pub tickets: bool,
    /// Where tasks are delayed, if anywhere.
    pub schedule: Option<Utf8PathBuf>,
    /// Who goes on when, if that is controlled.
    pub controlled: Option<Controlled>,
    /// How the paths of the program's own files begin, where they are not relative.
    pub own: Vec<String>,
    /// Where named groups of tasks are spawned.
    pub groups: Vec<String>,
    /// Where the code of libraries is.
    pub libraries: Vec<String>,
}

/// What controls a process.
#[derive(Clone, Debug)]
pub struct Controlled {
    /// The file with the plan.
    pub plan: Utf8PathBuf,
    /// The file that the process writes at its end.
    pub outcome: Utf8PathBuf,
}

impl Recorder {
    /// The value of `RVCHECK_RUN`.
    fn text(&self) -> String {
        let libtest = u8::from(self.libtest);
        let grace = self.grace.as_millis();
        let fixed = format!("trace={}\ncap={}\nlibtest={libtest}\ngrace={grace}\n", self.trace, self.cap);
        let enforcement = self
            .enforcement
            .iter()
            .map(|it| format!("enforcement={}\nenforced={}\n", it.library, it.enforced));
        let learnt = self.enforcement.iter().filter_map(|it| it.learnt.as_ref());
        let learnt = learnt.map(|it| format!("learnt={it}\n"));
        let atomics = self.atomics.then(|| "atomics=1\n".to_owned());
        let tickets = self.tickets.then(|| "tickets=1\n".to_owned());
        let schedule = self.schedule.iter().map(|it| format!("schedule={it}\n"));
        let controlled =
            self.controlled.iter().map(|it| format!("explore={}\nexplored={}\n", it.plan, it.outcome));
        let own = self.own.iter().map(|prefix| format!("own={prefix}\n"));
        let groups = self.groups.iter().map(|place| format!("group={place}\n"));
        let libraries = self.libraries.iter().map(|place| format!("library={place}\n"));
        std::iter::once(fixed)
            .chain(atomics)
            .chain(enforcement)
            .chain(learnt)
            .chain(tickets)
            .chain(schedule)
            .chain(controlled)
            .chain(own)
            .chain(groups)
            .chain(libraries)
            .collect()
    }
}

/// What becomes of what a process prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Everything goes where the tool's own output goes.
    Inherited,
    /// Standard output is read as libtest's, and goes to standard error unchanged.
    Read,
    /// As before, and kept.
    Kept,
    /// Standard output is read as libtest's and kept, and nothing is shown.
    Hidden,
}

/// A process that was.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// What it said of its tests.
    pub transcript: Transcript,
    /// What it printed, where that was to be kept.
    pub text: String,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl Ended {
    /// It ended with success.
    pub fn succeeded(&self) -> bool {
        self.end == End::Exited(0)
    }

    /// What is known of its tests, where it is a test executable.
    pub fn verdicts(&self) -> Verdicts {
        self.transcript.verdicts(Harness::Libtest, Some(&self.end))
    }
}

impl Start {
    fn command(&self) -> Result<(&str, Command)> {
        let (program, args) = self
            .words
            .split_first()
            .ok_or_else(|| Expected::Configuration("there is nothing to run".into()))?;
        let mut command = Command::new(program);
        command.args(args);
        if let Some(launch) = &self.launch {
            launch.surround(&mut command);
        }
        for (name, _) in std::env::vars_os().filter(|it| it.0.to_str().is_some_and(is_variable)) {
            command.env_remove(name);
        }
        for name in &self.without {
            command.env_remove(name);
        }
        command.envs(&self.environment);
        match &self.recorder {
            Some(recorder) => command.env("RVCHECK_RUN", recorder.text()),
            None => command.env_remove("RVCHECK_RUN"),
        };
        Ok((program, command))
    }
}

/// Becomes the process, with the output of this one. Only a failure comes back.
pub fn become_process(start: &Start) -> Expected {
    match start.command() {
        Ok((program, mut command)) => Expected::Start { program: program.to_owned(), source: command.exec() },
        Err(error) => error,
    }
}

/// Who is there while a process runs.
pub trait Audience {
    /// It has printed this, which is to be shown.
    fn show(&mut self, part: &[u8]) {
        // Whoever closed standard error does not want to see it.
        let _ = std::io::stderr().write_all(part);
    }

    /// It has said this of its tests.
    fn hear(&mut self, _heard: &Heard) {}

    /// It is silent for a moment.
    fn wait(&mut self) {}
}

/// Nobody but the person at the terminal.
struct Viewer;

impl Audience for Viewer {}

/// Runs a process to its end.
pub fn run(start: &Start) -> Result<Ended> {
    run_before(start, &mut Viewer)
}

/// Runs a process to its end before this audience.
pub fn run_before(start: &Start, audience: &mut dyn Audience) -> Result<Ended> {
    let (program, mut command) = start.command()?;
    let failed = |source| Expected::Start { program: program.to_owned(), source };
    match start.output {
        Output::Inherited => {}
        Output::Read | Output::Kept => {
            command.stdout(Stdio::piped());
        }
        Output::Hidden => {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        }
    }
    let begun = Instant::now();
    let mut child = command.spawn().map_err(failed)?;
    let mut printed = Printed::default();
    let parts = child.stdout.take().map(Parts::of).transpose().map_err(failed)?;
    let mut taken = 0;
    let mut take = |part: Vec<u8>, audience: &mut dyn Audience| {
        if start.output != Output::Hidden {
            audience.show(&part);
        }
        printed.lines(&part, audience);
        if matches!(start.output, Output::Kept | Output::Hidden) {
            printed.text.extend(part);
        }
    };
    let mut asked = begun;
    let mut is_late = false;
    let status = loop {
        // What it prints is shown at once. Whether it has ended is asked now and then: what it has left behind may never be silent.
        match parts.as_ref().map(|it| it.receiver.recv_timeout(WATCHFULNESS)) {
            Some(Ok(part)) => {
                taken += part.len() as u64;
                take(part, audience);
            }
            Some(Err(RecvTimeoutError::Timeout)) => audience.wait(),
            Some(Err(RecvTimeoutError::Disconnected)) | None => break child.wait().map_err(failed)?,
        }
        if asked.elapsed() >= WATCHFULNESS {
            asked = Instant::now();
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if !is_late && start.limit.is_some_and(|it| begun.elapsed() > it) {
                is_late = true;
                end_family(child.id());
            }
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    // Processes that it has started, and that live longer, may keep its output open and go on printing. What it printed itself is
    // there already.
    if let Some(parts) = &parts {
        let printed_until_now = parts.printed();
        while taken < printed_until_now {
            let Ok(part) = parts.receiver.recv_timeout(SILENCE) else { break };
            taken += part.len() as u64;
            take(part, audience);
        }
    }
    printed.lines(b"\n", audience);
    let text = String::from_utf8_lossy(&printed.text).into_owned();
    let end = if is_late { End::TimedOut } else { end(status) };
    Ok(Ended { end, transcript: printed.transcript, text, seconds })
}

/// Ends a process, and before it whatever it has started.
fn end_family(process: u32) {
    for it in system::descendants(process).into_iter().rev().chain([process]) {
        // What has ended meanwhile cannot be ended.
        let _ = system::end(it);
    }
}

/// What a process has printed.
#[derive(Default)]
struct Printed {
    transcript: Transcript,
    /// The beginning of a line whose end is still to come.
    line: Vec<u8>,
    text: Vec<u8>,
}

impl Printed {
    /// Reads the lines that end in this part.
    fn lines(&mut self, part: &[u8], audience: &mut dyn Audience) {
        for piece in part.split_inclusive(|it| *it == b'\n') {
            self.line.extend_from_slice(piece);
            let heard = if let Some(whole) = self.line.strip_suffix(b"\n") {
                let heard = self.transcript.line(&String::from_utf8_lossy(whole));
                self.line.clear();
                heard
            } else if self.line.ends_with(b" ... ") {
                self.transcript.beginning(&String::from_utf8_lossy(&self.line))
            } else {
                None
            };
            if let Some(heard) = heard {
                audience.hear(&heard);
            }
        }
    }
}

/// How often it is asked whether a process has ended.
const WATCHFULNESS: Duration = Duration::from_millis(20);
/// How long it may take until what was printed is read.
const SILENCE: Duration = Duration::from_secs(1);

/// What comes out of a process, as it comes, so that the beginning of a test's line is seen while it runs.
struct Parts {
    receiver: Receiver<Vec<u8>>,
    /// How many bytes were read.
    read: Arc<AtomicU64>,
    pipe: OwnedFd,
}

impl Parts {
    fn of(mut stdout: ChildStdout) -> std::io::Result<Parts> {
        let pipe = stdout.as_fd().try_clone_to_owned()?;
        let (sender, receiver) = channel();
        let read = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&read);
        std::thread::spawn(move || {
            let mut room = vec![0; 1 << 16];
            while let Ok(length @ 1..) = stdout.read(&mut room) {
                counter.fetch_add(length as u64, Ordering::SeqCst);
                if sender.send(room[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Ok(Parts { receiver, read, pipe })
    }

    /// How many bytes were printed until now. It may be some more than there are, where it is read at this moment.
    fn printed(&self) -> u64 {
        let waiting = rustix::io::ioctl_fionread(&self.pipe).unwrap_or(0);
        waiting + self.read.load(Ordering::SeqCst)
    }
}

fn end(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Signalled(signal),
        (None, None) => End::Exited(1),
    }
}

unsafe extern "C" {
    safe fn raise(signal: i32) -> i32;
}

/// Ends this process as the other one ended; gives the exit code where that is how it ended.
pub fn end_like(end: &End) -> u8 {
    match *end {
        End::Exited(code) => u8::try_from(code & 0xFF).unwrap_or(1),
        End::Signalled(signal) => {
            raise(signal);
            // It was one that does not end a process.
            u8::try_from(128 + signal).unwrap_or(1)
        }
        End::Orderly => 0,
        End::TimedOut | End::Hung | End::Unfinished => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ended {
        let words = ["sh", "-c", script].map(str::to_owned).to_vec();
        run(&Start {
            words,
            recorder: None,
            output: Output::Hidden,
            environment: BTreeMap::new(),
            without: Vec::new(),
            launch: None,
            limit: None,
        })
        .expect("there is a shell")
    }

    #[test]
    fn a_process_tells_how_it_ended_and_what_it_printed() {
        let ended = shell("echo running 2 tests; echo test a ... ok; printf 'test b ... FAILED'; exit 3");
        assert_eq!(ended.end, End::Exited(3));
        assert_eq!(ended.verdicts().tests.len(), 2);
        assert_eq!(ended.text, "running 2 tests\ntest a ... ok\ntest b ... FAILED");
        assert_eq!(shell("kill -9 $$").end, End::Signalled(9));
    }

    #[test]
    fn a_process_that_leaves_another_behind_is_not_waited_for_longer_than_it_runs() {
        let begun = Instant::now();
        let ended = shell("sleep 60 & echo running 1 test; echo test a ... ok; echo $!");
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert_eq!(ended.verdicts().tests.len(), 1);
        let left = ended.text.lines().last().unwrap_or_default();
        assert!(Command::new("kill").arg(left).status().is_ok_and(|it| it.success()));
    }

    #[test]
    fn nor_is_one_that_goes_on_printing() {
        let begun = Instant::now();
        // Whatever is left behind ends with its pipe.
        for pause in [":", "sleep 0.01"] {
            let script = format!(
                "(while echo still here; do {pause}; done) & echo running 1 test; echo test a ... ok"
            );
            let ended = shell(&script);
            assert!(begun.elapsed() < Duration::from_secs(20), "{pause}");
            assert!(ended.succeeded() && ended.text.contains("running 1 test"), "{pause}");
        }
    }

    #[test]
    fn what_a_process_printed_before_its_end_is_read_to_the_last_line() {
        let ended =
            shell("sleep 60 & echo running 1 test; head -c 60000 /dev/zero; echo; echo test a ... ok");
        assert_eq!(ended.text.lines().last(), Some("test a ... ok"));
    }

    #[test]
    fn a_process_that_takes_too_long_is_ended_with_what_it_has_started() {
        let begun = Instant::now();
        let words = ["sh", "-c", "sleep 60 & sleep 60"].map(str::to_owned).to_vec();
        let ended = run(&Start {
            words,
            recorder: None,
            output: Output::Hidden,
            environment: BTreeMap::new(),
            without: Vec::new(),
            launch: None,
            limit: Some(Duration::from_millis(100)),
        });
        assert_eq!(ended.expect("there is a shell").end, End::TimedOut);
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let words = vec!["/no/such/program".to_owned()];
        let start = Start {
            words,
            recorder: None,
            output: Output::Hidden,
            environment: BTreeMap::new(),
            without: Vec::new(),
            launch: None,
            limit: None,
        };
        assert!(matches!(run(&start), Err(Expected::Start { .. })));
    }
}
