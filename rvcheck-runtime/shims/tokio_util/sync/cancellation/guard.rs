//! Guards that cancel a token when they are dropped.

use std::fmt;

use rt::Loc;

use super::CancellationToken;

const ARMED: &str = "a guard has its token until it is disarmed";

/// Cancels its token when it is dropped, which is recorded where the guard was made.
pub struct DropGuard {
    inner: Option<CancellationToken>,
    location: Loc,
}

impl DropGuard {
    pub(super) fn new(token: CancellationToken, location: Loc) -> DropGuard {
        DropGuard { inner: Some(token), location }
    }

    /// The token.
    #[cfg(rv_tokio_util_0_7_19)]
    pub fn token(&self) -> &CancellationToken {
        self.inner.as_ref().expect(ARMED)
    }

    /// Gives the token back uncancelled.
    pub fn disarm(mut self) -> CancellationToken {
        self.inner.take().expect(ARMED)
    }
}

impl Drop for DropGuard {
    fn drop(&mut self) {
        if let Some(token) = &self.inner {
            let _dropping = rt::dropping();
            token.cancel_at(self.location);
        }
    }
}

impl fmt::Debug for DropGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DropGuard").field("inner", &self.inner).finish()
    }
}

/// Cancels a borrowed token when it is dropped, which is recorded where the guard was made.
#[cfg(rv_tokio_util_0_7_16)]
pub struct DropGuardRef<'a> {
    inner: Option<&'a CancellationToken>,
    location: Loc,
}

#[cfg(rv_tokio_util_0_7_16)]
impl<'a> DropGuardRef<'a> {
    pub(super) fn new(token: &'a CancellationToken, location: Loc) -> DropGuardRef<'a> {
        DropGuardRef { inner: Some(token), location }
    }

    /// The token.
    #[cfg(rv_tokio_util_0_7_19)]
    pub fn token(&self) -> &CancellationToken {
        self.inner.expect(ARMED)
    }

    /// Gives the token back uncancelled.
    pub fn disarm(mut self) -> &'a CancellationToken {
        self.inner.take().expect(ARMED)
    }
}

#[cfg(rv_tokio_util_0_7_16)]
impl Drop for DropGuardRef<'_> {
    fn drop(&mut self) {
        if let Some(token) = self.inner {
            let _dropping = rt::dropping();
            token.cancel_at(self.location);
        }
    }
}

#[cfg(rv_tokio_util_0_7_16)]
impl fmt::Debug for DropGuardRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DropGuardRef").field("inner", &self.inner).finish()
    }
}
