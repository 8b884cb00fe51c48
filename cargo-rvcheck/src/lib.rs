//! Run the tests of an async Rust crate under watch
