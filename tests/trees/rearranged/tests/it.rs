use rearranged::Ledger;
use std::sync::Arc;
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
    ledger.close();
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
    ledger.close();
}

/// Who closes the ledger counts on the writer being quick.
#[test]
fn a_thread_writes_what_another_one_closes() {
    let ledger = Arc::new(Ledger::default());
    ledger.open();
    let writes = ledger.clone();
    let writer = std::thread::spawn(move || writes.write(1));
    std::thread::sleep(std::time::Duration::from_millis(30));
    ledger.close();
    writer.join().unwrap();
}

/// The one who closes waits for the writer.
#[test]
fn a_thread_writes_before_it_is_joined() {
    let ledger = Arc::new(Ledger::default());
    ledger.open();
    let writes = ledger.clone();
    let writer = std::thread::spawn(move || writes.write(1));
    writer.join().unwrap();
    ledger.close();
    assert_eq!(ledger.len(), 1);
}
