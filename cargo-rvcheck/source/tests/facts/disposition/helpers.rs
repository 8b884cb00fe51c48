//! Errors that helpers are given: generic functions, methods of a trait for any result, closures, fields.

use std::fmt::Debug;
use tokio::task::{JoinError, JoinHandle};

#[derive(Debug)]
pub struct Torn(pub String);

type Page = JoinHandle<Result<u8, Torn>>;

fn swallow<T, E>(result: Result<T, E>) {
    drop(result);
}

fn say<T, E: Debug>(result: Result<T, E>) -> Option<T> {
    match result {
        Ok(it) => Some(it),
        Err(error) => {
            println!("{error:?}");
            None
        }
    }
}

fn value_of<T, E>(result: Result<T, E>) -> Option<T> {
    result.ok()
}

trait Tell<T> {
    fn or_tell(self) -> Option<T>;
    fn or_nothing(self) -> Option<T>;
}

impl<T, E: Debug> Tell<T> for Result<T, E> {
    fn or_tell(self) -> Option<T> {
        self.inspect_err(|error| println!("{error:?}")).ok()
    }

    fn or_nothing(self) -> Option<T> {
        self.ok()
    }
}

pub async fn given_to_one_that_drops_it(page: Page) {
    swallow(page.await); //~ disposition(own) = lost; disposition(panic) = lost
}

pub async fn given_to_one_that_says_it(page: Page) {
    say(page.await.unwrap()); //~ disposition(own) = read
}

pub async fn made_an_option_and_dropped(page: Page) {
    value_of(page.await.unwrap()); //~ disposition(own) = lost
}

pub async fn told_by_a_trait(page: Page) -> u8 {
    page.await.or_tell().map_or(0, |it| it.or_tell().unwrap_or(1)) //~ disposition(own) = read; disposition(panic) = read
}

pub async fn dropped_by_a_trait(page: Page) {
    let _ = page.await.unwrap().or_nothing(); //~ disposition(own) = lost
}

async fn taken(page: Page) -> Result<Result<u8, Torn>, JoinError> {
    page.await //~ disposition(own) = read
}

pub async fn looked_at_by_the_caller(page: Page) -> Result<u8, Torn> {
    taken(page).await.unwrap()
}

async fn left(page: Page) -> Result<Result<u8, Torn>, JoinError> {
    page.await //~ disposition(own) = lost
}

pub async fn dropped_by_the_caller(page: Page) {
    let _ = left(page).await;
}

pub async fn in_a_closure(page: Page, tell: bool) {
    let result = page.await; //~ disposition(own) = read
    let report = move || {
        if let Ok(Err(torn)) = &result {
            println!("{}", torn.0);
        }
    };
    if tell {
        report();
    }
}

pub struct Book {
    last: Option<Result<u8, Torn>>,
}

impl Book {
    pub async fn turn(&mut self, page: Page) {
        self.last = Some(page.await.unwrap()); //~ disposition(own) = read
    }

    pub fn torn(&self) -> Option<&str> {
        match &self.last {
            Some(Err(torn)) => Some(&torn.0),
            _ => None,
        }
    }
}

pub async fn collected(pages: Vec<Page>) -> Vec<Torn> {
    let mut all = Vec::new();
    for page in pages {
        let result = page.await.unwrap(); //~ disposition(own) = read
        all.push(result);
    }
    all.into_iter().filter_map(Result::err).collect()
}

pub async fn collected_without_those_that_failed(pages: Vec<Page>) -> Vec<u8> {
    let mut all = Vec::new();
    for page in pages {
        let result = page.await.unwrap(); //~ disposition(own) = lost
        all.push(result);
    }
    all.into_iter().flatten().collect()
}

async fn each<F: FnMut(Result<u8, Torn>)>(pages: Vec<Page>, mut then: F) {
    for page in pages {
        let result = page.await; //~ disposition(own) = lost
        if let Ok(it) = result {
            then(it);
        }
    }
}

pub async fn given_to_a_closure_that_keeps_what_worked(pages: Vec<Page>) -> u32 {
    let mut sum = 0;
    each(pages, |it| {
        if let Ok(it) = it {
            sum += u32::from(it);
        }
    })
    .await;
    sum
}

async fn every<F: FnMut(Result<u8, Torn>)>(pages: Vec<Page>, mut then: F) {
    for page in pages {
        then(page.await.unwrap()); //~ disposition(own) = read
    }
}

pub async fn given_to_a_closure_that_keeps_what_did_not(pages: Vec<Page>) -> Vec<Torn> {
    let mut all = Vec::new();
    every(pages, |it| all.extend(it.err())).await;
    all
}

pub async fn given_to_any_closure(pages: Vec<Page>, mut then: impl FnMut(Result<u8, Torn>)) {
    for page in pages {
        then(page.await.unwrap()); //~ disposition(own) = read
    }
}
