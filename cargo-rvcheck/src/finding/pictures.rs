//! What the pictures of a finding are drawn from, and the pictures.

use rvcheck_event::id::{ObjectId, SiteId, TaskId, ThreadId};
use rvcheck_page::{Picture, Second};
use serde::{Deserialize, Serialize};

/// The pictures of a finding. They are no part of the report's schema.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pictures {
    /// What is to be drawn, until it is.
    #[serde(skip)]
    pub touched: Option<Box<Touched>>,
    /// What happened in the run.
    pub happened: Option<Box<Picture>>,
    /// Another order of it, which was predicted, or what happened when that was tried.
    pub second: Option<(Second, Box<Picture>)>,
}

/// What of a trace a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The tasks and threads, with what the finding calls them.
    pub tasks: Vec<(TaskId, String)>,
    /// The locks, channels, semaphores and signals, with what the finding calls them.
    pub objects: Vec<(ObjectId, String)>,
    /// The time of the last event that it is about, in ns; `None` if that is the end of the trace.
    pub until: Option<u64>,
    /// All tasks and objects, whatever they are.
    pub all: bool,
    /// The thread that it is about: the other tasks that run on it, too.
    pub thread: Option<ThreadId>,
    /// Those who wait at the end do so forever.
    pub stuck: bool,
    /// The order of events that was predicted.
    pub order: Option<Order>,
}

/// An order of the events of a trace that ends with requests that are never granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The numbers of the events, counted from 0.
    pub events: Vec<u64>,
    /// The requests.
    pub asking: Vec<Asking>,
}

/// A request that is never granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asking {
    /// Who.
    pub task: TaskId,
    /// For which lock, or for the end of which task.
    pub wanted: Result<ObjectId, TaskId>,
    /// The number of the event that it was in the run, in which it was granted.
    pub event: u64,
    /// Where.
    pub site: SiteId,
}

impl Pictures {
    /// Pictures that are to be drawn of this.
    pub fn of(touched: Touched) -> Pictures {
        Pictures { touched: Some(Box::new(touched)), ..Pictures::default() }
    }

    /// All that are drawn.
    pub fn drawn(&self) -> impl Iterator<Item = &Picture> {
        self.happened.iter().chain(self.second.iter().map(|it| &it.1)).map(Box::as_ref)
    }

    /// What was predicted has happened as these show it.
    pub fn confirm(&mut self, seen: Pictures) {
        if let Some(picture) = seen.happened {
            self.second = Some((Second::Confirmed, picture));
        }
    }
}

impl Touched {
    /// Adds a task, once.
    pub fn add_task(&mut self, task: TaskId, name: impl FnOnce() -> String) {
        if task.is_some() && self.tasks.iter().all(|it| it.0 != task) {
            self.tasks.push((task, name()));
        }
    }

    /// Adds an object, once.
    pub fn add_object(&mut self, object: ObjectId, name: impl FnOnce() -> String) {
        if object.is_some() && self.objects.iter().all(|it| it.0 != object) {
            self.objects.push((object, name()));
        }
    }
}
