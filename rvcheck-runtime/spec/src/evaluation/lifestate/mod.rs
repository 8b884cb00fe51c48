//! Lifestates over traces: which messages are permitted and prohibited after each history, whether a trace fits a model, and what
//! other orders of its callbacks could do.

pub(crate) mod binding;
pub mod blocks;
pub(crate) mod burial;
pub(crate) mod cone;
pub(crate) mod decide;
pub(crate) mod ground;
pub mod history;
pub(crate) mod instance;
pub mod message;
pub mod overlap;
pub mod predict;
pub mod problem;
pub(crate) mod program;
pub mod reach;
pub mod reader;
pub(crate) mod refusal;
pub(crate) mod running;
pub(crate) mod search;
pub(crate) mod track;
pub mod validate;
pub mod values;
