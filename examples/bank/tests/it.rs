use std::time::Duration;

use bank::{Bank, Refused};

#[tokio::test]
async fn money_moves() {
    let bank = Bank::open([(1, 100), (2, 0)]);
    assert_eq!(bank.transfer(1, 2, 30).await, Ok(()));
    assert_eq!(bank.transfer(2, 1, 50).await, Err(Refused::Overdrawn(2)));
    assert_eq!((bank.balance(1), bank.balance(2)), (Some(70), Some(30)));
    let auditor = bank.clone();
    assert_eq!(tokio::task::spawn_blocking(move || auditor.audit()).await.unwrap(), (1, 100));
}

#[tokio::test]
async fn later_is_soon_enough() {
    let bank = Bank::open([(1, 100), (2, 0)]);
    bank.transfer_later(1, 2, 30);
    bank.transfer_later(1, 3, 30);
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(bank.balance(2), Some(30));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rates_are_known_to_all() {
    let bank = Bank::open([]);
    let asking = (0..3).map(|_| {
        let bank = bank.clone();
        tokio::spawn(async move { bank.rate().await })
    });
    for asked in asking.collect::<Vec<_>>() {
        assert_eq!(asked.await.unwrap(), 1.25);
    }
}

#[tokio::test]
async fn audits_are_welcome_at_any_time() {
    let bank = Bank::open([(1, 100), (2, 0)]);
    let auditor = bank.clone();
    let audit = tokio::task::spawn_blocking(move || {
        std::thread::sleep(Duration::from_millis(20));
        auditor.audit()
    });
    assert_eq!(bank.transfer(1, 2, 30).await, Ok(()));
    assert_eq!(audit.await.unwrap(), (1, 100));
}
