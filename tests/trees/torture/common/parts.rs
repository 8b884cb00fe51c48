//! A module that lies in no package.

/// Where this is.
pub fn here() -> (&'static str, u32) {
    (file!(), line!())
}

pub async fn echo<T>(value: T) -> T {
    async { value }.await
}
