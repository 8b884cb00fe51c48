//! Updates in two parts with an await between them, dropped by a `timeout` or `select!`, and ones that look like it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use tokio::time::{Duration, sleep, timeout};

const LIMIT: Duration = Duration::from_millis(20);

pub struct Bank {
    accounts: Mutex<HashMap<u32, i64>>,
    cash: Mutex<i64>,
    safe: Mutex<i64>,
    active: AtomicUsize,
    done: AtomicUsize,
    link: Mutex<Option<String>>,
    spare: Mutex<Vec<String>>,
}

impl Bank {
    fn change(&self, account: u32, by: i64) {
        *self.accounts.lock().unwrap().entry(account).or_insert(0) += by;
    }

    async fn audit(&self) {
        sleep(LIMIT).await;
    }

    async fn opposite_calls(&self, from: u32, to: u32, amount: i64) {
        self.change(from, -amount); //~ cancel-unsafe warning
        self.audit().await;
        self.change(to, amount);
    }

    async fn operators(&self, amount: i64) {
        *self.cash.lock().unwrap() -= amount; //~ cancel-unsafe warning
        self.audit().await;
        *self.safe.lock().unwrap() += amount;
    }

    async fn counts(self: Arc<Self>) {
        self.active.fetch_add(1, SeqCst); //~ cancel-unsafe warning
        self.audit().await;
        self.active.fetch_sub(1, SeqCst);
    }

    async fn inner(&self) {
        self.active.fetch_add(1, SeqCst); //~ cancel-unsafe warning
        self.audit().await;
        self.active.fetch_sub(1, SeqCst);
    }

    async fn through_another(&self) {
        self.inner().await;
    }

    async fn takes_the_link(&self) {
        let link = self.link.lock().unwrap().take(); //~ cancel-unsafe warning
        self.audit().await;
        *self.link.lock().unwrap() = link;
    }

    async fn takes_a_spare(&self) {
        let one = self.spare.lock().unwrap().pop(); //~ cancel-unsafe note
        self.audit().await;
        if let Some(one) = one {
            self.spare.lock().unwrap().push(one);
        }
    }

    async fn never_dropped(&self, amount: i64) {
        *self.cash.lock().unwrap() -= amount;
        self.audit().await;
        *self.safe.lock().unwrap() += amount;
    }

    async fn at_once(&self, from: u32, to: u32, amount: i64) {
        self.audit().await;
        self.change(from, -amount);
        self.change(to, amount);
    }

    async fn counts_each(&self) {
        self.active.fetch_add(1, SeqCst);
        self.audit().await;
        self.done.fetch_add(1, SeqCst);
    }

    async fn other_amounts(&self, from: u32, to: u32, amount: i64, fee: i64) {
        self.change(from, -amount);
        self.audit().await;
        self.change(to, fee);
    }

    async fn put_back_by_a_guard(&self) {
        struct Active<'a>(&'a AtomicUsize);
        impl Drop for Active<'_> {
            fn drop(&mut self) {
                self.0.fetch_sub(1, SeqCst);
            }
        }
        self.active.fetch_add(1, SeqCst);
        let _active = Active(&self.active);
        self.audit().await;
    }

    async fn of_its_own(&self) -> usize {
        let mine = AtomicUsize::new(0);
        mine.fetch_add(1, SeqCst);
        self.audit().await;
        mine.fetch_sub(1, SeqCst)
    }

    async fn keeps_its_future(&self) {
        self.active.fetch_add(1, SeqCst);
        self.audit().await;
        self.active.fetch_sub(1, SeqCst);
    }
}

pub async fn user(bank: Arc<Bank>) {
    let _ = timeout(LIMIT, bank.opposite_calls(1, 2, 3)).await;
    let _ = timeout(LIMIT, bank.operators(3)).await;
    let _ = timeout(LIMIT, bank.clone().counts()).await;
    let _ = timeout(LIMIT, bank.takes_the_link()).await;
    let _ = timeout(LIMIT, bank.takes_a_spare()).await;
    let _ = timeout(LIMIT, bank.at_once(1, 2, 3)).await;
    let _ = timeout(LIMIT, bank.counts_each()).await;
    let _ = timeout(LIMIT, bank.other_amounts(1, 2, 3, 4)).await;
    let _ = timeout(LIMIT, bank.put_back_by_a_guard()).await;
    let _ = timeout(LIMIT, bank.of_its_own()).await;
    bank.never_dropped(3).await;
    tokio::select! {
        _ = bank.through_another() => {}
        _ = sleep(LIMIT) => {}
    }
    let kept = bank.keeps_its_future();
    tokio::pin!(kept);
    let _ = timeout(LIMIT, &mut kept).await;
    kept.await;
}
