//! What tells calls apart in the compiler's MIR, which has no positions.

/// What the rewriter puts behind a call of interest.
pub trait RvSite: Sized {
    /// The same value. `N` is the number of the place.
    #[inline(always)]
    fn __rv_site<const N: u64>(self) -> Self {
        self
    }
}

impl<T> RvSite for T {}
