//! Fits the model that turns scores into chances to win, draw and lose.
//!
//! The model is `win = 1 / (1 + exp((half_won - score) / spread))` for both sides;
//! the two numbers are those under which the games that were played are likeliest.

use crate::eval::WdlModel;
use crate::selfplay::{DataError, GameReader, Origin, usable};
use std::path::Path;

/// Scores are counted by steps of this size, up to this many steps.
const STEP: i32 = 10;
const STEPS: i32 = 200;

/// How often games were won, drawn and lost from a score.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    /// By score, the lowest first.
    results: Vec<[u64; 3]>,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { results: vec![[0; 3]; 2 * STEPS as usize + 1] }
    }
}

impl Tally {
    /// Counts the usable positions of a file and says where its games come from.
    pub(crate) fn add_file(&mut self, path: &Path) -> Result<Origin, DataError> {
        let mut reader = GameReader::open(path)?;
        while let Some(record) = reader.read()? {
            usable::for_each(&record, |_, score, points| self.add(score.0, points))
                .map_err(|error| reader.damaged(error))?;
        }
        Ok(reader.origin())
    }

    fn add(&mut self, score: i32, points: f32) {
        let step = (score as f64 / f64::from(STEP)).round() as i32;
        if step.abs() <= STEPS {
            let result = if points > 0.75 { 0 } else { usize::from(points < 0.25) + 1 };
            self.results[(step + STEPS) as usize][result] += 1;
        }
    }

    pub(crate) fn positions(&self) -> u64 {
        self.results.iter().flatten().sum()
    }

    /// The mean logarithm of the chance the model gave to what happened.
    pub(crate) fn likelihood(&self, model: WdlModel) -> f64 {
        let sum: f64 = self
            .results
            .iter()
            .zip(-STEPS..)
            .map(|(results, step)| {
                let chances = model.chances(f64::from(step * STEP));
                let logarithms = chances.map(|chance| chance.max(1e-9).ln());
                results.iter().zip(logarithms).map(|(&n, log)| n as f64 * log).sum::<f64>()
            })
            .sum();
        sum / self.positions().max(1) as f64
    }

    /// The likeliest model, by steps that become smaller.
    pub(crate) fn fit(&self) -> WdlModel {
        let mut model = WdlModel { half_won: 150.0, spread: 75.0 };
        let mut best = self.likelihood(model);
        let mut step = 64.0;
        while step > 0.1 {
            let tried = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)]
                .map(|(half_won, spread)| WdlModel {
                    half_won: model.half_won + half_won,
                    spread: (model.spread + spread).max(1.0),
                })
                .map(|model| (self.likelihood(model), model));
            match tried.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((likelihood, better)) if likelihood > best => {
                    (best, model) = (likelihood, better);
                }
                _ => step /= 2.0,
            }
        }
        model
    }
}

/// No network's unit is that far off; a fit that says so had too few games.
const LARGEST_CHANGE: f64 = 2.0;

/// By how much to multiply the values of a network whose games fit `found`, so that its
/// unit becomes that of `wanted`.
pub(crate) fn unit_change(found: WdlModel, wanted: WdlModel) -> f64 {
    let factor = wanted.half_won / found.half_won.max(1.0);
    factor.clamp(1.0 / LARGEST_CHANGE, LARGEST_CHANGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_follows_from_the_games() {
        let wanted = WdlModel { half_won: 134.0, spread: 86.0 };
        for factor in [0.8, 1.0, 1.3] {
            // Games of a network whose values are too large by this factor.
            let truth = WdlModel { half_won: factor * 134.0, spread: factor * 86.0 };
            let mut tally = Tally::default();
            for (results, step) in tally.results.iter_mut().zip(-STEPS..) {
                let chances = truth.chances(f64::from(step * STEP));
                *results = chances.map(|chance| (chance * 10_000.0).round() as u64);
            }
            let change = unit_change(tally.fit(), wanted);
            assert!((change * factor - 1.0).abs() < 0.01, "{factor} {change}");
        }
        let nonsense = WdlModel { half_won: -5.0, spread: 1.0 };
        assert_eq!(unit_change(nonsense, wanted), LARGEST_CHANGE);
    }

    #[test]
    fn finds_the_model_that_made_the_results() {
        let truth = WdlModel { half_won: 210.0, spread: 60.0 };
        let mut tally = Tally::default();
        for (results, step) in tally.results.iter_mut().zip(-STEPS..) {
            *results = truth
                .chances(f64::from(step * STEP))
                .map(|chance| (chance * 10_000.0).round() as u64);
        }
        let found = tally.fit();
        assert!((found.half_won - truth.half_won).abs() < 1.0, "{found:?}");
        assert!((found.spread - truth.spread).abs() < 1.0, "{found:?}");
    }
}
