//! An excerpt of a trace, in an order of its events: what is drawn.

use serde::{Deserialize, Serialize};

/// Who did what, in an order. Indices are those of the lists of the same picture; one that names nothing draws nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The tasks and threads, from above.
    #[serde(rename = "lanes")]
    pub tracks: Vec<Track>,
    /// The locks, channels, semaphores and signals.
    pub objects: Vec<Object>,
    /// What they did, in this order.
    pub steps: Vec<Step>,
    /// When tasks had a thread.
    pub runs: Vec<Run>,
    /// How many events that have to do with it were left out before the first step, or between kept ones.
    pub omitted: u64,
    /// After the last step those who wait do so forever.
    pub stuck: bool,
    /// The step at which the property was violated; `None` where it is the end.
    pub fault: Option<usize>,
}

/// A task or thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Track {
    /// What people call it.
    pub name: String,
    /// What it is.
    pub kind: TrackKind,
}

/// What a track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrackKind {
    /// A task that a runtime polls.
    Task,
    /// A thread, which runs by itself.
    Thread,
}

/// A lock, channel, semaphore or signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// What people call it.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ObjectKind {
    /// It is held.
    Lock,
    /// Messages go through it.
    Channel,
    /// It has permits.
    Semaphore,
    /// It wakes who waits for it.
    Signal,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The file, as reports name it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
}

/// One thing that a task or thread did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The number of the event in its trace, by which the same event is known in another order. `None` where it is in no trace.
    pub event: Option<u64>,
    /// Who.
    #[serde(rename = "lane")]
    pub track: usize,
    /// When, in ns since the process began to record; `None` where that was not measured, or has not happened.
    pub time: Option<u64>,
    /// What.
    pub act: Act,
    /// Where.
    pub place: Option<Place>,
}

/// What is done in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// Creates another track.
    Spawn(usize),
    /// Runs for the first time.
    Begin,
    /// Is over.
    End(Ending),
    /// Goes on after the end of another track.
    Join(usize),
    /// Begins to wait.
    Wait(Target),
    /// Goes on, or stops waiting, without having got what it waited for.
    Leave(Target),
    /// Has a lock, or permits, from now on.
    Take(usize),
    /// Gives a lock or permits back.
    Release(usize),
    /// Puts this message into a channel.
    Send(usize, u64),
    /// Takes this message out of a channel.
    Receive(usize, u64),
    /// Gives a signal.
    Signal(usize),
    /// Gets a signal.
    Signalled(usize),
    /// Blocks its thread by this.
    Block(String),
    /// Its thread goes on after this.
    Unblock(String),
    /// Anything else: the event as properties write it, and what it is about.
    Other(String, Option<usize>),
}

/// How a track ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It returns.
    Finished,
    /// It returns an error.
    Failed,
    /// It panics.
    Panicked,
    /// It is dropped unfinished.
    Cancelled,
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A lock, a message or room, permits, or a signal.
    Object(usize),
    /// The end of a track.
    #[serde(rename = "Lane")]
    Track(usize),
    /// Something else, in words that follow *waits*.
    Other(String),
}

/// A stretch in which a task has a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The task.
    #[serde(rename = "lane")]
    pub track: usize,
    /// The first step in it.
    pub from: usize,
    /// The last step in it.
    pub to: usize,
}

impl Picture {
    /// The step at which the slider stands in the beginning.
    pub(crate) fn decisive(&self) -> usize {
        let last = self.steps.len().saturating_sub(1);
        self.fault.map_or(last, |it| it.min(last))
    }

    /// What the target is called.
    pub(crate) fn target(&self, target: &Target) -> String {
        match target {
            Target::Object(object) => self.object(*object).to_owned(),
            Target::Track(track) => format!("the end of {}", self.track_name(*track)),
            Target::Other(words) => words.clone(),
        }
    }

    /// That it is waited for.
    pub(crate) fn waits(&self, target: &Target) -> String {
        let of = if matches!(target, Target::Other(_)) { "" } else { "for " };
        format!("waits {of}{}", self.target(target))
    }

    /// What a track is called; where several are called the same, with its number among them.
    pub(crate) fn track_name(&self, track: usize) -> String {
        let name = self.track(track);
        let same: Vec<usize> =
            self.tracks.iter().enumerate().filter(|(_, it)| it.name == name).map(|it| it.0).collect();
        match same.iter().position(|it| *it == track) {
            Some(at) if same.len() > 1 => format!("{name} ({} of {})", at + 1, same.len()),
            _ => name.to_owned(),
        }
    }

    /// What the object is called.
    pub(crate) fn object(&self, object: usize) -> &str {
        self.objects.get(object).map_or("something unknown", |it| &it.name)
    }

    /// What the track is called.
    pub(crate) fn track(&self, track: usize) -> &str {
        self.tracks.get(track).map_or("an unknown task", |it| &it.name)
    }
}
