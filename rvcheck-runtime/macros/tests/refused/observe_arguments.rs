//! Arguments of `observe`.

#![allow(unused)]

#[rvcheck::observe(args(iems))]
fn wrong(items: Vec<u8>, number: u8) {}

#[rvcheck::observe(args(items))]
fn none() {}

#[rvcheck::observe(args(self))]
fn free(number: u8) {}

#[rvcheck::observe(args(len = self.len()))]
fn expression(number: u8) {}

#[rvcheck::observe(args = "number")]
fn parentheses(number: u8) {}

#[rvcheck::observe(args(number.count_ones()))]
fn nameless(number: u8) {}

#[rvcheck::observe(args(number, number = 1))]
fn twice(number: u8) {}

#[rvcheck::observe(args(number = ))]
fn nothing(number: u8) {}

#[rvcheck::observe(args(number: integer, other: inte = 1))]
fn sort(number: u8) {}

#[rvcheck::observe(args(größe))]
fn letters(größe: u8) {}

#[rvcheck::observe(args(a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13, n = 14, o = 15, p = 16, q = 17))]
fn many() {}

struct Worker;

#[rvcheck::observe(args(self, item))]
impl Worker {
    fn one(&self, item: u8) {}
    fn other(&self) {}
}

fn main() {}
