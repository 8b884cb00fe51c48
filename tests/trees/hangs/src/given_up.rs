//! Waits that something else than the tool knows of can give up.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Blocking};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;
use tokio::sync::{Barrier, Mutex, Semaphore};

/// A timer of its own kind: a thread that sleeps. It keeps the first waker that it sees.
pub struct Delay {
    over: Arc<AtomicBool>,
    duration: Option<Duration>,
}

impl Delay {
    pub fn new(duration: Duration) -> Delay {
        Delay { over: Arc::default(), duration: Some(duration) }
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if let Some(duration) = self.duration.take() {
            let (over, waker) = (Arc::clone(&self.over), context.waker().clone());
            thread::spawn(move || {
                thread::sleep(duration);
                over.store(true, Ordering::Release);
                waker.wake();
            });
        }
        if self.over.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// The first of two futures to be ready.
pub struct Either<A, B>(pub A, pub B);

impl<A: Future + Unpin, B: Future<Output = ()> + Unpin> Future for Either<A, B> {
    type Output = Option<A::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(output) = Pin::new(&mut self.0).poll(context) {
            return Poll::Ready(Some(output));
        }
        Pin::new(&mut self.1).poll(context).map(|()| None)
    }
}

/// A switch that stops what runs under it.
#[derive(Clone, Default)]
pub struct Switch(Arc<Blocking<(bool, Vec<Waker>)>>);

impl Switch {
    pub fn turn_off(&self) {
        let mut state = self.0.lock().unwrap();
        state.0 = true;
        state.1.drain(..).for_each(Waker::wake);
    }

    pub async fn run<F: Future>(&self, future: F) -> Option<F::Output> {
        let mut future = pin!(future);
        std::future::poll_fn(|context| {
            let mut state = self.0.lock().unwrap();
            if state.0 {
                return Poll::Ready(None);
            }
            state.1.push(context.waker().clone());
            drop(state);
            future.as_mut().poll(context).map(Some)
        })
        .await
    }
}

const LONG: Duration = Duration::from_millis(1500);

/// What each of two tasks does when it has its own lock and the other one has the other.
async fn crossed<F, G>(until_given_up: F) -> usize
where
    F: Fn(Arc<Mutex<u32>>) -> G + Send + Sync + 'static,
    G: Future<Output = bool> + Send + 'static,
{
    let locks = [(); 2].map(|()| Arc::new(Mutex::new(0)));
    let ready = Arc::new(Barrier::new(2));
    let until_given_up = Arc::new(until_given_up);
    let tasks = [0, 1].map(|it| {
        let (own, other) = (Arc::clone(&locks[it]), Arc::clone(&locks[1 - it]));
        let (ready, until_given_up) = (Arc::clone(&ready), Arc::clone(&until_given_up));
        tokio::spawn(async move {
            let _held = own.lock().await;
            ready.wait().await;
            until_given_up(other).await
        })
    });
    let mut given_up = 0;
    for task in tasks {
        given_up += usize::from(task.await.unwrap());
    }
    given_up
}

pub async fn pinned_in_select() -> usize {
    crossed(|lock| async move {
        let mut wanted = pin!(lock.lock());
        tokio::select! {
            _ = &mut wanted => false,
            () = Delay::new(LONG) => true,
        }
    })
    .await
}

async fn add(lock: &Mutex<u32>) {
    *lock.lock().await += 1;
}

pub async fn in_a_combinator() -> usize {
    crossed(|lock| async move { Either(Box::pin(add(&lock)), Delay::new(LONG)).await.is_none() }).await
}

pub async fn under_a_switch() -> usize {
    let switch = Switch::default();
    let off = switch.clone();
    let thread = thread::spawn(move || {
        thread::sleep(LONG);
        off.turn_off();
    });
    let given_up = crossed(move |lock| {
        let switch = switch.clone();
        async move { switch.run(add(&lock)).await.is_none() }
    })
    .await;
    thread.join().unwrap();
    given_up
}

/// More permits than there are now; more come from something that is unmonitored, or the request is dropped.
pub async fn seats() -> u32 {
    let seats = Arc::new(Semaphore::new(2));
    let many = {
        let seats = Arc::clone(&seats);
        tokio::spawn(async move { seats.acquire_many(3).await.unwrap().num_permits() })
    };
    let too_many = Either(Box::pin(seats.acquire_many(9)), Delay::new(LONG)).await;
    assert!(too_many.is_none());
    seats.add_permits(1);
    many.await.unwrap() as u32
}

/// Nothing but the locks is left when the delay is over: that is a deadlock like any other.
pub async fn after_a_delay() -> usize {
    crossed(|lock| async move {
        let delayed = async {
            Delay::new(Duration::from_millis(20)).await;
            false
        };
        let late = tokio::select! {
            late = delayed => late,
            () = Delay::new(Duration::from_millis(10)) => true,
        };
        *lock.lock().await += 1; // forever
        late
    })
    .await
}

/// Whoever waits for any of several tasks goes on with the first of them, and then gives back what another one wants.
pub async fn any_of_two() -> usize {
    let lock = Arc::new(Mutex::new(0));
    let held = lock.lock().await;
    let mut set = tokio::task::JoinSet::new();
    let wanted = Arc::clone(&lock);
    set.spawn(async move { *wanted.lock().await += 1 });
    set.spawn(tokio::time::sleep(LONG));
    set.join_next().await.unwrap().unwrap();
    drop(held);
    1 + set.join_all().await.len()
}
