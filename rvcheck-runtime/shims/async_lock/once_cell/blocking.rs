//! Filling a cell, and waiting for that, with the thread blocked.

use std::cell::Cell;
use std::convert::Infallible;
use std::panic::Location;

use rt::{lock, Loc, Mode, What};

use super::OnceCell;

impl<T> OnceCell<T> {
    /// Waits until the cell is full, and blocks the thread meanwhile.
    #[track_caller]
    pub fn wait_blocking(&self) -> &T {
        let location = Location::caller();
        if let Some(value) = self.get() {
            return value;
        }
        rt::delay(&self.filling.head, location);
        let (future, waits) = (|| self.real.wait(), || self.real.wait_blocking());
        let value = crate::blocking::blocked(&self.filling.head, Mode::Read, location, future, waits).1;
        rt::found_made(&self.filling.head);
        value
    }

    /// The value, which the closure makes if the cell is empty and it does not fail. The thread is blocked while somebody else
    /// fills the cell.
    #[track_caller]
    pub fn get_or_try_init_blocking<E>(&self, closure: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        self.fill_blocking(closure, Location::caller())
    }

    /// The value, which the closure makes if the cell is empty. The thread is blocked while somebody else fills the cell.
    #[track_caller]
    pub fn get_or_init_blocking(&self, closure: impl FnOnce() -> T + Unpin) -> &T {
        let made = self.fill_blocking(|| Ok::<T, Infallible>(closure()), Location::caller());
        made.unwrap_or_else(|never| match never {})
    }

    /// Fills the cell, or blocks the thread until somebody else has.
    ///
    /// # Errors
    ///
    /// The value, when somebody else has.
    #[track_caller]
    pub fn set_blocking(&self, value: T) -> Result<&T, T> {
        let mut value = Some(value);
        let mut take = || value.take().expect("a cell is filled at most once");
        let Ok(filled) = self.fill_blocking(|| Ok::<T, Infallible>(take()), Location::caller());
        value.map_or(Ok(filled), Err)
    }

    fn fill_blocking<E>(&self, closure: impl FnOnce() -> Result<T, E>, location: Loc) -> Result<&T, E> {
        if let Some(value) = self.get() {
            return Ok(value);
        }
        let filling = &self.filling;
        rt::delay(&filling.head, location);
        let wait = Cell::new(filling.is_busy().then(|| {
            let request = lock::request(&filling.head, Mode::Write, location);
            (rt::block(What::Lock, location), request)
        }));
        let closure = Cell::new(Some(closure));
        let fill = || {
            let request = wait.take().map(|(_blocking, request)| request);
            let _inside = filling.begin(request, location);
            closure.take().expect("a cell is filled at most once")()
        };
        let filled = rt::control::driving(
            location,
            || self.real.get_or_try_init(|| async { fill() }),
            || self.real.get_or_try_init_blocking(fill),
        );
        if let Some((blocking, request)) = wait.into_inner() {
            drop(blocking);
            filling.waited(request, location);
        }
        if filled.is_ok() {
            rt::found_made(&filling.head);
        }
        filled
    }
}
