//! `SetOnce`.

use std::fmt;
use std::future::Future;
use std::panic::Location;

use real::sync::SetOnceError;
use rt::control::asks;
use rt::{EndingHead, Mode, ObjectKind};

use crate::waiting::locking;

/// A cell that somebody fills once and others wait for, as readers wait for a writer.
pub struct SetOnce<T> {
    head: EndingHead,
    real: real::sync::SetOnce<T>,
}

impl<T> SetOnce<T> {
    #[track_caller]
    const fn around(real: real::sync::SetOnce<T>) -> SetOnce<T> {
        SetOnce { head: EndingHead::new(ObjectKind::TokioOnce, Location::caller()), real }
    }

    /// An empty cell.
    #[track_caller]
    pub fn new() -> SetOnce<T> {
        SetOnce::around(real::sync::SetOnce::new())
    }

    /// An empty cell, in a constant.
    #[track_caller]
    pub const fn const_new() -> SetOnce<T> {
        SetOnce::around(real::sync::SetOnce::const_new())
    }

    /// A cell that holds the value, if there is one.
    #[track_caller]
    pub fn new_with(value: Option<T>) -> SetOnce<T> {
        SetOnce::around(real::sync::SetOnce::new_with(value))
    }

    /// A full cell, in a constant.
    #[track_caller]
    pub const fn const_new_with(value: T) -> SetOnce<T> {
        SetOnce::around(real::sync::SetOnce::const_new_with(value))
    }

    /// Whether the cell is full.
    pub fn initialized(&self) -> bool {
        self.get().is_some()
    }

    /// The value, if the cell is full.
    pub fn get(&self) -> Option<&T> {
        let value = self.real.get();
        if value.is_some() {
            rt::found_made(&self.head);
        }
        value
    }

    /// Fills the cell.
    ///
    /// # Errors
    ///
    /// When it is full.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), SetOnceError<T>> {
        asks(&self.head, Location::caller());
        if !self.real.initialized() {
            rt::made_once(&self.head);
        }
        self.real.set(value)
    }

    /// Waits until the cell is full.
    #[track_caller]
    pub fn wait(&self) -> impl Future<Output = &T> + '_ {
        let location = Location::caller();
        async move {
            if let Some(value) = self.get() {
                return value;
            }
            let value = locking(self.real.wait(), &self.head, Mode::Read, location, |held, value| {
                drop(held);
                value
            })
            .await;
            rt::found_made(&self.head);
            value
        }
    }
}

impl<T> From<T> for SetOnce<T> {
    #[track_caller]
    fn from(value: T) -> SetOnce<T> {
        SetOnce::around(real::sync::SetOnce::from(value))
    }
}

rt::forwards! {
    [T] SetOnce<T> {
        pub fn into_inner(self) -> Option<T>;
    }
    [T] SetOnce<T>: Default = SetOnce::new();
    [T: Clone] SetOnce<T>: Clone = around(real);
    [T: PartialEq] SetOnce<T>: PartialEq;
    [T: Eq] SetOnce<T>: Eq;
    [T: fmt::Debug] SetOnce<T>: Debug;
}

rt::exchanged! {
    SetOnce<()> => real::sync::SetOnce<()>;
}
