//! Values that block where they are dropped.

use std::thread::JoinHandle;

pub struct Connection {
    number: u32,
}

async fn close(number: u32) {
    tokio::task::yield_now().await;
    println!("{number}");
}

impl Drop for Connection {
    fn drop(&mut self) {
        futures::executor::block_on(close(self.number)); //~ blocking-in-async warning
    }
}

pub async fn ends_in_async_code(number: u32) -> u32 {
    let connection = Connection { number };
    tokio::task::yield_now().await;
    connection.number
}

pub struct Elsewhere {
    number: u32,
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        futures::executor::block_on(close(self.number));
    }
}

pub fn ends_in_plain_code(number: u32) -> u32 {
    Elsewhere { number }.number
}

pub struct Asking {
    number: u32,
}

impl Drop for Asking {
    fn drop(&mut self) {
        let number = self.number;
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(close(number))),
            Err(_) => futures::executor::block_on(close(number)),
        }
    }
}

pub async fn asks_where_it_is(number: u32) -> u32 {
    let asking = Asking { number };
    tokio::task::yield_now().await;
    asking.number
}

pub struct Thread {
    thread: Option<JoinHandle<()>>,
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); //~ blocking-in-async note
        }
    }
}

pub async fn joins_a_thread(found: Option<Thread>) -> bool {
    tokio::task::yield_now().await;
    found.is_some()
}
