//! Values that refuse other threads than the one that made them.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

pub struct Canvas {
    painter: ThreadId,
    strokes: Mutex<Vec<u32>>,
    later: Mutex<Sender<u32>>,
}

impl Canvas {
    fn new() -> Canvas {
        let (later, _) = channel();
        Canvas { painter: thread::current().id(), strokes: Mutex::default(), later: Mutex::new(later) }
    }

    fn is_mine(&self) -> bool {
        thread::current().id() == self.painter
    }

    pub fn stroke(&self, at: u32) -> Result<(), String> {
        if !self.is_mine() {
            return Err(format!("{at}"));
        }
        self.strokes.lock().unwrap().push(at);
        Ok(())
    }

    pub fn wipe(&self) {
        assert_eq!(self.painter, thread::current().id());
        self.strokes.lock().unwrap().clear();
    }

    pub fn stroke_or_later(&self, at: u32) {
        if self.is_mine() {
            self.strokes.lock().unwrap().push(at);
        } else {
            self.later.lock().unwrap().send(at).unwrap();
        }
    }

    pub fn count(&self) -> usize {
        self.strokes.lock().unwrap().len()
    }

    fn checked(&self) -> Result<(), String> {
        if self.is_mine() { Ok(()) } else { Err("another thread".to_owned()) }
    }

    /// Asks another of its methods.
    pub fn dot(&self, at: u32) -> Result<(), String> {
        self.checked()?;
        self.strokes.lock().unwrap().push(at);
        Ok(())
    }

    pub fn last(&self) -> Option<u32> {
        (thread::current().id() == self.painter).then(|| self.strokes.lock().unwrap().pop()).flatten()
    }
}

pub struct Studio {
    canvas: Arc<Canvas>,
}

impl Studio {
    pub fn open() -> Studio {
        Studio { canvas: Arc::new(Canvas::new()) }
    }

    fn paint(&self) {
        self.canvas.wipe(); //~ affinity warning
    }

    pub fn by_thread(&self) {
        let canvas = self.canvas.clone();
        thread::spawn(move || {
            let _ = canvas.stroke(1); //~ affinity warning
            canvas.stroke_or_later(2);
            canvas.count()
        });
    }

    pub fn by_method(self: Arc<Self>) {
        tokio::task::spawn_blocking(move || self.paint());
    }

    pub fn by_a_builder(&self) {
        let canvas = Arc::clone(&self.canvas);
        let painting = move || {
            if let Err(error) = canvas.dot(6) { //~ affinity warning
                eprintln!("{error}");
            }
        };
        thread::Builder::new().spawn(painting).unwrap();
    }

    pub fn by_a_scope(&self) -> usize {
        thread::scope(|all| all.spawn(|| self.canvas.last()).join().map_or(0, |it| it.into_iter().count())) //~ affinity warning
    }

    /// Where it is refused, it goes another way.
    pub fn or_later(&self, later: Sender<u32>) {
        let canvas = self.canvas.clone();
        thread::spawn(move || {
            if canvas.dot(7).is_err() { //~ affinity note
                later.send(7).unwrap();
            }
        });
    }

    pub fn on_the_same_thread(&self) {
        let _ = self.canvas.stroke(3);
        let draw = || self.canvas.stroke(4);
        let _ = draw();
    }

    pub fn of_its_own(&self) {
        thread::spawn(|| {
            let canvas = Canvas::new();
            let _ = canvas.stroke(5);
        });
    }
}
