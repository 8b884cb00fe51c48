//! Whether a helper did something decides which way its caller goes: only behind what was done can something be left half done.

use std::sync::Mutex;
use tokio::sync::Notify;

#[derive(Debug)]
pub struct Short;

#[derive(Default)]
pub struct Purse {
    coins: Mutex<u32>,
    earned: Notify,
}

impl Purse {
    fn pays(&self, price: u32) -> bool {
        let mut coins = self.coins.lock().unwrap();
        if *coins < price {
            return false;
        }
        *coins -= price;
        true
    }

    fn pays_or_says(&self, price: u32) -> Result<(), Short> {
        if self.pays(price) { Ok(()) } else { Err(Short) }
    }

    fn pays_for(&self, price: u32) -> Option<u32> {
        let mut coins = self.coins.lock().unwrap();
        *coins = coins.checked_sub(price)?;
        Some(price)
    }

    async fn pays_in_turn(&self, price: u32) -> bool {
        tokio::task::yield_now().await;
        self.pays(price)
    }

    fn earns(&self, price: u32) {
        *self.coins.lock().unwrap() += price;
        self.earned.notify_one();
    }

    /// Who pays is through; who does not waits, and earns something.
    pub async fn pays_or_earns(&self, price: u32) -> bool {
        if self.pays(price) {
            return true;
        }
        self.earned.notified().await;
        self.earns(price);
        false
    }

    pub async fn pays_or_earns_by_not(&self, price: u32) -> bool {
        let short = !self.pays(price);
        if short {
            self.earned.notified().await;
            self.earns(price);
        }
        !short
    }

    pub async fn pays_or_earns_by_result(&self, price: u32) -> bool {
        match self.pays_or_says(price) {
            Ok(()) => true,
            Err(Short) => {
                self.earned.notified().await;
                self.earns(price);
                false
            }
        }
    }

    pub async fn pays_or_earns_by_option(&self, price: u32) -> Option<u32> {
        if let Some(paid) = self.pays_for(price) {
            return Some(paid);
        }
        self.earned.notified().await;
        self.earns(price);
        None
    }

    pub async fn pays_or_earns_in_turn(&self, price: u32) -> bool {
        if self.pays_in_turn(price).await {
            return true;
        }
        self.earned.notified().await;
        self.earns(price);
        false
    }
}

/// Those who wait behind what was paid have coins of their own, since what a helper leaves is said once.
#[derive(Default)]
pub struct ByFlag {
    purse: Mutex<u32>,
    earned: Notify,
}

impl ByFlag {
    fn earns(&self, price: u32) {
        *self.purse.lock().unwrap() += price;
        self.earned.notify_one();
    }

    fn pays(&self, price: u32) -> bool {
        let mut coins = self.purse.lock().unwrap();
        if *coins < price {
            return false;
        }
        *coins -= price;
        true
    }

    pub async fn lends(&self, price: u32) -> bool {
        if !self.pays(price) { //~ cancel-unsafe
            return false;
        }
        self.earned.notified().await;
        self.earns(price);
        true
    }
}

#[derive(Default)]
pub struct ByQuestionMark {
    purse: Mutex<u32>,
    earned: Notify,
}

impl ByQuestionMark {
    fn earns(&self, price: u32) {
        *self.purse.lock().unwrap() += price;
        self.earned.notify_one();
    }

    fn pays(&self, price: u32) -> Result<(), Short> {
        let mut coins = self.purse.lock().unwrap();
        if *coins < price {
            return Err(Short);
        }
        *coins -= price;
        Ok(())
    }

    pub async fn lends(&self, price: u32) -> Result<(), Short> {
        self.pays(price)?; //~ cancel-unsafe
        self.earned.notified().await;
        self.earns(price);
        Ok(())
    }
}

#[derive(Default)]
pub struct ByOption {
    purse: Mutex<u32>,
    earned: Notify,
}

impl ByOption {
    fn earns(&self, price: u32) {
        *self.purse.lock().unwrap() += price;
        self.earned.notify_one();
    }

    fn pays(&self, price: u32) -> Option<u32> {
        let mut coins = self.purse.lock().unwrap();
        if *coins < price {
            return None;
        }
        *coins -= price;
        Some(price)
    }

    async fn pays_in_turn(&self, price: u32) -> Option<u32> {
        tokio::task::yield_now().await;
        self.pays(price)
    }

    pub async fn lends(&self, price: u32) {
        if let Some(paid) = self.pays_in_turn(price).await { //~ cancel-unsafe
            self.earned.notified().await;
            self.earns(paid);
        }
    }
}

pub async fn pays(purse: &Purse) -> bool {
    let second = std::time::Duration::from_secs(1);
    let paid = tokio::time::timeout(second, purse.pays_or_earns(1)).await.is_ok();
    let paid = tokio::time::timeout(second, purse.pays_or_earns_by_not(1)).await.is_ok() && paid;
    let paid = tokio::time::timeout(second, purse.pays_or_earns_by_result(1)).await.is_ok() && paid;
    let paid = tokio::time::timeout(second, purse.pays_or_earns_by_option(1)).await.is_ok() && paid;
    tokio::time::timeout(second, purse.pays_or_earns_in_turn(1)).await.is_ok() && paid
}

pub async fn lends(one: &ByFlag, two: &ByQuestionMark, three: &ByOption) -> bool {
    let second = std::time::Duration::from_secs(1);
    let lent = tokio::time::timeout(second, one.lends(1)).await.is_ok();
    let lent = matches!(tokio::time::timeout(second, two.lends(1)).await, Ok(Ok(()))) && lent;
    tokio::time::timeout(second, three.lends(1)).await.is_ok() && lent
}
