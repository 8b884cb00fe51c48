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
