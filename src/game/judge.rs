//! The one judge of the end of a game, as far as the board shows it.

use super::{GameEnd, GameResult, Termination};
use crate::board::Board;

/// How the game ended if every draw that can be claimed is claimed.
pub fn judge(board: &Board) -> Option<GameEnd> {
    dead(board).or_else(|| claimable(board).map(draw))
}

/// How the game ended without anybody having to claim it. Mate takes precedence over
/// every draw.
pub fn automatic(board: &Board) -> Option<GameEnd> {
    let rule = || {
        if board.halfmove_clock() >= 150 {
            Some(Termination::SeventyFiveMoves)
        } else if board.earlier_occurrences() >= 4 {
            Some(Termination::FivefoldRepetition)
        } else {
            None
        }
    };
    dead(board).or_else(|| rule().map(draw))
}

/// The draw that the player to move may claim in a game that goes on.
pub(crate) fn claimable(board: &Board) -> Option<Termination> {
    if board.earlier_occurrences() >= 2 {
        Some(Termination::Repetition)
    } else if board.halfmove_clock() >= 100 {
        Some(Termination::FiftyMoves)
    } else {
        None
    }
}

/// Whether nobody can move, or nobody can mate.
fn dead(board: &Board) -> Option<GameEnd> {
    if !board.has_legal_moves() {
        Some(if board.in_check() {
            GameEnd::new(GameResult::win(!board.side_to_move()), Termination::Checkmate)
        } else {
            draw(Termination::Stalemate)
        })
    } else if board.has_insufficient_material() {
        Some(draw(Termination::InsufficientMaterial))
    } else {
        None
    }
}

fn draw(termination: Termination) -> GameEnd {
    GameEnd::new(GameResult::Draw, termination)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::played;

    fn board(fen: &str, moves: &str) -> Board {
        played(fen, moves).0
    }

    #[test]
    fn mate_takes_precedence_over_the_clock() {
        let mate = board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 150 200", "");
        let won = Some(GameEnd::new(GameResult::WhiteWins, Termination::Checkmate));
        assert_eq!((automatic(&mate), judge(&mate)), (won, won));
        let late = board("6k1/R4ppp/8/8/8/8/8/6K1 b - - 150 200", "");
        assert_eq!(automatic(&late), Some(draw(Termination::SeventyFiveMoves)));
        let fifty = board("6k1/R4ppp/8/8/8/8/8/6K1 b - - 100 200", "");
        assert_eq!((automatic(&fifty), claimable(&fifty)), (None, Some(Termination::FiftyMoves)));
        assert_eq!(judge(&fifty), Some(draw(Termination::FiftyMoves)));
    }

    #[test]
    fn repetitions_and_dead_positions() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(judge(&board(Board::START_FEN, shuffle)), None);
        let three = board(Board::START_FEN, &shuffle.repeat(2));
        assert_eq!((automatic(&three), judge(&three)), (None, Some(draw(Termination::Repetition))));
        let five = board(Board::START_FEN, &shuffle.repeat(4));
        assert_eq!(automatic(&five), Some(draw(Termination::FivefoldRepetition)));
        let stalemate = board("k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", "");
        assert_eq!(automatic(&stalemate), Some(draw(Termination::Stalemate)));
        let bare = board("k7/8/8/8/8/8/8/7K w - - 0 1", "");
        assert_eq!(automatic(&bare), Some(draw(Termination::InsufficientMaterial)));
    }
}
