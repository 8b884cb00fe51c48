//! Types that cannot derive `Observe`.

use rvcheck::Observe;

#[derive(Observe)]
struct Several {
    number: u64,
    name: String,
}

#[derive(Observe)]
struct Unit;

#[derive(Observe)]
union Either {
    one: u8,
    other: i8,
}

#[derive(Observe)]
struct Two {
    #[observe(id)]
    number: u64,
    #[observe(len)]
    name: String,
}

#[derive(Observe)]
struct Misspelt {
    #[observe(ident)]
    number: u64,
    name: String,
}

#[derive(Observe)]
struct Functionless(#[observe(with)] u64);

#[derive(Observe)]
struct Wordless(#[observe] u64);

#[derive(Observe)]
struct Both(#[observe(id, len)] String);

#[derive(Observe)]
enum Marked {
    One(#[observe(id)] u8),
}

#[derive(Observe)]
#[observe(id)]
struct OnTheType(u8);

#[derive(Observe)]
#[observe(krate = rvcheck)]
struct Crate(u8);

fn main() {}
