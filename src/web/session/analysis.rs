//! Looking at any position: of the game, or of a line that leaves it.

use crate::board::Board;
use crate::types::Move;
use crate::web::record::Record;

/// The line on the board: the game's first `from` half-moves, then `moves`. Shown
/// is the position after `ply` half-moves of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct View {
    pub(super) from: usize,
    pub(super) moves: Vec<Move>,
    pub(super) ply: usize,
    /// How many of the best lines to look for.
    pub(super) lines: usize,
}

impl View {
    /// The game itself.
    pub(super) fn of_game(record: &Record, ply: usize, lines: usize) -> View {
        let from = record.moves().len();
        View { from, moves: Vec::new(), ply: ply.min(from), lines }
    }

    /// The moves up to the position shown.
    pub(super) fn moves(&self, record: &Record) -> Vec<Move> {
        let game = record.moves().iter().take(self.from).map(|played| played.mv);
        game.chain(self.moves.iter().copied()).take(self.ply).collect()
    }

    pub(super) fn board(&self, record: &Record) -> Board {
        let mut board = record.start().clone();
        self.moves(record).into_iter().for_each(|mv| board.make(mv));
        board
    }

    /// How far into the game the position shown is, if it is of the game.
    pub(super) fn main_line_ply(&self) -> Option<usize> {
        (self.ply <= self.from).then_some(self.ply)
    }

    pub(super) fn look(&mut self, ply: usize) {
        self.ply = ply.min(self.from + self.moves.len());
    }

    /// Plays a legal move: along the line if it goes that way, or off it.
    pub(super) fn play(&mut self, record: &Record, mv: Move) {
        let of_game = record.moves().get(self.ply).map(|played| played.mv);
        if self.ply <= self.from && of_game == Some(mv) {
            if self.ply == self.from {
                *self = View::of_game(record, self.ply, self.lines);
            }
        } else {
            let kept = self.ply.saturating_sub(self.from);
            if self.ply < self.from || self.moves.get(kept) != Some(&mv) {
                self.from = self.from.min(self.ply);
                self.moves.truncate(kept);
                self.moves.push(mv);
            }
        }
        self.ply += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_the_game_and_comes_back() {
        let mut record = Record::default();
        for text in ["e4", "e5", "Nf3"] {
            let mv = record.read(text).expect(text);
            record.play(mv, None, 0, None);
        }
        let mut view = View::of_game(&record, 1, 3);
        let play = |view: &mut View, text: &str| {
            let mv = view.board(&record).parse_move(text).expect(text);
            view.play(&record, mv);
        };
        play(&mut view, "e5");
        assert_eq!((view.from, view.moves.len(), view.ply), (3, 0, 2));
        play(&mut view, "f4");
        play(&mut view, "exf4");
        assert_eq!((view.from, view.moves.len(), view.ply), (2, 2, 4));
        assert_eq!(view.main_line_ply(), None);
        view.look(3);
        play(&mut view, "d5");
        assert_eq!((view.from, view.moves.len(), view.ply), (2, 2, 4));
        view.look(1);
        assert_eq!(view.main_line_ply(), Some(1));
        play(&mut view, "c5");
        assert_eq!((view.from, view.moves.len(), view.ply), (1, 1, 2));
        view.look(99);
        assert_eq!(view.ply, 2);
        assert_eq!(view.moves(&record).len(), 2);
        view.look(1);
        play(&mut view, "e5");
        assert_eq!(view, View { ply: 2, ..View::of_game(&record, 0, 3) });
    }
}
