//! Without the standard library, but with the heap.

#![no_std]
#![deny(warnings)]
#![forbid(unsafe_code)]

extern crate alloc;

use alloc::boxed::Box;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};

/// A future that is ready when it was asked often enough.
pub struct After(pub u32);

impl Future for After {
    type Output = &'static str;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<&'static str> {
        if self.0 == 0 {
            return Poll::Ready(file!());
        }
        self.0 -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Waits twice.
pub async fn twice(times: u32) -> &'static str {
    After(times).await;
    let boxed: Pin<Box<dyn Future<Output = &'static str> + Send>> = Box::pin(After(times));
    boxed.await
}

#[cfg(feature = "list")]
/// Several.
pub fn several() -> alloc::vec::Vec<After> {
    alloc::vec![After(1), After(2)]
}
