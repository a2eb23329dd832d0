//! A slow perft that checks, at every node, everything the fast code promises.

use crate::board::{Board, CastlingStyle, Disagreement, Noisy, Quiet};
use crate::types::{Move, MoveList, Piece, Square};
use thiserror::Error;

/// A promise that was broken, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{what} in {fen}")]
pub(crate) struct Violation {
    pub(crate) fen: String,
    pub(crate) what: String,
}

/// Counts the leaves `depth` plies below `board` one by one and checks every
/// position on the way, leaves included.
pub(crate) fn verify(board: &mut Board, depth: u32) -> Result<u64, Violation> {
    let moves = board.legal_moves();
    check_position(board, &moves)
        .map_err(|what| Violation { fen: board.fen(), what: what.to_string() })?;
    if depth == 0 {
        return Ok(1);
    }
    let mut nodes = 0;
    for &mv in &moves {
        let before = board.clone();
        let gives_check = board.gives_check(mv);
        board.make(mv);
        let checked = board.in_check() == gives_check;
        let result = verify(board, depth - 1);
        board.unmake(mv);
        nodes += result?;
        let fail = |what: String| Err(Violation { fen: before.fen(), what });
        if !checked {
            return fail(format!("gives_check is wrong about {mv:?}"));
        }
        if *board != before {
            return fail(format!("{mv:?} is not unmade exactly"));
        }
    }
    Ok(nodes)
}

#[derive(Debug, Error)]
enum Fault {
    #[error(transparent)]
    Disagreement(#[from] Disagreement),
    #[error("{0}")]
    Text(String),
}

fn check_position(board: &mut Board, moves: &MoveList) -> Result<(), Fault> {
    board.validate()?;
    check_stages(board, moves)?;
    check_legality(board, moves)?;
    check_notation(board, moves)?;
    if !board.in_check() {
        let before = board.clone();
        board.make_null();
        board.validate()?;
        board.unmake_null();
        ensure(*board == before, || "a null move is not unmade exactly".to_owned())?;
    }
    Ok(())
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::Text(otherwise())) }
}

/// Noisy and quiet moves together are all moves, none twice, and each is in the
/// stage that `is_noisy` says.
fn check_stages(board: &Board, moves: &MoveList) -> Result<(), Fault> {
    let mut noisy = MoveList::new();
    let mut quiet = MoveList::new();
    board.generate::<Noisy>(&mut noisy);
    board.generate::<Quiet>(&mut quiet);
    ensure(noisy.iter().all(|&mv| board.is_noisy(mv)), || "a noisy move is quiet".to_owned())?;
    ensure(!quiet.iter().any(|&mv| board.is_noisy(mv)), || "a quiet move is noisy".to_owned())?;
    let sorted = |list: &[Move]| {
        let mut bits: Vec<u16> = list.iter().map(|mv| mv.to_bits()).collect();
        bits.sort_unstable();
        bits
    };
    let mut staged = noisy;
    staged.extend(quiet);
    let all = sorted(moves);
    ensure(sorted(&staged) == all, || "the stages are not all moves".to_owned())?;
    ensure(all.windows(2).all(|pair| pair[0] != pair[1]), || "a move comes twice".to_owned())?;
    let count = board.count_legal_moves() as usize;
    ensure(count == moves.len(), || format!("{} moves, {count} counted", moves.len()))
}

/// `is_legal` says yes to the generated moves and to nothing else that starts on
/// a piece of the side to move.
fn check_legality(board: &Board, moves: &MoveList) -> Result<(), Fault> {
    let mut accepted = 0;
    for from in board.color(board.side_to_move()) {
        for to in Square::ALL.into_iter().filter(|&to| to != from) {
            let plain =
                [Move::normal(from, to), Move::en_passant(from, to), Move::castle(from, to)];
            let promotions = Piece::PROMOTIONS.map(|piece| Move::promotion(from, to, piece));
            let candidates = plain.into_iter().chain(promotions);
            accepted += candidates.filter(|&mv| board.is_legal(mv)).count();
        }
    }
    let refused = moves.iter().find(|&&mv| !board.is_legal(mv));
    ensure(refused.is_none(), || format!("is_legal refuses {refused:?}"))?;
    ensure(accepted == moves.len(), || {
        format!("is_legal accepts {accepted} moves instead of {}", moves.len())
    })
}

/// FEN, SAN and coordinates lead back to where they came from.
fn check_notation(board: &Board, moves: &MoveList) -> Result<(), Fault> {
    for style in [CastlingStyle::XFen, CastlingStyle::Shredder] {
        let fen = board.fen_with(style);
        let again = Board::from_fen(&fen).map(|board| board.fen_with(style));
        ensure(again.as_ref() == Ok(&fen), || format!("{fen} is read as {again:?}"))?;
    }
    for &mv in moves {
        let orthodox = !mv.is_castle() || board.castling_is_orthodox();
        let texts = [
            Some(board.san(mv)),
            Some(mv.coordinates(true)),
            orthodox.then(|| mv.coordinates(false)),
        ];
        for text in texts.into_iter().flatten() {
            let read = board.parse_move(&text);
            ensure(read == Ok(mv), || format!("{mv:?} is written {text} and read {read:?}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tricky_positions_hold_every_promise() {
        for (fen, depth, nodes) in [
            (Board::START_FEN, 3, 8_902),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 2, 2_039),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4, 43_238),
            ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3, 9_483),
        ] {
            let mut board = Board::from_fen(fen).expect(fen);
            assert_eq!(verify(&mut board, depth), Ok(nodes));
        }
    }
}
