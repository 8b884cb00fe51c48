//! The program: a click removes the feed.

use std::sync::Arc;

use crate::toolkit::{Button, Listener, Task};

/// Removes a feed when its button is clicked.
pub struct Remover {
    /// What removes it.
    pub task: Arc<Task>,
    /// Whether the first click disables the button.
    pub disables: bool,
}

impl Listener for Remover {
    fn on_create(&mut self) {}

    fn on_click(&mut self, button: &Button) {
        if self.disables {
            button.disable();
        }
        self.task.execute();
    }

    fn on_done(&mut self, _task: &Task) {}
}
