use crate::bus::bus;
use crate::ledger::{Book, Ledger, Refusal, doubled};
use crate::press::{Order, desk, start};
use tokio::sync::mpsc;

#[tokio::test]
async fn all_hold() {
    let mut ledger = Ledger::new();
    assert_eq!(ledger.settle(&[3, 4, 0, 500]).await, Ok(3 + 7));
    ledger.note("paid");
    assert_eq!(ledger.count(|it| it == "paid"), None);
    ledger.close();
    assert_eq!(doubled(2), 4);
}

#[tokio::test]
async fn news_rise_violated() {
    let mut bus = bus();
    assert_eq!(bus.publish(2).await, 4);
    assert_eq!(bus.publish(3).await, 3);
    assert_eq!(bus.publish(2).await, 4);
}

#[tokio::test]
async fn small_entries_violated() {
    let mut ledger = Ledger::new();
    assert_eq!(ledger.settle(&[3, 101]).await, Err(Refusal::TooMuch(101)));
}

#[test]
fn open_violated() {
    let mut ledger = Ledger::new();
    // Another one may be closed.
    Ledger::new().close();
    assert_eq!(ledger.enter(1), Ok(1));
    ledger.close();
    assert_eq!(ledger.enter(1), Err(Refusal::Closed));
}

#[tokio::test]
#[should_panic(expected = "absurd")]
async fn settled_violated() {
    let mut ledger = Ledger::new();
    let _ = ledger.settle(&[100; 20]).await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_has_no_result() {
    let mut ledger = Ledger::new();
    let settling = ledger.settle(&[1, 2, 3]);
    let mut settling = Box::pin(settling);
    tokio::select! {
        biased;
        _ = &mut settling => panic!("it yields first"),
        () = async {} => {}
    }
}

#[test]
fn short_notes_violated() {
    let mut ledger = Ledger::new();
    ledger.note("ab");
    ledger.note(String::from("a long one"));
}

/// Orders pages of this edition from two presses, of which the second may be hasty. How many pages each has printed.
async fn printed(edition: usize, pages: usize, hasty: bool) -> Vec<usize> {
    let (desk, mut heard) = desk();
    let (to, mut printed) = mpsc::unbounded_channel();
    let presses = [false, hasty].map(|hasty| start(1, desk.clone(), hasty, to.clone()));
    drop(to);
    assert!(heard.recv().await.is_some());
    for (press, _) in &presses {
        press.order(Order::Edition(edition)).await;
        press.order(Order::Pages(vec![0; pages])).await;
    }
    for (press, task) in presses {
        press.is_over().await;
        // What stops a press is what is wanted.
        let _ = task.await;
    }
    let mut all = Vec::new();
    while let Some(count) = printed.recv().await {
        all.push(count);
    }
    all
}

#[tokio::test]
async fn presses_hold() {
    assert_eq!(printed(3, 3, false).await, [3, 3]);
}

#[tokio::test]
async fn a_hasty_press_is_stopped_and_printing_violated() {
    assert_eq!(printed(3, 3, true).await, [3]);
}

#[tokio::test]
async fn too_many_pages_are_stopped_and_printing_violated() {
    assert_eq!(printed(3, 4, false).await, []);
}
