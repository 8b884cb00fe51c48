//! What the tool asked for, beside the trace itself.

use std::sync::OnceLock;

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings of a process that is recorded.
pub(crate) struct Settings {
    /// The program is a test executable of libtest.
    pub(crate) libtest: bool,
    /// Path prefixes of the program's own files.
    pub(crate) own: Vec<String>,
}

impl Settings {
    /// Makes them the settings of this process. To be called once.
    pub(crate) fn install(self) {
        let _ = SETTINGS.set(self);
    }
}

/// The settings; `None` in a process that is not recorded.
pub(crate) fn get() -> Option<&'static Settings> {
    SETTINGS.get()
}
