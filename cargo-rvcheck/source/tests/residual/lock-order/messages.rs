//! A message of a `broadcast` channel is copied and dropped while its place is locked.

use std::sync::Mutex;
use tokio::sync::broadcast::{Receiver, Sender};

pub struct A(u32);
pub struct B(u32);

static COPIES: Mutex<A> = Mutex::new(A(0));

pub struct News(u32);

impl Clone for News {
    fn clone(&self) -> News {
        COPIES.lock().unwrap().0 += 1; //~ lock-order monitored
        News(self.0)
    }
}

pub async fn heard(news: &mut Receiver<News>) -> u32 {
    news.recv().await.map_or(0, |it| it.0)
}

pub fn told(news: &Sender<News>) {
    let guard = COPIES.lock().unwrap(); //~ lock-order monitored
    let _ = news.send(News(guard.0));
}

pub fn told_plainly(news: &Sender<u32>, lock: &Mutex<B>) {
    let guard = lock.lock().unwrap(); //~ lock-order orphan
    let _ = news.send(guard.0);
}

pub struct C(u32);

static RETURNED: Mutex<C> = Mutex::new(C(0));

pub struct Loan(u32);

impl Drop for Loan {
    fn drop(&mut self) {
        RETURNED.lock().unwrap().0 += self.0; //~ lock-order monitored
    }
}

/// Who goes last drops the messages that nobody has heard.
pub fn left(loans: Receiver<Loan>) {
    drop(loans);
}

pub fn lent(loans: &Sender<Loan>) {
    let guard = RETURNED.lock().unwrap(); //~ lock-order monitored
    std::mem::forget(loans.send(Loan(guard.0)));
}
