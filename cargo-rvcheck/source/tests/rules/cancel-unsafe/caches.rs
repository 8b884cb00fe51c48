//! A value that is kept for the next ones is no mark that turns them away: they are given it.
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

pub struct Token {
    pub number: u64,
}

pub struct Office {
    kept: Mutex<Option<Arc<Token>>>,
    pause: Duration,
}

impl Office {
    async fn token(&self) -> Arc<Token> {
        let mut kept = self.kept.lock().await;
        if let Some(token) = kept.as_ref() {
            return token.clone();
        }
        let token = Arc::new(Token { number: 1 });
        *kept = Some(token.clone());
        token
    }

    async fn drop_token(&self, old: &Arc<Token>) {
        let mut kept = self.kept.lock().await;
        if kept.as_ref().is_some_and(|it| Arc::ptr_eq(it, old)) {
            *kept = None;
        }
    }

    pub async fn sign(&self, text: &str) -> Option<u64> {
        for _ in 0..3 {
            let token = self.token().await;
            if !text.is_empty() {
                return Some(token.number);
            }
            self.drop_token(&token).await;
            tokio::time::sleep(self.pause).await;
        }
        None
    }
}

/// The same with a mark: whoever finds it is turned away.
pub struct Desk {
    busy_with: Mutex<Option<u64>>,
}

#[derive(Debug)]
pub struct Busy;

impl Desk {
    async fn begin(&self, number: u64) -> Result<(), Busy> {
        let mut busy_with = self.busy_with.lock().await;
        if busy_with.is_some() {
            return Err(Busy);
        }
        *busy_with = Some(number);
        Ok(())
    }

    async fn end(&self) {
        *self.busy_with.lock().await = None;
    }

    pub async fn stamp(&self, number: u64) -> Result<(), Busy> {
        self.begin(number).await?; //~ cancel-unsafe warning
        tokio::time::sleep(Duration::from_millis(10)).await;
        self.end().await;
        Ok(())
    }
}
