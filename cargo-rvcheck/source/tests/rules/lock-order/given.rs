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

pub struct Pot {
    number: u32,
    coins: Mutex<i64>,
}

/// The pot with the lower number comes first, whoever is given first.
fn in_order(from: &Pot, to: &Pot, coins: i64) {
    if from.number < to.number {
        let mut from = from.coins.lock();
        *to.coins.lock() += coins;
        *from -= coins;
    } else {
        let mut to = to.coins.lock();
        *from.coins.lock() -= coins;
        *to += coins;
    }
}

pub struct Table {
    bank: Pot,
    player: Pot,
}

impl Table {
    pub fn wins(&self, coins: i64) {
        in_order(&self.bank, &self.player, coins);
    }

    pub fn loses(&self, coins: i64) {
        in_order(&self.player, &self.bank, coins);
    }
}
