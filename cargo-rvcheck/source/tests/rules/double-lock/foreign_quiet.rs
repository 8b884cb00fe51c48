//! Nothing of what runs under a lock takes that again.

use std::collections::HashMap;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};
use std::task::{Context, Poll, Wake, Waker};

// Handles are cloned and dropped while what is kept stays.

#[derive(Default)]
pub struct Harbour {
    boats: Mutex<HashMap<u32, Arc<Boat>>>,
    left: Mutex<Vec<(String, usize)>>,
}

pub struct Boat {
    harbour: Weak<Harbour>,
    name: String,
}

impl Drop for Boat {
    fn drop(&mut self) {
        if let Some(harbour) = self.harbour.upgrade() {
            let count = harbour.boats.lock().unwrap().len();
            harbour.left.lock().unwrap().push((self.name.clone(), count));
        }
    }
}

impl Harbour {
    pub fn name(&self, of: u32) -> Option<String> {
        let boats = self.boats.lock().unwrap();
        let boat = boats.get(&of).cloned()?;
        Some(boat.name.clone())
    }

    pub fn leave(&self, of: u32) -> bool {
        let boat = self.boats.lock().unwrap().remove(&of);
        boat.is_some()
    }

    pub fn rename(&self, of: u32, boat: Arc<Boat>) -> Option<Arc<Boat>> {
        let mut boats = self.boats.lock().unwrap();
        boats.insert(of, boat)
    }
}

// Wakers are taken out, and woken or dropped when the lock is free.

#[derive(Default)]
pub struct Bell {
    ears: Arc<parking_lot::Mutex<Vec<Waker>>>,
}

pub struct Rung {
    ears: Arc<parking_lot::Mutex<Vec<Waker>>>,
    rung: bool,
}

impl Bell {
    pub fn ring(&self) {
        let ears = mem::take(&mut *self.ears.lock());
        for ear in ears {
            ear.wake();
        }
    }
}

impl Future for Rung {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if mem::replace(&mut self.rung, true) {
            return Poll::Ready(());
        }
        self.ears.lock().push(cx.waker().clone());
        Poll::Pending
    }
}

pub struct Here {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
}

impl Here {
    fn run(self: &Arc<Self>) {
        let taken = self.future.lock().unwrap().take();
        let Some(mut future) = taken else { return };
        let waker = Waker::from(self.clone());
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            *self.future.lock().unwrap() = Some(future);
        }
    }
}

impl Wake for Here {
    fn wake(self: Arc<Self>) {
        self.run();
    }
}

// A part has a way back, and goes it when the lock is free.

pub struct Mill {
    grain: Mutex<Vec<u32>>,
    wheel: Wheel,
}

pub struct Wheel {
    mill: Weak<Mill>,
    turns: Mutex<u32>,
}

impl Wheel {
    fn turn(&self) {
        *self.turns.lock().unwrap() += 1;
    }

    fn grind(&self) {
        if let Some(mill) = self.mill.upgrade() {
            mill.grain.lock().unwrap().clear();
        }
    }
}

impl Mill {
    pub fn work(&self) {
        let grain = self.grain.lock().unwrap();
        if !grain.is_empty() {
            self.wheel.turn();
        }
        drop(grain);
        self.wheel.grind();
    }
}

// A tree, each node with a lock and a way to its parent.

pub struct Twig {
    leaves: Mutex<u32>,
    above: Option<Weak<Twig>>,
}

impl Twig {
    fn grow(&self) {
        *self.leaves.lock().unwrap() += 1;
    }

    pub fn report(&self) {
        let leaves = self.leaves.lock().unwrap();
        if *leaves > 3
            && let Some(above) = self.above.as_ref().and_then(Weak::upgrade)
        {
            above.grow();
        }
    }
}

// The future of a callback is awaited when the lock is free.

#[derive(Default)]
pub struct Tally {
    rows: tokio::sync::Mutex<Vec<u32>>,
}

impl Tally {
    async fn change<F, Fut>(&self, of: F) -> u32
    where
        F: FnOnce(usize) -> Fut,
        Fut: Future<Output = u32>,
    {
        let count = self.rows.lock().await.len();
        let row = of(count).await;
        self.rows.lock().await.push(row);
        row
    }

    async fn total(&self) -> u32 {
        self.rows.lock().await.iter().sum()
    }

    pub async fn append(&self) -> u32 {
        self.change(|count| async move { self.total().await + count as u32 }).await
    }
}

// One thing that is initialised once needs another one.

pub struct Options {
    text: OnceLock<String>,
    parsed: OnceLock<Vec<u32>>,
}

impl Options {
    fn text(&self) -> &str {
        self.text.get_or_init(|| "1,2".to_owned())
    }

    pub fn parsed(&self) -> &[u32] {
        self.parsed.get_or_init(|| self.text().split(',').filter_map(|it| it.parse().ok()).collect())
    }
}

// In shards, what is found is given away, and what is counted is dropped outside.

pub struct Stems {
    shards: Vec<RwLock<HashMap<String, Weak<Stem>>>>,
}

pub struct Stem {
    text: String,
    stems: Weak<Stems>,
}

impl Drop for Stem {
    fn drop(&mut self) {
        if let Some(stems) = self.stems.upgrade() {
            stems.shards[self.text.len() % stems.shards.len()].write().unwrap().remove(&self.text);
        }
    }
}

impl Stems {
    pub fn find(&self, text: &str) -> Option<Arc<Stem>> {
        let shard = self.shards[text.len() % self.shards.len()].read().unwrap();
        shard.get(text).and_then(Weak::upgrade)
    }

    pub fn bytes(&self) -> usize {
        let mut sum = 0;
        for shard in &self.shards {
            let live: Vec<Arc<Stem>> = shard.read().unwrap().values().filter_map(Weak::upgrade).collect();
            sum += live.iter().map(|it| it.text.len()).sum::<usize>();
        }
        sum
    }
}

// Pointers to functions are copied out before they are called.

static SIGNALS: Mutex<Vec<fn(&str)>> = Mutex::new(Vec::new());

pub fn on_signal(of: fn(&str)) {
    SIGNALS.lock().unwrap().push(of);
}

pub fn signal(what: &str) {
    let all = SIGNALS.lock().unwrap().clone();
    for it in all {
        it(what);
    }
}

fn once_more(what: &str) {
    if what == "start" {
        on_signal(|_| {});
    }
}

pub fn begin() {
    on_signal(once_more);
}

// A callback is given what the table is a part of, when the lock is free.

type Reply = Arc<dyn Fn(&Switchboard) + Send + Sync>;

#[derive(Default)]
struct Lines {
    replies: RwLock<HashMap<u32, Reply>>,
}

#[derive(Default)]
pub struct Switchboard {
    lines: Lines,
}

impl Lines {
    fn call(&self, board: &Switchboard, line: u32) {
        let reply = self.replies.read().unwrap().get(&line).cloned();
        if let Some(reply) = reply {
            reply(board);
        }
    }
}

impl Switchboard {
    pub fn dial(&self, line: u32) {
        self.lines.call(self, line);
    }

    pub fn connect(&self, line: u32, reply: Reply) {
        self.lines.replies.write().unwrap().insert(line, reply);
    }
}

pub fn install(board: &Switchboard) {
    board.connect(1, Arc::new(|board| board.connect(2, Arc::new(|_| {}))));
}

// What is put into a map has a key that nobody has.

#[derive(Default)]
pub struct Cloakroom {
    hooks: Mutex<HashMap<u64, Cape>>,
    next: AtomicU64,
    shelf: parking_lot::Mutex<Shelf>,
}

#[derive(Default)]
pub struct Shelf {
    next: u32,
    hats: HashMap<u32, Hat>,
}

pub struct Cape {
    room: Weak<Cloakroom>,
    hook: u64,
}

pub struct Hat {
    room: Arc<Cloakroom>,
}

impl Drop for Cape {
    fn drop(&mut self) {
        if let Some(room) = self.room.upgrade() {
            println!("{} of {}", self.hook, room.hooks.lock().unwrap().len());
        }
    }
}

impl Drop for Hat {
    fn drop(&mut self) {
        println!("{}", self.room.shelf.lock().hats.len());
    }
}

impl Cloakroom {
    pub fn hang(self: &Arc<Self>) -> u64 {
        let hook = self.next.fetch_add(1, Ordering::Relaxed);
        let cape = Cape { room: Arc::downgrade(self), hook };
        self.hooks.lock().unwrap().insert(hook, cape);
        hook
    }

    pub fn lay(self: &Arc<Self>) -> u32 {
        let hat = Hat { room: self.clone() };
        let mut shelf = self.shelf.lock();
        let place = shelf.next;
        shelf.next += 1;
        shelf.hats.insert(place, hat);
        place
    }
}

// What goes has a handle of what has the lock: that is not the last one here, so what is behind it stays.
pub struct Hangar {
    gliders: Mutex<Vec<Arc<Glider>>>,
    #[allow(dead_code)]
    warden: Warden,
}
pub struct Glider {
    #[allow(dead_code)]
    hangar: Arc<Hangar>,
}
pub struct Warden {
    hangar: Weak<Hangar>,
}
impl Drop for Warden {
    fn drop(&mut self) {
        if let Some(hangar) = self.hangar.upgrade() {
            hangar.gliders.lock().unwrap().clear();
        }
    }
}
impl Hangar {
    pub fn scrap(&self) {
        let mut gliders = self.gliders.lock().unwrap();
        gliders.pop();
    }
}
