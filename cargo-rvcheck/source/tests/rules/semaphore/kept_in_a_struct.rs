//! A permit in a struct that a helper gives, kept while something is awaited that asks for another one of the same semaphore.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

pub struct Printer {
    trays: Arc<Semaphore>,
    width: u32,
}

/// A page on its way; its tray is taken.
pub struct Page {
    _tray: OwnedSemaphorePermit,
    width: u32,
}

impl Printer {
    async fn page(&self) -> Option<Page> {
        let tray = self.trays.clone().acquire_owned().await.ok()?; //~ semaphore
        Some(Page { _tray: tray, width: self.width })
    }

    async fn fill(&self, page: &mut Page, text: &str) -> bool {
        page.width = page.width.saturating_sub(text.len() as u32);
        page.width > 0
    }

    async fn once_more(&self, text: &str) -> bool {
        match self.page().await {
            Some(mut page) => self.fill(&mut page, text).await,
            None => false,
        }
    }

    pub async fn print(&self, text: &str) -> bool {
        let Some(mut page) = self.page().await else { return false };
        if self.fill(&mut page, text).await {
            return true;
        }
        self.once_more(text).await
    }
}

/// The same, where the first page is given back before.
pub struct Careful {
    trays: Arc<Semaphore>,
}

impl Careful {
    async fn page(&self) -> Option<Page> {
        let tray = self.trays.clone().acquire_owned().await.ok()?;
        Some(Page { _tray: tray, width: 3 })
    }

    async fn once_more(&self) -> bool {
        self.page().await.is_some_and(|it| it.width > 0)
    }

    pub async fn print(&self) -> bool {
        let Some(page) = self.page().await else { return false };
        if page.width > 0 {
            return true;
        }
        drop(page);
        self.once_more().await
    }
}

/// Two semaphores, always in one order.
pub struct Ordered {
    trays: Semaphore,
    staplers: Semaphore,
}

pub struct Stapled<'a>(SemaphorePermit<'a>);

impl Ordered {
    async fn stapler(&self) -> Option<Stapled<'_>> {
        self.staplers.acquire().await.ok().map(Stapled)
    }

    pub async fn print(&self) -> bool {
        let Ok(tray) = self.trays.acquire().await else { return false };
        let stapled = self.stapler().await;
        drop(tray);
        stapled.is_some()
    }
}
