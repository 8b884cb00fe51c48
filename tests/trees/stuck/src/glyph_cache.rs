//! After the rule that rust-lang/rust-clippy#6314 asks a lint for: a future that returns `Pending` must keep the waker.
//!
//! `Glyph` looks into the cache and answers `Pending` when the glyph is not there; `insert` has nobody to wake.
//!
//! expect: lost-wakeup, also partial-deadlock; shown by: run

pub mod stuck {
    use std::collections::HashMap;
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Poll};

    #[derive(Default)]
    pub struct Cache {
        glyphs: Mutex<HashMap<char, u32>>,
    }

    pub struct Glyph {
        cache: Arc<Cache>,
        letter: char,
    }

    impl Future for Glyph {
        type Output = u32;

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
            match self.cache.glyphs.lock().unwrap().get(&self.letter) {
                Some(glyph) => Poll::Ready(*glyph),
                None => Poll::Pending,
            }
        }
    }

    impl Cache {
        pub fn glyph(self: &Arc<Self>, letter: char) -> Glyph {
            Glyph { cache: Arc::clone(self), letter }
        }

        pub fn insert(&self, letter: char, glyph: u32) {
            self.glyphs.lock().unwrap().insert(letter, glyph);
        }

        pub fn draw(self: &Arc<Self>, letter: char) {
            let glyph = self.glyph(letter);
            tokio::spawn(async move {
                let glyph = glyph.await; // stuck here
                println!("{glyph}");
            });
        }
    }
}

pub mod fixed {
    use std::collections::HashMap;
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Poll, Waker};

    #[derive(Default)]
    pub struct Cache {
        state: Mutex<(HashMap<char, u32>, Vec<Waker>)>,
    }

    pub struct Glyph {
        cache: Arc<Cache>,
        letter: char,
    }

    impl Future for Glyph {
        type Output = u32;

        fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
            let mut state = self.cache.state.lock().unwrap();
            match state.0.get(&self.letter) {
                Some(glyph) => Poll::Ready(*glyph),
                None => {
                    state.1.push(context.waker().clone());
                    Poll::Pending
                }
            }
        }
    }

    impl Cache {
        pub fn glyph(self: &Arc<Self>, letter: char) -> Glyph {
            Glyph { cache: Arc::clone(self), letter }
        }

        pub fn insert(&self, letter: char, glyph: u32) {
            let mut state = self.state.lock().unwrap();
            state.0.insert(letter, glyph);
            let waiting = std::mem::take(&mut state.1);
            drop(state);
            waiting.into_iter().for_each(Waker::wake);
        }

        pub fn draw(self: &Arc<Self>, letter: char) {
            let glyph = self.glyph(letter);
            tokio::spawn(async move {
                let glyph = glyph.await;
                println!("{glyph}");
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_glyph_cache() {
        let cache = Arc::new(super::stuck::Cache::default());
        cache.draw('g');
        sleep(Duration::from_millis(5)).await;
        cache.insert('g', 103);
        sleep(Duration::from_millis(5)).await;
    }

    #[tokio::test]
    async fn fixed_glyph_cache() {
        let cache = Arc::new(super::fixed::Cache::default());
        cache.draw('g');
        sleep(Duration::from_millis(5)).await;
        cache.insert('g', 103);
        sleep(Duration::from_millis(5)).await;
    }
}
