//! Reading past writers that wait. Since 0.5, that is a matter of the raw lock.

use std::panic::Location;
#[cfg(feature = "arc_lock")]
use std::sync::Arc;

use real::{RawRwLockRecursive, RawRwLockRecursiveTimed};

#[cfg(feature = "arc_lock")]
use super::ArcRwLockReadGuard;
use super::{RwLock, RwLockReadGuard};
use crate::acquire;
use crate::guards::takes;
use crate::hold::{Hold, Lock};
use crate::way::ReadingAgain;

takes! {
    [R: RawRwLockRecursive, T: ?Sized] RwLock<R, T>, ReadingAgain<R>;
    RwLockReadGuard<R, T>: read_recursive try_read_recursive;
    ArcRwLockReadGuard: read_arc_recursive try_read_recursive_arc
}

takes! {
    timed [R: RawRwLockRecursiveTimed, T: ?Sized] RwLock<R, T>, ReadingAgain<R>;
    RwLockReadGuard<R, T>: try_read_recursive_for try_read_recursive_until;
    ArcRwLockReadGuard: try_read_arc_recursive_for try_read_arc_recursive_until
}
