//! Tasks that are started for statics.

use std::sync::{LazyLock, OnceLock};
use tokio::sync::mpsc;

async fn serve(mut requests: mpsc::Receiver<u32>) {
    while let Some(it) = requests.recv().await {
        println!("{it}");
    }
}

static ONCE: OnceLock<mpsc::Sender<u32>> = OnceLock::new();

pub fn once() -> &'static mpsc::Sender<u32> {
    ONCE.get_or_init(|| {
        let (tx, rx) = mpsc::channel(8);
        tokio::spawn(serve(rx)); //~ affinity warning
        tx
    })
}

static LAZY: LazyLock<mpsc::Sender<u32>> = LazyLock::new(|| {
    let (tx, rx) = mpsc::channel(8);
    tokio::task::spawn(serve(rx)); //~ affinity warning
    tx
});

pub async fn lazy() {
    LAZY.send(1).await.unwrap();
}

pub struct Client {
    tx: mpsc::Sender<u32>,
    own: OnceLock<mpsc::Sender<u32>>,
}

impl Client {
    fn new() -> Client {
        let (tx, mut rx) = mpsc::channel(8);
        tokio::spawn(async move { //~ affinity warning
            while let Some(it) = rx.recv().await {
                println!("{it}");
            }
        });
        Client { tx, own: OnceLock::new() }
    }

    /// The client owns what it starts.
    pub fn own(&self) -> &mpsc::Sender<u32> {
        self.own.get_or_init(|| {
            let (tx, rx) = mpsc::channel(8);
            tokio::spawn(serve(rx));
            tx
        })
    }
}

static CLIENT: OnceLock<Client> = OnceLock::new();

pub async fn through_a_function() {
    CLIENT.get_or_init(|| Client::new()).tx.send(1).await.unwrap();
}

static THREAD: OnceLock<mpsc::Sender<u32>> = OnceLock::new();

pub fn a_thread_of_its_own() -> &'static mpsc::Sender<u32> {
    THREAD.get_or_init(|| {
        let (tx, rx) = mpsc::channel(8);
        std::thread::spawn(move || {
            tokio::runtime::Runtime::new().unwrap().block_on(serve(rx));
        });
        tx
    })
}

static RUNTIME: OnceLock<tokio::runtime::Runtime> = OnceLock::new();

pub fn a_runtime_of_its_own() {
    let runtime = RUNTIME.get_or_init(|| tokio::runtime::Runtime::new().unwrap());
    let (_tx, rx) = mpsc::channel(8);
    runtime.spawn(serve(rx));
}

static WARM: OnceLock<u32> = OnceLock::new();

pub fn a_task_that_ends() -> u32 {
    *WARM.get_or_init(|| {
        tokio::spawn(async { tokio::task::yield_now().await });
        1
    })
}
