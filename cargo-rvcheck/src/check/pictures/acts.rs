//! From events to the acts of pictures.

use super::super::scene::Scene;
use rvcheck_event::event::Event;
use rvcheck_event::id::{ObjectId, TaskId};
use rvcheck_event::kind::{EventKind, Outcome, TaskKind, Timer, What};
use rvcheck_event::record::flag;
use rvcheck_page::Ending;

/// What an event is in a picture. Tasks and objects are those of the trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RawAct {
    Spawn(TaskId),
    Begin,
    End(Ending),
    Join(TaskId),
    Wait(RawTarget),
    Leave(RawTarget),
    Take(ObjectId),
    Release(ObjectId),
    Send(ObjectId, u64),
    Receive(ObjectId, u64),
    Signal(ObjectId),
    Signalled(ObjectId),
    Block(String),
    Unblock(String),
    /// In words.
    Other(&'static str, Option<ObjectId>),
    /// Something else, about a task: in words, and what the task is called.
    OtherTask(&'static str, String),
}

/// What is waited for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum RawTarget {
    Object(ObjectId),
    Task(TaskId),
    Other(String),
}

impl RawAct {
    /// The lock, channel, semaphore or signal that it is about.
    pub(super) fn object(&self) -> Option<ObjectId> {
        match self {
            RawAct::Take(it)
            | RawAct::Release(it)
            | RawAct::Send(it, _)
            | RawAct::Receive(it, _)
            | RawAct::Signal(it)
            | RawAct::Signalled(it)
            | RawAct::Wait(RawTarget::Object(it))
            | RawAct::Leave(RawTarget::Object(it)) => Some(*it),
            RawAct::Other(_, it) => *it,
            _ => None,
        }
    }
}

/// What the event is in a picture; `None` if it is nothing that one would draw.
pub(super) fn act(event: &Event, scene: &Scene<'_>) -> Option<RawAct> {
    use EventKind as K;
    let (object, task) = (ObjectId(event.object), TaskId(event.object));
    let is = |mark: u8| event.flags & mark != 0;
    Some(match event.kind {
        // The future that a test or `block_on` drives is no news.
        K::Spawn if is_root(event) => return None,
        K::Spawn => RawAct::Spawn(task),
        K::Start => RawAct::Begin,
        K::Finish => {
            let failed = Outcome::of_bits(event.flags & flag::ENUM) == Some(Outcome::Err);
            RawAct::End(if failed { Ending::Failed } else { Ending::Finished })
        }
        K::Panic if is(flag::CAUGHT) => RawAct::Other("panics, and the panic is caught", None),
        K::Panic => RawAct::End(Ending::Panicked),
        K::Cancel => RawAct::End(Ending::Cancelled),
        K::Join => RawAct::Join(task),
        K::JoinWait => RawAct::Wait(RawTarget::Task(task)),
        K::Detach => RawAct::OtherTask("drops the handle of", scene.task(task)),
        K::Abort => RawAct::OtherTask("aborts", scene.task(task)),
        K::Ended => RawAct::OtherTask("sees the end of", scene.task(task)),
        K::WakerDrop => RawAct::OtherTask("drops the last waker of", scene.task(task)),
        K::SetSpawn => RawAct::OtherTask("has in a set", scene.task(task)),
        K::Await => RawAct::Wait(RawTarget::Other(awaited(event, scene))),
        K::Resume | K::AwaitCancel => RawAct::Leave(RawTarget::Other(awaited(event, scene))),
        K::Request if is(flag::TRY) => return None,
        K::Request | K::SendWait | K::RecvWait | K::PermitWait | K::SignalWait => {
            RawAct::Wait(RawTarget::Object(object))
        }
        K::Withdraw | K::SendCancel | K::RecvCancel | K::PermitCancel | K::SignalCancel => {
            RawAct::Leave(RawTarget::Object(object))
        }
        K::Acquire | K::Permit => RawAct::Take(object),
        K::PermitRelease if is(flag::ADDED) => RawAct::Other("adds permits", Some(object)),
        K::Release | K::PermitRelease => RawAct::Release(object),
        K::PermitForget => RawAct::Other("forgets permits", Some(object)),
        K::Send => RawAct::Send(object, event.number),
        K::Recv => RawAct::Receive(object, event.number),
        K::Closed => RawAct::Other("finds the channel closed", Some(object)),
        K::ChanClose => RawAct::Other("closes the channel", Some(object)),
        K::Lagged => RawAct::Other("misses messages", Some(object)),
        K::SenderDrop => RawAct::Other("drops a sender", Some(object)),
        K::ReceiverDrop => RawAct::Other("drops a receiver", Some(object)),
        K::Undelivered => RawAct::Other("loses a message", Some(object)),
        K::Signalled => RawAct::Signalled(object),
        K::NotifyOne | K::NotifyAll => RawAct::Signal(object),
        K::AtomicStore => RawAct::Other("changes an atomic", None),
        K::AtomicLoad => RawAct::Other("sees an atomic changed", None),
        K::Block => RawAct::Block(blocked_by(event)?.to_owned()),
        K::Unblock => RawAct::Unblock(blocked_by(event)?.to_owned()),
        K::Poll | K::Suspend | K::TestBegin | K::TestEnd | K::User => return None,
    })
}

fn is_root(event: &Event) -> bool {
    matches!(TaskKind::of_bits(event.flags & flag::ENUM), Some(TaskKind::Test | TaskKind::Root))
}

/// What the await is one of.
fn awaited(event: &Event, scene: &Scene<'_>) -> String {
    match Timer::of_bits(event.flags & flag::ENUM) {
        Some(timer) => format!("for a timer (`{}`)", timer.name()),
        None => match scene.call(event.site).filter(|it| *it != "await") {
            Some(call) => format!("for `{call}`"),
            None => "at this await".to_owned(),
        },
    }
}

/// By what a thread is blocked. Waits for locks, messages and ends have events of their own.
fn blocked_by(event: &Event) -> Option<&'static str> {
    match What::of_bits(event.flags & flag::ENUM)? {
        What::Sleep => Some("sleep"),
        What::Fs => Some("file access"),
        What::Net => Some("network access"),
        What::Process => Some("a child process"),
        What::Io => Some("standard input or output"),
        What::Park => Some("parked"),
        What::Lock | What::Recv | What::Join | What::BlockOn => None,
    }
}
