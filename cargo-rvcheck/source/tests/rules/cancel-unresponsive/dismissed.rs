//! Those who are told to stop and waited for, while they wait for something else.

use parking_lot::Mutex;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

pub struct Comb(u32);

#[derive(Default)]
struct Weather {
    storm: AtomicBool,
    mild: AtomicBool,
}

impl Weather {
    fn is_bad(&self) -> bool {
        self.storm.load(Ordering::SeqCst)
    }

    fn worsens(&self) {
        self.storm.store(true, Ordering::SeqCst);
    }
}

fn gathers<F: Fn(Comb)>(combs: crossbeam_channel::Receiver<Comb>, weather: Arc<Weather>, presses: F) {
    while !weather.is_bad() {
        let Ok(comb) = combs.recv() else { break }; //~ cancel-unresponsive warning
        presses(comb);
    }
}

/// The sender is in an `Option` that nobody empties; told in a helper, waited for in another one.
pub struct Hive {
    combs: Option<crossbeam_channel::Sender<Comb>>,
    weather: Arc<Weather>,
    thread: Option<JoinHandle<()>>,
}

impl Hive {
    pub fn set_up<F: Fn(Comb) + Send + 'static>(presses: F) -> std::io::Result<Hive> {
        let (combs, rest) = crossbeam_channel::unbounded();
        let weather = Arc::new(Weather::default());
        let seen = weather.clone();
        let thread = thread::Builder::new().spawn(move || gathers(rest, seen, presses))?;
        Ok(Hive { combs: Some(combs), weather, thread: Some(thread) })
    }

    pub fn fill(&self, comb: Comb) -> bool {
        self.combs.as_ref().is_some_and(|it| it.send(comb).is_ok())
    }

    fn leaves(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Hive {
    fn drop(&mut self) {
        self.weather.worsens();
        self.leaves();
    }
}

/// The same, where it is emptied first.
pub struct Closed {
    combs: Option<crossbeam_channel::Sender<Comb>>,
    weather: Arc<Weather>,
    thread: Option<JoinHandle<()>>,
}

fn gathers_until_closed(combs: crossbeam_channel::Receiver<Comb>, weather: Arc<Weather>) {
    while !weather.mild.load(Ordering::SeqCst) {
        let Ok(_) = combs.recv() else { break };
    }
}

impl Closed {
    pub fn set_up() -> Closed {
        let (combs, rest) = crossbeam_channel::unbounded();
        let weather = Arc::new(Weather::default());
        let seen = weather.clone();
        let thread = thread::spawn(move || gathers_until_closed(rest, seen));
        Closed { combs: Some(combs), weather, thread: Some(thread) }
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        self.weather.mild.store(true, Ordering::SeqCst);
        drop(self.combs.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A token, asked in each round.
pub struct Apiary {
    frames: mpsc::Sender<u32>,
    winter: CancellationToken,
    task: tokio::task::JoinHandle<u32>,
}

impl Apiary {
    pub fn opens() -> Apiary {
        let (frames, mut rest) = mpsc::channel(8);
        let winter = CancellationToken::new();
        let seen = winter.clone();
        let task = tokio::spawn(async move {
            let mut honey = 0;
            while !seen.is_cancelled() {
                match rest.recv().await { //~ cancel-unresponsive warning
                    Some(frame) => honey += frame,
                    None => break,
                }
            }
            honey
        });
        Apiary { frames, winter, task }
    }

    pub async fn hangs(&self, frame: u32) -> bool {
        self.frames.send(frame).await.is_ok()
    }

    pub async fn shuts(self) -> u32 {
        self.winter.cancel();
        self.task.await.unwrap_or(0)
    }
}

/// Waited for in the `select!`.
pub struct Attentive {
    frames: mpsc::Sender<u32>,
    winter: CancellationToken,
    task: tokio::task::JoinHandle<u32>,
}

impl Attentive {
    pub fn opens() -> Attentive {
        let (frames, mut rest) = mpsc::channel(8);
        let winter = CancellationToken::new();
        let seen = winter.clone();
        let task = tokio::spawn(async move {
            let mut honey = 0;
            loop {
                tokio::select! {
                    _ = seen.cancelled() => { break; }
                    frame = rest.recv() => {
                        match frame { Some(frame) => honey += frame, None => break }
                    }
                }
            }
            honey
        });
        Attentive { frames, winter, task }
    }

    pub async fn hangs(&self, frame: u32) -> bool {
        self.frames.send(frame).await.is_ok()
    }

    pub async fn shuts(self) -> u32 {
        self.winter.cancel();
        self.task.await.unwrap_or(0)
    }
}

/// A `watch` that is read in each round, and a channel whose sender is shared.
pub struct Meadow {
    bees: flume::Sender<u8>,
    season: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

impl Meadow {
    pub fn blooms() -> Meadow {
        let (bees, rest) = flume::unbounded();
        let (season, seen) = watch::channel(false);
        let task = tokio::spawn(async move {
            while !*seen.borrow() {
                if rest.recv_async().await.is_err() { //~ cancel-unresponsive warning
                    return;
                }
            }
        });
        Meadow { bees, season, task }
    }

    pub fn visits(&self, bee: u8) -> bool {
        self.bees.send(bee).is_ok()
    }

    pub async fn fades(self) {
        let _ = self.season.send(true);
        let _ = self.task.await;
    }
}

/// A flag behind a lock, and a thread that waits for whoever knocks.
pub struct Stall {
    shut: Arc<Mutex<bool>>,
    thread: Option<JoinHandle<u32>>,
}

impl Stall {
    pub fn opens(at: TcpListener) -> Stall {
        let shut = Arc::new(Mutex::new(false));
        let seen = shut.clone();
        let thread = thread::spawn(move || {
            let mut customers = 0;
            while !*seen.lock() {
                if at.accept().is_ok() { //~ cancel-unresponsive warning
                    customers += 1;
                }
            }
            customers
        });
        Stall { shut, thread: Some(thread) }
    }

    pub fn shuts(&mut self) -> u32 {
        *self.shut.lock() = true;
        self.thread.take().map_or(0, |it| it.join().unwrap_or(0))
    }
}

/// What shuts it knocks, too.
pub struct Knocked {
    shut: Arc<Mutex<bool>>,
    thread: Option<JoinHandle<u32>>,
}

impl Knocked {
    pub fn opens(at: TcpListener) -> Knocked {
        let shut = Arc::new(Mutex::new(false));
        let seen = shut.clone();
        let thread = thread::spawn(move || {
            let mut customers = 0;
            while !*seen.lock() {
                if at.accept().is_ok() {
                    customers += 1;
                }
            }
            customers
        });
        Knocked { shut, thread: Some(thread) }
    }

    pub fn shuts(&mut self) -> u32 {
        *self.shut.lock() = true;
        let _ = TcpStream::connect("127.0.0.1:4000");
        self.thread.take().map_or(0, |it| it.join().unwrap_or(0))
    }
}

/// A state by number, and a nap of an hour.
pub struct Bear {
    season: Arc<AtomicU8>,
    thread: JoinHandle<()>,
}

const WINTER: u8 = 2;

impl Bear {
    pub fn sleeps() -> Bear {
        let season = Arc::new(AtomicU8::new(0));
        let seen = season.clone();
        let thread = thread::spawn(move || {
            while seen.load(Ordering::SeqCst) != WINTER {
                thread::sleep(Duration::from_secs(3600)); //~ cancel-unresponsive warning
            }
        });
        Bear { season, thread }
    }

    pub fn wakes(self) {
        self.season.store(WINTER, Ordering::SeqCst);
        let _ = self.thread.join();
    }
}

/// A short one.
pub struct Cat {
    season: Arc<AtomicU8>,
    thread: JoinHandle<()>,
}

impl Cat {
    pub fn sleeps() -> Cat {
        let season = Arc::new(AtomicU8::new(0));
        let seen = season.clone();
        let thread = thread::spawn(move || {
            while seen.load(Ordering::SeqCst) != WINTER {
                thread::sleep(Duration::from_millis(20));
            }
        });
        Cat { season, thread }
    }

    pub fn wakes(self) {
        self.season.store(WINTER, Ordering::SeqCst);
        let _ = self.thread.join();
    }
}

/// In a trait, and the message that says so is sent.
pub trait Runs: Send + 'static {
    fn runs(&mut self);
}

pub struct Bell {
    stop: Arc<AtomicBool>,
    rings: async_channel::Receiver<u32>,
    heard: u32,
}

impl Runs for Bell {
    fn runs(&mut self) {
        while !self.stop.load(Ordering::Acquire) {
            let Ok(ring) = self.rings.recv_blocking() else { return };
            self.heard += ring;
        }
    }
}

pub struct Tower {
    stop: Arc<AtomicBool>,
    rings: async_channel::Sender<u32>,
    thread: Option<JoinHandle<()>>,
}

fn starts<R: Runs>(mut it: R) -> JoinHandle<()> {
    thread::spawn(move || it.runs())
}

impl Tower {
    pub fn built() -> Tower {
        let (rings, rest) = async_channel::unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let thread = starts(Bell { stop: stop.clone(), rings: rest, heard: 0 });
        Tower { stop, rings, thread: Some(thread) }
    }

    pub fn falls(&mut self) {
        self.stop.store(true, Ordering::Release);
        let _ = self.rings.send_blocking(0);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub struct Horn {
    stop: Arc<AtomicBool>,
    rings: async_channel::Receiver<u32>,
    heard: u32,
}

impl Runs for Horn {
    fn runs(&mut self) {
        while !self.stop.load(Ordering::Acquire) {
            let Ok(ring) = self.rings.recv_blocking() else { return }; //~ cancel-unresponsive warning
            self.heard += ring;
        }
    }
}

pub struct Keep {
    stop: Arc<AtomicBool>,
    rings: async_channel::Sender<u32>,
    thread: Option<JoinHandle<()>>,
}

impl Keep {
    pub fn built() -> Keep {
        let (rings, rest) = async_channel::unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let thread = starts(Horn { stop: stop.clone(), rings: rest, heard: 0 });
        Keep { stop, rings, thread: Some(thread) }
    }

    pub fn rings(&self) -> bool {
        self.rings.try_send(1).is_ok()
    }

    pub fn falls(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What was sent before is no reason to look again.
pub fn sends_and_stops() {
    let (sender, receiver) = crossbeam_channel::bounded::<u32>(4);
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let asked = stop.clone();
    let worker = std::thread::spawn(move || {
        while !asked.load(std::sync::atomic::Ordering::Acquire) {
            match receiver.recv() { //~ cancel-unresponsive warning
                Ok(it) => println!("{it}"),
                Err(_) => break,
            }
        }
    });
    sender.send(1).unwrap();
    stop.store(true, std::sync::atomic::Ordering::Release);
    worker.join().unwrap();
    drop(sender);
}

/// What is sent after the order is one.
pub fn stops_and_sends() {
    let (sender, receiver) = crossbeam_channel::bounded::<u32>(4);
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let asked = stop.clone();
    let worker = std::thread::spawn(move || {
        while !asked.load(std::sync::atomic::Ordering::Acquire) {
            match receiver.recv() {
                Ok(it) => println!("{it}"),
                Err(_) => break,
            }
        }
    });
    stop.store(true, std::sync::atomic::Ordering::Release);
    sender.send(1).unwrap();
    worker.join().unwrap();
    drop(sender);
}

/// Several take turns at one queue, by a helper, and are waited for in a loop.
struct Fisher {
    nets: Arc<std::sync::Mutex<std::sync::mpsc::Receiver<u32>>>,
    home: Arc<AtomicBool>,
}

impl Fisher {
    fn hauls(&self) -> Option<u32> {
        let nets = self.nets.lock().unwrap();
        nets.recv().ok() //~ cancel-unresponsive warning
    }

    fn fishes(self) -> u32 {
        let mut fish = 0;
        while !self.home.load(Ordering::Acquire) {
            match self.hauls() {
                Some(more) => fish += more,
                None => break,
            }
        }
        fish
    }
}

pub struct Fleet {
    nets: std::sync::mpsc::Sender<u32>,
    home: Arc<AtomicBool>,
    boats: Vec<JoinHandle<u32>>,
}

impl Fleet {
    pub fn sails(count: usize) -> Fleet {
        let (nets, rest) = std::sync::mpsc::channel();
        let rest = Arc::new(std::sync::Mutex::new(rest));
        let home = Arc::new(AtomicBool::new(false));
        let mut boats = Vec::new();
        for _ in 0..count {
            let fisher = Fisher { nets: rest.clone(), home: home.clone() };
            boats.push(thread::spawn(move || fisher.fishes()));
        }
        Fleet { nets, home, boats }
    }

    pub fn casts(&self, fish: u32) -> bool {
        self.nets.send(fish).is_ok()
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.home.store(true, Ordering::Release);
        for boat in self.boats.drain(..) {
            let _ = boat.join();
        }
    }
}
