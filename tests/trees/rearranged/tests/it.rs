use rearranged::{Ledger, Sink, put_all};
use std::sync::{Arc, mpsc};
use std::thread;
use tokio::sync::oneshot;

/// Nothing says that the ledger is open when the second task writes.
#[tokio::test]
async fn a_task_writes_what_another_one_opens() {
    let ledger = Arc::new(Ledger::default());
    let (opens, writes) = (ledger.clone(), ledger.clone());
    let opener = tokio::spawn(async move { opens.open() });
    let writer = tokio::spawn(async move { writes.write(1) });
    opener.await.unwrap();
    writer.await.unwrap();
}

/// The one who writes is told.
#[tokio::test]
async fn a_task_writes_when_it_is_told() {
    let ledger = Arc::new(Ledger::default());
    let (opens, writes) = (ledger.clone(), ledger.clone());
    let (told, open) = oneshot::channel();
    let opener = tokio::spawn(async move {
        opens.open();
        told.send(()).unwrap();
    });
    let writer = tokio::spawn(async move {
        open.await.unwrap();
        writes.write(1);
    });
    opener.await.unwrap();
    writer.await.unwrap();
}

/// All writers but the first one are waited for, which has been at it for as long as they took.
#[test]
fn a_thread_writes_what_another_one_closes() {
    let ledger = Arc::new(Ledger::default());
    ledger.open();
    let write = |line: u32| {
        let ledger = ledger.clone();
        thread::spawn(move || {
            let sink: &dyn Sink = &*ledger;
            sink.put(line);
        })
    };
    let first = write(0);
    (1..20).for_each(|it| write(it).join().unwrap());
    let closes = ledger.clone();
    let closer = thread::spawn(move || closes.close());
    first.join().unwrap();
    closer.join().unwrap();
}

/// All of them are.
#[test]
fn a_thread_closes_when_all_have_written() {
    let ledger = Arc::new(Ledger::default());
    ledger.open();
    let (done, all) = mpsc::channel();
    let write = |line: u32| {
        let (ledger, done) = (ledger.clone(), done.clone());
        thread::spawn(move || {
            put_all(&*ledger, [line, line + 1]);
            done.send(()).unwrap();
        })
    };
    let writers = [write(1), write(3)];
    let closes = ledger.clone();
    let closer = thread::spawn(move || {
        all.iter().take(2).for_each(drop);
        closes.close();
    });
    writers.into_iter().for_each(|it| it.join().unwrap());
    closer.join().unwrap();
}
