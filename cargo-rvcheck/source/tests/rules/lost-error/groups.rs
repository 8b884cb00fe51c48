//! Results that come together: what one says is passed on, what the other says is not.

use flume::{Receiver, Sender};
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, oneshot};

#[derive(Debug)]
pub struct Stale(pub u64);

pub async fn one_is_thrown_away<A, B>(cache: A, disk: B) -> Result<u64, Stale>
where
    A: Future<Output = Result<u64, Stale>>,
    B: Future<Output = Result<(), Stale>>,
{
    let (read, written) = tokio::join!(cache, disk); //~ lost-error warning
    drop(written);
    read
}

pub async fn one_is_looked_at_from_outside<A, B>(cache: A, disk: B) -> Result<u64, Stale>
where
    A: Future<Output = Result<u64, Stale>>,
    B: Future<Output = Result<(), Stale>>,
{
    let (read, written) = tokio::join!(cache, disk); //~ lost-error warning
    if let Ok(()) = written {}
    let at = read?;
    Ok(at + 1)
}

pub async fn both_are_passed_on<A, B>(cache: A, disk: B) -> Result<u64, Stale>
where
    A: Future<Output = Result<u64, Stale>>,
    B: Future<Output = Result<(), Stale>>,
{
    let (read, written) = tokio::join!(cache, disk);
    written?;
    read
}

pub async fn one_is_counted<A, B>(cache: A, disk: B, failed: &mut u32) -> Result<u64, Stale>
where
    A: Future<Output = Result<u64, Stale>>,
    B: Future<Output = Result<(), Stale>>,
{
    let (read, written) = tokio::join!(cache, disk);
    if written.is_err() {
        *failed += 1;
    }
    read
}

pub async fn neither_is_asked_for<A, B>(cache: A, disk: B)
where
    A: Future<Output = Result<u64, Stale>>,
    B: Future<Output = Result<(), Stale>>,
{
    let _ = tokio::join!(cache, disk); //~ lost-error note
}

pub async fn of_boxed(all: Vec<std::pin::Pin<Box<dyn Future<Output = Result<u64, Stale>>>>>) -> Result<u64, Stale> {
    let set = FuturesUnordered::new();
    all.into_iter().for_each(|it| set.push(it));
    largest(set).await
}

async fn largest<F>(mut set: FuturesUnordered<F>) -> Result<u64, Stale>
where
    F: Future<Output = Result<u64, Stale>>,
{
    let mut largest = 0;
    while let Some(Ok(at)) = set.next().await { //~ lost-error warning
        largest = largest.max(at);
    }
    Ok(largest)
}

pub async fn until_one_fails<F>(mut set: FuturesUnordered<F>) -> Result<u64, Stale>
where
    F: Future<Output = Result<u64, Stale>>,
{
    let mut largest = 0;
    while let Some(at) = set.next().await {
        largest = largest.max(at?);
    }
    Ok(largest)
}

pub async fn sent_by_workers(mut done: mpsc::Receiver<Result<u64, Stale>>) -> Result<Vec<u64>, Stale> {
    let mut all = Vec::new();
    while let Some(one) = done.recv().await { //~ lost-error warning
        all.extend(one.ok());
    }
    Ok(all)
}

pub async fn sent_by_workers_and_read(mut done: mpsc::Receiver<Result<u64, Stale>>) -> Result<Vec<u64>, Stale> {
    let mut all = Vec::new();
    while let Some(one) = done.recv().await {
        all.push(one?);
    }
    Ok(all)
}

pub fn sent_by_threads(done: Receiver<Result<u64, Stale>>, count: usize) -> Result<u64, Stale> {
    let mut sum = 0;
    for _ in 0..count {
        if let Ok(Ok(at)) = done.recv() { //~ lost-error warning
            sum += at;
        }
    }
    Ok(sum)
}

pub fn handed_on(done: Receiver<Result<u64, Stale>>, to: Sender<Result<u64, Stale>>) {
    while let Ok(one) = done.recv() {
        let _ = to.send(one);
    }
}

pub async fn answered(answer: oneshot::Receiver<Result<u64, Stale>>) -> Result<bool, Stale> {
    let came = answer.await; //~ lost-error warning
    Ok(came.is_ok())
}

pub async fn answered_and_read(answer: oneshot::Receiver<Result<u64, Stale>>) -> Result<u64, Stale> {
    answer.await.unwrap_or(Err(Stale(0)))
}

pub async fn to_nobody(tell: oneshot::Sender<u64>, orders: mpsc::Sender<u64>) -> Result<(), Stale> {
    let _ = tell.send(1);
    let _ = orders.send(2).await;
    let _ = std::fmt::Write::write_fmt(&mut String::new(), format_args!("{}", 3));
    Ok(())
}

pub trait Shelf {
    fn put(&self, at: u64) -> impl Future<Output = Result<u64, Stale>> + Send;
}

pub async fn put_on_both<S: Shelf>(near: &S, far: &S) -> Result<u64, Stale> {
    let at = near.put(1).await?;
    let _ = far.put(1).await; //~ lost-error warning
    Ok(at)
}

pub async fn put_on_both_or_fail<S: Shelf>(near: &S, far: &S) -> Result<u64, Stale> {
    let at = near.put(1).await?;
    far.put(1).await?;
    Ok(at)
}

async fn clear(at: u64) -> Result<(), Stale> {
    tokio::task::yield_now().await;
    if at == 0 { Err(Stale(at)) } else { Ok(()) }
}

pub async fn tidied_up_behind_it<S: Shelf>(shelf: &S) -> Result<u64, Stale> {
    let put = shelf.put(1).await;
    let _ = clear(1).await;
    put
}

pub fn iterated(done: std::sync::mpsc::Receiver<Result<u64, Stale>>) -> Result<u64, Stale> {
    let mut sum = 0;
    for one in done { //~ lost-error warning
        if let Ok(at) = one {
            sum += at;
        }
    }
    Ok(sum)
}

pub async fn received_while_there_are_some(done: Receiver<Result<u64, Stale>>) -> Result<u64, Stale> {
    let mut sum = 0;
    while let Ok(one) = done.recv_async().await { //~ lost-error warning
        let Ok(at) = one else { continue };
        sum += at;
    }
    Ok(sum)
}

// The error of what is awaited last is given on as it is.
pub struct Parcel {
    labels: Vec<String>,
}

async fn stamps(label: &str) -> Result<(), String> {
    if label.is_empty() { Err("no label".to_owned()) } else { Ok(()) }
}

async fn seals(parcel: &Parcel) -> Result<(), String> {
    if parcel.labels.is_empty() { Err("open".to_owned()) } else { Ok(()) }
}

pub async fn packs(parcel: &Parcel) -> Result<(), String> {
    match parcel.labels.as_slice() {
        [one] => stamps(one).await?,
        many => {
            for label in many {
                let _ = stamps(label).await; //~ lost-error
            }
        }
    }
    seals(parcel).await
}

pub struct Caller(Vec<u8>);

pub trait Door {
    fn open(&self) -> impl Future<Output = Result<(Caller, u16), std::io::Error>> + Send;
}

/// Who goes on where nobody comes in has told it by that.
pub async fn receive(door: impl Door, mut stop: tokio::sync::oneshot::Receiver<()>) -> usize {
    let mut count = 0;
    loop {
        let caller = tokio::select! {
            opened = door.open() => {
                match opened {
                    Ok((caller, _)) => caller,
                    Err(_) => continue,
                }
            }
            _ = &mut stop => { break }
        };
        count += caller.0.len();
    }
    count
}
