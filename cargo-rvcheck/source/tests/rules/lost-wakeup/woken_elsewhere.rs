//! Wakers that are kept, and woken in one way or another.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

struct Note {
    text: Option<String>,
    reader: Option<Waker>,
}

/// A scribe who takes the waker out and wakes it behind the lock.
pub struct Scribe(Arc<Mutex<Note>>);
pub struct Letter(Arc<Mutex<Note>>);

pub fn study() -> (Scribe, Letter) {
    let note = Arc::new(Mutex::new(Note { text: None, reader: None }));
    (Scribe(note.clone()), Letter(note))
}

fn calls(reader: Option<Waker>) {
    reader.into_iter().for_each(Waker::wake);
}

impl Scribe {
    pub fn writes(self, text: String) {
        let reader = {
            let mut note = self.0.lock().unwrap();
            note.text = Some(text);
            note.reader.take()
        };
        calls(reader);
    }
}

impl Future for Letter {
    type Output = String;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
        let mut note = self.0.lock().unwrap();
        if let Some(text) = note.text.take() {
            return Poll::Ready(text);
        }
        note.reader = Some(cx.waker().clone());
        Poll::Pending
    }
}

struct Page {
    word: Option<String>,
    readers: Readers,
}

/// Those who read, as a whole.
#[derive(Default)]
struct Readers {
    first: Option<Waker>,
}

impl Readers {
    fn leave(self) {
        drop(self.first.map(Waker::wake));
    }
}

/// A printer who lets all of them go.
pub struct Printer(Arc<Mutex<Page>>);
pub struct Word(Arc<Mutex<Page>>);

pub fn press() -> (Printer, Word) {
    let page = Arc::new(Mutex::new(Page { word: None, readers: Readers::default() }));
    (Printer(page.clone()), Word(page))
}

impl Printer {
    pub fn prints(self, word: String) {
        let mut page = self.0.lock().unwrap();
        page.word = Some(word);
        let readers = std::mem::take(&mut page.readers);
        drop(page);
        readers.leave();
    }
}

impl Future for Word {
    type Output = String;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<String> {
        let mut page = self.0.lock().unwrap();
        if let Some(word) = page.word.take() {
            return Poll::Ready(word);
        }
        page.readers.first = Some(cx.waker().clone());
        Poll::Pending
    }
}
