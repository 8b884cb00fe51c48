//! Two that pass messages on to each other, with little room between them.

use tokio::sync::mpsc::{Receiver, Sender};

pub enum Page {
    Raw(u32),
    Proofread(u32),
}

/// Gives raw pages to the reader, and prints those that it gives back. How many.
pub async fn print(mut desk: Receiver<Page>, reader: Sender<u32>, count: u32) -> u32 {
    let mut printed = 0;
    while printed < count {
        match desk.recv().await {
            Some(Page::Raw(page)) => reader.send(page).await.unwrap(), // print: gives
            Some(Page::Proofread(_)) => printed += 1,
            None => break,
        }
    }
    printed
}

/// Gives each page back.
pub async fn read(mut pages: Receiver<u32>, desk: Sender<Page>) {
    while let Some(page) = pages.recv().await {
        if desk.send(Page::Proofread(page)).await.is_err() { // read: gives back
            break;
        }
    }
}
