//! A visitor of another kind, which is called while nothing is locked, may ask for the lock.

use library::Cupboard;

pub trait Visitor {
    fn plate(&self, plate: u32);
}

pub struct Counter<'a> {
    pub cupboard: &'a Cupboard,
}

impl Visitor for Counter<'_> {
    fn plate(&self, _: u32) {
        self.cupboard.count();
    }
}

pub struct Printer;

impl library::Visitor for Printer {
    fn plate(&self, plate: u32) {
        println!("{plate}");
    }
}

pub fn show(cupboard: &Cupboard) {
    cupboard.visit(&Printer);
    Counter { cupboard }.plate(1);
}
