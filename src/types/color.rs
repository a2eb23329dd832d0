//! The two sides, once as a value and once as types, so that hot code can be
//! written once and compiled for each side with every direction a constant.

use super::{Bitboard, Rank, Square, small_enum};
use std::ops::Not;

small_enum! {
    pub Color[2] { White, Black }
}

impl Color {
    /// The letter FEN and `setboard` use.
    pub(crate) const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The rank this side's pieces start on.
    pub(crate) const fn back_rank(self) -> Rank {
        match self {
            Color::White => Rank::First,
            Color::Black => Rank::Eighth,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// A side known at compile time. "Forward" is towards the opponent's back rank.
pub trait Side {
    type Opponent: Side<Opponent = Self>;
    const COLOR: Color;
    /// Square index difference of one pawn step forward.
    const FORWARD: i8;
    /// Where a pawn's single step must arrive for a double step to go on.
    const DOUBLE_STEP_RANK: Bitboard;
    /// The rank a pawn promotes on.
    const PROMOTION_RANK: Bitboard;

    fn forward(squares: Bitboard) -> Bitboard;
    /// Diagonally forward, towards the h-file.
    fn forward_east(squares: Bitboard) -> Bitboard;
    /// Diagonally forward, towards the a-file.
    fn forward_west(squares: Bitboard) -> Bitboard;

    /// The square a pawn that moved by `delta` to `to` came from.
    #[inline(always)]
    fn origin(to: Square, delta: i8) -> Square {
        Square::from_low_bits((to as u8).wrapping_sub(delta as u8))
    }
}

#[derive(Debug)]
pub struct White;
#[derive(Debug)]
pub struct Black;

impl Side for White {
    type Opponent = Black;
    const COLOR: Color = Color::White;
    const FORWARD: i8 = 8;
    const DOUBLE_STEP_RANK: Bitboard = Bitboard::rank(Rank::Third);
    const PROMOTION_RANK: Bitboard = Bitboard::rank(Rank::Eighth);

    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        squares.north()
    }
    #[inline(always)]
    fn forward_east(squares: Bitboard) -> Bitboard {
        squares.north().east()
    }
    #[inline(always)]
    fn forward_west(squares: Bitboard) -> Bitboard {
        squares.north().west()
    }
}

impl Side for Black {
    type Opponent = White;
    const COLOR: Color = Color::Black;
    const FORWARD: i8 = -8;
    const DOUBLE_STEP_RANK: Bitboard = Bitboard::rank(Rank::Sixth);
    const PROMOTION_RANK: Bitboard = Bitboard::rank(Rank::First);

    #[inline(always)]
    fn forward(squares: Bitboard) -> Bitboard {
        squares.south()
    }
    #[inline(always)]
    fn forward_east(squares: Bitboard) -> Bitboard {
        squares.south().east()
    }
    #[inline(always)]
    fn forward_west(squares: Bitboard) -> Bitboard {
        squares.south().west()
    }
}
