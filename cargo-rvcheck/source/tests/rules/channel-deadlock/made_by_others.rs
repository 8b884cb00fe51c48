//! Functions that put something into a channel that they have just made, behind others that call them.

use async_channel as mailboxes;
use tokio::sync::mpsc;

/// A press whose cover is the first that comes into its tray.
pub struct Binder {
    tray: mailboxes::Sender<u32>,
}

pub async fn binder() -> Binder {
    begins().await
}

async fn begins() -> Binder {
    let (tray, pages) = mailboxes::bounded(2);
    let _ = tray.send(0).await;
    tokio::spawn(binds(pages));
    Binder { tray }
}

async fn binds(pages: mailboxes::Receiver<u32>) {
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

/// A press whose clerk puts the cover into the tray once others may have filled it.
pub struct Copier {
    tray: mpsc::Sender<u32>,
}

pub fn copier() -> Copier {
    starts()
}

fn starts() -> Copier {
    let (tray, mut pages) = mpsc::channel(2);
    let own = tray.clone();
    tokio::spawn(async move {
        tokio::task::yield_now().await;
        let _ = own.send(0).await; //~ channel-deadlock warning
        drop(own);
        while let Some(page) = pages.recv().await {
            if page == 9 {
                break;
            }
        }
    });
    Copier { tray }
}

impl Copier {
    pub async fn copy(&self, page: u32) -> bool {
        self.tray.send(page).await.is_ok()
    }
}
