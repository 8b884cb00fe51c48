//! Results of tasks: looked at as a whole, only from outside, or not at all.

use tokio::task::{JoinError, JoinHandle, JoinSet};

pub struct Failed(pub String);

type Handle = JoinHandle<Result<u32, Failed>>;

pub async fn thrown_away(handle: Handle) {
    let _ = handle.await; //~ lost-error
}

pub async fn made_an_option(handle: Handle) {
    handle.await.ok(); //~ lost-error
}

pub async fn asked_whether_it_panicked(handle: Handle) {
    if let Err(panicked) = handle.await { //~ lost-error
        println!("{panicked:?}");
    }
}

pub async fn matched_from_outside(handle: JoinHandle<Result<(), Failed>>) -> bool {
    match handle.await { //~ lost-error
        Ok(_) => true,
        Err(_) => false,
    }
}

pub async fn asked_whether_it_is_fine(handle: Handle) -> bool {
    handle.await.is_ok() //~ lost-error
}

pub async fn unwrapped_and_thrown_away(handle: Handle) {
    let _ = handle.await.unwrap(); //~ lost-error
}

pub async fn half_propagated(handle: Handle) -> Result<(), JoinError> {
    let _ = handle.await?; //~ lost-error
    Ok(())
}

pub async fn all_of_a_set(set: JoinSet<Result<u32, Failed>>) {
    set.join_all().await; //~ lost-error
}

pub async fn all_of_a_set_counted(set: JoinSet<Result<u32, Failed>>) -> usize {
    set.join_all().await.into_iter().filter(Result::is_err).count()
}

pub async fn of_a_set(mut set: JoinSet<Result<u32, Failed>>) {
    while let Some(one) = set.join_next().await { //~ lost-error
        if one.is_err() {
            println!("panicked");
        }
    }
}

pub fn of_a_thread(handle: std::thread::JoinHandle<Result<u32, Failed>>) {
    let _ = handle.join(); //~ lost-error
}

pub async fn only_a_success_matched(handle: Handle) -> u32 {
    let mut sum = 0;
    if let Ok(Ok(number)) = handle.await { //~ lost-error
        sum += number;
    }
    sum
}

pub async fn successes_collected(mut set: JoinSet<Result<u32, Failed>>) -> Vec<u32> {
    let mut all = Vec::new();
    while let Some(one) = set.join_next().await { //~ lost-error
        match one {
            Ok(Ok(number)) => all.push(number),
            _ => {}
        }
    }
    all
}

pub async fn successes_until_the_first_error(mut set: JoinSet<Result<u32, Failed>>) -> u32 {
    let mut sum = 0;
    while let Some(Ok(Ok(number))) = set.join_next().await { //~ lost-error
        sum += number;
    }
    sum
}

pub async fn skipped(handles: Vec<Handle>) {
    for handle in handles {
        let Ok(Ok(number)) = handle.await else { continue }; //~ lost-error
        println!("{number}");
    }
}

pub async fn inner_made_an_option_and_dropped(handle: Handle) {
    handle.await.unwrap().ok(); //~ lost-error
}

pub async fn failures_counted(handles: Vec<Handle>) -> u32 {
    let mut failed = 0;
    for handle in handles {
        if let Ok(Ok(number)) = handle.await {
            println!("{number}");
        } else {
            failed += 1;
        }
    }
    failed
}

pub async fn the_first_success(handles: Vec<Handle>) -> Option<u32> {
    for handle in handles {
        if let Ok(Ok(number)) = handle.await {
            return Some(number);
        }
    }
    None
}

pub async fn none_for_an_error(handle: Handle) -> Option<u32> {
    let Ok(Ok(number)) = handle.await else { return None };
    Some(number)
}

pub async fn all_fine(handles: Vec<Handle>) -> bool {
    let mut fine = true;
    for handle in handles {
        fine &= matches!(handle.await, Ok(Ok(_)));
    }
    fine
}

pub async fn asked_by_a_pattern(handle: Handle) {
    if matches!(handle.await, Ok(Ok(_))) {
        println!("done");
    } else {
        println!("failed");
    }
}

pub async fn with_an_error_that_says_nothing(handle: JoinHandle<Result<u32, ()>>) {
    if let Ok(Ok(number)) = handle.await {
        println!("{number}");
    }
}

pub async fn of_a_task_that_says_its_error() {
    let handle = tokio::spawn(async {
        let result = std::env::var("x");
        if let Err(error) = &result {
            println!("{error}");
        }
        result
    });
    let _ = handle.await;
}

pub async fn both_matched(handle: Handle) -> u32 {
    match handle.await {
        Ok(Ok(number)) => number,
        Ok(Err(_)) => 0,
        Err(_) => 1,
    }
}

pub async fn unwrapped(handle: Handle) -> Result<u32, Failed> {
    handle.await.unwrap()
}

pub async fn propagated(handle: Handle) -> Result<u32, Failed> {
    let number = handle.await.unwrap()?;
    Ok(number + 1)
}

pub async fn made_options(handle: Handle) -> Option<u32> {
    handle.await.ok()?.ok()
}

pub async fn passed_on(handle: Handle) {
    keep(handle.await);
}

pub async fn only_the_error_matched(handle: Handle) {
    if let Ok(Err(failed)) = handle.await {
        println!("{}", failed.0);
    }
}

pub async fn printed(handle: JoinHandle<Result<u32, std::fmt::Error>>) {
    println!("{:?}", handle.await);
}

pub async fn mapped(handle: Handle) -> u32 {
    handle.await.map(|it| it.unwrap_or(0)).unwrap()
}

pub async fn each_of_a_set(mut set: JoinSet<Result<u32, Failed>>) -> Result<(), Failed> {
    while let Some(one) = set.join_next().await {
        one.unwrap()?;
    }
    Ok(())
}

pub async fn stored(handle: Handle, into: &mut Option<Result<Result<u32, Failed>, JoinError>>) {
    *into = Some(handle.await);
}

pub async fn without_an_error(handle: JoinHandle<u32>) {
    let _ = handle.await;
}

pub async fn joined_and_read(one: Handle, other: Handle) -> Result<u32, Failed> {
    let (one, other) = tokio::try_join!(one, other).unwrap();
    Ok(one? + other?)
}

pub async fn both_joined_and_matched(one: Handle, other: Handle) -> bool {
    let (one, other) = tokio::join!(one, other);
    matches!(one, Ok(Ok(_))) && matches!(other, Ok(Ok(_)))
}

fn keep<T>(value: T) {
    std::hint::black_box(value);
}
