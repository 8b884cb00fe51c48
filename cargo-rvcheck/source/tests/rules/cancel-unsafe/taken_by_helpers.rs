//! What functions take and give on to who awaits them, who then waits for something else.

use async_channel::Receiver as Letters;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

async fn weigh(grams: &u32) -> Result<u32, String> {
    tokio::task::yield_now().await;
    Ok(*grams)
}

pub struct Belt {
    parcels: mpsc::Receiver<u32>,
    seen: usize,
    total: u32,
}

impl Belt {
    async fn parcel(&mut self) -> Option<u32> {
        let parcel = self.parcels.recv().await?;
        self.seen += 1;
        Some(parcel)
    }

    async fn weighed(&mut self) -> Result<u32, String> {
        let parcel = self.parcel().await.ok_or("the belt stands still")?;
        let grams = weigh(&parcel).await?;
        self.total += grams;
        Ok(grams)
    }

    pub async fn runs(mut self, mut ticks: tokio::time::Interval) -> u32 {
        loop {
            tokio::select! {
                _ = ticks.tick() => { println!("{}", self.seen); }
                grams = self.weighed() => { if grams.is_err() { return self.total; } } //~ cancel-unsafe warning
            }
        }
    }

    /// Takes in the branch and weighs behind it.
    pub async fn runs_on(mut self, mut ticks: tokio::time::Interval) -> u32 {
        loop {
            tokio::select! {
                _ = ticks.tick() => { println!("{}", self.seen); }
                parcel = self.parcel() => {
                    let Some(parcel) = parcel else { return self.total };
                    self.total += weigh(&parcel).await.unwrap_or(0);
                }
            }
        }
    }
}

trait Source {
    fn take(&self) -> Option<String>;
}

struct Shelf(Arc<Mutex<VecDeque<String>>>);

impl Source for Shelf {
    fn take(&self) -> Option<String> {
        self.0.lock().unwrap().pop_front()
    }
}

async fn lent(shelf: &Shelf, readers: &mpsc::Sender<String>) -> bool {
    match shelf.take() {
        Some(book) => readers.send(book).await.is_ok(),
        None => true,
    }
}

async fn lends(shelf: Shelf, readers: mpsc::Sender<String>, mut ticks: tokio::time::Interval) {
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("open"); }
            fine = lent(&shelf, &readers) => { if !fine { return; } } //~ cancel-unsafe warning
        }
    }
}

/// Puts it back when it goes.
struct Borrowed {
    shelf: Arc<Mutex<VecDeque<String>>>,
    book: Option<String>,
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(book) = self.book.take() {
            self.shelf.lock().unwrap().push_front(book);
        }
    }
}

async fn lent_with_care(shelf: &Shelf, readers: &mpsc::Sender<()>) -> bool {
    let Some(book) = shelf.take() else { return true };
    let mut borrowed = Borrowed { shelf: shelf.0.clone(), book: Some(book) };
    let fine = readers.send(()).await.is_ok();
    println!("{:?}", borrowed.book.take());
    fine
}

async fn lends_with_care(shelf: Shelf, readers: mpsc::Sender<()>, mut ticks: tokio::time::Interval) {
    loop {
        tokio::select! {
            _ = ticks.tick() => { println!("open"); }
            fine = lent_with_care(&shelf, &readers) => { if !fine { return; } }
        }
    }
}

pub fn opens(shelf: VecDeque<String>, readers: mpsc::Sender<String>, others: mpsc::Sender<()>) {
    let books = Arc::new(Mutex::new(shelf));
    tokio::spawn(lends(Shelf(books.clone()), readers, tokio::time::interval(Duration::from_secs(1))));
    tokio::spawn(lends_with_care(Shelf(books), others, tokio::time::interval(Duration::from_secs(1))));
}

#[derive(Default)]
pub struct Page {
    words: Vec<String>,
}

impl Page {
    fn write(&mut self, word: String) {
        self.words.push(word);
    }
    fn tear_off(&mut self) -> Vec<String> {
        std::mem::take(&mut self.words)
    }
    fn is_full(&self) -> bool {
        self.words.len() > 99
    }
}

pub struct Scribe {
    words: Letters<String>,
    page: Page,
}

impl Scribe {
    async fn word(&self) -> Option<String> {
        loop {
            let word = self.words.recv().await.ok()?;
            if !word.is_empty() {
                return Some(word);
            }
        }
    }

    async fn page(&mut self) -> Option<Vec<String>> {
        let mut page = Page::default();
        while !page.is_full() {
            page.write(self.word().await?);
        }
        Some(page.tear_off())
    }

    /// What was written so far is on the page of the scribe.
    async fn kept_page(&mut self) -> Option<Vec<String>> {
        while !self.page.is_full() {
            let word = self.word().await?;
            self.page.write(word);
        }
        Some(self.page.tear_off())
    }

    pub async fn writes(mut self, mut bells: tokio::time::Interval) {
        loop {
            tokio::select! {
                _ = bells.tick() => { println!("ding"); }
                page = self.page() => { //~ cancel-unsafe warning
                    let Some(page) = page else { return };
                    println!("{page:?}");
                }
            }
        }
    }

    pub async fn writes_on(mut self, mut bells: tokio::time::Interval) {
        loop {
            tokio::select! {
                _ = bells.tick() => { println!("ding"); }
                page = self.kept_page() => {
                    let Some(page) = page else { return };
                    println!("{page:?}");
                }
            }
        }
    }
}
