//! After Matthias247/futures-intrusive#19: futures that were polled again kept the waker of the first poll.
//!
//! A pass is polled once at the entrance and then by the task that admits the visitor; the turnstile wakes the entrance.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Poll, Waker};

    #[derive(Default)]
    struct State {
        turned: bool,
        waker: Option<Waker>,
    }

    pub struct Turnstile(Arc<Mutex<State>>);

    pub struct Pass(Arc<Mutex<State>>);

    impl Future for Pass {
        type Output = ();

        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            let mut state = self.0.lock().unwrap();
            if state.turned {
                return Poll::Ready(());
            }
            state.waker.get_or_insert_with(|| context.waker().clone());
            Poll::Pending
        }
    }

    impl Turnstile {
        pub fn install() -> (Self, Pass) {
            let state = Arc::<Mutex<State>>::default();
            (Turnstile(Arc::clone(&state)), Pass(state))
        }

        pub fn turn(self) {
            let mut state = self.0.lock().unwrap();
            state.turned = true;
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
    }

    pub fn admit(pass: Pass) {
        tokio::spawn(async move {
            pass.await; // stuck here
            println!("admitted");
        });
    }
}

pub mod fixed {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Poll, Waker};

    #[derive(Default)]
    struct State {
        turned: bool,
        waker: Option<Waker>,
    }

    pub struct Turnstile(Arc<Mutex<State>>);

    pub struct Pass(Arc<Mutex<State>>);

    impl Future for Pass {
        type Output = ();

        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            let mut state = self.0.lock().unwrap();
            if state.turned {
                return Poll::Ready(());
            }
            match &mut state.waker {
                Some(waker) => waker.clone_from(context.waker()),
                none => *none = Some(context.waker().clone()),
            }
            Poll::Pending
        }
    }

    impl Turnstile {
        pub fn install() -> (Self, Pass) {
            let state = Arc::<Mutex<State>>::default();
            (Turnstile(Arc::clone(&state)), Pass(state))
        }

        pub fn turn(self) {
            let mut state = self.0.lock().unwrap();
            state.turned = true;
            if let Some(waker) = state.waker.take() {
                waker.wake();
            }
        }
    }

    pub fn admit(pass: Pass) {
        tokio::spawn(async move {
            pass.await;
            println!("admitted");
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::{sleep, timeout};

    #[tokio::test]
    async fn stuck_turnstile() {
        let (turnstile, mut pass) = super::stuck::Turnstile::install();
        assert!(timeout(Duration::from_millis(5), &mut pass).await.is_err());
        super::stuck::admit(pass);
        sleep(Duration::from_millis(5)).await;
        turnstile.turn();
        sleep(Duration::from_millis(5)).await;
    }

    #[tokio::test]
    async fn fixed_turnstile() {
        let (turnstile, mut pass) = super::fixed::Turnstile::install();
        assert!(timeout(Duration::from_millis(5), &mut pass).await.is_err());
        super::fixed::admit(pass);
        sleep(Duration::from_millis(5)).await;
        turnstile.turn();
        sleep(Duration::from_millis(5)).await;
    }
}
