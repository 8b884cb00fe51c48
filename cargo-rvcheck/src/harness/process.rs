//! One process of the program under watch.

use super::libtest::Transcript;
use crate::error::{Expected, Result};
use crate::recorded::End;
use camino::Utf8PathBuf;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

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
    /// How the paths of the program's own files begin, where they are not relative.
    pub own: Vec<String>,
}

impl Recorder {
    /// The value of `RVCHECK_RUN`.
    fn text(&self) -> String {
        let libtest = u8::from(self.libtest);
        let fixed = format!("trace={}\ncap={}\nlibtest={libtest}\n", self.trace, self.cap);
        let own = self.own.iter().map(|prefix| format!("own={prefix}\n"));
        std::iter::once(fixed).chain(own).collect()
    }
}

/// What becomes of what a process prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Everything goes where the tool's own output goes.
    Inherited,
    /// Standard output is read as libtest's, and goes to standard error unchanged.
    Read,
    /// Standard output is read as libtest's, and nothing is shown.
    Hidden,
}

/// A process that was.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it ended.
    pub end: End,
    /// What it said of its tests.
    pub transcript: Transcript,
    /// What it printed, where that was hidden.
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

/// Runs a process to its end.
pub fn run(start: &Start) -> Result<Ended> {
    let (program, args) =
        start.words.split_first().ok_or_else(|| Expected::Configuration("there is nothing to run".into()))?;
    let mut command = Command::new(program);
    command.args(args).envs(&start.environment);
    match &start.recorder {
        Some(recorder) => command.env("RVCHECK_RUN", recorder.text()),
        None => command.env_remove("RVCHECK_RUN"),
    };
    match start.output {
        Output::Inherited => {}
        Output::Read => {
            command.stdout(Stdio::piped());
        }
        Output::Hidden => {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        }
    }
    let begun = Instant::now();
    let mut child = command.spawn().map_err(|source| Expected::Start { program: program.clone(), source })?;
    let mut transcript = Transcript::default();
    let mut text = String::new();
    if let Some(stdout) = child.stdout.take() {
        read(stdout, &mut transcript, start.output, &mut text);
    }
    let status = child.wait().map_err(|source| Expected::Start { program: program.clone(), source })?;
    Ok(Ended { end: end(status), transcript, text, seconds: begun.elapsed().as_secs_f64() })
}

/// Reads to the end. Bytes are passed on as soon as they come, so that the beginning of a test's line is seen while it runs.
fn read(stdout: impl Read, transcript: &mut Transcript, output: Output, text: &mut String) {
    let mut stdout = BufReader::new(stdout);
    let mut line: Vec<u8> = Vec::new();
    loop {
        let length = match stdout.fill_buf() {
            Ok([]) | Err(_) => break,
            Ok(bytes) => {
                match output {
                    Output::Hidden => text.push_str(&String::from_utf8_lossy(bytes)),
                    // Whoever closed standard error does not want to see it.
                    Output::Read | Output::Inherited => drop(std::io::stderr().write_all(bytes)),
                }
                let mut parts = bytes.split_inclusive(|it| *it == b'\n');
                parts.by_ref().for_each(|part| {
                    line.extend_from_slice(part);
                    if let Some(whole) = line.strip_suffix(b"\n") {
                        transcript.line(&String::from_utf8_lossy(whole));
                        line.clear();
                    }
                });
                bytes.len()
            }
        };
        stdout.consume(length);
    }
    if !line.is_empty() {
        transcript.line(&String::from_utf8_lossy(&line));
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
        End::TimedOut => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Ended {
        let words = ["sh", "-c", script].map(str::to_owned).to_vec();
        run(&Start { words, recorder: None, output: Output::Hidden, environment: BTreeMap::new() })
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
    fn a_program_that_is_not_there_is_an_error() {
        let words = vec!["/no/such/program".to_owned()];
        let start = Start { words, recorder: None, output: Output::Hidden, environment: BTreeMap::new() };
        assert!(matches!(run(&start), Err(Expected::Start { .. })));
    }
}
