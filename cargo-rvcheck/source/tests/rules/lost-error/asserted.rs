//! Results of which it is asserted that there is none: what would be in them is not lost.

use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

#[derive(Debug)]
pub struct Failed(pub String);

async fn work(number: u32) -> Result<u32, Failed> {
    tokio::task::yield_now().await;
    if number == 0 { Err(Failed(String::new())) } else { Ok(number) }
}

pub async fn never_done() -> Result<(), Failed> {
    let result = timeout(Duration::from_millis(1), tokio::spawn(work(1))).await;
    assert!(result.is_err());
    Ok(())
}

pub async fn never_answered(answer: &mut mpsc::Receiver<Result<u32, Failed>>) -> Result<(), Failed> {
    assert!(answer.try_recv().is_err(), "there is no answer yet");
    assert!(!answer.try_recv().is_ok());
    Ok(())
}

pub async fn nothing_comes(answers: &mut mpsc::Receiver<Result<u32, Failed>>) -> Result<(), Failed> {
    answers.try_recv().unwrap_err();
    assert!(answers.recv().await.is_none());
    Ok(())
}

pub async fn may_be_done() -> Result<bool, Failed> {
    let result = timeout(Duration::from_millis(1), tokio::spawn(work(1))).await; //~ lost-error
    Ok(result.is_err())
}

pub async fn may_be_answered(answer: oneshot::Receiver<Result<u32, Failed>>) -> Result<bool, Failed> {
    Ok(answer.await.is_ok()) //~ lost-error
}

pub async fn has_to_be_answered(answer: oneshot::Receiver<Result<u32, Failed>>) -> Result<(), Failed> {
    assert!(answer.await.is_ok()); //~ lost-error
    Ok(())
}

pub async fn has_to_fail() -> Result<(), Failed> {
    work(1).await?;
    work(0).await.expect_err("zero is refused");
    work(0).await.unwrap_err();
    Ok(())
}

async fn all(numbers: Vec<u32>) -> Vec<Result<u32, Failed>> {
    let mut results = Vec::new();
    for number in numbers {
        results.push(work(number).await);
    }
    results
}

pub async fn nothing_is_worked_on() -> Result<(), Failed> {
    let none = all(Vec::new()).await;
    assert_eq!(none.len(), 0);
    let none = all(Vec::new()).await;
    assert!(none.is_empty(), "there was nothing to do");
    let none = all(Vec::new()).await;
    if none.len() > 0 {
        panic!("there was nothing to do");
    }
    Ok(())
}

pub async fn all_come() -> Result<(), Failed> {
    let some = all(vec![1, 2]).await; //~ lost-error
    assert_eq!(some.len(), 2);
    let some = all(vec![1, 2]).await; //~ lost-error
    assert!(!some.is_empty());
    Ok(())
}
