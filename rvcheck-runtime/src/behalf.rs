//! Acting on behalf of the program: where a library works for it, what is recorded gets the place in the program.

use core::marker::PhantomData;

use crate::{Loc, site, switch, thread};

/// While this lives, what a dependency does on this thread counts as done at a place of the program's. It stays on its thread.
#[derive(Debug)]
pub struct Behalf {
    outer: Option<Loc>,
    not_send: PhantomData<*const ()>,
}

/// A library is called at this place, and is about to work.
#[inline]
pub fn behalf(location: Loc) -> Behalf {
    let outer = if switch::on() { thread::with(|it| it.behalf.replace(Some(location))) } else { None };
    Behalf { outer, not_send: PhantomData }
}

impl Drop for Behalf {
    #[inline]
    fn drop(&mut self) {
        if switch::on() {
            thread::with(|it| it.behalf.set(self.outer));
        }
    }
}

/// The place at which an operation counts as done. To be kept with what outlives the [`Behalf`].
#[inline]
pub fn acting_at(location: Loc) -> Loc {
    if !switch::on() || site::placed(location).own {
        return location;
    }
    thread::with(|it| it.behalf.get()).unwrap_or(location)
}
