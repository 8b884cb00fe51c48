//! Attributes on items that they are not for.

#[rvcheck::observe]
struct Observed;

#[rvcheck::observe(side = "send")]
mod module {}

#[rvcheck::group("workers")]
struct Grouped;

#[rvcheck::group("workers")]
impl Grouped {}

#[rvcheck::group]
fn nameless() {}

#[rvcheck::group(workers)]
fn unquoted() {}

#[rvcheck::group("the workers")]
fn misnamed() {}

#[rvcheck::group("workers", "others")]
fn two() {}

fn main() {}
