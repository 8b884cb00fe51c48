//! The compiler's own view of the code: MIR, read from the text of `rustc --emit=mir`.
//!
//! The text is optimised MIR before monomorphisation: all calls are resolved as far as types are known, each body of an `async fn`
//! is a state machine, and every drop is explicit. It has no positions but those of closures and `impl` blocks in their names.
//! The compiler promises nothing about the form of the text. So a body in which anything is not understood is kept as
//! [`Body::unknown`], with the line, and whoever reasons about it has to assume everything.

mod body;
pub(crate) mod captures;
pub(crate) mod inline;
pub(crate) mod link;
mod made;
mod operand;
mod place;
mod read;
mod terminator;

pub use body::{Block, BlockId, Body, BodyKind, Mir, Statement, Unknown};
pub use made::{Made, Operator};
pub use operand::{Operand, Rvalue};
pub use place::{Local, Place, Projection};
pub use read::read;
pub use terminator::{Call, Terminator, Unwind};
