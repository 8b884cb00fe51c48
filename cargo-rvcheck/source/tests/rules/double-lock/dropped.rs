//! What is dropped under a lock takes it again, and what is woken under it polls at once.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, RwLock, Weak};
use std::task::{Context, Poll, Wake, Waker};

// What is replaced, taken and popped.
#[derive(Default)]
pub struct Yard {
    bays: Mutex<Bays>,
}
#[derive(Default)]
pub struct Bays {
    front: Option<Truck>,
    queue: VecDeque<Truck>,
    by_plate: HashMap<u32, Truck>,
    left: u32,
}
pub struct Truck {
    yard: Weak<Yard>,
}
impl Drop for Truck {
    fn drop(&mut self) {
        if let Some(yard) = self.yard.upgrade() {
            yard.bays.lock().unwrap().left += 1; //~ double-lock warning
        }
    }
}
impl Yard {
    pub fn a(&self, truck: Truck) {
        self.bays.lock().unwrap().front = Some(truck);
    }
    pub fn b(&self, truck: Truck) {
        let mut bays = self.bays.lock().unwrap();
        let _ = mem::replace(&mut bays.front, Some(truck));
    }
    pub fn c(&self) {
        let mut bays = self.bays.lock().unwrap();
        bays.front.take();
    }
    pub fn d(&self) {
        let mut bays = self.bays.lock().unwrap();
        bays.queue.pop_front();
    }
}

// One by one.
#[derive(Default)]
pub struct Quay {
    berths: parking_lot::Mutex<VecDeque<Boat>>,
}
pub struct Boat {
    quay: Arc<Quay>,
}
impl Drop for Boat {
    fn drop(&mut self) {
        let _ = self.quay.count();
    }
}
impl Quay {
    fn count(&self) -> usize {
        self.berths.lock().len() //~ double-lock warning
    }
    pub fn drain(&self) {
        self.berths.lock().drain(..).for_each(drop);
    }
}

// Behind a trait object.
pub trait Lease: Send + Sync {
    fn id(&self) -> u32;
}
#[derive(Default)]
pub struct Estate {
    leases: RwLock<HashMap<u32, Box<dyn Lease>>>,
}
pub struct Flat {
    estate: Arc<Estate>,
}
impl Lease for Flat {
    fn id(&self) -> u32 {
        3
    }
}
impl Drop for Flat {
    fn drop(&mut self) {
        self.estate.size();
    }
}
impl Estate {
    pub fn let_out(self: &Arc<Self>) {
        let flat = Flat { estate: self.clone() };
        self.leases.write().unwrap().insert(flat.id(), Box::new(flat));
    }
    pub fn evict(&self, id: u32) {
        self.leases.write().unwrap().remove(&id);
    }
    pub fn size(&self) -> usize {
        self.leases.read().unwrap().len() //~ double-lock warning
    }
}

// Behind a handle that may be the last one.
#[derive(Default)]
pub struct Names {
    live: Mutex<HashMap<String, Weak<Name>>>,
}
pub struct Name {
    text: String,
    names: Arc<Names>,
}
impl Drop for Name {
    fn drop(&mut self) {
        self.names.live.lock().unwrap().remove(&self.text); //~ double-lock warning
    }
}
impl Names {
    pub fn bytes(&self) -> usize {
        let live = self.live.lock().unwrap();
        live.values().filter_map(Weak::upgrade).map(|it| it.text.len()).sum()
    }
}
// The same in shards.
pub struct Words {
    shards: Vec<RwLock<HashMap<String, Weak<Word>>>>,
}
pub struct Word {
    text: String,
    words: Weak<Words>,
}
impl Drop for Word {
    fn drop(&mut self) {
        if let Some(words) = self.words.upgrade() {
            words.forget(&self.text);
        }
    }
}
impl Words {
    fn shard(&self, text: &str) -> &RwLock<HashMap<String, Weak<Word>>> {
        &self.shards[text.len() % self.shards.len()]
    }
    fn forget(&self, text: &str) {
        self.shard(text).write().unwrap().remove(text); //~ double-lock warning
    }
    pub fn bytes(&self) -> usize {
        let mut sum = 0;
        for shard in &self.shards {
            let shard = shard.read().unwrap();
            for word in shard.values().filter_map(Weak::upgrade) {
                sum += word.text.len();
            }
        }
        sum
    }
}

// A waker that polls at once.
#[derive(Default)]
pub struct Door {
    state: Arc<Mutex<DoorState>>,
}
#[derive(Default)]
pub struct DoorState {
    open: bool,
    wakers: Vec<Waker>,
}
pub struct Opened {
    state: Arc<Mutex<DoorState>>,
}
impl Door {
    pub fn open(&self) {
        let mut state = self.state.lock().unwrap();
        state.open = true;
        for waker in mem::take(&mut state.wakers) {
            waker.wake();
        }
    }
}
impl Future for Opened {
    type Output = ();
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap(); //~ double-lock warning
        if state.open {
            return Poll::Ready(());
        }
        state.wakers.push(cx.waker().clone());
        Poll::Pending
    }
}
pub struct Inline {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
}
impl Inline {
    pub fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        let task = Arc::new(Inline { future: Mutex::new(Some(Box::pin(future))) });
        task.run();
    }
    fn run(self: &Arc<Self>) {
        let Some(mut future) = self.future.lock().unwrap().take() else { return };
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        if future.as_mut().poll(&mut cx).is_pending() {
            *self.future.lock().unwrap() = Some(future);
        }
    }
}
impl Wake for Inline {
    fn wake(self: Arc<Self>) {
        self.run();
    }
}

// A waker that leaves when it goes.

#[derive(Default)]
pub struct Roster {
    seats: tokio::sync::Mutex<HashMap<u32, Option<Waker>>>,
    desk: parking_lot::Mutex<Option<Waker>>,
}

pub struct Visitor {
    roster: Arc<Roster>,
}

impl Wake for Visitor {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.roster.desk.lock().take(); //~ double-lock warning, double-lock
    }
}

impl Roster {
    pub fn wait(&self, cx: &mut Context<'_>) {
        *self.desk.lock() = Some(cx.waker().clone());
    }

    pub async fn seated(&self) -> usize {
        self.seats.lock().await.len()
    }
}

// The last handle of something may be the one that is kept.
pub struct Kennel {
    leashes: Mutex<Vec<Arc<Leash>>>,
}
pub struct Leash {
    kennel: Weak<Kennel>,
}
impl Drop for Leash {
    fn drop(&mut self) {
        if let Some(kennel) = self.kennel.upgrade() {
            println!("{}", kennel.leashes.lock().unwrap().len()); //~ double-lock warning
        }
    }
}
impl Kennel {
    pub fn shorten(&self) {
        let mut leashes = self.leashes.lock().unwrap();
        leashes.pop();
    }
}
