//! Calls that block, in what a task runs and elsewhere.

use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

async fn other() {
    tokio::task::yield_now().await;
}

pub async fn slept() {
    other().await;
    std::thread::sleep(Duration::from_millis(10)); //~ blocking-in-async warning
}

pub async fn slept_well() {
    tokio::time::sleep(Duration::from_millis(10)).await;
}

fn pause(times: u32) {
    thread::sleep(Duration::from_millis(10) * times); //~ blocking-in-async warning
}

fn retry(times: u32) {
    for time in 0..times {
        pause(time); //~ also blocking-in-async
    }
}

pub async fn through_functions() {
    retry(3); //~ also blocking-in-async
    other().await;
}

fn silent_pause() {
    thread::sleep(Duration::from_millis(10));
}

pub fn on_a_thread() -> thread::JoinHandle<()> {
    thread::spawn(|| silent_pause())
}

pub async fn on_a_thread_of_its_own() {
    tokio::task::spawn_blocking(|| thread::sleep(Duration::from_millis(10))).await.unwrap();
    tokio::task::spawn_blocking(silent_pause).await.unwrap();
    tokio::task::block_in_place(|| thread::sleep(Duration::from_millis(10)));
    thread::spawn(|| thread::sleep(Duration::from_millis(10)));
}

pub async fn joined() {
    let handle = thread::spawn(|| 1);
    other().await;
    handle.join().unwrap(); //~ blocking-in-async
}

pub async fn received(messages: flume::Receiver<u32>) -> u32 {
    let mut sum = 0;
    while let Ok(message) = messages.recv() { //~ blocking-in-async
        sum += message;
        other().await;
    }
    sum
}

pub async fn received_well(messages: flume::Receiver<u32>) -> u32 {
    let mut sum = messages.try_recv().unwrap_or(0);
    while let Ok(message) = messages.recv_async().await {
        sum += message;
    }
    sum
}

pub async fn received_from_std(messages: std::sync::mpsc::Receiver<u32>) -> u32 {
    messages.recv().unwrap() //~ blocking-in-async
}

pub async fn waited(lock: Arc<Mutex<bool>>, ready: Arc<Condvar>) {
    let mut is_ready = lock.lock().unwrap();
    while !*is_ready {
        is_ready = ready.wait(is_ready).unwrap(); //~ blocking-in-async
    }
}

pub async fn locked(lock: Arc<Mutex<u32>>) -> u32 {
    *lock.lock().unwrap()
}

async fn fetched() -> u32 {
    other().await;
    1
}

pub struct Cache(Mutex<Option<u32>>);

impl Cache {
    fn get(&self) -> u32 {
        let known = *self.0.lock().unwrap();
        known.unwrap_or_else(|| futures::executor::block_on(fetched())) //~ blocking-in-async
    }

    pub async fn greet(&self) -> u32 {
        self.get()
    }
}

pub fn main_function() -> u32 {
    futures::executor::block_on(async {
        thread::sleep(Duration::from_millis(1));
        fetched().await
    })
}

pub fn spawned() {
    tokio::spawn(async {
        thread::sleep(Duration::from_millis(1)); //~ blocking-in-async
        other().await;
    });
}

pub async fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap() //~ blocking-in-async warning
}

fn loaded(path: &str) -> String {
    std::fs::read_to_string(path).unwrap() //~ blocking-in-async note
}

pub async fn read_through_a_function(path: &str) -> String {
    loaded(path)
}

fn sleep(_: u32) {}

pub async fn a_function_of_that_name() {
    sleep(3);
    other().await;
}

pub async fn a_closure_that_is_kept() -> impl Fn() {
    || thread::sleep(Duration::from_millis(1))
}

pub async fn waits_for_scoped_threads(parts: Vec<Vec<u32>>) -> u32 {
    thread::scope(|scope| { //~ blocking-in-async warning
        let sums: Vec<_> = parts.iter().map(|it| scope.spawn(move || it.iter().sum::<u32>())).collect();
        sums.into_iter().map(|it| it.join().unwrap()).sum::<u32>()
    })
}

pub async fn waits_for_scoped_threads_elsewhere(parts: Vec<Vec<u32>>) -> u32 {
    let sum = move || thread::scope(|scope| scope.spawn(|| parts.concat().into_iter().sum::<u32>()).join().unwrap());
    tokio::task::spawn_blocking(sum).await.unwrap()
}

pub async fn receives_all(numbers: std::sync::mpsc::Receiver<u32>) -> u32 {
    numbers.iter().sum() //~ blocking-in-async warning
}

pub async fn receives_what_is_there(numbers: std::sync::mpsc::Receiver<u32>) -> u32 {
    numbers.try_iter().sum()
}

pub async fn reads_from_the_network(stream: &mut std::net::TcpStream) -> u8 {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes).unwrap(); //~ blocking-in-async warning
    stream.write_all(&bytes).unwrap();
    bytes[0]
}

pub async fn reads_from_memory(mut stream: &[u8]) -> u8 {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes).unwrap();
    bytes[0]
}

pub async fn goes_over_messages(numbers: std::sync::mpsc::Receiver<u32>) -> u32 {
    let mut sum = 0;
    for number in &numbers { //~ blocking-in-async
        sum += number;
        tokio::task::yield_now().await;
    }
    sum
}
