//! A module that does not lie where its name says.

/// Where this is.
pub fn here() -> (&'static str, u32, u32, &'static str) {
    (file!(), line!(), column!(), module_path!())
}
