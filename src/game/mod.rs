//! One notion of a game for everybody above the rules: how it ended (`result.rs`), who
//! says so (`judge.rs`), its moves with scores, clocks, comments and variations
//! (`tree.rs`), what is drawn on the board (`shapes.rs`), and how all of that is written
//! (`pgn/`).

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod judge;
pub mod pgn;
mod result;
mod shapes;
mod tree;

pub use judge::judge;
pub(crate) use result::GameEnd;
pub use result::{GameResult, Termination};
pub(crate) use shapes::Shape;
#[cfg(feature = "play")]
pub(crate) use shapes::ShapeError;
pub(crate) use tree::{Eval, Game, LONGEST_CLOCK, LONGEST_GAME, NodeId, Notes};
