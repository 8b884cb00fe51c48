//! Permits that are held while what is awaited asks for another one of the same semaphore.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::time::{Duration, sleep, timeout};

pub struct Branch {
    leaves: usize,
    twigs: Vec<Branch>,
}

type Counted<'a> = Pin<Box<dyn Future<Output = usize> + 'a>>;

async fn looks(at: &Branch) -> usize {
    sleep(Duration::from_millis(1)).await;
    at.leaves
}

pub fn counts<'a>(branch: &'a Branch, hands: &'a Semaphore) -> Counted<'a> {
    Box::pin(async move {
        let _hand = hands.acquire().await.unwrap(); //~ semaphore warning
        let mut all = looks(branch).await;
        for twig in &branch.twigs {
            all += counts(twig, hands).await;
        }
        all
    })
}

pub fn counts_after<'a>(branch: &'a Branch, hands: &'a Semaphore) -> Counted<'a> {
    Box::pin(async move {
        let hand = hands.acquire().await.unwrap();
        let mut all = looks(branch).await;
        drop(hand);
        for twig in &branch.twigs {
            all += counts_after(twig, hands).await;
        }
        all
    })
}

pub fn counts_with_others<'a>(branch: &'a Branch, hands: &'a Semaphore) -> Counted<'a> {
    Box::pin(async move {
        let _hand = hands.acquire().await.unwrap();
        let mut all = looks(branch).await;
        for twig in &branch.twigs {
            let more = Semaphore::new(2);
            all += counts_with_others(twig, &more).await;
        }
        all
    })
}

pub fn counts_in_tasks(branch: Arc<Branch>, depth: usize, hands: Arc<Semaphore>) -> Counted<'static> {
    Box::pin(async move {
        let _hand = hands.acquire().await.unwrap(); //~ semaphore warning
        let mut all = looks(&branch).await;
        if depth > 0 {
            let below = tokio::spawn(counts_in_tasks(branch.clone(), depth - 1, hands.clone()));
            all += below.await.unwrap();
        }
        all
    })
}

pub struct Crane {
    hooks: Semaphore,
    spare: Semaphore,
}

impl Crane {
    async fn lowers(&self) -> usize {
        let _hook = self.hooks.acquire().await.unwrap(); //~ semaphore warning
        sleep(Duration::from_millis(1)).await;
        1
    }

    pub async fn lifts(&self) -> usize {
        let _hook = self.hooks.acquire().await.unwrap();
        self.lowers().await
    }

    async fn turns(&self) -> usize {
        let _one = self.spare.acquire().await.unwrap();
        sleep(Duration::from_millis(1)).await;
        1
    }

    pub async fn lifts_and_turns(&self) -> usize {
        let _hook = self.hooks.acquire().await.unwrap();
        self.turns().await
    }

    pub async fn lifts_for_a_while(&self) -> Option<usize> {
        timeout(Duration::from_secs(1), self.turns()).await.ok()
    }
}
