//! The keys of the Zobrist hash, drawn by `build.rs` from a fixed seed.

use crate::types::{CastlingRights, Color, Piece, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist.rs"));

#[inline(always)]
pub(super) fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    PIECES[color.index()][piece.index()][square.index()]
}

#[inline(always)]
pub(super) fn en_passant(target: Option<Square>) -> u64 {
    match target {
        Some(square) => EN_PASSANT[square.file().index()],
        None => 0,
    }
}

/// What the key changes by when rights change from one set to another.
#[inline(always)]
pub(super) fn castling_change(old: CastlingRights, new: CastlingRights) -> u64 {
    old.difference(new).fold(0, |key, right| key ^ CASTLING[right & 15])
}
