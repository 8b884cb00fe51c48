//! The command `cargo rvcheck`.

fn main() {}
