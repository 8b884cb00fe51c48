//! Things that are initialised once. They count as locks that are held while the initialiser runs.

mod lazy_lock;
mod once;
mod once_lock;

pub use lazy_lock::LazyLock;
pub use once::Once;
#[expect(
    deprecated,
    reason = "the real constant is deprecated as well, and users of it expect our type"
)]
pub use once::ONCE_INIT;
pub use once_lock::OnceLock;
