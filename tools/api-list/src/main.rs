//! Prints the public API of a version of a crate, an item a line, in a form that can be compiled.
//!
//! ```console
//! $ cargo run -p api-list -- flume 0.11.1 async,select
//! fn flume::Sender::<T>::send: <'l0, T>(&'l0 flume::Sender<T>, T) -> std::result::Result<(), flume::SendError<T>>
//! impl flume::Sender<T>: <T> std::clone::Clone
//! name flume::bounded
//! …
//! ```
//!
//! The items are taken from what rustdoc says about the sources, which the registry has. Every path is written out, and
//! every lifetime of a signature has a name, so that each line stands on its own:
//!
//! ```text
//! name PATH                      something public is to be found there
//! type TYPE: <P>                 it is a type, with these parameters
//! default TYPE: <P> TYPE         what the type is where parameters are left out
//! fn PATH: <P>(A) -> B           it can be called so; `const`, `unsafe` and `async` stand in front
//! const PATH: <P> TYPE           it is a constant of this type
//! impl TYPE: <P> TRAIT           the type has the trait
//! not TYPE: <P> TRAIT            the type says that it does not have the trait
//! unclear PATH: WHY              nothing that compiles can be said about it
//! ```
//!
//! Conditions (`where`) are at the end. What is hidden from the documentation is not listed.

mod documentation;
mod foreign;
mod items;
mod reach;
mod render;

use documentation::Documentation;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (package, version, more) = match arguments.as_slice() {
        [package, version, more @ ..] if more.len() <= 2 => (package, version, more),
        _ => return Err("usage: api-list PACKAGE VERSION [FEATURE,FEATURE… [LOCK-FILE]]".into()),
    };
    let features = more.first().map(String::as_str).unwrap_or_default();
    let features: Vec<&str> = features.split(',').filter(|it| !it.is_empty()).collect();
    let documentation = Documentation::of(package, version, &features, more.get(1).map(Path::new))?;
    let mut out = std::io::stdout().lock();
    for line in items::lines(&documentation)? {
        writeln!(out, "{line}")?;
    }
    Ok(())
}
