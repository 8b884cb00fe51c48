//! Senders and semaphores that are polled. Prints the same with the real crate and with the shim, recorded or not.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use futures_sink::Sink;
use tokio::sync::{mpsc, Semaphore};
use tokio_util::sync::{PollSemaphore, PollSender};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    senders();
    semaphores();
    fn marked<T: Send + Sync + Unpin>() -> &'static str {
        "marked"
    }
    fn sent<T: Send + Unpin>() -> &'static str {
        "sent"
    }
    println!("{} {}", sent::<PollSender<u8>>(), marked::<PollSemaphore>());
}

fn senders() {
    let context = &mut Context::from_waker(Waker::noop());
    let (sender, mut receiver) = mpsc::channel(1);
    let mut sender = PollSender::new(sender);
    println!("{:?}", sender.poll_reserve(context).map(|it| it.is_ok()));
    println!("{:?} {:?}", sender.send_item(1).is_ok(), sender.poll_reserve(context).is_pending());
    println!("{:?} {:?}", receiver.try_recv(), sender.poll_reserve(context).is_ready());
    println!("{} {}", sender.abort_send(), sender.abort_send());
    println!("{}", catch_unwind(AssertUnwindSafe(|| drop(sender.send_item(2)))).is_err());
    let (sender, mut receiver) = mpsc::channel(2);
    let mut first = PollSender::new(sender);
    println!("{} {:?}", first.is_closed(), first.get_ref().map(|it| it.capacity()));
    let mut second = first.clone();
    println!("{}", Pin::new(&mut second).poll_ready(context).is_ready());
    println!("{}", Pin::new(&mut second).start_send("sink").is_ok());
    println!("{:?}", Pin::new(&mut second).poll_flush(context).is_ready());
    println!("{:?} {}", Pin::new(&mut second).poll_close(context).is_ready(), second.is_closed());
    println!("{:?}", second.send_item("late").unwrap_err().into_inner());
    first.close();
    println!("{:?} {:?}", receiver.try_recv(), receiver.try_recv());
    println!("{}", format!("{first:?}").starts_with("PollSender { sender: None, state: Closed, "));
}

fn semaphores() {
    let context = &mut Context::from_waker(Waker::noop());
    let inner = Arc::new(Semaphore::new(2));
    let mut limit = PollSemaphore::new(inner);
    println!("{limit:?} {}", limit.available_permits());
    let Poll::Ready(Some(one)) = limit.poll_acquire(context) else { panic!("one is free") };
    let two = Pin::new(&mut limit).poll_next(context);
    println!("{} {}", two.is_ready(), limit.poll_acquire(context).is_pending());
    let three = limit.clone().poll_acquire(context);
    println!("{}", three.is_pending());
    drop((one, two, three));
    println!("{}", limit.poll_acquire(context).is_ready());
    limit.add_permits(3);
    println!("{} {}", limit.as_ref().available_permits(), limit.clone_inner().available_permits());
    #[cfg(rv_tokio_util_0_7_5)]
    println!("{}", limit.poll_acquire_many(context, 4).is_ready());
    limit.close();
    println!("{}", limit.poll_acquire(context).map(|it| it.is_none()).is_ready());
    println!("{}", limit.into_inner().available_permits());
}
