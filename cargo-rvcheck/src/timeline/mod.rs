//! What happened in a run as tracks, slices and flows, one after another: what viewers of traces draw, whatever their formats.
//!
//! A [`Player`] has the traces and plays them to a [`Viewer`], which writes a format. Neither holds more than what is open at a moment. On
//! one track slices lie within each other or apart, and no two of its times are equal: where a trace has equal times, or times against its
//! order, they are moved by nanoseconds.

use std::fmt;
use std::io;
use std::sync::Arc;

/// A process, a track or a slice: numbers that no two of a timeline share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u64);

/// A process of the run.
#[derive(Clone, Copy, Debug)]
pub struct Process<'a> {
    /// What tells it from others.
    pub id: Id,
    /// What it is called.
    pub name: &'a str,
    /// The number that the system gave it; 0 if that is not known.
    pub pid: u32,
    /// When recording began in it, in ns since 1970; 0 if that is not known.
    pub began_at: u64,
    /// How long after the first process of the run that was, in ns.
    pub since_first: u64,
    /// Identifies the build.
    pub build: &'a str,
}

/// What a track shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrackKind {
    /// What runs on a thread.
    Thread,
    /// The life of a task, with its polls and what blocks it.
    Task,
    /// What a task waits for.
    Waits,
    /// What a task holds.
    Holds,
}

/// A track. It comes before what is on it.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// What tells it from others.
    pub id: Id,
    /// Its process.
    pub process: Id,
    /// What it shows.
    pub kind: TrackKind,
    /// What it is called.
    pub name: &'a str,
}

/// What a slice shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// A test.
    Test,
    /// The life of a task or thread.
    Task,
    /// A task has a thread.
    Poll,
    /// A task holds a lock, or permits.
    Hold,
    /// A task waits.
    Wait,
    /// A thread is blocked.
    Block,
}

impl Category {
    /// The name in formats.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Test => "test",
            Category::Task => "task",
            Category::Poll => "poll",
            Category::Hold => "hold",
            Category::Wait => "wait",
            Category::Block => "block",
        }
    }
}

/// What is known of a slice or mark beside its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
    /// A truth value.
    Mark(bool),
}

/// Details with their names.
pub type Details = Vec<(&'static str, Detail)>;

/// How what a slice shows has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// As it should, or nobody knows better.
    Normal,
    /// By an error, a panic or a failed test.
    Failed,
    /// It was still going on when the trace ended.
    Open,
}

/// Something that lasts. It comes when it is over.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    /// What tells it from others.
    pub id: Id,
    /// What it belongs to: another slice, which may come later and be on another track.
    pub parent: Option<Id>,
    /// Where it is.
    pub track: &'a TrackRef,
    /// The test that it belongs to, as reports name it; empty if it belongs to none.
    pub unit: &'a str,
    /// What it shows.
    pub category: Category,
    /// What it is called.
    pub name: &'a str,
    /// When it begins, in ns since recording began in its process.
    pub from: u64,
    /// When it ends; that is later.
    pub to: u64,
    /// How it ended.
    pub end: End,
    /// What else is known.
    pub details: &'a [(&'static str, Detail)],
}

/// A track that something is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrackRef {
    /// The track.
    pub id: Id,
    /// Its process.
    pub process: Id,
    /// What it shows.
    pub kind: TrackKind,
}

/// Why one thing leads to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowKind {
    /// A message is sent and received.
    Send,
    /// What somebody waits for is given back, or signalled.
    Wake,
    /// A task is created and begins.
    Spawn,
    /// A task ends, and whoever waits for that goes on.
    Join,
}

impl FlowKind {
    /// The name in formats.
    pub const fn name(self) -> &'static str {
        match self {
            FlowKind::Send => "send",
            FlowKind::Wake => "wake",
            FlowKind::Spawn => "spawn",
            FlowKind::Join => "join",
        }
    }
}

/// A moment within a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// Where it is.
    pub track: TrackRef,
    /// The slice, which is open then and comes later.
    pub slice: Id,
    /// The test that the slice belongs to; empty if it belongs to none.
    pub unit: Arc<str>,
    /// When, in ns since recording began in the process.
    pub time: u64,
}

/// One thing leads to another. Both ends are known when it comes, and the second is later.
#[derive(Clone, Copy, Debug)]
pub struct Flow<'a> {
    /// What tells it from others.
    pub id: Id,
    /// Why.
    pub kind: FlowKind,
    /// Where it begins.
    pub from: &'a Point,
    /// Where it ends.
    pub to: &'a Point,
}

/// Something that happens at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'a> {
    /// When and where.
    pub at: &'a Point,
    /// What it is called.
    pub name: &'a str,
    /// What else is known.
    pub details: &'a [(&'static str, Detail)],
}

/// What writes a timeline in some format. Errors are those of what it writes to.
pub trait Viewer {
    /// A process begins. All that comes before the next one is in it.
    fn process(&mut self, process: &Process<'_>) -> io::Result<()>;
    /// There is a new track.
    fn track(&mut self, track: &Track<'_>) -> io::Result<()>;
    /// Something that lasted is over.
    fn slice(&mut self, slice: &Slice<'_>) -> io::Result<()>;
    /// One thing has led to another.
    fn flow(&mut self, flow: &Flow<'_>) -> io::Result<()>;
    /// Something has happened.
    fn mark(&mut self, mark: &Mark<'_>) -> io::Result<()>;
    /// What a reader should know, such as that something is left out.
    fn note(&mut self, note: &str) -> io::Result<()>;
}

/// What has traces, and plays them.
pub trait Player: Send + Sync {
    /// Plays all of it to a viewer. A trace that cannot be read is noted and left out.
    ///
    /// # Errors
    ///
    /// Those of the viewer.
    fn play(&self, viewer: &mut dyn Viewer) -> io::Result<()>;
}

/// The traces that belong to a report, if there are any. They are read when they are played.
#[derive(Clone, Default)]
pub struct Timeline(Option<Arc<dyn Player>>);

impl Timeline {
    /// That of a player.
    pub fn of(player: impl Player + 'static) -> Timeline {
        Timeline(Some(Arc::new(player)))
    }

    /// Plays it, or notes that there is none.
    ///
    /// # Errors
    ///
    /// Those of the viewer.
    pub fn play(&self, viewer: &mut dyn Viewer) -> io::Result<()> {
        match &self.0 {
            Some(player) => player.play(viewer),
            None => viewer.note("there are no traces with this report"),
        }
    }
}

impl fmt::Debug for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Timeline(..)" } else { "Timeline(none)" })
    }
}

/// It says nothing that the report does not say, and so makes no difference.
impl PartialEq for Timeline {
    fn eq(&self, _: &Timeline) -> bool {
        true
    }
}
