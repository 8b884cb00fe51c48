//! Handles of tasks that can fail: dropped, kept, or of tasks that speak for themselves.

use std::fs::remove_file;
use tokio::task::{AbortHandle, JoinHandle, spawn_blocking, yield_now};

pub struct Failed(pub String);

async fn work(number: u32) -> Result<u32, Failed> {
    yield_now().await;
    if number == 0 {
        return Err(Failed(String::new()));
    }
    Ok(number)
}

pub fn in_a_statement() {
    tokio::spawn(work(1)); //~ lost-error
}

pub fn thrown_away() {
    let _ = tokio::spawn(work(1)); //~ lost-error
}

pub fn bound_and_not_used() {
    let _handle = tokio::spawn(work(1)); //~ lost-error
    println!("started");
}

pub fn dropped() {
    drop(tokio::spawn(work(1))); //~ lost-error
}

pub fn dropped_on_each_path(early: bool) -> u32 {
    let _handle = tokio::spawn(work(1)); //~ lost-error
    if early {
        return 1;
    }
    println!("late");
    2
}

pub fn of_a_closure() {
    spawn_blocking(|| remove_file("x")); //~ lost-error
}

pub fn of_a_thread() {
    std::thread::spawn(|| remove_file("x")); //~ lost-error
}

pub fn of_a_block() {
    let number = 3;
    tokio::spawn(async move { Ok::<_, Failed>(work(number).await? + 1) }); //~ lost-error
}

pub async fn in_async_code() {
    tokio::spawn(work(1)); //~ lost-error
    yield_now().await;
}

pub fn returned() -> JoinHandle<Result<u32, Failed>> {
    tokio::spawn(work(1))
}

pub fn put_away(handles: &mut Vec<JoinHandle<Result<u32, Failed>>>) {
    handles.push(tokio::spawn(work(1)));
}

pub struct Owner {
    handle: Option<JoinHandle<Result<u32, Failed>>>,
}

impl Owner {
    pub fn new() -> Owner {
        Owner { handle: Some(tokio::spawn(work(1))) }
    }

    pub fn start(&mut self) {
        self.handle = Some(tokio::spawn(work(1)));
    }

    pub fn take(&mut self) -> Option<JoinHandle<Result<u32, Failed>>> {
        self.handle.take()
    }
}

pub fn can_be_aborted() -> AbortHandle {
    tokio::spawn(work(1)).abort_handle()
}

pub async fn aborted() {
    let handle = tokio::spawn(work(1));
    handle.abort();
    let _ = handle.await;
}

pub async fn awaited_on_one_path(wanted: bool) -> Result<u32, Failed> {
    let handle = tokio::spawn(work(1));
    if !wanted {
        return Ok(0);
    }
    handle.await.unwrap()
}

pub fn without_a_result() {
    tokio::spawn(async { drop(work(1).await) });
}

pub fn that_says_its_error() {
    tokio::spawn(async {
        let result = work(1).await;
        if let Err(error) = &result {
            println!("{}", error.0);
        }
        result
    });
}

pub fn that_says_its_error_on_the_way() {
    tokio::spawn(async { work(1).await.inspect_err(|error| println!("{}", error.0)) });
}

pub fn that_cannot_fail() {
    tokio::spawn(async {
        yield_now().await;
        Ok::<(), Failed>(())
    });
}

pub fn with_an_impossible_error() {
    tokio::spawn(async {
        yield_now().await;
        Ok::<(), std::convert::Infallible>(())
    });
}

pub fn that_its_owner_limits() {
    tokio::spawn(tokio::time::timeout(std::time::Duration::from_secs(1), yield_now()));
}

pub fn that_can_fail_within_its_limit() {
    tokio::spawn(tokio::time::timeout(std::time::Duration::from_secs(1), work(1))); //~ lost-error
}

pub fn that_asks_who_may_be_gone(orders: tokio::sync::mpsc::Sender<u32>) {
    tokio::spawn(async move { orders.send(1).await }); //~ lost-error note
}

pub fn that_waits_for_another(other: JoinHandle<u32>) {
    tokio::spawn(async move { other.await.map(|it| it + 1) }); //~ lost-error note
}

pub fn of_any_type<T: Send>(future: impl Future<Output = T>) {
    tokio::spawn(future);
}

pub fn of_a_scoped_thread() {
    std::thread::scope(|scope| {
        scope.spawn(|| remove_file("x")); //~ lost-error
    });
}

pub fn of_a_scoped_thread_that_is_joined() -> std::io::Result<()> {
    std::thread::scope(|scope| scope.spawn(|| remove_file("x")).join().unwrap())
}

#[derive(Clone, Debug)]
pub struct Flat;

async fn inflate(wheel: Option<u32>, reasons: std::sync::Arc<std::sync::Mutex<Vec<Flat>>>) -> Result<u32, Flat> {
    tokio::task::yield_now().await;
    let Some(wheel) = wheel else {
        let flat = Flat;
        reasons.lock().unwrap().push(flat.clone());
        return Err(flat);
    };
    Ok(wheel)
}

/// The task keeps its error where others read it.
pub fn inflate_later(reasons: &std::sync::Arc<std::sync::Mutex<Vec<Flat>>>) {
    tokio::spawn(inflate(None, std::sync::Arc::clone(reasons)));
}

/// The task can only return `Ok`, also behind what a library wraps around it.
pub fn cannot_fail_behind_a_wrapper() {
    let _handle = tokio::spawn(tokio::task::unconstrained(async move {
        work(1).await.map_err(|it| it.0).unwrap();
        Ok::<(), Failed>(())
    }));
}

pub fn fails_behind_a_wrapper() {
    let _handle = tokio::spawn(tokio::task::unconstrained(async move { //~ lost-error
        work(1).await?;
        Ok::<(), Failed>(())
    }));
}

/// What it returns only says that nobody waits for the answer any more.
pub fn answers_later(answer: tokio::sync::oneshot::Sender<u32>) {
    tokio::spawn(async move { //~ lost-error note
        yield_now().await;
        answer.send(3).map_err(|_| Failed(String::new()))
    });
}

pub fn works_and_answers_later(answer: tokio::sync::oneshot::Sender<u32>) {
    tokio::spawn(async move { //~ lost-error warning
        let found = work(3).await?;
        answer.send(found).map_err(|_| Failed(String::new()))
    });
}

/// So does what the task only awaits, and a library wraps.
pub fn inflate_behind_others(reasons: std::sync::Arc<std::sync::Mutex<Vec<Flat>>>) {
    tokio::spawn(tokio::task::unconstrained(async move { inflate(None, reasons).await }));
}

async fn work_twice(number: u32) -> Result<u32, Failed> {
    match work(number).await {
        Err(it) if it.0.is_empty() => work(number + 1).await, //~ lost-error note
        other => other,
    }
}

/// Who asks what the error is to try again tells nobody.
pub fn work_twice_later() {
    tokio::spawn(async move { work_twice(0).await }); //~ lost-error warning
}
