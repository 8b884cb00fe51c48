//! What is proved needs no monitoring, and the audit agrees.

use rvcheck_tests::{Fixture, Run};
use std::collections::BTreeMap;

const LIBRARY: &str = r"use std::sync::Mutex;

pub struct Account(pub u32);
pub struct Book(pub Vec<u32>);

pub struct Bank {
    pub account: Mutex<Account>,
    pub book: Mutex<Book>,
}

impl Bank {
    pub fn pay(&self, amount: u32) {
        let mut account = self.account.lock().unwrap();
        account.0 += amount;
        self.book.lock().unwrap().0.push(amount);
    }

    pub async fn pay_later(&self, amount: u32) {
        self.pay(amount);
        tokio::task::yield_now().await;
    }
}
";

const TEST: &str = r"use sample::{Account, Bank, Book};
use std::sync::Mutex;

#[tokio::test]
async fn pays() {
    let bank = Bank { account: Mutex::new(Account(0)), book: Mutex::new(Book(Vec::new())) };
    bank.pay_later(3).await;
}
";

/// By property: its verdict, and how many of its places are proved.
fn verdicts(run: &Run) -> BTreeMap<String, (String, u64)> {
    let rows = run.report()["properties"].as_array().expect("there are properties");
    let text = |it: &serde_json::Value| it.as_str().unwrap_or_default().to_owned();
    rows.iter()
        .map(|it| {
            (text(&it["id"]), (text(&it["verdict"]), it["sites"]["proved"].as_u64().unwrap_or_default()))
        })
        .collect()
}

#[test]
fn what_no_run_can_break_is_proved_and_an_audit_finds_nothing_against_it() {
    let sample = Fixture::sample(&[("src/lib.rs", LIBRARY), ("tests/it.rs", TEST)]);
    let run = sample.test(&[]).expect(0);
    let relying = verdicts(&run);
    for id in ["guard-across-await", "lock-order", "double-lock"] {
        assert_eq!(relying[id].0, "proved", "{id}: {relying:?}");
        assert!(relying[id].1 >= 2, "{id}: {relying:?}");
    }
    assert_eq!(relying["semaphore"], ("proved".to_owned(), 0));
    assert!(run.human().contains("  proved         lock-order"), "{}", run.human());
    assert_eq!(verdicts(&sample.test(&["--audit"]).expect(0)), relying);
}

#[test]
fn what_is_broken_is_not_proved_and_an_audit_finds_nothing_against_the_rest() {
    let run = Fixture::example("bank").test(&["--audit"]).expect(10);
    let verdicts = verdicts(&run);
    assert_eq!(verdicts["lock-order"].0, "violated", "{verdicts:?}");
}
