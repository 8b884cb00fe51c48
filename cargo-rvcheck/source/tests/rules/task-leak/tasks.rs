//! Tasks that nobody can end, and ones that end with their owner.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::{Duration, interval, sleep};

const PERIOD: Duration = Duration::from_millis(2);

pub struct Link;

impl Link {
    pub async fn ping(&self) {
        sleep(PERIOD).await;
    }

    pub async fn is_up(&self) -> bool {
        sleep(PERIOD).await;
        true
    }
}

async fn count(counted: Arc<AtomicU64>) {
    loop {
        sleep(PERIOD).await;
        counted.fetch_add(1, Ordering::SeqCst);
    }
}

async fn announced(counted: Arc<AtomicU64>) {
    println!("begins");
    count(counted).await;
    println!("is never said");
}

pub struct Client {
    link: Arc<Link>,
}

impl Client {
    pub fn connect() -> Client {
        let link = Arc::new(Link);
        let pinged = link.clone();
        tokio::spawn(async move { //~ task-leak
            loop {
                pinged.ping().await;
                sleep(PERIOD).await;
            }
        });
        Client { link }
    }

    pub fn ticks(&self, mut changes: mpsc::Receiver<u32>) {
        tokio::spawn(async move { //~ task-leak
            let mut ticks = interval(PERIOD);
            loop {
                tokio::select! {
                    Some(change) = changes.recv() => { println!("{change}"); }
                    _ = ticks.tick() => {}
                }
            }
        });
    }

    pub fn ends_with_its_owner(self: &Arc<Self>) {
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                sleep(PERIOD).await;
                let Some(client) = weak.upgrade() else { return };
                client.link.ping().await;
            }
        });
    }

    pub fn ends_with_the_link(&self) {
        let link = self.link.clone();
        tokio::spawn(async move {
            while link.is_up().await {
                sleep(PERIOD).await;
            }
        });
    }

    pub fn watches(&self, mut stop: watch::Receiver<bool>) {
        tokio::spawn(async move {
            let mut ticks = interval(PERIOD);
            loop {
                tokio::select! {
                    _ = stop.changed() => { break; }
                    _ = ticks.tick() => {}
                }
            }
        });
    }
}

pub async fn waits_for_one_that_never_ends(counted: Arc<AtomicU64>) {
    tokio::spawn(announced(counted)); //~ task-leak
}

pub fn of_a_plain_function(counted: Arc<AtomicU64>) {
    tokio::spawn(count(counted)); //~ task-leak note
}

pub struct Forgetful {
    _task: JoinHandle<()>,
}

impl Forgetful {
    pub fn start(counted: Arc<AtomicU64>) -> Forgetful {
        Forgetful { _task: tokio::spawn(count(counted)) } //~ task-leak
    }
}

pub struct Asked {
    task: JoinHandle<()>,
}

impl Asked {
    pub fn start(counted: Arc<AtomicU64>) -> Asked {
        let task = tokio::spawn(count(counted)); //~ task-leak
        Asked { task }
    }
    pub fn goes_on(&self) -> bool {
        !self.task.is_finished()
    }
}

pub struct Careful {
    task: JoinHandle<()>,
}

impl Careful {
    pub fn start(counted: Arc<AtomicU64>) -> Careful {
        Careful { task: tokio::spawn(count(counted)) }
    }
}

impl Drop for Careful {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub async fn aborted_on_success(counted: Arc<AtomicU64>, text: &str) -> Result<u32, std::num::ParseIntError> {
    let task = tokio::spawn(count(counted)); //~ task-leak
    let number = text.parse()?;
    task.abort();
    Ok(number)
}

pub async fn awaited_on_success(counted: Arc<AtomicU64>, wanted: bool) {
    let task = tokio::spawn(count(counted)); //~ task-leak
    if !wanted {
        return;
    }
    task.await.unwrap();
}

pub async fn aborted(counted: Arc<AtomicU64>, text: &str) -> Result<u32, std::num::ParseIntError> {
    let task = tokio::spawn(count(counted));
    let number = text.parse();
    task.abort();
    number
}

pub async fn guarded(counted: Arc<AtomicU64>, text: &str) -> Result<u32, std::num::ParseIntError> {
    let _task = Careful { task: tokio::spawn(count(counted)) };
    text.parse()
}

pub async fn in_a_set(counted: Arc<AtomicU64>) {
    let mut set = JoinSet::new();
    set.spawn(count(counted));
    set.join_next().await;
}

pub fn can_be_aborted(counted: Arc<AtomicU64>) -> AbortHandle {
    tokio::spawn(count(counted)).abort_handle()
}

pub async fn ends_with_its_channel(mut numbers: mpsc::Receiver<u32>) {
    tokio::spawn(async move {
        while let Some(number) = numbers.recv().await {
            println!("{number}");
        }
    });
}

pub async fn panics_with_its_channel(mut numbers: mpsc::Receiver<u32>) {
    tokio::spawn(async move {
        loop {
            println!("{}", numbers.recv().await.unwrap());
        }
    });
}

pub struct Unstoppable {
    _task: AbortHandle,
}

impl Unstoppable {
    pub fn start() -> Unstoppable {
        let task = tokio::spawn(async { //~ task-leak warning
            loop {
                sleep(PERIOD).await;
            }
        });
        Unstoppable { _task: task.abort_handle() }
    }
}

pub struct Stoppable {
    task: AbortHandle,
}

impl Stoppable {
    pub fn start() -> Stoppable {
        let task = tokio::spawn(async {
            loop {
                sleep(PERIOD).await;
            }
        });
        Stoppable { task: task.abort_handle() }
    }
}

impl Drop for Stoppable {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub async fn ends_the_process() {
    tokio::spawn(async move {
        sleep(PERIOD).await;
        std::process::exit(1)
    });
}

pub async fn ends_soon() {
    tokio::spawn(async {
        for _ in 0..3 {
            sleep(PERIOD).await;
        }
    });
}

pub fn for_the_process() -> &'static u32 {
    static STARTED: OnceLock<u32> = OnceLock::new();
    STARTED.get_or_init(|| {
        tokio::spawn(async { //~ affinity note
            loop {
                sleep(PERIOD).await;
            }
        });
        1
    })
}

pub async fn main() {
    tokio::spawn(async {
        loop {
            sleep(PERIOD).await;
        }
    });
    sleep(PERIOD).await;
}

pub async fn handle_given_to_select(mut numbers: mpsc::Receiver<u32>) -> u32 {
    let beat = tokio::spawn(async { //~ task-leak warning
        loop {
            sleep(PERIOD).await;
        }
    });
    tokio::select! {
        _ = beat => { 0 }
        number = numbers.recv() => { number.unwrap_or_default() }
    }
}

pub async fn handle_lent_to_select(mut numbers: mpsc::Receiver<u32>) -> u32 {
    let mut beat = tokio::spawn(async {
        loop {
            sleep(PERIOD).await;
        }
    });
    let found = tokio::select! {
        _ = &mut beat => { 0 }
        number = numbers.recv() => { number.unwrap_or_default() }
    };
    beat.abort();
    found
}

pub struct TakenOut {
    task: Option<JoinHandle<()>>,
}

impl TakenOut {
    pub fn start() -> TakenOut {
        let task = tokio::spawn(async { //~ task-leak warning
            loop {
                sleep(PERIOD).await;
            }
        });
        TakenOut { task: Some(task) }
    }
}

impl Drop for TakenOut {
    fn drop(&mut self) {
        if let Some(task) = self.task.take() {
            drop(task);
        }
    }
}

pub struct TakenAndEnded {
    task: Option<JoinHandle<()>>,
}

impl TakenAndEnded {
    pub fn start() -> TakenAndEnded {
        let task = tokio::spawn(async {
            loop {
                sleep(PERIOD).await;
            }
        });
        TakenAndEnded { task: Some(task) }
    }
}

impl Drop for TakenAndEnded {
    fn drop(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }
}

type Boxed = std::pin::Pin<Box<dyn std::future::Future<Output = ()> + Send>>;

pub trait Worker: Send + Sync + 'static {
    fn run(self: std::sync::Arc<Self>) -> Boxed;
}

pub struct Compactor;

impl Worker for Compactor {
    fn run(self: std::sync::Arc<Self>) -> Boxed {
        Box::pin(async {
            loop {
                sleep(PERIOD).await;
            }
        })
    }
}

pub struct Store<W> {
    pub worker: std::sync::Arc<W>,
}

impl<W: Worker> Store<W> {
    pub fn open(worker: std::sync::Arc<W>) -> Store<W> {
        tokio::spawn(worker.clone().run()); //~ task-leak warning
        Store { worker }
    }
}
