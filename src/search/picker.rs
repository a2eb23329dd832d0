//! The order in which moves are tried: the table's move, winning captures by
//! victim and history, quiet moves by history, losing captures.

use super::history::{Context, Histories, PieceTo};
use crate::board::{Board, Noisy, Quiet, exchange_value};
use crate::types::{Move, MoveList};
use arrayvec::ArrayVec;

/// Which moves a picker gives out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// Captures and promotions that win at least so much in exchanges.
    Tactical {
        gain: i32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

pub struct Picker {
    wanted: Wanted,
    stage: Stage,
    table_move: Option<Move>,
    context: Context,
    /// No more quiet moves, please.
    skips_quiets: bool,
    moves: MoveList,
    /// One for each of the moves.
    ranks: ArrayVec<Rank, 256>,
    bad_noisy: MoveList,
    next_bad: usize,
}

/// A move's score above its place in the list, in one word, so that the greatest of
/// all says where the best move is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(i32);

impl Rank {
    const PLACE_BITS: u32 = 8;

    #[inline(always)]
    fn new(score: i32, place: usize) -> Rank {
        debug_assert!(score.abs() < 1 << (31 - Rank::PLACE_BITS) && place >> Rank::PLACE_BITS == 0);
        Rank(score << Rank::PLACE_BITS | place as i32)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        self.0 >> Rank::PLACE_BITS
    }

    #[inline(always)]
    fn place(self) -> usize {
        (self.0 & ((1 << Rank::PLACE_BITS) - 1)) as usize
    }
}

impl Picker {
    pub fn new(wanted: Wanted, table_move: Option<Move>, context: Context) -> Picker {
        Picker {
            wanted,
            stage: Stage::TableMove,
            table_move,
            context,
            skips_quiets: false,
            moves: MoveList::new(),
            ranks: ArrayVec::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
        }
    }

    /// From now on only captures and promotions are given out.
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    #[inline]
    pub fn next(&mut self, board: &Board, histories: &Histories) -> Option<Move> {
        let gain = if let Wanted::Tactical { gain } = self.wanted { gain } else { 0 };
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(board, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pick_best() {
                    Some(mv) if !board.see_at_least(mv, gain) => self.bad_noisy.push(mv),
                    Some(mv) => return Some(mv),
                    None if self.wanted != Wanted::All => return None,
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if !self.skips_quiets {
                        self.generate_quiets(board, histories);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.skips_quiets => self.stage = Stage::BadNoisy,
                Stage::Quiet => match self.pick_best() {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    self.next_bad += 1;
                    return self.bad_noisy.get(self.next_bad - 1).copied();
                }
            }
        }
    }

    // Not inlined: most calls of `next` generate nothing, and should not pay for the
    // registers and the stack that generating takes.
    #[inline(never)]
    fn generate_noisy(&mut self, board: &Board, histories: &Histories) {
        board.generate::<Noisy>(&mut self.moves);
        self.rank(|mv| noisy_score(board, histories, mv));
    }

    #[inline(never)]
    fn generate_quiets(&mut self, board: &Board, histories: &Histories) {
        board.generate::<Quiet>(&mut self.moves);
        let rows = histories.quiet_rows(&self.context);
        self.rank(|mv| rows.score(mv, PieceTo::of(board, mv)));
    }

    #[inline(always)]
    fn rank(&mut self, score: impl Fn(Move) -> i32) {
        self.ranks.clear();
        let ranked = self.moves.iter().enumerate();
        self.ranks.extend(ranked.map(|(place, &mv)| Rank::new(score(mv), place)));
    }

    /// Takes out the move with the highest score, leaving out the table's move,
    /// which has been given already.
    #[inline(always)]
    fn pick_best(&mut self) -> Option<Move> {
        loop {
            let place = self.ranks.iter().copied().max()?.place();
            let mv = self.moves.swap_remove(place);
            // The last move has come into the place that is free now.
            if let Some(last) = self.ranks.pop()
                && let Some(rank) = self.ranks.get_mut(place)
            {
                *rank = Rank::new(last.score(), place);
            }
            if Some(mv) != self.table_move {
                return Some(mv);
            }
        }
    }
}

/// The most valuable victim first, corrected by what such captures led to.
fn noisy_score(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let victim = board.victim(mv);
    let value = victim.map_or(0, exchange_value) + mv.promoted().map_or(0, exchange_value);
    16 * value + histories.capture(PieceTo::of(board, mv), victim) / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{All, Board};

    #[test]
    fn gives_every_move_once() {
        let histories = Histories::default();
        for fen in [
            Board::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let board = Board::from_fen(fen).expect(fen);
            let mut all = MoveList::new();
            board.generate::<All>(&mut all);
            for table_move in std::iter::once(None).chain(all.iter().copied().map(Some)) {
                let context = Context::new(&board, [PieceTo::NONE; 3]);
                let mut picker = Picker::new(Wanted::All, table_move, context);
                let mut given: Vec<Move> =
                    std::iter::from_fn(|| picker.next(&board, &histories)).collect();
                if table_move.is_some() {
                    assert_eq!(given.first().copied(), table_move);
                }
                let mut expected: Vec<Move> = all.iter().copied().collect();
                given.sort_by_key(|mv| mv.to_bits());
                expected.sort_by_key(|mv| mv.to_bits());
                assert_eq!(given, expected, "{fen}");
            }
        }
    }
}
