//! Timers, as programs use them. Prints the same with the real crate and with the shim, recorded or not.

use std::future::{pending, ready, Future};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::{interval, interval_at, sleep, sleep_until, timeout, timeout_at, Instant, Interval, Sleep, Timeout};

const SHORT: Duration = Duration::from_millis(2);
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    std::panic::set_hook(Box::new(|info| println!("{}", info.location().unwrap().line())));
    println!("{}", std::panic::catch_unwind(|| drop(interval(Duration::ZERO))).is_err());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        sleeps().await;
        limits().await;
        turns().await;
    });
    fn sent<T: Send + Sync>() -> &'static str {
        "sent"
    }
    fn unpinned<T: Unpin>() -> &'static str {
        "unpinned"
    }
    println!("{} {} {}", sent::<Sleep>(), sent::<Timeout<u8>>(), sent::<Interval>());
    println!("{}", unpinned::<Interval>());
}

fn polled(future: std::pin::Pin<&mut impl Future>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

async fn sleeps() {
    sleep(SHORT).await;
    let deadline = Instant::now() + SHORT;
    sleep_until(deadline).await;
    println!("{}", Instant::now() >= deadline);
    let mut nap = pin!(sleep(LONG));
    println!("{} {} {}", polled(nap.as_mut()), nap.is_elapsed(), nap.deadline() > deadline);
    nap.as_mut().reset(deadline);
    println!("{}", nap.deadline() == deadline);
    nap.as_mut().await;
    println!("{}", nap.is_elapsed());
    println!("{}", format!("{:?}", sleep(SHORT)).starts_with("Sleep { deadline: Instant"));
}

async fn limits() {
    println!("{:?} {:?}", timeout(SHORT, ready(1)).await, timeout(SHORT, pending::<u8>()).await);
    println!("{:?}", timeout_at(Instant::now() + SHORT, pending::<u8>()).await.unwrap_err().to_string());
    println!("{:?}", timeout(Duration::MAX, ready(2)).await);
    let mut limit = timeout(LONG, ready(3));
    println!("{:?}", limit.get_ref());
    println!("{:?}", limit.get_mut());
    println!("{:?}", limit.into_inner().await);
    println!("{}", format!("{:?}", timeout(LONG, ready(4))).starts_with("Timeout { value: Ready(Some(4)), delay: "));
    println!("{}", polled(pin!(timeout(LONG, pending::<u8>()))));
}

async fn turns() {
    let mut turns = interval(SHORT);
    let first = turns.tick().await;
    println!("{:?} {:?}", turns.tick().await - first, turns.period());
    println!("{:?}", turns.missed_tick_behavior());
    turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    println!("{:?}", turns.missed_tick_behavior());
    let start = Instant::now() + LONG;
    let mut later = interval_at(start, LONG);
    println!("{}", later.poll_tick(&mut Context::from_waker(Waker::noop())) == Poll::Pending);
    println!("{}", polled(pin!(later.tick())));
    #[cfg(rv_tokio_1_30)]
    {
        later.reset();
        later.reset_after(LONG);
        later.reset_at(start);
        later.reset_immediately();
        println!("{}", later.tick().await < start);
    }
    println!("{}", format!("{later:?}").starts_with("Interval { delay: "));
}
