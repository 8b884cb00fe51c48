//! After ProtonMail/gluon#346: the wait group was told `Done` at the end of the goroutine instead of by `defer`, so a
//! panic on the way left `Wait` waiting forever.
//!
//! One photo cannot be decoded; its thread panics before it counts itself out, and the summary never comes.
//!
//! expect: partial-deadlock, also lost-wakeup, also task-leak; shown by: run

pub mod stuck {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    #[derive(Default)]
    pub struct Import {
        open: Mutex<usize>,
        changed: Condvar,
    }

    fn decode(photo: &str) -> usize {
        photo.strip_suffix(".jpg").expect("a photo").len()
    }

    impl Import {
        pub fn run(self: &Arc<Self>, photos: &'static [&'static str]) {
            *self.open.lock().unwrap() = photos.len();
            for photo in photos {
                let import = Arc::clone(self);
                thread::spawn(move || {
                    decode(photo);
                    *import.open.lock().unwrap() -= 1;
                    import.changed.notify_all();
                });
            }
            let import = Arc::clone(self);
            thread::spawn(move || {
                let mut open = import.open.lock().unwrap();
                while *open > 0 {
                    open = import.changed.wait(open).unwrap(); // stuck here
                }
                println!("imported");
            });
        }
    }
}

pub mod fixed {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    #[derive(Default)]
    pub struct Import {
        open: Mutex<usize>,
        changed: Condvar,
    }

    /// Counts its photo out, also when the thread panics.
    struct Turn(Arc<Import>);

    impl Drop for Turn {
        fn drop(&mut self) {
            *self.0.open.lock().unwrap() -= 1;
            self.0.changed.notify_all();
        }
    }

    fn decode(photo: &str) -> usize {
        photo.strip_suffix(".jpg").expect("a photo").len()
    }

    impl Import {
        pub fn run(self: &Arc<Self>, photos: &'static [&'static str]) {
            *self.open.lock().unwrap() = photos.len();
            for photo in photos {
                let turn = Turn(Arc::clone(self));
                thread::spawn(move || {
                    let _turn = turn;
                    decode(photo);
                });
            }
            let import = Arc::clone(self);
            thread::spawn(move || {
                let mut open = import.open.lock().unwrap();
                while *open > 0 {
                    open = import.changed.wait(open).unwrap();
                }
                println!("imported");
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    const PHOTOS: &[&str] = &["beach.jpg", "notes.txt", "pier.jpg"];

    #[test]
    fn stuck_photo_import() {
        Arc::new(super::stuck::Import::default()).run(PHOTOS);
    }

    #[test]
    fn fixed_photo_import() {
        Arc::new(super::fixed::Import::default()).run(PHOTOS);
    }
}
