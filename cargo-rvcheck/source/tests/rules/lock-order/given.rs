//! Two locks that a function is given, in one order and in the other one.

use parking_lot::Mutex;

pub struct Account {
    balance: Mutex<i64>,
}

pub struct Bank {
    checking: Account,
    savings: Account,
}

fn transfer(from: &Account, to: &Account, amount: i64) {
    let mut from = from.balance.lock();
    *to.balance.lock() += amount; //~ lock-order warning
    *from -= amount;
}

impl Bank {
    pub fn save(&self, amount: i64) {
        transfer(&self.checking, &self.savings, amount);
    }

    pub fn spend(&self, amount: i64) {
        transfer(&self.savings, &self.checking, amount);
    }
}

fn exchange(one: &Mutex<i64>, other: &Mutex<i64>) {
    let mut one = one.lock();
    std::mem::swap(&mut *one, &mut *other.lock());
}

pub struct Pair {
    left: Mutex<i64>,
    right: Mutex<i64>,
}

impl Pair {
    pub fn swap(&self) {
        exchange(&self.left, &self.right);
    }

    pub fn swap_again(&self) {
        exchange(&self.left, &self.right);
    }
}

pub fn any_two(accounts: &[Account]) {
    transfer(&accounts[0], &accounts[1], 1);
    transfer(&accounts[1], &accounts[0], 1);
}
