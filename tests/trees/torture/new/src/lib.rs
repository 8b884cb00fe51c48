//! Edition 2024: async closures, async functions in traits, let chains, awaits in odd places.

#![deny(warnings)]
#![forbid(unsafe_code)]

use std::sync::Mutex;

use tokio::sync::Mutex as Turn;
use tokio::task::{JoinSet, LocalSet};

/// Something that can be asked.
pub trait Ask {
    /// What an answer is.
    type Answer<'a>: Into<u64>
    where
        Self: 'a;

    /// Asks.
    fn ask(&self, number: u64) -> impl Future<Output = Self::Answer<'_>> + Send;
}

/// Answers with what it holds.
pub struct Echo(pub Mutex<u64>);

impl Ask for Echo {
    type Answer<'a> = u64;

    async fn ask(&self, number: u64) -> u64 {
        tokio::task::yield_now().await;
        let mut held = self.0.lock().unwrap();
        *held += number;
        *held
    }
}

/// Asks often, with a closure.
pub async fn often<A: Ask>(of: &A, times: u64) -> u64 {
    let ask = async |number| -> u64 { of.ask(number).await.into() };
    let mut last = 0;
    for number in 0..times {
        last = ask(number).await;
    }
    last
}

async fn part(number: u64) -> Result<Option<u64>, String> {
    if number == 13 { Err(format!("not {number}")) } else { Ok(number.checked_sub(2)) }
}

/// Awaits where expressions can be: conditions, matches, indices, arguments, after `?`, across lines.
pub async fn odd(number: u64) -> Result<u64, String> {
    let table = [1, 2, 3, 4];
    if let Some(it) = part(number).await?
        && let Some(less) = part(it)
            .await?
        && less < table.len() as u64
    {
        return Ok(table[part(less + 2).await?.unwrap_or_default() as usize]);
    }
    match part(part(number).await?.unwrap_or(2)).await? {
        Some(it) if it > 100 => Ok(it),
        _ => Ok(async { async { number }.await }.await),
    }
}

/// Tasks that cannot change threads, and tasks in a set.
pub async fn tasks() -> u64 {
    let turn = std::rc::Rc::new(Turn::new(0));
    let local = LocalSet::new();
    for by in 1..=3 {
        let turn = turn.clone();
        local.spawn_local(async move {
            let mut turn = turn.lock().await;
            tokio::task::yield_now().await;
            *turn += by;
        });
    }
    local.await;
    let mut set = JoinSet::new();
    for by in 1..=3_u64 {
        set.spawn(async move { by });
    }
    let mut sum = *turn.lock().await;
    while let Some(Ok(by)) = set.join_next().await {
        sum += by;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn odd_places_are_awaited() {
        assert_eq!(odd(5).await, Ok(2));
        assert_eq!(odd(1).await, Ok(1));
        assert_eq!(odd(13).await, Err("not 13".to_owned()));
        assert_eq!((file!(), line!(), module_path!()), ("new/src/lib.rs", 99, "new::tests"));
    }
}
