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
pub use bound::Bound;
pub use castling::{CastlingRights, Wing};
pub use color::{Black, Color, Side, White};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::Piece;
pub use score::{MAX_PLY, Score};
pub use square::{File, Rank, Square};

/// Defines a fieldless enum over `0..N` together with the conversions that all
/// of ours need: `ALL`, `index`, and a total constructor from an integer.
macro_rules! small_enum {
    ($(#[$meta:meta])* $name:ident[$count:literal] { $($variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($variant),* }

        impl $name {
            pub const COUNT: usize = $count;
            pub const ALL: [Self; $count] = [$(Self::$variant),*];

            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value with this index, if there is one.
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < $count { Some(Self::ALL[index]) } else { None }
            }
        }
    };
}
pub(crate) use small_enum;
