//! After a class of bugs seen in futures over a thread or a driver: `poll` looks whether the value is there and then
//! stores the waker, and the value may come in between.
//!
//! The radio thread stores the reading and takes the waker. When it finds none, `Reading` has just looked.
//!
//! expect: lost-wakeup; shown by: schedule

pub mod stuck {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex, OnceLock};
    use std::task::{Context, Poll, Waker};
    use std::thread;
    use std::time::Duration;

    #[derive(Default)]
    struct Slot {
        value: OnceLock<u32>,
        waker: Mutex<Option<Waker>>,
    }

    pub struct Reading(Arc<Slot>);

    impl Future for Reading {
        type Output = u32;

        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
            if let Some(value) = self.0.value.get() {
                return Poll::Ready(*value);
            }
            *self.0.waker.lock().unwrap() = Some(context.waker().clone());
            Poll::Pending
        }
    }

    pub fn read(meter: u32) -> Reading {
        let slot = Arc::<Slot>::default();
        let radio = Arc::clone(&slot);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(5)); // the meter is far away
            radio.value.set(meter * 10).unwrap();
            if let Some(waker) = radio.waker.lock().unwrap().take() {
                waker.wake();
            }
        });
        Reading(slot)
    }

    pub fn bill(meter: u32) {
        let reading = read(meter);
        tokio::spawn(async move {
            let used = reading.await; // stuck here
            println!("{used} units");
        });
    }
}

pub mod fixed {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex, OnceLock};
    use std::task::{Context, Poll, Waker};
    use std::thread;
    use std::time::Duration;

    #[derive(Default)]
    struct Slot {
        value: OnceLock<u32>,
        waker: Mutex<Option<Waker>>,
    }

    pub struct Reading(Arc<Slot>);

    impl Future for Reading {
        type Output = u32;

        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
            *self.0.waker.lock().unwrap() = Some(context.waker().clone());
            match self.0.value.get() {
                Some(value) => Poll::Ready(*value),
                None => Poll::Pending,
            }
        }
    }

    pub fn read(meter: u32) -> Reading {
        let slot = Arc::<Slot>::default();
        let radio = Arc::clone(&slot);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(5)); // the meter is far away
            radio.value.set(meter * 10).unwrap();
            if let Some(waker) = radio.waker.lock().unwrap().take() {
                waker.wake();
            }
        });
        Reading(slot)
    }

    pub fn bill(meter: u32) {
        let reading = read(meter);
        tokio::spawn(async move {
            let used = reading.await;
            println!("{used} units");
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_meter_reading() {
        super::stuck::bill(7);
        sleep(Duration::from_millis(20)).await;
    }

    #[tokio::test]
    async fn fixed_meter_reading() {
        super::fixed::bill(7);
        sleep(Duration::from_millis(20)).await;
    }
}
