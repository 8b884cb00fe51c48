//! The sources that are compiled into the program under test, as (path, text), so that an installed tool needs no checkout.

/// A file: its path below the crate's folder, and its text.
pub type Source = (&'static str, &'static str);

/// What the recorder needs of crate `rvcheck_event`, below its `src/`.
pub const EVENT: &[Source] = rvcheck_event::RECORDER_SOURCES;

include!(concat!(env!("OUT_DIR"), "/sources.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    fn has(sources: &[Source], path: &str) -> bool {
        sources.iter().any(|it| it.0 == path)
    }

    #[test]
    fn every_crate_is_complete() {
        assert!(
            has(INSERT, "lib.rs")
                && has(EVENT, "lib.rs")
                && has(RUNTIME, "lib.rs")
                && has(RUNTIME, "output/mod.rs")
        );
        assert!(!has(RUNTIME, "sources.rs"), "the program under test has no use for the texts");
        for (name, files) in SHIMS {
            assert!(has(files, "lib.rs") && has(files, "shim.toml"), "{name}");
        }
    }
}
