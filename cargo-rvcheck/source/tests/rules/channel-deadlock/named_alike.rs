//! Functions of tasks that have the name of a method which others call.

use async_channel as mailboxes;
use tokio::sync::mpsc;

pub enum Page {
    Cover,
    Text(u32),
    Last,
}

async fn dries() {
    tokio::task::yield_now().await;
}

/// A press that puts a cover into its own tray, which others may have filled before it takes the first page.
pub struct Press {
    tray: mpsc::Sender<Page>,
}

pub fn press(room: usize) -> Press {
    let (tray, pages) = mpsc::channel(room);
    tokio::spawn(print(tray.clone(), pages));
    Press { tray }
}

async fn print(tray: mpsc::Sender<Page>, mut pages: mpsc::Receiver<Page>) {
    dries().await;
    let _ = tray.send(Page::Cover).await; //~ channel-deadlock warning
    drop(tray);
    while let Some(page) = pages.recv().await {
        if matches!(page, Page::Last) {
            break;
        }
    }
}

impl Press {
    pub async fn print(&self, text: u32) -> bool {
        self.tray.send(Page::Text(text)).await.is_ok()
    }
}

/// A press whose cover is the first that comes into its tray.
pub struct Binder {
    tray: mailboxes::Sender<u32>,
}

pub async fn binder() -> Binder {
    let (tray, pages) = mailboxes::bounded(2);
    let _ = tray.send(0).await;
    tokio::spawn(bind(pages));
    Binder { tray }
}

async fn bind(pages: mailboxes::Receiver<u32>) {
    while let Ok(page) = pages.recv().await {
        if page == 9 {
            break;
        }
    }
}

impl Binder {
    pub async fn bind(&self, page: u32) -> bool {
        self.tray.send(page).await.is_ok()
    }
}
