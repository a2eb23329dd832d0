//! Portable Game Notation: games read one after the other from any source of bytes, and
//! written in the export format.
//!
//! We scan ourselves because `pgn-reader` hides what it cannot read (it passes over words
//! that are not SAN, and one overlong tag or comment fails the whole file), while a game
//! that goes wrong has to say where, and coordinates are moves, too.

mod notes;
mod outline;
mod read;
mod scan;
mod write;

pub use outline::{Outline, Outlines};
pub use read::{DEEPEST, Detail, ParsedGame, PgnError, Reader};
