//! The server: it gives each job a worker, and workers what they ask for.

use tokio::sync::mpsc;

use crate::content::{Item, Snapshot};
use crate::coordinator::CoordinatorHandle;
use crate::job::JobHandle;
use crate::worker::{self, Session, WorkerHandle};

/// What a server is sent.
#[derive(Debug)]
pub enum Message {
    GetConnection(JobHandle, ServerHandle),
    RequestListSchedules(WorkerHandle),
    RequestSchedule(WorkerHandle, String),
    RequestItems(WorkerHandle, Vec<Item>),
    ShutDown,
}

#[derive(Clone, Debug)]
pub struct ServerHandle {
    to: mpsc::UnboundedSender<Message>,
}

impl ServerHandle {
    /// A handle, and where what it sends arrives.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Message>) {
        let (to, messages) = mpsc::unbounded_channel();
        (ServerHandle { to }, messages)
    }

    /// The job wants a worker.
    pub fn get_connection(&self, job: JobHandle) {
        let _ = self.to.send(Message::GetConnection(job, self.clone()));
    }

    /// The worker wants all schedules.
    pub fn request_list_schedules(&self, worker: WorkerHandle) {
        let _ = self.to.send(Message::RequestListSchedules(worker));
    }

    /// The worker wants the schedule of this name.
    pub fn request_schedule(&self, worker: WorkerHandle, name: String) {
        let _ = self.to.send(Message::RequestSchedule(worker, name));
    }

    /// The worker wants these items, and then their directories.
    pub fn request_items(&self, worker: WorkerHandle, items: Vec<Item>) {
        let _ = self.to.send(Message::RequestItems(worker, items));
    }

    /// From now on no job gets a worker.
    pub fn shut_down(&self) {
        let _ = self.to.send(Message::ShutDown);
    }
}

struct Server {
    coordinator: CoordinatorHandle,
    snapshot: Snapshot,
    workers: u64,
    is_shut_down: bool,
}

/// Starts a server of this snapshot.
pub fn start(snapshot: Snapshot, coordinator: CoordinatorHandle) -> ServerHandle {
    let (handle, messages) = ServerHandle::new();
    let server = Server { coordinator, snapshot, workers: 0, is_shut_down: false };
    tokio::spawn(server.run(messages));
    handle
}

impl Server {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<Message>) {
        while let Some(message) = messages.recv().await {
            match message {
                Message::GetConnection(job, server) => self.get_connection(job, server),
                Message::RequestListSchedules(worker) => {
                    worker.accept_schedules(self.snapshot.schedules.clone());
                }
                Message::RequestSchedule(worker, name) => {
                    let found = self.snapshot.schedules.iter().find(|it| it.name == name);
                    worker.accept_schedules(found.cloned().into_iter().collect());
                }
                Message::RequestItems(worker, items) => {
                    let known =
                        |item: &Item| Some((item.clone(), self.snapshot.directories.get(item)?.clone()));
                    let (items, directories) = items.iter().filter_map(known).unzip();
                    worker.accept_items(items);
                    worker.accept_entries(directories);
                }
                Message::ShutDown => self.is_shut_down = true,
            }
        }
    }

    fn get_connection(&mut self, job: JobHandle, server: ServerHandle) {
        if self.is_shut_down {
            job.accept_connection(None);
            return;
        }
        self.workers += 1;
        let coordinator = self.coordinator.clone();
        let (worker, _) = worker::start(self.workers, job.clone(), server, coordinator, Session::new);
        job.accept_connection(Some(worker));
    }
}
