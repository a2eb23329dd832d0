//! The vocabulary of chess: small `Copy` types that every other module speaks.
//! Nothing here knows the rules.

mod bitboard;
mod bound;
mod castling;
mod color;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub(crate) use bound::Bound;
pub(crate) use castling::{CastlingRights, Wing};
pub use color::{Black, Color, Side, White};
pub(crate) use moves::MoveKind;
pub use moves::{Move, MoveList};
pub use piece::Piece;
pub(crate) use score::MAX_PLY;
pub use score::Score;
pub use square::Square;
pub(crate) use square::{File, Rank};

/// Defines a fieldless enum over `0..N` together with the conversions that all
/// of ours need: `ALL`, `index`, and a total constructor from an integer.
macro_rules! small_enum {
    ($(#[$meta:meta])* $vis:vis $name:ident[$count:literal] { $($variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        $vis enum $name { $($variant),* }

        // Not every enum needs every one of them.
        #[allow(dead_code)]
        impl $name {
            $vis const COUNT: usize = $count;
            $vis const ALL: [Self; $count] = [$(Self::$variant),*];

            #[inline(always)]
            $vis const fn index(self) -> usize {
                self as usize
            }

            /// The value with this index, if there is one.
            #[inline]
            $vis const fn from_index(index: usize) -> Option<Self> {
                if index < $count { Some(Self::ALL[index]) } else { None }
            }
        }
    };
}
pub(crate) use small_enum;
