//! Lists the sources of this crate, for the tool that compiles them.

fn main() -> rvcheck_sources::Result<()> {
    rvcheck_sources::write_own()
}
