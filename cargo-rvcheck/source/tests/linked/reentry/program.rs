//! Asks the shelf for its weight while it is looked at.

use library::Shelf;

pub fn describe(shelf: &Shelf) -> usize {
    let mut all = 0;
    shelf.visit(|jar| all += jar as usize * shelf.weight());
    all
}
