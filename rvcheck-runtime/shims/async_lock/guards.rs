//! What guards keep of the real ones.

use rt::Erased;

/// Room for any guard of the real crate.
pub(crate) type ErasedGuard = Erased<3>;

/// Room for a boxed future of the real crate, or for an `Arc`.
pub(crate) type ErasedPointer = Erased<2>;
