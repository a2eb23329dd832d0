//! Which quiet moves proved good before, wherever they were played.

use crate::types::{Color, Move};

/// Scores by side, origin and destination. The gravity term keeps them within
/// bounds: what is already known for good gains less.
#[derive(Debug)]
pub struct History {
    scores: Vec<i16>,
}

const LIMIT: i32 = 16_384;

impl Default for History {
    fn default() -> History {
        History { scores: vec![0; Color::COUNT * 64 * 64] }
    }
}

impl History {
    #[inline(always)]
    fn index(color: Color, mv: Move) -> usize {
        (color.index() * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    #[inline(always)]
    pub fn get(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.scores[History::index(color, mv)])
    }

    /// Moves the score towards `bonus`.
    pub fn update(&mut self, color: Color, mv: Move, bonus: i32) {
        let score = &mut self.scores[History::index(color, mv)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }

    /// What the last search learned counts for less in the next.
    pub fn age(&mut self) {
        self.scores.iter_mut().for_each(|score| *score /= 2);
    }
}
