//! Errors of tasks.

use tokio::task::{JoinHandle, JoinSet};

/// The disk is full.
#[derive(Debug, PartialEq, Eq)]
pub struct Full(pub u32);

async fn write(record: u32) -> Result<(), Full> {
    tokio::task::yield_now().await;
    if record.is_multiple_of(2) { Ok(()) } else { Err(Full(record)) }
}

/// Writes without looking at how that ends.
pub fn write_and_forget(record: u32) {
    tokio::spawn(async move { write(record).await }); //~ error lost-error
}

/// Checks a number, and panics where nobody looks.
pub fn check_and_forget(record: u32) {
    tokio::spawn(async move { //~ error lost-error
        tokio::task::yield_now().await;
        assert_ne!(record, 7, "an unlucky number");
    });
}

/// Panics when the runtime drops the unfinished task: nobody is left to see it.
pub fn wait_and_forget() {
    struct Held;
    impl Drop for Held {
        fn drop(&mut self) {
            panic!("still in use");
        }
    }
    let held = Held;
    tokio::spawn(async move { //~ note lost-error
        std::future::pending::<()>().await;
        drop(held);
    });
}

/// Runs what the caller wants, as an executor does. That it panics in a test is the test's own wish.
pub fn run_and_forget(job: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(job);
}

/// Writes; the caller gets a handle and may drop it.
pub fn write_later(record: u32) -> JoinHandle<Result<(), Full>> {
    tokio::spawn(async move { write(record).await }) //~ note lost-error
}

/// Writes and looks at each result. `spawn` here differs from the ones above only in that somebody reads.
pub async fn write_all(records: impl IntoIterator<Item = u32>) -> Vec<Full> {
    let mut writes = JoinSet::new();
    for record in records {
        writes.spawn(write(record));
    }
    let mut failed = Vec::new();
    while let Some(written) = writes.join_next().await {
        failed.extend(written.expect("a write does not panic").err());
    }
    failed
}

/// Writes and passes the result on.
pub async fn write_now(record: u32) -> Result<(), Full> {
    tokio::spawn(write(record)).await.expect("a write does not panic")
}

/// Begins to write and changes its mind.
pub async fn write_or_not(record: u32) {
    let writing = tokio::spawn(write(record));
    writing.abort();
}

/// Writes something that cannot fail, and forgets it.
pub fn write_what_fits(record: u32) {
    tokio::spawn(write(record * 2));
}

/// Checks a number on a thread that nobody joins.
pub fn check_on_a_thread(record: u32) {
    std::thread::spawn(move || { //~ error lost-error
        assert_ne!(record, 7, "an unlucky number");
    });
}

/// Checks numbers on threads whose panics reach the scope.
pub fn check_in_a_scope(records: &[u32]) {
    std::thread::scope(|scope| { //~ note panic-as-result
        for record in records {
            scope.spawn(move || assert_ne!(*record, 7, "an unlucky number"));
        }
    });
}
