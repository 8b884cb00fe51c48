//! The program.

use crate::toolkit::{Button, Listener};

/// What listens to a button.
pub struct Reader {
    /// Whether it does that badly.
    pub panics: bool,
}

impl Listener for Reader {
    fn on_click(&self, button: &Button) {
        assert!(!self.panics, "the program's own");
        button.check();
    }
}
