//! After a class of bugs seen in recursive crawlers (lycheeverse/lychee#489 bounded its recursion by a semaphore and
//! still locked up): the permit for a page is kept while the pages below it are visited.
//!
//! Two permits are enough for a page and one below it. The page on the third level waits for those above it.
//!
//! expect: semaphore, also partial-deadlock; shown by: run

pub mod stuck {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    pub struct Crawler {
        connections: Semaphore,
    }

    impl Crawler {
        pub fn new(connections: usize) -> Arc<Self> {
            Arc::new(Crawler { connections: Semaphore::new(connections) })
        }

        fn visit(self: Arc<Self>, path: String) -> Pin<Box<dyn Future<Output = usize> + Send>> {
            Box::pin(async move {
                let _connection = self.connections.acquire().await.unwrap(); // stuck here
                match path.split_once('/') {
                    Some((page, below)) => page.len() + Arc::clone(&self).visit(below.into()).await,
                    None => path.len(),
                }
            })
        }

        pub fn crawl(self: &Arc<Self>, path: &str) {
            let visit = Arc::clone(self).visit(path.into());
            tokio::spawn(async move { println!("{} bytes", visit.await) });
        }
    }
}

pub mod fixed {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    pub struct Crawler {
        connections: Semaphore,
    }

    impl Crawler {
        pub fn new(connections: usize) -> Arc<Self> {
            Arc::new(Crawler { connections: Semaphore::new(connections) })
        }

        fn visit(self: Arc<Self>, path: String) -> Pin<Box<dyn Future<Output = usize> + Send>> {
            Box::pin(async move {
                let connection = self.connections.acquire().await.unwrap();
                let (page, below) = path.split_once('/').unwrap_or((&path, ""));
                let bytes = page.len();
                drop(connection);
                if below.is_empty() { bytes } else { bytes + Arc::clone(&self).visit(below.into()).await }
            })
        }

        pub fn crawl(self: &Arc<Self>, path: &str) {
            let visit = Arc::clone(self).visit(path.into());
            tokio::spawn(async move { println!("{} bytes", visit.await) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use tokio::time::sleep;

    #[tokio::test]
    async fn stuck_crawler_depth() {
        super::stuck::Crawler::new(2).crawl("home/news/today");
        sleep(Duration::from_millis(10)).await;
    }

    #[tokio::test]
    async fn fixed_crawler_depth() {
        super::fixed::Crawler::new(2).crawl("home/news/today");
        sleep(Duration::from_millis(10)).await;
    }
}
