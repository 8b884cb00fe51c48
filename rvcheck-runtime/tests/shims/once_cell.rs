//! The shim of `once_cell`, compiled as the tool compiles it, in front of real programs.

use std::sync::OnceLock;

use crate::shim_kit::{Crates, own_lock};

fn cells() -> &'static Crates {
    static CELLS: OnceLock<Crates> = OnceLock::new();
    CELLS.get_or_init(|| Crates::of("once-cell", "once_cell = \"1\"", &own_lock()))
}

#[test]
fn cells_behave_like_the_real_ones() {
    cells().prints_the_same("once_cell/behaviour.rs");
}

#[test]
fn types_have_the_traits_of_the_real_ones() {
    cells().prints_the_same("once_cell/traits.rs");
}

#[test]
fn every_line_records_the_events_behind_it() {
    let (text, trace) = cells().recorded("once_cell/recorded.rs");
    crate::annotated::compare(&text, &trace);
}

#[test]
fn the_cells_can_be_left_out() {
    cells().leaves_out("once_cell", &["sync"], "once_cell/left_out.rs");
}
