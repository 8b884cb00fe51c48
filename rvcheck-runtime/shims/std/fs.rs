//! `std::fs`: its free functions, each of which may block. The types stay the real ones.

use real::fs as std;
use real::io::Result;
use real::panic::Location;
use real::path::{Path, PathBuf};

pub use ::real::fs::*;
use recorder::What;

macro_rules! blocking {
    ($($(#[$meta:meta])* fn $name:ident<$($generic:ident: $bound:ty),*>($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        $(#[$meta])*
        #[track_caller]
        #[inline]
        pub fn $name<$($generic: AsRef<$bound>),*>($($argument: $type),*) -> Result<$result> {
            let _blocking = recorder::block(What::Fs, Location::caller());
            std::$name($($argument),*)
        }

        recorder::exchanged_functions! {
            #[allow(deprecated)] $name::<$(path!($generic)),*> => std::$name::<$(path!($generic)),*>;
        }
    )*};
}

/// Some path, for each parameter.
macro_rules! path {
    ($generic:ident) => { &'static str };
}

blocking! {
    /// The absolute form of a path.
    fn canonicalize<P: Path>(path: P) -> PathBuf;
    /// Copies a file.
    fn copy<P: Path, Q: Path>(from: P, to: Q) -> u64;
    /// Creates a folder.
    fn create_dir<P: Path>(path: P) -> ();
    /// Creates a folder and those above it.
    fn create_dir_all<P: Path>(path: P) -> ();
    /// Whether the path leads to something.
    fn exists<P: Path>(path: P) -> bool;
    /// Gives a file another name.
    fn hard_link<P: Path, Q: Path>(original: P, link: Q) -> ();
    /// What the file system knows of a file.
    fn metadata<P: Path>(path: P) -> Metadata;
    /// Reads a file.
    fn read<P: Path>(path: P) -> Vec<u8>;
    /// Opens a folder for listing.
    fn read_dir<P: Path>(path: P) -> ReadDir;
    /// Where a link leads.
    fn read_link<P: Path>(path: P) -> PathBuf;
    /// Reads a text file.
    fn read_to_string<P: Path>(path: P) -> String;
    /// Removes an empty folder.
    fn remove_dir<P: Path>(path: P) -> ();
    /// Removes a folder with its contents.
    fn remove_dir_all<P: Path>(path: P) -> ();
    /// Removes a file.
    fn remove_file<P: Path>(path: P) -> ();
    /// Renames a file.
    fn rename<P: Path, Q: Path>(from: P, to: Q) -> ();
    /// Sets the permissions of a file.
    fn set_permissions<P: Path>(path: P, perm: Permissions) -> ();
    /// Creates a link.
    #[deprecated(since = "1.1.0", note = "replaced with std::os::unix::fs::symlink and \
                                          std::os::windows::fs::{symlink_file, symlink_dir}")]
    #[expect(deprecated, reason = "the real function is deprecated as well")]
    fn soft_link<P: Path, Q: Path>(original: P, link: Q) -> ();
    /// What the file system knows of a file, without following a link.
    fn symlink_metadata<P: Path>(path: P) -> Metadata;
    /// Writes a file.
    fn write<P: Path, C: [u8]>(path: P, contents: C) -> ();
}
