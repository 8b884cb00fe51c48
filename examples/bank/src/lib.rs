//! A small bank whose tests pass and which is wrong all the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of an account.
pub type Account = u32;

/// Why a transfer was refused.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// The account does not have that much.
    Overdrawn(Account),
    /// There is no such account.
    Unknown(Account),
}

/// Balances, and a journal of what was done to them.
#[derive(Debug, Default)]
pub struct Bank {
    balances: Mutex<BTreeMap<Account, i64>>,
    journal: Mutex<Vec<String>>,
}

impl Bank {
    /// A bank with these balances.
    pub fn open(balances: impl IntoIterator<Item = (Account, i64)>) -> Arc<Bank> {
        Arc::new(Bank { balances: Mutex::new(balances.into_iter().collect()), journal: Mutex::default() })
    }

    /// Moves money, and writes it down.
    pub async fn transfer(&self, from: Account, to: Account, amount: i64) -> Result<(), Refused> {
        tokio::task::yield_now().await;
        let mut balances = self.balances.lock().unwrap();
        if !balances.contains_key(&to) {
            return Err(Refused::Unknown(to));
        }
        let balance = balances.get_mut(&from).ok_or(Refused::Unknown(from))?;
        if *balance < amount {
            return Err(Refused::Overdrawn(from));
        }
        *balance -= amount;
        *balances.entry(to).or_default() += amount;
        self.journal.lock().unwrap().push(format!("{from} -> {to}: {amount}"));
        Ok(())
    }

    /// Moves money later, in the background. Whether that works out, nobody will know.
    pub fn transfer_later(self: &Arc<Self>, from: Account, to: Account, amount: i64) {
        let bank = self.clone();
        tokio::spawn(async move { bank.transfer(from, to, amount).await });
    }

    /// The journal with the balance of each account that it names, for the auditors.
    pub fn audit(&self) -> (usize, i64) {
        let journal = self.journal.lock().unwrap();
        let balances = self.balances.lock().unwrap();
        (journal.len(), balances.values().sum())
    }

    /// The rate of the day, from a service that answers slowly.
    pub async fn rate(&self) -> f64 {
        std::thread::sleep(Duration::from_millis(5));
        1.25
    }

    /// The balance of an account.
    pub fn balance(&self, account: Account) -> Option<i64> {
        self.balances.lock().unwrap().get(&account).copied()
    }
}
