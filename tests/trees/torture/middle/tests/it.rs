use std::sync::{Arc, Mutex};

use tokio::sync::{oneshot, watch};

#[tokio::test]
async fn names_are_registered() {
    let (first, one) = middle::register("a").await;
    let (again, other) = middle::register(String::from("b")).await;
    assert_eq!((first, one + 1), (again, other));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_answer_wins() {
    let (send, a) = oneshot::channel();
    let (_other, b) = oneshot::channel();
    send.send(5).unwrap();
    assert_eq!(middle::first(a, b).await, Some(5));
    assert_eq!(middle::both(async { middle::counted(4).await }, 2).await, (6, 4));
}

#[tokio::test]
async fn changes_are_followed() {
    let (change, values) = watch::channel(Some(1));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let following = tokio::spawn(middle::follow(values, seen.clone()));
    tokio::task::yield_now().await;
    change.send(None).unwrap();
    tokio::task::yield_now().await;
    drop(change);
    following.await.unwrap();
    assert_eq!(*seen.lock().unwrap(), ["Some(1)", "None"]);
}

#[test]
#[should_panic(expected = "at middle/tests/it.rs:37")]
fn a_panic_has_its_place() {
    panic!("at {}:{}", file!(), line!());
}
