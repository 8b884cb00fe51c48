//! The job of a client, which has content of some version and may want a newer one.

use tokio::sync::{mpsc, oneshot};

use crate::content::{Command, Directory, Schedule};
use crate::server::ServerHandle;
use crate::worker::WorkerHandle;

/// What a job is sent.
#[derive(Debug)]
pub enum Message {
    AcceptConnection(Option<WorkerHandle>),
    SendSchedules(Vec<Schedule>),
    RegisterItems(WorkerHandle, i64),
    SendEntries(Vec<Directory>),
}

#[derive(Clone, Debug)]
pub struct JobHandle {
    to: mpsc::UnboundedSender<Message>,
}

impl JobHandle {
    /// A handle, and where what it sends arrives.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Message>) {
        let (to, messages) = mpsc::unbounded_channel();
        (JobHandle { to }, messages)
    }

    /// The server gives the job a worker, or none.
    pub fn accept_connection(&self, worker: Option<WorkerHandle>) {
        let _ = self.to.send(Message::AcceptConnection(worker));
    }

    /// These are the schedules that the job has asked for.
    pub fn send_schedules(&self, schedules: Vec<Schedule>) {
        let _ = self.to.send(Message::SendSchedules(schedules));
    }

    /// The worker could replicate this version, and waits for an answer.
    pub fn register_items(&self, worker: WorkerHandle, id: i64) {
        let _ = self.to.send(Message::RegisterItems(worker, id));
    }

    /// This is the content of the items.
    pub fn send_entries(&self, directories: Vec<Directory>) {
        let _ = self.to.send(Message::SendEntries(directories));
    }
}

/// How a job ends.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// The server gave it no worker.
    Refused,
    /// There is no such schedule.
    Unknown,
    Listed(Vec<Schedule>),
    /// The content that it has is no older.
    UpToDate,
    Replicated(i64, Vec<Directory>),
}

struct Job {
    command: Command,
    version: i64,
}

/// Starts a job with content of this version.
pub fn start(command: Command, version: i64, server: &ServerHandle) -> oneshot::Receiver<Outcome> {
    let (handle, messages) = JobHandle::new();
    let (done, outcome) = oneshot::channel();
    server.get_connection(handle);
    let job = Job { command, version };
    tokio::spawn(async move {
        let outcome = job.run(messages).await;
        let _ = done.send(outcome);
    });
    outcome
}

impl Job {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<Message>) -> Outcome {
        while let Some(message) = messages.recv().await {
            match message {
                Message::AcceptConnection(None) => return Outcome::Refused,
                Message::AcceptConnection(Some(worker)) => worker.command(self.command.clone()),
                Message::SendSchedules(schedules) if self.command == Command::ListSchedules => {
                    return Outcome::Listed(schedules);
                }
                Message::SendSchedules(_) => {}
                Message::RegisterItems(worker, id) => {
                    let is_newer = id > self.version;
                    worker.reply_register_items(is_newer);
                    if !is_newer {
                        return Outcome::UpToDate;
                    }
                    self.version = id;
                }
                Message::SendEntries(directories) => return Outcome::Replicated(self.version, directories),
            }
        }
        Outcome::Unknown
    }
}
