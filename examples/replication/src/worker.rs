//! A worker, which serves one job.
//!
//! The actor hands each message to its [`Strategy`], which says what to send to whom. That of the program is [`Session`].

use rvcheck_runtime::Observe;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::content::{Command, Directory, Item, Schedule};
use crate::coordinator::CoordinatorHandle;
use crate::job::JobHandle;
use crate::server::ServerHandle;

/// What a worker is sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Command(Command),
    AcceptSchedules(Vec<Schedule>),
    Begin,
    SendCurrentId(i64),
    ReplyRegisterItems(bool),
    AcceptItems(Vec<Item>),
    AcceptEntries(Vec<Directory>),
}

/// A worker, as others know it. Its number tells it from others.
#[derive(Clone, Debug, Observe)]
pub struct WorkerHandle {
    #[observe(id)]
    number: u64,
    to: mpsc::UnboundedSender<Message>,
}

impl WorkerHandle {
    /// A handle, and where what it sends arrives.
    pub fn new(number: u64) -> (Self, mpsc::UnboundedReceiver<Message>) {
        let (to, messages) = mpsc::unbounded_channel();
        (WorkerHandle { number, to }, messages)
    }

    /// The job says what it wants.
    pub fn command(&self, command: Command) {
        self.send(Message::Command(command));
    }

    /// The server says which schedules there are of those asked for.
    pub fn accept_schedules(&self, schedules: Vec<Schedule>) {
        self.send(Message::AcceptSchedules(schedules));
    }

    /// The coordinator gives the worker its turn.
    pub fn begin(&self) {
        self.send(Message::Begin);
    }

    /// The coordinator says which version there is.
    pub fn send_current_id(&self, id: i64) {
        self.send(Message::SendCurrentId(id));
    }

    /// The job says whether it wants that version.
    pub fn reply_register_items(&self, register: bool) {
        self.send(Message::ReplyRegisterItems(register));
    }

    /// The server says which items there are of those asked for.
    pub fn accept_items(&self, items: Vec<Item>) {
        self.send(Message::AcceptItems(items));
    }

    /// The server sends the directory of each item.
    pub fn accept_entries(&self, directories: Vec<Directory>) {
        self.send(Message::AcceptEntries(directories));
    }

    fn send(&self, message: Message) {
        // A worker that has ended wants nothing any more.
        let _ = self.to.send(message);
    }
}

/// What a worker sends to others.
#[derive(Clone, Debug)]
pub enum Call {
    RequestListSchedules,
    RequestSchedule(String),
    SendSchedules(Vec<Schedule>),
    RequestStartReplication,
    StartReplication(WorkerHandle),
    RegisterItems(WorkerHandle, i64),
    RequestItems(Vec<Item>),
    SendEntries(Vec<Directory>),
    FinishReplication,
    /// It ends, and sends nothing more.
    End,
}

/// Decides what a worker does.
pub trait Strategy: Send + 'static {
    /// What it sends when it is sent this.
    fn next(&mut self, message: Message) -> Vec<Call>;
}

/// The session of a worker as it should be.
pub struct Session {
    worker: WorkerHandle,
    command: Option<Command>,
    schedules: Vec<Schedule>,
}

impl Session {
    pub fn new(worker: WorkerHandle) -> Self {
        Session { worker, command: None, schedules: Vec::new() }
    }
}

impl Strategy for Session {
    fn next(&mut self, message: Message) -> Vec<Call> {
        match message {
            Message::Command(command) => {
                self.command = Some(command.clone());
                match command {
                    Command::ListSchedules => vec![Call::RequestListSchedules],
                    Command::Replicate(name) => vec![Call::RequestSchedule(name)],
                }
            }
            // There is no such schedule.
            Message::AcceptSchedules(schedules) if schedules.is_empty() => vec![Call::End],
            Message::AcceptSchedules(schedules) => {
                self.schedules.clone_from(&schedules);
                let is_list = self.command == Some(Command::ListSchedules);
                let then = if is_list { Call::End } else { Call::RequestStartReplication };
                vec![Call::SendSchedules(schedules), then]
            }
            Message::Begin => vec![Call::StartReplication(self.worker.clone())],
            Message::SendCurrentId(id) => vec![Call::RegisterItems(self.worker.clone(), id)],
            Message::ReplyRegisterItems(true) => {
                vec![Call::RequestItems(self.schedules.iter().flat_map(|it| it.items.clone()).collect())]
            }
            Message::ReplyRegisterItems(false) => vec![Call::FinishReplication, Call::End],
            Message::AcceptItems(_) => vec![],
            Message::AcceptEntries(directories) => {
                vec![Call::SendEntries(directories), Call::FinishReplication, Call::End]
            }
        }
    }
}

struct Worker<S> {
    handle: WorkerHandle,
    job: JobHandle,
    server: ServerHandle,
    coordinator: CoordinatorHandle,
    strategy: S,
    has_ended: bool,
}

/// Starts a worker of this number, which does what the strategy says.
pub fn start<S: Strategy>(
    number: u64,
    job: JobHandle,
    server: ServerHandle,
    coordinator: CoordinatorHandle,
    strategy: impl FnOnce(WorkerHandle) -> S,
) -> (WorkerHandle, JoinHandle<()>) {
    let (handle, messages) = WorkerHandle::new(number);
    let strategy = strategy(handle.clone());
    let worker = Worker { handle: handle.clone(), job, server, coordinator, strategy, has_ended: false };
    (handle, tokio::spawn(worker.run(messages)))
}

impl<S: Strategy> Worker<S> {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<Message>) {
        while !self.has_ended
            && let Some(message) = messages.recv().await
        {
            match message {
                Message::Command(command) => self.command(command),
                Message::SendCurrentId(id) => self.send_current_id(id),
                Message::ReplyRegisterItems(register) => self.reply_register_items(register),
                Message::AcceptItems(items) => self.accept_items(items),
                Message::AcceptEntries(directories) => self.accept_entries(directories),
                other => self.go_on(other),
            }
        }
    }

    fn command(&mut self, command: Command) {
        self.go_on(Message::Command(command));
    }

    fn send_current_id(&mut self, id: i64) {
        self.go_on(Message::SendCurrentId(id));
    }

    fn reply_register_items(&mut self, register: bool) {
        self.go_on(Message::ReplyRegisterItems(register));
    }

    fn accept_items(&mut self, items: Vec<Item>) {
        self.go_on(Message::AcceptItems(items));
    }

    fn accept_entries(&mut self, directories: Vec<Directory>) {
        self.go_on(Message::AcceptEntries(directories));
    }

    fn go_on(&mut self, message: Message) {
        for call in self.strategy.next(message) {
            self.perform(call);
        }
    }

    fn perform(&mut self, call: Call) {
        let me = self.handle.clone();
        match call {
            Call::RequestListSchedules => self.server.request_list_schedules(me),
            Call::RequestSchedule(name) => self.server.request_schedule(me, name),
            Call::SendSchedules(schedules) => self.job.send_schedules(schedules),
            Call::RequestStartReplication => self.coordinator.request_start_replication(me),
            Call::StartReplication(worker) => self.coordinator.start_replication(worker),
            Call::RegisterItems(worker, id) => self.job.register_items(worker, id),
            Call::RequestItems(items) => self.server.request_items(me, items),
            Call::SendEntries(directories) => self.job.send_entries(directories),
            Call::FinishReplication => self.coordinator.finish_replication(),
            Call::End => self.has_ended = true,
        }
    }
}
