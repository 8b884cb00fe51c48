//! One process of the program under watch.

use super::libtest::{Heard, Transcript};
use super::run_file::Brake;
use crate::error::{Expected, Result};
use crate::recorded::End;
use crate::rollback::decisions::is_variable;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A process to be.
#[derive(Clone, Debug)]
pub struct Start {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// What the recorder is told; nothing is recorded without.
    pub recorder: Option<Recorder>,
    /// What becomes of what it prints.
    pub output: Output,
    /// Variables to be set.
    pub environment: BTreeMap<String, String>,
    /// Variables that it does not inherit.
    pub without: Vec<String>,
}

/// What the recorder is told.
#[derive(Clone, Debug)]
pub struct Recorder {
    /// The file to write.
    pub trace: Utf8PathBuf,
    /// Its greatest size in bytes.
    pub cap: u64,
    /// Tests are units.
    pub libtest: bool,
    /// What can stop it, if anything.
    pub brake: Option<Brake>,
    /// Atomics are followed.
    pub atomics: bool,
    /// Somebody follows it, so its records are to have tickets.
    pub tickets: bool,
    /// Where tasks are held back, if anywhere.
    pub schedule: Option<Utf8PathBuf>,
    /// How the paths of the program's own files begin, where they are not relative.
    pub own: Vec<String>,
}

impl Recorder {
    /// The value of `RVCHECK_RUN`.
    fn text(&self) -> String {
        let libtest = u8::from(self.libtest);
        let fixed = format!("trace={}\ncap={}\nlibtest={libtest}\n", self.trace, self.cap);
        let brake = self.brake.iter().map(|it| format!("brake={}\norders={}\n", it.library, it.orders));
        let atomics = self.atomics.then(|| "atomics=1\n".to_owned());
        let tickets = self.tickets.then(|| "tickets=1\n".to_owned());
        let schedule = self.schedule.iter().map(|it| format!("schedule={it}\n"));
        let own = self.own.iter().map(|prefix| format!("own={prefix}\n"));
        std::iter::once(fixed).chain(atomics).chain(brake).chain(tickets).chain(schedule).chain(own).collect()
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
}

impl Start {
    fn command(&self) -> Result<(&str, Command)> {
        let (program, args) = self
            .words
            .split_first()
            .ok_or_else(|| Expected::Configuration("there is nothing to run".into()))?;
        let mut command = Command::new(program);
        command.args(args);
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
    let parts = child.stdout.take().map(parts);
    let mut take = |part: Vec<u8>, audience: &mut dyn Audience| {
        if start.output != Output::Hidden {
            audience.show(&part);
        }
        printed.lines(&part, audience);
        if matches!(start.output, Output::Kept | Output::Hidden) {
            printed.text.extend(part);
        }
    };
    let status = loop {
        // What it prints is shown at once. That it has ended is looked for only while it is silent.
        match parts.as_ref().map(|it| it.recv_timeout(WATCHFULNESS)) {
            Some(Ok(part)) => take(part, audience),
            Some(Err(RecvTimeoutError::Timeout)) => {
                if let Some(status) = child.try_wait().map_err(failed)? {
                    break status;
                }
                audience.wait();
            }
            Some(Err(RecvTimeoutError::Disconnected)) | None => break child.wait().map_err(failed)?,
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    // Processes that it has started, and that live longer, may keep its output open. What it printed itself is there already.
    while let Some(Ok(part)) = parts.as_ref().map(|it| it.recv_timeout(SILENCE)) {
        take(part, audience);
    }
    printed.lines(b"\n", audience);
    let text = String::from_utf8_lossy(&printed.text).into_owned();
    Ok(Ended { end: end(status), transcript: printed.transcript, text, seconds })
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

/// How long a process is silent before it is asked whether it has ended.
const WATCHFULNESS: Duration = Duration::from_millis(20);
/// How long nothing comes before nothing more of the process itself can come.
const SILENCE: Duration = Duration::from_millis(200);

/// What comes out of a process, as it comes, so that the beginning of a test's line is seen while it runs.
fn parts(mut stdout: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut room = vec![0; 1 << 16];
        while let Ok(length @ 1..) = stdout.read(&mut room) {
            if sender.send(room[..length].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
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
        End::TimedOut | End::Unfinished => 1,
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
        })
        .expect("there is a shell")
    }

    #[test]
    fn a_process_tells_how_it_ended_and_what_it_printed() {
        let ended = shell("echo test a ... ok; printf 'test b ... FAILED'; exit 3");
        assert_eq!(ended.end, End::Exited(3));
        assert_eq!(ended.transcript.results().len(), 2);
        assert_eq!(ended.text, "test a ... ok\ntest b ... FAILED");
        assert_eq!(shell("kill -9 $$").end, End::Signalled(9));
    }

    #[test]
    fn a_process_that_leaves_another_behind_is_not_waited_for_longer_than_it_runs() {
        let begun = Instant::now();
        let ended = shell("sleep 60 & echo test a ... ok; echo $!");
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert_eq!(ended.transcript.results().len(), 1);
        let left = ended.text.lines().last().unwrap_or_default();
        assert!(Command::new("kill").arg(left).status().is_ok_and(|it| it.success()));
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
        };
        assert!(matches!(run(&start), Err(Expected::Start { .. })));
    }
}
