//! Each test does what one clause of a grammar forbids. It asserts that this never happened, which holds only where rvcheck stops it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use replication::content::{Command, Directory, Schedule};
use replication::coordinator::CoordinatorHandle;
use replication::job::JobHandle;
use replication::server::ServerHandle;
use replication::worker::{self, Call, Message, Strategy, WorkerHandle};
use tokio::sync::mpsc::UnboundedReceiver;

/// What happens to a worker.
enum Step {
    Hears(Message),
    Says(Call),
}

use Step::{Hears, Says};

/// A strategy that says what the test wants, whatever it hears.
struct Script {
    /// What to say after each message.
    says: VecDeque<Vec<Call>>,
    heard: Arc<Mutex<Vec<Message>>>,
}

impl Strategy for Script {
    fn next(&mut self, message: Message) -> Vec<Call> {
        self.heard.lock().unwrap().push(message);
        self.says.pop_front().unwrap_or_default()
    }
}

fn count<T>(mut messages: UnboundedReceiver<T>) -> usize {
    std::iter::from_fn(|| messages.try_recv().ok()).count()
}

/// Lets a worker do these steps. All happen but the last one, at which it is stopped.
async fn stops_at_the_last(steps: Vec<Step>) {
    // Its turn is in no view. What it says first, it says then.
    let (mut hears, mut says) = (vec![Message::Begin], VecDeque::from([vec![]]));
    let is_last_said = matches!(steps.last(), Some(Says(_)));
    for step in steps {
        match step {
            Hears(message) => {
                hears.push(message);
                says.push_back(vec![]);
            }
            Says(call) => says.back_mut().expect("it has its turn").push(call),
        }
    }
    let mut expected_said = says.iter().flatten().count();
    let mut expected_heard = hears.clone();
    if is_last_said {
        expected_said -= 1;
    } else {
        expected_heard.pop();
    }
    says.back_mut().expect("it has its turn").push(Call::End);

    let (job, to_job) = JobHandle::new();
    let (server, to_server) = ServerHandle::new();
    let (coordinator, to_coordinator) = CoordinatorHandle::new();
    let heard = Arc::default();
    let script = Script { says, heard: Arc::clone(&heard) };
    let (worker, task) = worker::start(1, job, server, coordinator, |_| script);
    for message in hears {
        match message {
            Message::Command(command) => worker.command(command),
            Message::AcceptSchedules(schedules) => worker.accept_schedules(schedules),
            Message::Begin => worker.begin(),
            Message::SendCurrentId(id) => worker.send_current_id(id),
            Message::ReplyRegisterItems(register) => worker.reply_register_items(register),
            Message::AcceptItems(items) => worker.accept_items(items),
            Message::AcceptEntries(directories) => worker.accept_entries(directories),
        }
    }
    let ended = task.await;
    assert_eq!(*heard.lock().unwrap(), expected_heard);
    assert_eq!(count(to_job) + count(to_server) + count(to_coordinator), expected_said);
    assert!(ended.is_err_and(|it| it.is_panic()), "nothing has stopped it");
}

const fn turn() -> Step {
    Hears(Message::Begin)
}

fn worker(number: u64) -> WorkerHandle {
    WorkerHandle::new(number).0
}

fn starts() -> Step {
    Says(Call::StartReplication(worker(1)))
}

fn current_id(id: i64) -> Step {
    Hears(Message::SendCurrentId(id))
}

fn registers(id: i64) -> Step {
    Says(Call::RegisterItems(worker(1), id))
}

fn reply(register: bool) -> Step {
    Hears(Message::ReplyRegisterItems(register))
}

fn items(count: usize) -> Step {
    Hears(Message::AcceptItems(vec!["index".to_owned(); count]))
}

fn entries(count: usize) -> Step {
    Hears(Message::AcceptEntries(vec![Directory::new(); count]))
}

fn commanded(schedule: &str) -> Step {
    Hears(Message::Command(Command::Replicate(schedule.to_owned())))
}

fn commanded_to_list() -> Step {
    Hears(Message::Command(Command::ListSchedules))
}

fn requests(schedule: &str) -> Step {
    Says(Call::RequestSchedule(schedule.to_owned()))
}

fn requests_list() -> Step {
    Says(Call::RequestListSchedules)
}

fn sends_schedules(count: usize) -> Step {
    let schedule = Schedule { name: "hourly".to_owned(), items: Vec::new() };
    Says(Call::SendSchedules(vec![schedule; count]))
}

fn requests_start() -> Step {
    Says(Call::RequestStartReplication)
}

mod session {
    use super::*;

    #[tokio::test]
    async fn s_begins_with_the_start() {
        stops_at_the_last(vec![current_id(4)]).await;
    }

    #[tokio::test]
    async fn t_goes_on_with_the_id() {
        stops_at_the_last(vec![starts(), registers(4)]).await;
    }

    #[tokio::test]
    async fn u_goes_on_with_the_registration() {
        stops_at_the_last(vec![starts(), current_id(4), current_id(4)]).await;
    }

    #[tokio::test]
    async fn u_asserts_that_the_worker_is_the_same() {
        let registers = Says(Call::RegisterItems(worker(2), 4));
        stops_at_the_last(vec![starts(), current_id(4), registers]).await;
    }

    #[tokio::test]
    async fn u_asserts_that_the_id_is_the_same() {
        stops_at_the_last(vec![starts(), current_id(4), registers(5)]).await;
    }

    #[tokio::test]
    async fn v_goes_on_with_the_reply() {
        stops_at_the_last(vec![starts(), current_id(4), registers(4), items(1)]).await;
    }

    #[tokio::test]
    async fn w_goes_on_with_the_items() {
        stops_at_the_last(vec![starts(), current_id(4), registers(4), reply(true), entries(1)]).await;
    }

    #[tokio::test]
    async fn w_asserts_that_the_job_wants_them() {
        stops_at_the_last(vec![starts(), current_id(4), registers(4), reply(false), items(1)]).await;
    }

    #[tokio::test]
    async fn x_goes_on_with_the_entries() {
        let steps = vec![starts(), current_id(4), registers(4), reply(true), items(1), items(1)];
        stops_at_the_last(steps).await;
    }

    #[tokio::test]
    async fn x_asserts_that_there_is_one_for_each_item() {
        let steps = vec![starts(), current_id(4), registers(4), reply(true), items(2), entries(3)];
        stops_at_the_last(steps).await;
    }

    #[tokio::test]
    async fn nothing_follows_the_entries() {
        let steps =
            vec![starts(), current_id(4), registers(4), reply(true), items(1), entries(1), turn(), starts()];
        stops_at_the_last(steps).await;
    }
}

mod scheduling {
    use super::*;

    #[tokio::test]
    async fn s_begins_with_the_command() {
        stops_at_the_last(vec![requests_list()]).await;
    }

    #[tokio::test]
    async fn t_goes_on_with_a_request() {
        stops_at_the_last(vec![commanded("hourly"), sends_schedules(1)]).await;
    }

    #[tokio::test]
    async fn t_asserts_that_one_schedule_is_commanded() {
        stops_at_the_last(vec![commanded_to_list(), requests("ListSchedules")]).await;
    }

    #[tokio::test]
    async fn t_asserts_that_the_name_is_the_one_commanded() {
        stops_at_the_last(vec![commanded("hourly"), requests("nightly")]).await;
    }

    #[tokio::test]
    async fn t_asserts_that_the_list_is_commanded() {
        stops_at_the_last(vec![commanded("hourly"), requests_list()]).await;
    }

    #[tokio::test]
    async fn u_goes_on_with_the_schedules() {
        stops_at_the_last(vec![commanded("hourly"), requests("hourly"), requests_start()]).await;
    }

    #[tokio::test]
    async fn u_asserts_that_there_are_some() {
        stops_at_the_last(vec![commanded("hourly"), requests("hourly"), sends_schedules(0)]).await;
    }

    #[tokio::test]
    async fn v_goes_on_with_the_start() {
        let steps = vec![commanded("hourly"), requests("hourly"), sends_schedules(1), sends_schedules(1)];
        stops_at_the_last(steps).await;
    }

    #[tokio::test]
    async fn v_asserts_that_a_list_ends_the_session() {
        let steps = vec![commanded_to_list(), requests_list(), sends_schedules(2), requests_start()];
        stops_at_the_last(steps).await;
    }

    #[tokio::test]
    async fn nothing_follows_the_start() {
        let steps = vec![
            commanded("hourly"),
            requests("hourly"),
            sends_schedules(1),
            requests_start(),
            commanded("hourly"),
        ];
        stops_at_the_last(steps).await;
    }
}
