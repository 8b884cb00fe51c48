//! Panics that are caught.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// The sum of all, of which the end is found by a panic.
pub async fn sum(numbers: Vec<u32>) -> u32 {
    let (mut sum, mut at) = (0, 0);
    let summed = catch_unwind(AssertUnwindSafe(|| {
        loop {
            sum += numbers.get(at).expect("there is one more"); //~ warning panic-as-result
            at += 1;
        }
    }));
    match summed {
        Ok(()) | Err(_) => sum,
    }
}

/// The same on a thread for blocking work, as a supervisor of foreign code would do it.
pub async fn sum_elsewhere(numbers: Vec<u32>) -> u32 {
    let summed = tokio::task::spawn_blocking(move || {
        catch_unwind(AssertUnwindSafe(|| numbers.iter().sum::<u32>() / (numbers.len() as u32 - 2))).unwrap_or(0)
    });
    summed.await.unwrap_or_default()
}

/// Tidies up after a panic, and lets it go on.
pub async fn tidy(numbers: Vec<u32>, tidied: impl FnOnce()) -> u32 {
    let first = catch_unwind(AssertUnwindSafe(|| *numbers.first().expect("there is a first")));
    tidied();
    first.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Looks for the end as one should.
pub async fn sum_well(numbers: Vec<u32>) -> u32 {
    let (mut sum, mut at) = (0, 0);
    while let Some(number) = numbers.get(at) {
        sum += number;
        at += 1;
    }
    sum
}

/// What one thread has thrown, thrown again and caught by another one, which gives it to the caller.
pub fn pass_on(thrown: Box<dyn Any + Send>) -> Box<dyn Any + Send> {
    let catching = AssertUnwindSafe(|| resume_unwind(thrown));
    let next = thread::spawn(move || catch_unwind(catching).unwrap_or_else(|thrown| thrown)); //~ note panic-as-result
    next.join().expect("it has caught what was thrown")
}
