//! The value of a position, in the search's own unit or in moves to mate.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score from the side to move's point of view. Near the ends of the range it
/// counts plies to mate. Elsewhere its unit is whatever the evaluation has learned:
/// [`Score::centipawns`] is what people are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(pub i32);

/// No line of play is longer than this many plies.
pub(crate) const MAX_PLY: usize = 246;

impl Score {
    pub const DRAW: Score = Score(0);
    pub(crate) const INFINITE: Score = Score(32_001);
    /// What is shown as one pawn: at this score the side ahead wins half of its games
    /// against itself. Fitted by `gambeson data chances`.
    pub(crate) const HALF_WON: i32 = 134;
    /// Being mated on the spot.
    const MATE: i32 = 32_000;
    /// Anything beyond is a mate within the search's horizon.
    const MATE_BOUND: i32 = Score::MATE - MAX_PLY as i32;
    /// A position that tablebases call won, at the root.
    const TB_WIN: i32 = Score::MATE_BOUND - 1;
    /// Anything beyond is decided, by mate or by a table.
    const DECIDED_BOUND: i32 = Score::TB_WIN - MAX_PLY as i32;
    /// How a table's win is shown: in hundreds of pawns, which is clearly no mate.
    const SHOWN_TB_WIN: i32 = 20_000;
    /// Whatever is not decided is shown as less than any table's win.
    const SHOWN_LARGEST: i32 = Score::SHOWN_TB_WIN - MAX_PLY as i32 - 1;

    /// Being mated `ply` plies below the root.
    pub(crate) const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Score::MATE)
    }

    /// Giving mate `ply` plies below the root.
    pub(crate) const fn mate_in(ply: usize) -> Score {
        Score(Score::MATE - ply as i32)
    }

    /// Reaching a position that a table calls won, `ply` plies below the root.
    pub const fn tb_win(ply: usize) -> Score {
        Score(Score::TB_WIN - ply as i32)
    }

    /// Whether the game is decided, by a mate in sight or by a table.
    pub(crate) const fn is_decided(self) -> bool {
        self.0.abs() >= Score::DECIDED_BOUND
    }

    /// The score as people are shown it, mates excepted.
    pub(crate) fn centipawns(self) -> i32 {
        if self.is_decided() {
            return self.0 - self.0.signum() * (Score::TB_WIN - Score::SHOWN_TB_WIN);
        }
        let shown = (100.0 * f64::from(self.0) / f64::from(Score::HALF_WON)).round() as i32;
        shown.clamp(-Score::SHOWN_LARGEST, Score::SHOWN_LARGEST)
    }

    /// What somebody means by this many centipawns, up to rounding; never decided.
    pub(crate) fn from_centipawns(shown: i32) -> Score {
        let shown = f64::from(shown.clamp(-Score::SHOWN_LARGEST, Score::SHOWN_LARGEST));
        Score::evaluation((shown * f64::from(Score::HALF_WON) / 100.0).round() as i32)
    }

    pub(crate) const fn is_mate(self) -> bool {
        self.0.abs() >= Score::MATE_BOUND
    }

    /// Lost for certain, or knowing nothing yet.
    pub(crate) const fn is_loss(self) -> bool {
        self.0 <= -Score::DECIDED_BOUND
    }

    /// Moves (not plies) to mate: positive if the side to move mates, negative if it
    /// is mated, zero if it is mate already. `None` for other scores.
    pub(crate) const fn mate_moves(self) -> Option<i32> {
        if self.0 >= Score::MATE_BOUND {
            Some((Score::MATE - self.0 + 1) / 2)
        } else if self.0 <= -Score::MATE_BOUND {
            Some(-((Score::MATE + self.0) / 2))
        } else {
            None
        }
    }

    /// An evaluation kept out of the range of what is decided.
    pub(crate) const fn evaluation(value: i32) -> Score {
        let bound = Score::DECIDED_BOUND - 1;
        Score(if value > bound {
            bound
        } else if value < -bound {
            -bound
        } else {
            value
        })
    }

    /// Moved by so much, but not beyond the infinite.
    pub(crate) fn widened(self, by: i32) -> Score {
        Score(self.0.saturating_add(by).clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }

    /// As stored in the transposition table: mates and tablebase wins counted from the
    /// position itself and not from the root.
    pub const fn to_tt(self, ply: usize) -> Score {
        if self.0 >= Score::DECIDED_BOUND {
            Score(self.0 + ply as i32)
        } else if self.0 <= -Score::DECIDED_BOUND {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The reverse of [`Score::to_tt`].
    pub const fn from_tt(self, ply: usize) -> Score {
        if self.0 >= Score::DECIDED_BOUND {
            Score(self.0 - ply as i32)
        } else if self.0 <= -Score::DECIDED_BOUND {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }
}

impl fmt::Display for Score {
    /// In pawns, or `#` and moves to mate.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.mate_moves() {
            Some(moves) => format!("#{moves}"),
            None => format!("{:+.2}", f64::from(self.centipawns()) / 100.0),
        })
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, value: i32) -> Score {
        Score(self.0 + value)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, value: i32) -> Score {
        Score(self.0 - value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::mated_in(4).mate_moves(), Some(-2));
        assert_eq!(Score(31).mate_moves(), None);
        assert!(!Score::evaluation(1_000_000).is_decided());
    }

    #[test]
    fn table_wins_are_no_mates() {
        for ply in [0, 1, MAX_PLY] {
            let (win, loss) = (Score::tb_win(ply), -Score::tb_win(ply));
            assert!(win.is_decided() && loss.is_decided() && !win.is_mate() && !loss.is_mate());
            assert_eq!(win.centipawns(), 20_000 - ply as i32);
            assert_eq!(loss.centipawns(), ply as i32 - 20_000);
            assert_eq!(loss.to_tt(ply).from_tt(ply), loss);
        }
    }

    #[test]
    fn a_pawn_wins_half_of_the_games() {
        assert_eq!(Score(Score::HALF_WON).centipawns(), 100);
        assert_eq!(Score::from_centipawns(-100), Score(-Score::HALF_WON));
        // The unit is finer than a centipawn, so nothing that is shown is lost.
        for shown in -19_000..=19_000 {
            assert_eq!(Score::from_centipawns(shown).centipawns(), shown);
        }
        assert_eq!(Score(Score::HALF_WON).to_string(), "+1.00");
        assert_eq!(format!("{:>5}", Score::mated_in(4)), "  #-2");
        let largest = Score::evaluation(i32::MAX);
        assert!(largest.centipawns() < Score::tb_win(MAX_PLY).centipawns());
        for shown in [i32::MIN, i32::MAX] {
            assert!(!Score::from_centipawns(shown).is_decided());
        }
    }

    #[test]
    fn the_table_counts_mates_from_the_position() {
        let score = Score::mate_in(9);
        assert_eq!(score.to_tt(4), Score::mate_in(5));
        assert_eq!(score.to_tt(4).from_tt(2), Score::mate_in(7));
        assert_eq!((-score).to_tt(4).from_tt(4), -score);
    }
}
