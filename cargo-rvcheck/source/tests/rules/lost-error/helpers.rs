//! Results of tasks and threads that helpers discard: a generic function, a method of a trait, a closure, a struct that keeps them.

use std::fmt::Debug;
use std::thread;
use tokio::task::{JoinHandle, JoinSet};

#[derive(Debug)]
pub enum Fault {
    Range(u16),
    Gone,
}

async fn probe(port: u16) -> Result<u16, Fault> {
    tokio::task::yield_now().await;
    if port == 0 { Err(Fault::Gone) } else { Ok(port) }
}

fn check(port: u16) -> Result<u16, Fault> {
    if port > 9000 { Err(Fault::Range(port)) } else { Ok(port) }
}

fn set_aside<T, E>(_result: Result<T, E>) {}

fn warn<T, E: Debug>(result: Result<T, E>) {
    if let Err(error) = result {
        eprintln!("{error:?}");
    }
}

trait Quietly {
    fn quietly(self);
}

impl<T, E> Quietly for Result<T, E> {
    fn quietly(self) {
        let _ = self.ok();
    }
}

trait Loudly {
    fn loudly(self) -> Self;
}

impl<T, E: Debug> Loudly for Result<T, E> {
    fn loudly(self) -> Self {
        self.inspect_err(|error| eprintln!("{error:?}"))
    }
}

pub async fn set_aside_by_a_function(scan: JoinHandle<Result<u16, Fault>>) -> Result<(), String> {
    let port = scan.await.map_err(|it| format!("{it:?}"))?; //~ lost-error warning
    set_aside(port);
    Ok(())
}

pub async fn warned_of_by_a_function(scan: JoinHandle<Result<u16, Fault>>) -> Result<(), String> {
    let port = scan.await.map_err(|it| format!("{it:?}"))?;
    warn(port);
    Ok(())
}

pub async fn by_a_method_of_a_trait(mut scans: JoinSet<Result<u16, Fault>>) -> Result<(), Fault> {
    while let Some(one) = scans.join_next().await { //~ lost-error warning
        one.unwrap().quietly();
    }
    Ok(())
}

pub async fn by_one_that_says_it(mut scans: JoinSet<Result<u16, Fault>>) -> Result<(), Fault> {
    while let Some(one) = scans.join_next().await {
        let _ = one.unwrap().loudly();
    }
    Ok(())
}

pub fn of_threads(ports: &[u16]) -> Result<usize, Fault> {
    let checks: Vec<_> = ports.iter().copied().map(|it| thread::spawn(move || check(it))).collect();
    checks.into_iter().for_each(|it| {
        it.join().expect("no panic").ok(); //~ lost-error warning
    });
    Ok(ports.len())
}

pub fn of_threads_that_are_read(ports: &[u16]) -> Result<usize, Fault> {
    let checks: Vec<_> = ports.iter().copied().map(|it| thread::spawn(move || check(it))).collect();
    let open: Result<Vec<u16>, Fault> = checks.into_iter().map(|it| it.join().expect("no panic")).collect();
    open.map(|it| it.len())
}

pub struct Scanner {
    running: Vec<JoinHandle<Result<u16, Fault>>>,
    begun: usize,
}

impl Scanner {
    pub fn begin(&mut self, port: u16) {
        self.running.push(tokio::spawn(probe(port)));
        self.begun += 1;
    }

    pub async fn finish(mut self) -> Result<usize, Fault> {
        for scan in self.running.drain(..) {
            let _ = scan.await; //~ lost-error warning
        }
        Ok(self.begun)
    }

    pub async fn finish_or_fail(mut self) -> Result<usize, Fault> {
        for scan in self.running.drain(..) {
            scan.await.unwrap()?;
        }
        Ok(self.begun)
    }

    pub async fn end(mut self) {
        for scan in self.running.drain(..) {
            let _ = scan.await; //~ lost-error note
        }
    }
}

fn begun(port: u16) -> JoinHandle<Result<u16, Fault>> {
    tokio::spawn(probe(port)) //~ lost-error warning
}

pub fn begun_and_forgotten(ports: &[u16]) {
    for port in ports {
        begun(*port);
    }
}

fn started(port: u16) -> JoinHandle<Result<u16, Fault>> {
    tokio::spawn(probe(port))
}

pub async fn started_and_read(port: u16) -> Result<u16, Fault> {
    started(port).await.expect("no panic")
}

pub async fn with_nothing_to_tell_it_to(scan: JoinHandle<Result<u16, Fault>>) {
    let _ = scan.await; //~ lost-error note
}

pub async fn while_it_fails_itself(scan: JoinHandle<Result<u16, Fault>>, port: u16) -> Result<u16, Fault> {
    if port == 0 {
        let _ = scan.await; //~ lost-error
        return Err(Fault::Gone);
    }
    scan.await.expect("no panic")
}

pub fn gathered(ports: Vec<u16>) -> Result<Vec<u16>, Fault> {
    let checks: Vec<_> = ports.into_iter().map(|it| thread::spawn(move || check(it))).collect();
    let open = checks.into_iter().filter_map(|it| it.join().unwrap().ok()).collect(); //~ lost-error warning
    Ok(open)
}

/// A helper that gives nothing, of those who can fail.
pub struct Ropery {
    most: usize,
}

async fn twists(strands: u32) -> Result<u32, Broken> {
    if strands < 3 { Err(Broken(strands)) } else { Ok(strands) }
}

#[derive(Debug)]
pub struct Broken(u32);

impl Ropery {
    async fn waits_for_room(&self, twisting: &mut tokio::task::JoinSet<Result<u32, Broken>>, room: usize) {
        for _ in 0..room {
            if twisting.join_next().await.is_none() { //~ lost-error warning
                break;
            }
        }
    }

    pub async fn twists_all(&self, ropes: Vec<u32>) -> Result<usize, Broken> {
        let mut twisting = tokio::task::JoinSet::new();
        let all = ropes.len();
        for rope in ropes {
            self.waits_for_room(&mut twisting, self.most).await;
            twisting.spawn(twists(rope));
        }
        self.waits_for_room(&mut twisting, 1).await;
        twists(3).await?;
        Ok(all)
    }
}

/// The same of one whose callers say nothing of errors.
pub struct Loft {
    most: usize,
}

impl Loft {
    async fn waits_for_room(&self, twisting: &mut tokio::task::JoinSet<Result<u32, Broken>>, room: usize) {
        for _ in 0..room {
            if twisting.join_next().await.is_none() { //~ lost-error note
                break;
            }
        }
    }

    pub async fn twists_all(&self, ropes: Vec<u32>) -> usize {
        let mut twisting = tokio::task::JoinSet::new();
        let all = ropes.len();
        for rope in ropes {
            self.waits_for_room(&mut twisting, self.most).await;
            twisting.spawn(twists(rope));
        }
        self.waits_for_room(&mut twisting, 1).await;
        all
    }
}
