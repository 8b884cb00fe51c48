use std::collections::BTreeMap;

use replication::content::{Command, Content, Directory, Schedule, Snapshot};
use replication::job::Outcome;
use replication::server::ServerHandle;
use replication::{coordinator, job, server};

/// The directory with this one file.
fn directory(file: &str, size: u64) -> Directory {
    BTreeMap::from([(file.to_owned(), Content::File(size))])
}

fn schedules() -> Vec<Schedule> {
    let schedule = |name: &str, items: &[&str]| Schedule {
        name: name.to_owned(),
        items: items.iter().map(|it| (*it).to_owned()).collect(),
    };
    vec![schedule("nightly", &["index", "logs"]), schedule("hourly", &["index"])]
}

/// A server with version 7, of which this many sessions go on at once.
fn server(sessions: usize) -> ServerHandle {
    let directories = ["index", "logs"].map(|it| (it.to_owned(), directory(it, it.len() as u64)));
    let snapshot = Snapshot { version: 7, schedules: schedules(), directories: BTreeMap::from(directories) };
    server::start(snapshot, coordinator::start(7, sessions))
}

fn replicate(schedule: &str) -> Command {
    Command::Replicate(schedule.to_owned())
}

#[tokio::test]
async fn a_job_replicates_by_one_schedule() {
    let outcome = job::start(replicate("nightly"), 3, &server(1)).await;
    assert_eq!(outcome, Ok(Outcome::Replicated(7, vec![directory("index", 5), directory("logs", 4)])));
}

#[tokio::test]
async fn a_job_lists_all_schedules() {
    let outcome = job::start(Command::ListSchedules, 3, &server(1)).await;
    assert_eq!(outcome, Ok(Outcome::Listed(schedules())));
}

#[tokio::test]
async fn a_job_that_is_up_to_date_declines() {
    let outcome = job::start(replicate("hourly"), 7, &server(1)).await;
    assert_eq!(outcome, Ok(Outcome::UpToDate));
}

#[tokio::test]
async fn there_is_no_such_schedule() {
    let outcome = job::start(replicate("yearly"), 3, &server(1)).await;
    assert_eq!(outcome, Ok(Outcome::Unknown));
}

#[tokio::test]
async fn a_server_that_is_shut_down_gives_no_worker() {
    let server = server(1);
    server.shut_down();
    assert_eq!(job::start(replicate("hourly"), 3, &server).await, Ok(Outcome::Refused));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_jobs_share_two_sessions() {
    let server = server(2);
    let jobs: Vec<_> = (0..12)
        .map(|number| match number % 4 {
            0 => job::start(Command::ListSchedules, 3, &server),
            1 => job::start(replicate("hourly"), 9, &server),
            _ => job::start(replicate("hourly"), number, &server),
        })
        .collect();
    for (number, outcome) in jobs.into_iter().enumerate() {
        let expected = match number {
            0 | 4 | 8 => Outcome::Listed(schedules()),
            2 | 3 | 6 => Outcome::Replicated(7, vec![directory("index", 5)]),
            _ => Outcome::UpToDate,
        };
        assert_eq!(outcome.await, Ok(expected), "job {number}");
    }
}
