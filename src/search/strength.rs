//! Limited strength: fewer nodes, noise in the evaluation, and a random choice among the
//! best moves.
//!
//! It limits nodes, never time, so that it plays equally well on fast and slow machines,
//! and runs on one thread only.

use super::event::SearchEvent;
use super::{RootMove, SearchListener, Worker};
use crate::board::Board;
use crate::types::{Piece, Score};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// How many of the best root moves a careless choice is made from.
const CANDIDATES: usize = 5;

/// The range of Elo.
pub(crate) const WEAKEST: i32 = 800;
pub(crate) const STRONGEST: i32 = 2_800;

/// A limited playing strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Strength {
    /// No iteration is begun after this many nodes.
    pub(crate) nodes: u64,
    /// Random error of evaluations, as in [`super::Style::noise`].
    pub(crate) noise: i32,
    /// Moves that look this much worse than the best are chosen about a third as often.
    pub(crate) carelessness: i32,
}

/// Elo with the strength measured to play it; see docs/levels.md. Values in between are
/// interpolated, nodes by their logarithm.
const MEASURED: [(i32, Strength); 9] = [
    (WEAKEST, Strength { nodes: 188, noise: 70, carelessness: 44 }),
    (1_000, Strength { nodes: 428, noise: 46, carelessness: 30 }),
    (1_250, Strength { nodes: 803, noise: 26, carelessness: 17 }),
    (1_500, Strength { nodes: 1_364, noise: 18, carelessness: 11 }),
    (1_750, Strength { nodes: 2_446, noise: 13, carelessness: 8 }),
    (2_000, Strength { nodes: 4_355, noise: 9, carelessness: 6 }),
    (2_300, Strength { nodes: 8_060, noise: 6, carelessness: 4 }),
    (2_600, Strength { nodes: 17_050, noise: 2, carelessness: 2 }),
    (STRONGEST, Strength { nodes: 32_180, noise: 1, carelessness: 1 }),
];

impl Strength {
    /// The strength that corresponds to this Elo.
    pub(crate) fn of(elo: i32) -> Strength {
        let elo = elo.clamp(WEAKEST, STRONGEST);
        let above = MEASURED.iter().position(|&(measured, _)| elo <= measured).unwrap_or(0).max(1);
        let (low, weaker) = MEASURED[above - 1];
        let (high, stronger) = MEASURED[above];
        let share = f64::from(elo - low) / f64::from(high - low);
        let between = |from: f64, to: f64| from + (to - from) * share;
        let nodes = between((weaker.nodes as f64).ln(), (stronger.nodes as f64).ln()).exp();
        Strength {
            nodes: nodes.round() as u64,
            noise: between(weaker.noise.into(), stronger.noise.into()).round() as i32,
            carelessness: between(weaker.carelessness.into(), stronger.carelessness.into()).round()
                as i32,
        }
    }
}

/// Nodes for a basic mate, which takes a plan and no tactics.
const MATING_NODES: u64 = 2_000;

impl Strength {
    /// The strength to play this position with. Anybody can mate a lone king with a queen
    /// or a rook, so the basic mates are played without noise or careless moves.
    pub(super) fn in_position(self, board: &Board) -> Strength {
        let us = board.side_to_move();
        let heavy = board.pieces(Piece::Queen) | board.pieces(Piece::Rook);
        if board.color(!us).has_several() || !board.color(us).intersects(heavy) {
            return self;
        }
        Strength { nodes: self.nodes.max(MATING_NODES), noise: 0, carelessness: 0 }
    }

    /// How many of the best root moves the choice is made from.
    pub(super) fn candidates(self) -> usize {
        if self.carelessness == 0 { 1 } else { CANDIDATES }
    }
}

impl Worker {
    /// Moves the root move to play, chosen at random among the best few, to the front, and
    /// waits for as long as a person might think.
    pub(super) fn choose_move(
        &mut self,
        strength: Strength,
        candidates: usize,
        listen: SearchListener<'_>,
    ) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.style.seed ^ self.board.key());
        let mut fraction = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let chosen = choice(&self.root_moves[..candidates], strength.carelessness, fraction());
        if chosen > 0 {
            self.root_moves[..=chosen].rotate_right(1);
            listen(SearchEvent::Info(self.best_line()));
        }
        // Most moves come quickly, some take long, an only move comes at once.
        let pace = if self.root_moves.len() == 1 { 0.1 } else { 0.15 + 1.2 * fraction().powi(2) };
        self.control.linger(pace);
    }
}

/// The index of the move to play; `fraction` is random between 0 and 1.
fn choice(moves: &[RootMove], carelessness: i32, fraction: f64) -> usize {
    let Some(best) = moves.first() else { return 0 };
    let appeal = |candidate: &RootMove| {
        // Not searched to an exact score, or worse according to the tablebases.
        if candidate.score == -Score::INFINITE || candidate.tb_rank != best.tb_rank {
            return 0.0;
        }
        let loss = f64::from(best.score.0 - candidate.score.0).max(0.0);
        (-loss / f64::from(carelessness.max(1))).exp()
    };
    let mut left = fraction * moves.iter().map(appeal).sum::<f64>();
    moves
        .iter()
        .position(|candidate| {
            left -= appeal(candidate);
            left < 0.0
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::judge::claimable;
    use crate::search::{Control, Pool, Task};
    use crate::time::{Budget, Limits};
    use crate::tt::TranspositionTable;
    use crate::types::{Move, Square};
    use std::sync::Arc;

    #[test]
    fn strength_grows_with_elo() {
        assert!(MEASURED.is_sorted_by_key(|&(elo, _)| elo));
        let mut last = Strength::of(WEAKEST);
        assert_eq!(last, MEASURED[0].1);
        for elo in WEAKEST..=STRONGEST {
            let strength = Strength::of(elo);
            assert!(strength.nodes >= last.nodes, "{elo}");
            assert!(
                strength.noise <= last.noise && strength.carelessness <= last.carelessness,
                "{elo}"
            );
            last = strength;
        }
        assert_eq!(Strength::of(100_000), MEASURED[MEASURED.len() - 1].1);
    }

    #[test]
    fn basic_mates_are_played_without_mistakes() {
        let weakest = Strength::of(WEAKEST);
        let mating = |fen| weakest.in_position(&Board::from_fen(fen).expect(fen));
        for fen in ["8/8/8/3k4/8/8/8/QK6 w - - 0 1", "8/8/8/3K4/8/8/8/rk6 b - - 0 1"] {
            let strength = mating(fen);
            assert_eq!((strength.noise, strength.candidates()), (0, 1), "{fen}");
            assert!(strength.nodes > weakest.nodes, "{fen}");
        }
        // The lone king's own moves, harder mates, and anything on the other side.
        for fen in [
            "8/8/8/3k4/8/8/8/QK6 b - - 0 1",
            "8/8/8/3k4/8/8/8/BNK5 w - - 0 1",
            "8/8/8/3k4/3p4/8/8/QK6 w - - 0 1",
            Board::START_FEN,
        ] {
            assert_eq!(mating(fen), weakest, "{fen}");
        }
    }

    /// Against a king that always goes where it has the most room.
    #[test]
    fn the_weakest_mates_with_a_rook() {
        let mut board = Board::from_fen("8/8/8/3k4/8/8/8/RK6 w - - 0 1").expect("a FEN");
        let tt = Arc::new(TranspositionTable::new(1).expect("one megabyte"));
        let mut pool = Pool::new(1, &tt).expect("one worker");
        while claimable(&board).is_none() && board.has_legal_moves() {
            let mut task = Task::new(board.clone(), Limits::default());
            task.style.strength = Some(Strength::of(WEAKEST));
            let control = Arc::new(Control::new(Budget::UNLIMITED));
            let best = pool.search(task, &control, &mut |_| {}).best.expect("a move");
            board.make(best);
            let room = |mv: &Move| {
                let mut next = board.clone();
                next.make(*mv);
                next.make_null();
                next.legal_moves().len()
            };
            if let Some(reply) = board.legal_moves().into_iter().max_by_key(room) {
                board.make(reply);
            }
        }
        assert!(board.in_check() && !board.has_legal_moves(), "{}", board.fen());
    }

    #[test]
    fn worse_moves_are_chosen_less_often() {
        let moves: Vec<RootMove> = [(Square::E4, 50), (Square::E3, 20), (Square::D4, -400)]
            .into_iter()
            .map(|(to, score)| RootMove {
                score: Score(score),
                ..RootMove::new(Move::normal(Square::E2, to))
            })
            .collect();
        let chosen = |carelessness| {
            let mut counts = [0; 3];
            for step in 0..1_000 {
                counts[choice(&moves, carelessness, f64::from(step) / 1_000.0)] += 1;
            }
            counts
        };
        assert_eq!(chosen(1), [1_000, 0, 0]);
        let [first, second, third] = chosen(30);
        assert!(first > 2 * second && second > 200 && third == 0, "{first} {second} {third}");
        let [_, _, third] = chosen(1_000);
        assert!(third > 200);
        assert_eq!(choice(&[], 10, 0.5), 0);
    }
}
