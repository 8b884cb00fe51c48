//! Handles that race: the one that is not the first is dropped.

use futures::future::{Either, select};
use tokio::task::JoinHandle;

#[derive(Debug)]
pub struct Refused(pub u8);

type Copy = JoinHandle<Result<u32, Refused>>;

fn keep(all: &mut Vec<String>, one: Result<u32, Refused>) {
    match one {
        Ok(it) => all.push(it.to_string()),
        Err(it) => all.push(it.0.to_string()),
    }
}

pub async fn the_other_one_is_dropped(east: Copy, west: Copy) -> Vec<String> {
    let mut all = Vec::new();
    tokio::select! { //~ lost-error warning
        one = east => { keep(&mut all, one.unwrap()) }
        one = west => { keep(&mut all, one.unwrap()) }
    }
    all
}

pub async fn the_other_one_is_awaited(mut east: Copy, mut west: Copy) -> Vec<String> {
    let mut all = Vec::new();
    tokio::select! {
        one = &mut east => {
            keep(&mut all, one.unwrap());
            keep(&mut all, west.await.unwrap());
        }
        one = &mut west => {
            keep(&mut all, one.unwrap());
            keep(&mut all, east.await.unwrap());
        }
    }
    all
}

pub async fn the_other_one_is_aborted(mut east: Copy, mut west: Copy) -> Vec<String> {
    let mut all = Vec::new();
    tokio::select! {
        one = &mut east => { west.abort(); keep(&mut all, one.unwrap()) }
        one = &mut west => { east.abort(); keep(&mut all, one.unwrap()) }
    }
    all
}

pub async fn one_has_a_limit(east: Copy) -> Vec<String> {
    let mut all = Vec::new();
    tokio::select! {
        one = east => { keep(&mut all, one.unwrap()) }
        _ = tokio::time::sleep(std::time::Duration::from_secs(1)) => {}
    }
    all
}

pub async fn what_is_left_is_dropped(east: Copy, west: Copy) -> Result<u32, Refused> {
    match select(east, west).await { //~ lost-error warning
        Either::Left((one, _)) => one.unwrap(),
        Either::Right((one, _)) => one.unwrap(),
    }
}

pub async fn what_is_left_is_awaited(east: Copy, west: Copy) -> Result<u32, Refused> {
    let (one, other) = match select(east, west).await {
        Either::Left((one, other)) => (one, other),
        Either::Right((one, other)) => (one, other),
    };
    Ok(one.unwrap()? + other.await.unwrap()?)
}

pub async fn what_is_left_is_aborted(east: Copy, west: Copy) -> Result<u32, Refused> {
    let (one, other) = match select(east, west).await {
        Either::Left((one, other)) => (one, other),
        Either::Right((one, other)) => (one, other),
    };
    other.abort();
    one.unwrap()
}

pub async fn another_one_is_left(east: Copy, limit: JoinHandle<()>) -> Result<u32, Refused> {
    match select(east, limit).await {
        Either::Left((one, _)) => one.unwrap(),
        Either::Right(..) => Ok(0),
    }
}

/// In an `impl` with parameters, of what is aborted behind it.
pub struct Kennel<D> {
    dog: D,
}

#[derive(Debug)]
pub struct Ran(u32);

pub trait Dog: Send + 'static {
    fn runs(&mut self, far: u32) -> Result<u32, Ran>;
}

async fn runs<D: Dog>(mut dog: D, far: u32) -> Result<u32, Ran> {
    if far > 9 {
        return Err(Ran(far));
    }
    dog.runs(far)
}

impl<D: Dog> Kennel<D> {
    pub async fn walks(self, mut dusk: tokio::sync::oneshot::Receiver<()>) -> Result<(), Ran> {
        let mut walk = tokio::spawn(runs(self.dog, 3));
        tokio::select! { //~ lost-error warning
            back = &mut walk => {
                if let Err(error) = back {
                    drop(error.is_panic().then(|| eprintln!("a panic")));
                    return Err(Ran(0));
                }
            }
            _ = &mut dusk => {}
        }
        walk.abort();
        Ok(())
    }

    pub async fn walks_and_says(self, mut dusk: tokio::sync::oneshot::Receiver<()>) -> Result<(), Ran> {
        let mut walk = tokio::spawn(runs(self.dog, 3));
        tokio::select! {
            back = &mut walk => {
                back.map_err(|_| Ran(0))??;
            }
            _ = &mut dusk => {}
        }
        walk.abort();
        Ok(())
    }
}
