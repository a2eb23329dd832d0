//! Draw offers and claims: whether a draw is as good as playing on.

use crate::board::Board;
use crate::eval;
use crate::types::Score;

/// The opening is over after this many moves, or with fewer pieces than this.
const OPENING_MOVES: u32 = 20;
const OPENING_MEN: u32 = 24;
/// A score of a shallower search says nothing.
const LEAST_DEPTH: u32 = 4;
/// With a better evaluation than this, in centipawns, we play on, whatever the search says: it sees a
/// draw wherever the opponent could claim one, but the opponent may not.
const WINNING: i32 = 100;

/// Whether the engine, whose last search came to `score` at `depth` from its own point
/// of view, accepts a draw in the position on the board.
pub(crate) fn accepts_draw(board: &Board, score: Score, depth: u32) -> bool {
    let opening =
        board.fullmove_number() <= OPENING_MOVES && board.occupied().count() >= OPENING_MEN;
    !opening && depth >= LEAST_DEPTH && score <= Score::DRAW
}

/// Whether the side to move, whose search came to `score`, claims a draw that it may
/// claim.
pub(super) fn claims_draw(board: &Board, score: Score) -> bool {
    score <= Score::DRAW && eval::evaluate(board).centipawns() <= WINNING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_accepted_by_score_depth_and_phase() {
        let opening = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let late = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 21";
        let endgame = "4k3/pp3p2/8/8/8/8/PP3P2/4K3 w - - 0 1";
        for (fen, score, depth, accepted) in [
            (opening, -30, 20, false),
            (opening, -900, 20, false),
            (late, 0, 12, true),
            (late, 1, 12, false),
            (late, -50, 3, false),
            (endgame, 0, 4, true),
            (endgame, -300, 30, true),
            (endgame, 40, 30, false),
        ] {
            let board = Board::from_fen(fen).expect(fen);
            let found = accepts_draw(&board, Score::from_centipawns(score), depth);
            assert_eq!(found, accepted, "{fen} {score} {depth}");
        }
    }

    #[test]
    fn nobody_a_queen_up_claims_a_draw() {
        let lead = Board::from_fen("4k3/8/8/8/8/8/3Q4/4K3 w - - 100 90").expect("legal");
        let lag = Board::from_fen("4k3/8/8/8/8/8/3Q4/4K3 b - - 100 90").expect("legal");
        assert!(!claims_draw(&lead, Score::DRAW));
        assert!(!claims_draw(&lag, Score::mate_in(3)));
        assert!(claims_draw(&lag, Score::DRAW));
        assert!(claims_draw(&lag, Score::from_centipawns(-500)));
    }
}
