//! A database in memory, behind traits.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

#[derive(Debug, PartialEq)]
pub enum Error {
    Busy,
    TooLittle,
}

#[allow(async_fn_in_trait)]
pub trait Database {
    type Tx<'a>: Transaction
    where
        Self: 'a;

    async fn begin(&self) -> Result<Self::Tx<'_>, Error>;
}

#[allow(async_fn_in_trait)]
pub trait Transaction: Sized {
    async fn commit(self) -> Result<(), Error>;

    async fn rollback(self) -> Result<(), Error>;
}

#[derive(Default)]
pub struct Account {
    sum: AtomicI64,
    transactions: AtomicU64,
}

pub struct Change<'a> {
    account: &'a Account,
    number: u64,
    amount: i64,
}

impl Database for Account {
    type Tx<'a> = Change<'a>;

    async fn begin(&self) -> Result<Change<'_>, Error> {
        let number = self.transactions.fetch_add(1, Ordering::Relaxed);
        if number == 2 {
            return Err(Error::Busy);
        }
        Ok(Change { account: self, number, amount: 0 })
    }
}

impl Change<'_> {
    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn add(&mut self, amount: i64) -> Result<(), Error> {
        if self.account.sum.load(Ordering::Relaxed) + amount < 0 {
            return Err(Error::TooLittle);
        }
        self.amount += amount;
        Ok(())
    }
}

impl Transaction for Change<'_> {
    async fn commit(self) -> Result<(), Error> {
        tokio::task::yield_now().await;
        self.account.sum.fetch_add(self.amount, Ordering::Relaxed);
        Ok(())
    }

    async fn rollback(self) -> Result<(), Error> {
        tokio::task::yield_now().await;
        Ok(())
    }
}

/// Rolls back what cannot be.
pub async fn change(account: &Account, amount: i64) -> Result<(), Error> {
    let mut change = account.begin().await?;
    match change.add(amount) {
        Ok(()) => change.commit().await,
        Err(error) => {
            change.rollback().await?;
            Err(error)
        }
    }
}

/// Forgets the transaction where it fails.
pub async fn hasty(account: &Account, amount: i64) -> Result<(), Error> {
    let mut change = account.begin().await?;
    change.add(amount)?;
    change.commit().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_rolled_back_or_never_begun_holds() {
        let account = Account::default();
        assert_eq!(change(&account, 3).await, Ok(()));
        assert_eq!(change(&account, -5).await, Err(Error::TooLittle));
        assert_eq!(change(&account, 1).await, Err(Error::Busy));
    }

    #[tokio::test]
    async fn an_early_return_and_transaction_ends_violated() {
        let account = Account::default();
        assert_eq!(hasty(&account, -5).await, Err(Error::TooLittle));
    }
}
