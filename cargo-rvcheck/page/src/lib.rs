//! Pages of HTML with pictures of what a run has done: data in, text out.
//!
//! [`FindingPage`] and [`IndexPage`] are what the pages show; [`Picture`] is an excerpt of a trace, in an order of its events. Each page
//! is one document without network: style and script are inside, and all pictures are SVG that is drawn here. It says the same without
//! scripts, as every picture has a table beside it.
//!
//! Nothing here does input or output, and no text of others is trusted: see [`html`].

mod arrow;
mod bars;
mod chart;
mod dependency;
mod document;
mod finding;
mod graph;
pub mod html;
mod index;
mod joined;
mod layered;
mod legend;
mod picture;
mod steps;
mod wording;

pub use dependency::LockEdge;
pub use finding::{FindingPage, Pictures, Second, Source};
pub use index::{FindingRow, IndexPage, PropertyRow, SlowRow};
pub use picture::{Act, Ending, Object, ObjectKind, Picture, Place, Run, Step, Target, Track, TrackKind};
