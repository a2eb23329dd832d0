//! Gambeson, a chess engine that speaks UCI and xboard, and a board to play it on.
//!
//! Dependencies point one way: `types` know nothing, `board` knows the rules,
//! `game` one notion of a game, `perft`, `tt`, `eval`, `book` and `tablebase` build on it, `search` on them,
//! `engine` runs searches and games, `protocol` puts it into words, `web` onto a board
//! in the browser, and `cli` sits on top. `selfplay` lets the search play against
//! itself and keeps the games; `tune` fits the hand-made evaluation to them and
//! `train` the network.

#![warn(missing_debug_implementations, unused_qualifications)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

pub mod bench;
pub mod board;
pub mod book;
pub mod cli;
mod cpu;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod math;
pub mod memory;
pub mod perft;
pub mod protocol;
pub mod search;
pub mod selfplay;
mod signal;
pub mod tablebase;
pub mod time;
pub mod train;
pub mod tt;
pub mod tune;
pub mod types;
#[cfg(feature = "play")]
pub mod web;
