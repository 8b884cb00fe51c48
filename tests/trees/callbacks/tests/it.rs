use callbacks::{Countdown, Doubler, Guard};
use tower::{Service, ServiceExt};

#[tokio::test]
async fn tower_calls_a_service() {
    let mut service = tower::limit::ConcurrencyLimit::new(Doubler::default(), 1);
    let answer = service.ready().await.unwrap().call(3).await;
    assert_eq!(answer, Ok(6));
}

#[tokio::test]
async fn the_program_calls_a_service() {
    assert_eq!(Doubler::default().call(3).await, Ok(6));
}

#[tokio::test]
async fn tokio_polls_a_future() {
    tokio::spawn(Countdown(2)).await.unwrap();
}

#[tokio::test]
async fn tokio_drops_a_guard() {
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    sender.send(Guard(1)).await.ok();
    drop((sender, receiver));
}
