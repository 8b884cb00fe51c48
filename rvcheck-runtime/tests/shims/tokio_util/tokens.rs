//! Cancellation tokens, as programs use them. Prints the same with the real crate and with the shim, recorded or not.

use std::future::{pending, ready, Future};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFuture};

fn main() {
    let token = CancellationToken::new();
    println!("{token:?} {:?} {}", CancellationToken::default(), token.is_cancelled());
    let child = token.child_token();
    let grandchild = child.clone().child_token();
    let mut waiting = pin!(grandchild.cancelled());
    println!("{waiting:?} {}", polled(waiting.as_mut()));
    child.cancel();
    println!("{} {} {}", polled(waiting), token.is_cancelled(), child.is_cancelled());
    println!("{}", polled(pin!(child.cancelled())));
    child.cancel();
    println!("{} {}", child.child_token().is_cancelled(), token.child_token().is_cancelled());

    let guard = token.clone().drop_guard();
    println!("{guard:?}");
    println!("{:?}", guard.disarm());
    drop(token.clone().drop_guard());
    println!("{token:?}");

    println!("{} {}", marks::<CancellationToken>(), sent::<DropGuard>());
    println!("{}", sent_on::<WaitForCancellationFuture<'_>>());
    #[cfg(rv_tokio_util_0_7_5)]
    owned();
    #[cfg(rv_tokio_util_0_7_12)]
    until();
    #[cfg(rv_tokio_util_0_7_19)]
    newest();
}

fn polled(future: std::pin::Pin<&mut impl Future>) -> bool {
    future.poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

#[cfg(rv_tokio_util_0_7_5)]
fn marks<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>() -> &'static str {
    "marked"
}
#[cfg(not(rv_tokio_util_0_7_5))]
fn marks<T: Send + Sync + Unpin>() -> &'static str {
    "marked"
}

fn sent_on<T: Send>() -> &'static str {
    "sent on"
}

fn sent<T: Send + Sync>() -> &'static str {
    "sent"
}

#[cfg(rv_tokio_util_0_7_5)]
fn owned() {
    let token = CancellationToken::new();
    let mut waiting = Box::pin(token.clone().cancelled_owned());
    println!("{waiting:?} {}", polled(waiting.as_mut()));
    token.cancel();
    drop(token);
    println!("{}", polled(waiting.as_mut()));
}

#[cfg(rv_tokio_util_0_7_12)]
fn until() {
    let token = CancellationToken::new();
    let value = |future: &mut dyn FnMut() -> Poll<Option<u8>>| format!("{:?}", future());
    let mut waiting = Box::pin(token.run_until_cancelled(pending()));
    let mut poll = || waiting.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    println!("{}", value(&mut poll));
    token.cancel();
    println!("{}", value(&mut poll));
    println!("{}", polled(pin!(token.run_until_cancelled(ready(1)))));
    #[cfg(rv_tokio_util_0_7_14)]
    {
        let mut owned = Box::pin(CancellationToken::new().run_until_cancelled_owned(ready(2)));
        println!("{:?}", owned.as_mut().poll(&mut Context::from_waker(Waker::noop())));
    }
}

#[cfg(rv_tokio_util_0_7_19)]
fn newest() {
    use std::collections::HashSet;
    use tokio_util::future::FutureExt;
    use tokio_util::sync::DropGuardRef;

    let token = CancellationToken::new();
    println!("{} {}", token == token.clone(), token == token.child_token());
    println!("{}", HashSet::from([token.clone(), token.clone(), token.child_token()]).len());
    let guard: DropGuardRef<'_> = token.drop_guard_ref();
    println!("{guard:?} {:?}", guard.token());
    println!("{:?}", guard.disarm());
    println!("{:?}", token.clone().drop_guard().token());
    println!("{:?}", CancellationToken::new().drop_guard_ref().token());

    let open = CancellationToken::new();
    println!("{}", polled(pin!(ready(1).with_cancellation_token(&token))));
    println!("{}", polled(pin!(ready(1).with_cancellation_token_owned(open.clone()))));
    let mut waiting = pin!(pending::<u8>().with_cancellation_token(&open));
    println!("{}", polled(waiting.as_mut()));
    open.cancel();
    println!("{}", polled(waiting));
    fn is_sent(_: impl Send) {}
    is_sent(pending::<u8>().with_cancellation_token_owned(open.clone()));
}
