//! After a class of bugs seen in futures with one slot for a waker: two tasks wait for the same thing, and the second one
//! takes the place of the first.
//!
//! Two lorries wait for the ramp. The ramp wakes the one whose waker was stored last.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use std::future::poll_fn;
    use std::sync::{Arc, Mutex};
    use std::task::{Poll, Waker};

    #[derive(Default)]
    pub struct Ramp {
        state: Mutex<(bool, Option<Waker>)>,
    }

    impl Ramp {
        async fn level(&self) {
            let level = poll_fn(|context| {
                let mut state = self.state.lock().unwrap();
                if state.0 {
                    return Poll::Ready(());
                }
                state.1 = Some(context.waker().clone());
                Poll::Pending
            });
            level.await; // stuck here
        }

        pub fn raise(&self) {
            let mut state = self.state.lock().unwrap();
            state.0 = true;
            if let Some(waker) = state.1.take() {
                waker.wake();
            }
        }

        pub fn lorries(self: &Arc<Self>, count: u32) {
            for lorry in 0..count {
                let ramp = Arc::clone(self);
                tokio::spawn(async move {
                    ramp.level().await;
                    println!("lorry {lorry} unloads");
                });
            }
        }
    }
}

pub mod fixed {
    use std::future::poll_fn;
    use std::sync::{Arc, Mutex};
    use std::task::{Poll, Waker};

    #[derive(Default)]
    pub struct Ramp {
        state: Mutex<(bool, Vec<Waker>)>,
    }

    impl Ramp {
        async fn level(&self) {
            let level = poll_fn(|context| {
                let mut state = self.state.lock().unwrap();
                if state.0 {
                    return Poll::Ready(());
                }
                state.1.push(context.waker().clone());
                Poll::Pending
            });
            level.await;
        }

        pub fn raise(&self) {
            let mut state = self.state.lock().unwrap();
            state.0 = true;
            state.1.drain(..).for_each(Waker::wake);
        }

        pub fn lorries(self: &Arc<Self>, count: u32) {
            for lorry in 0..count {
                let ramp = Arc::clone(self);
                tokio::spawn(async move {
                    ramp.level().await;
                    println!("lorry {lorry} unloads");
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_dock_leveller() {
        let ramp = Arc::new(super::stuck::Ramp::default());
        ramp.lorries(2);
        sleep(Duration::from_millis(5)).await;
        ramp.raise();
        sleep(Duration::from_millis(5)).await;
    }

    #[tokio::test]
    async fn fixed_dock_leveller() {
        let ramp = Arc::new(super::fixed::Ramp::default());
        ramp.lorries(2);
        sleep(Duration::from_millis(5)).await;
        ramp.raise();
        sleep(Duration::from_millis(5)).await;
    }
}
