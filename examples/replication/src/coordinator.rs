//! The coordinator: only so many sessions at once.

use std::collections::VecDeque;

use tokio::sync::mpsc;

use crate::worker::WorkerHandle;

/// What a coordinator is sent.
#[derive(Debug)]
pub enum Message {
    RequestStartReplication(WorkerHandle),
    StartReplication(WorkerHandle),
    FinishReplication,
}

#[derive(Clone, Debug)]
pub struct CoordinatorHandle {
    to: mpsc::UnboundedSender<Message>,
}

impl CoordinatorHandle {
    /// A handle, and where what it sends arrives.
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Message>) {
        let (to, messages) = mpsc::unbounded_channel();
        (CoordinatorHandle { to }, messages)
    }

    /// The worker wants to replicate. The coordinator says when it can.
    pub fn request_start_replication(&self, worker: WorkerHandle) {
        let _ = self.to.send(Message::RequestStartReplication(worker));
    }

    /// The worker begins, and wants to know which version there is.
    pub fn start_replication(&self, worker: WorkerHandle) {
        let _ = self.to.send(Message::StartReplication(worker));
    }

    /// A session is over.
    pub fn finish_replication(&self) {
        let _ = self.to.send(Message::FinishReplication);
    }
}

struct Coordinator {
    version: i64,
    free: usize,
    waiting: VecDeque<WorkerHandle>,
}

/// Starts a coordinator of a snapshot, for so many sessions at once.
pub fn start(version: i64, sessions: usize) -> CoordinatorHandle {
    let (handle, messages) = CoordinatorHandle::new();
    let coordinator = Coordinator { version, free: sessions, waiting: VecDeque::new() };
    tokio::spawn(coordinator.run(messages));
    handle
}

impl Coordinator {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<Message>) {
        while let Some(message) = messages.recv().await {
            match message {
                Message::RequestStartReplication(worker) => self.waiting.push_back(worker),
                Message::StartReplication(worker) => worker.send_current_id(self.version),
                Message::FinishReplication => self.free += 1,
            }
            while self.free > 0
                && let Some(next) = self.waiting.pop_front()
            {
                self.free -= 1;
                next.begin();
            }
        }
    }
}
