//! Types and their methods that a macro makes. The `impl` blocks of all of them stand at one place of the source.

use std::sync::Mutex;
use tokio::sync::Notify;

macro_rules! purse {
    ($name:ident) => {
        #[derive(Default)]
        pub struct $name {
            coins: Mutex<u32>,
            earned: Notify,
        }

        impl $name {
            fn earns(&self, price: u32) {
                *self.coins.lock().unwrap() += price;
                self.earned.notify_one();
            }

            fn pays(&self, price: u32) -> bool {
                let mut coins = self.coins.lock().unwrap();
                if *coins < price {
                    return false;
                }
                *coins -= price;
                true
            }
        }
    };
}

purse!(Lender);
purse!(Buyer);

impl Lender {
    pub async fn lends(&self, price: u32) -> bool {
        if !self.pays(price) { //~ cancel-unsafe
            return false;
        }
        self.earned.notified().await;
        self.earns(price);
        true
    }
}

impl Buyer {
    pub async fn buys(&self, price: u32) -> bool {
        if self.pays(price) {
            return true;
        }
        self.earned.notified().await;
        self.earns(price);
        false
    }
}

pub async fn trades(lender: &Lender, buyer: &Buyer) -> bool {
    let second = std::time::Duration::from_secs(1);
    let lent = tokio::time::timeout(second, lender.lends(1)).await.is_ok();
    tokio::time::timeout(second, buyer.buys(1)).await.is_ok() && lent
}
