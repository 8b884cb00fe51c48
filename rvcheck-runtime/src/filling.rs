//! Cells that one task fills while others wait.

use std::sync::{Mutex, PoisonError};

use crate::lock::Request;

/// A task's wait for somebody else to fill a cell.
#[derive(Debug, Default)]
pub struct Filling(Mutex<Stage>);

#[derive(Debug, Default)]
enum Stage {
    #[default]
    New,
    Waiting(Request),
    /// This task fills the cell, or has its value.
    Over,
}

impl Filling {
    /// The task has to wait, unless it waits already.
    pub fn begin(&self, request: impl FnOnce() -> Request) {
        let mut stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*stage, Stage::New) {
            *stage = Stage::Waiting(request());
        }
    }

    /// It is this task's turn to fill the cell, or there is a value. The wait, if there was one.
    pub fn end(&self) -> Option<Request> {
        let mut stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match core::mem::replace(&mut *stage, Stage::Over) {
            Stage::Waiting(request) => Some(request),
            Stage::New | Stage::Over => None,
        }
    }
}
