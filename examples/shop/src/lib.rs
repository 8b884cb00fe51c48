//! A shop with a stock, a till and a door. What must be true of it says `specs/shop.toml`.

use std::sync::Arc;

use tokio::sync::{Mutex, Notify, mpsc};

/// There is not enough of it.
#[derive(Debug, PartialEq, Eq)]
pub struct SoldOut;

/// What is delivered to a customer's home.
#[derive(Debug, PartialEq, Eq)]
pub struct Parcel(pub u64);

/// A shop with one good, at 5 a piece.
#[derive(Debug, Default)]
pub struct Shop {
    stock: Mutex<u64>,
    till: Mutex<u64>,
    opening: Notify,
}

impl Shop {
    /// A shop with that many pieces.
    pub fn with(pieces: u64) -> Arc<Shop> {
        Arc::new(Shop { stock: Mutex::new(pieces), ..Shop::default() })
    }

    /// Sells that many pieces, and takes the money for them.
    pub async fn sell(&self, pieces: u64) -> Result<(), SoldOut> {
        let mut stock = self.stock.lock().await;
        *stock = stock.checked_sub(pieces).ok_or(SoldOut)?;
        *self.till.lock().await += 5 * pieces;
        Ok(())
    }

    /// Has that many pieces delivered. They are paid at the door of the customer.
    pub async fn deliver(&self, pieces: u64, van: &mpsc::Sender<Parcel>) -> Result<(), SoldOut> {
        {
            let mut stock = self.stock.lock().await;
            *stock = stock.checked_sub(pieces).ok_or(SoldOut)?;
        }
        van.send(Parcel(pieces)).await.expect("the van is there");
        Ok(())
    }

    /// What is in the till.
    pub async fn takings(&self) -> u64 {
        *self.till.lock().await
    }

    /// Waits before the door until the shop opens.
    pub async fn enter(&self) {
        self.opening.notified().await;
    }

    /// Lets everybody in who waits before the door. It takes a key.
    pub async fn open(&self, key: Option<&str>) {
        tokio::task::yield_now().await;
        assert_eq!(key, Some("right"), "the key does not fit");
        self.opening.notify_waiters();
    }
}
