//! The library.

use std::cell::Cell;

/// Why a button does not do what it is told.
#[derive(Debug, PartialEq)]
pub enum Refused {
    /// Not now.
    Busy,
    /// Never again.
    Late(u8),
}

/// What the library tells the program.
pub trait Listener {
    /// Somebody has pressed a button.
    fn on_click(&self, button: &Button);
}

/// A button that can be pressed.
#[derive(Default)]
pub struct Button {
    /// How often it was pressed.
    pub(crate) presses: Cell<u32>,
}

impl Button {
    /// Presses it, which tells the listener.
    pub fn press(&self, listener: &impl Listener) {
        self.presses.set(self.presses.get() + 1);
        listener.on_click(self);
    }

    /// How often it was pressed. It panics where that was too often.
    pub fn check(&self) -> u32 {
        assert!(self.presses.get() < 3, "it is worn out");
        self.presses.get()
    }

    /// The same by two calls of its own.
    pub fn check_more(&self) -> u32 {
        self.check() + self.check() + self.check() + self.check()
    }

    /// Panics at the caller's place.
    #[track_caller]
    pub fn strict(&self) {
        assert!(self.presses.get() > 0, "nobody has pressed it");
    }

    /// Runs what it is given.
    pub fn with<T>(&self, run: impl FnOnce(&Button) -> T) -> T {
        run(self)
    }

    /// Says by an error that it cannot be called now.
    pub fn start(&self, how: u8) -> Result<u8, Refused> {
        if how > 9 {
            return Err(Refused::Late(how));
        }
        self.ready()?;
        Ok(how)
    }

    /// Some of its errors are refusals.
    pub fn stop(&self) -> Result<(), Refused> {
        match self.presses.get() {
            0 => Err(Refused::Busy),
            1 => Ok(()),
            _ => Err(Refused::Late(2)),
        }
    }

    fn ready(&self) -> Result<(), Refused> {
        if self.presses.get() > 1 { Err(Refused::Busy) } else { Ok(()) }
    }
}
