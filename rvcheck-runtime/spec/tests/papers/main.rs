//! The examples of the papers: formulas, traces, and verdicts by all that can check them.

mod coroutines;
mod examples;
mod haskell;
