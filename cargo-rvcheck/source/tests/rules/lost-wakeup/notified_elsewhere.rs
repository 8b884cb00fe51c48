//! Changes after which nobody has to be told, or somebody is, far away.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread::{self, Thread};

// A stack of which each machine has two: what is put into one says nothing of the other.
#[derive(Default)]
struct Stack {
    top: Option<usize>,
}
impl Stack {
    fn put(&mut self, sheet: usize) {
        self.top = Some(sheet);
    }
}
#[derive(Default)]
struct Trays {
    blank: Stack,
    done: Stack,
    reader: Option<Waker>,
}
#[derive(Default)]
pub struct Copier {
    trays: Mutex<Trays>,
}
impl Copier {
    pub fn poll_copy(&self, cx: &mut Context<'_>) -> Poll<usize> {
        let mut trays = self.trays.lock().unwrap();
        if let Some(sheet) = trays.done.top.take() {
            return Poll::Ready(sheet);
        }
        trays.reader = Some(cx.waker().clone());
        Poll::Pending
    }
    pub fn copied(&self, sheet: usize) {
        let mut trays = self.trays.lock().unwrap();
        trays.done.put(sheet);
        if let Some(reader) = trays.reader.take() {
            reader.wake();
        }
    }
    pub fn refill(&self, sheet: usize) {
        let mut trays = self.trays.lock().unwrap();
        trays.blank.put(sheet);
    }
}

// Who has to wait gets the parcel itself: it is put onto the shelf only if nobody waits.
struct Guest {
    thread: Thread,
    parcel: Mutex<Option<u32>>,
}
#[derive(Default)]
struct Counter {
    shelf: VecDeque<u32>,
    guests: VecDeque<Arc<Guest>>,
}
#[derive(Default)]
pub struct PostOffice {
    counter: Mutex<Counter>,
}
impl PostOffice {
    pub fn bring(&self, parcel: u32) {
        let mut counter = self.counter.lock().unwrap();
        if let Some(guest) = counter.guests.pop_front() {
            drop(counter);
            *guest.parcel.lock().unwrap() = Some(parcel);
            guest.thread.unpark();
        } else {
            counter.shelf.push_back(parcel);
        }
    }
    pub fn fetch(&self) -> u32 {
        let mut counter = self.counter.lock().unwrap();
        if let Some(parcel) = counter.shelf.pop_front() {
            return parcel;
        }
        let guest = Arc::new(Guest { thread: thread::current(), parcel: Mutex::new(None) });
        counter.guests.push_back(Arc::clone(&guest));
        drop(counter);
        loop {
            if let Some(parcel) = guest.parcel.lock().unwrap().take() {
                return parcel;
            }
            thread::park();
        }
    }
}

// All who read a page are told by closures within closures, behind more calls than are worth looking at.
#[derive(Default)]
struct Reader {
    waker: Option<Waker>,
}
impl Reader {
    fn tell(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
    fn turn(&mut self) {
        self.tell();
    }
}
#[derive(Default)]
struct Hall {
    fault: Option<String>,
    readers: Vec<Reader>,
    number: usize,
}
impl Hall {
    fn try_each<E>(&mut self, mut of: impl FnMut(&mut Reader) -> Result<(), E>) -> Result<(), E> {
        for reader in &mut self.readers {
            of(reader)?;
        }
        Ok(())
    }
    fn each(&mut self, mut of: impl FnMut(&mut Reader)) {
        let _ = self.try_each(|it| {
            of(it);
            Ok::<(), ()>(())
        });
    }
    fn closes(&mut self, fault: String) {
        self.each(|it| it.turn());
        self.fault = Some(fault);
        self.number += 1;
    }
}
#[derive(Default)]
pub struct Library {
    hall: Mutex<Hall>,
}
impl Library {
    pub fn poll_fault(&self, reader: usize, cx: &mut Context<'_>) -> Poll<String> {
        let mut hall = self.hall.lock().unwrap();
        if let Some(fault) = &hall.fault {
            return Poll::Ready(fault.clone());
        }
        hall.readers[reader].waker = Some(cx.waker().clone());
        Poll::Pending
    }
    pub fn fails(&self, reader: usize) {
        let mut hall = self.hall.lock().unwrap();
        hall.fault = Some("damp".to_owned());
        hall.readers[reader].turn();
    }
    pub fn burns(&self) {
        let mut hall = self.hall.lock().unwrap();
        hall.closes("fire".to_owned()); //~ lost-wakeup note
    }
}

// The waker that is kept is looked at in each poll that has something to wait for.
#[derive(Default)]
pub struct Bell {
    rings_at: Option<u32>,
    kept: Option<(u32, Waker)>,
}
impl Bell {
    pub fn poll_ring(&mut self, now: u32, every: u32, cx: &mut Context<'_>) -> Poll<u32> {
        if let Some(ref mut at) = self.rings_at {
            if now >= *at {
                let rang = *at;
                if let Some(next) = at.checked_add(every) {
                    *at = next;
                    self.kept = Some((next, cx.waker().clone()));
                } else {
                    self.rings_at = None;
                }
                return Poll::Ready(rang);
            }
            match &self.kept {
                None => self.kept = Some((*at, cx.waker().clone())),
                Some((_, waker)) if !waker.will_wake(cx.waker()) => {
                    self.kept = Some((*at, cx.waker().clone()));
                }
                Some(_) => {}
            }
        }
        Poll::Pending
    }
}

// What is polled makes room, so that what is asked after it is true: only who wrote it knows that it always does.
#[derive(Default)]
pub struct Envelope {
    letters: Vec<u8>,
    postman: Postman,
}
#[derive(Default)]
pub struct Postman {
    waker: Option<Waker>,
    is_here: bool,
}
impl Postman {
    fn poll_take(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_here {
            return Poll::Ready(());
        }
        self.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}
impl Envelope {
    fn has_room(&self) -> bool {
        self.letters.len() < 3
    }
    pub fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if !self.has_room() {
            if self.postman.poll_take(cx).is_pending() {
                return Poll::Pending;
            }
            self.letters.clear();
            if !self.has_room() {
                return Poll::Pending;
            }
        }
        Poll::Ready(())
    }
}

// Whoever has the key of the cabin says when it is free again: nothing changes as long as the key is at hand.
struct Cabin {
    taken: AtomicBool,
    queue: Mutex<Vec<Waker>>,
    cleaned: AtomicUsize,
}
pub struct Key(Arc<Cabin>);
impl Drop for Key {
    fn drop(&mut self) {
        let queue: Vec<Waker> = self.0.queue.lock().unwrap().drain(..).collect();
        self.0.taken.store(false, Ordering::Release);
        for waker in queue {
            waker.wake();
        }
    }
}
impl Key {
    fn queues(&self, cx: &Context<'_>) {
        self.0.queue.lock().unwrap().push(cx.waker().clone());
    }
}
pub struct Beach {
    cabin: Arc<Cabin>,
}
impl Beach {
    fn poll_key(&self, cx: &mut Context<'_>) -> Poll<Key> {
        if self.cabin.taken.swap(true, Ordering::Acquire) {
            let mut queue = self.cabin.queue.lock().unwrap();
            if self.cabin.taken.swap(true, Ordering::Acquire) {
                queue.push(cx.waker().clone());
                return Poll::Pending;
            }
        }
        Poll::Ready(Key(Arc::clone(&self.cabin)))
    }
    pub fn poll_clean(&self, cx: &mut Context<'_>) -> Poll<()> {
        let Poll::Ready(key) = self.poll_key(cx) else { return Poll::Pending };
        if self.cabin.cleaned.load(Ordering::Acquire) > 3 {
            return Poll::Ready(());
        }
        key.queues(cx);
        thread::spawn(move || key.0.cleaned.fetch_add(1, Ordering::Release));
        Poll::Pending
    }
}

// The upper bits count visitors, the lowest one says that the door is open.
#[derive(Default)]
pub struct Door {
    word: AtomicUsize,
    porter: Mutex<Option<Waker>>,
}
const OPEN: usize = 1;
const VISITOR: usize = 2;
impl Door {
    pub fn poll_open(&self, cx: &mut Context<'_>) -> Poll<()> {
        *self.porter.lock().unwrap() = Some(cx.waker().clone());
        if self.word.load(Ordering::Acquire) & OPEN != 0 {
            return Poll::Ready(());
        }
        Poll::Pending
    }
    pub fn opens(&self) {
        self.word.fetch_add(OPEN, Ordering::AcqRel);
        if let Some(porter) = self.porter.lock().unwrap().take() {
            porter.wake();
        }
    }
    pub fn announces(&self) {
        self.word.fetch_add(VISITOR, Ordering::AcqRel);
    }
}

// Two types that have one name.
mod day {
    use super::*;

    #[derive(Default)]
    struct Rota {
        next: Option<u32>,
        waker: Option<Waker>,
    }
    #[derive(Default)]
    pub struct Shift {
        rota: Mutex<Rota>,
    }
    impl Shift {
        pub fn poll_next(&self, cx: &mut Context<'_>) -> Poll<u32> {
            let mut rota = self.rota.lock().unwrap();
            if let Some(next) = rota.next.take() {
                return Poll::Ready(next);
            }
            rota.waker = Some(cx.waker().clone());
            Poll::Pending
        }
        pub fn put(&self, next: u32) {
            let mut rota = self.rota.lock().unwrap();
            rota.next = Some(next);
            if let Some(waker) = rota.waker.take() {
                waker.wake();
            }
        }
    }
}
mod night {
    use super::*;

    #[derive(Default)]
    struct Rota {
        next: Option<u32>,
    }
    #[derive(Default)]
    pub struct Watch {
        rota: Mutex<Rota>,
    }
    impl Watch {
        pub fn put(&self, next: u32) {
            let mut rota = self.rota.lock().unwrap();
            rota.next = Some(next);
        }
    }
}
pub use day::Shift;
pub use night::Watch;
