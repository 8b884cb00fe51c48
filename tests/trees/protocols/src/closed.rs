//! A feed, whose handles can be cloned. Any of them can end it.

use tokio::sync::mpsc;

#[derive(Clone)]
pub struct FeedHandle {
    to: mpsc::Sender<Option<String>>,
}

pub fn feed() -> (FeedHandle, mpsc::Receiver<Option<String>>) {
    let (to, news) = mpsc::channel(4);
    (FeedHandle { to }, news)
}

impl FeedHandle {
    pub async fn publish(&self, news: &str) {
        let _ = self.to.send(Some(news.to_owned())).await;
    }

    pub async fn close(&self) {
        let _ = self.to.send(None).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(mut news: mpsc::Receiver<Option<String>>) -> usize {
        let mut count = 0;
        while let Some(Some(_)) = news.recv().await {
            count += 1;
        }
        count
    }

    #[tokio::test]
    async fn each_feed_is_closed_last_and_holds() {
        let (mine, news) = feed();
        let (other, more) = feed();
        mine.clone().publish("one").await;
        mine.close().await;
        other.publish("two").await;
        other.close().await;
        assert_eq!((read(news).await, read(more).await), (1, 1));
    }

    #[tokio::test]
    async fn a_clone_was_closed_before_and_open_while_used_violated() {
        let (mine, news) = feed();
        mine.clone().close().await;
        mine.publish("late").await;
        assert_eq!(read(news).await, 0);
    }
}
