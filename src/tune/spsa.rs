//! Tunes the numbers of the search by playing: SPSA, simultaneous perturbation
//! stochastic approximation.
//!
//! All numbers are moved a little at once, each up or down by chance. Those who
//! moved play against those who moved the other way, and every number goes a small
//! step towards the side that won. A single match says next to nothing; thousands
//! of them do.

use crate::eval::nnue;
use crate::search::params::{self, Tunable};
use crate::selfplay::duel::{Conditions, Openings, Results, duel};
use crate::time::Limits;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::io;
use std::path::Path;
use thiserror::Error;

/// How the steps become smaller: the usual exponents.
const STEP_DECAY: f64 = 0.602;
const REACH_DECAY: f64 = 0.101;
/// The part of all pairs after which the steps have about half their first size.
const SETTLING: f64 = 0.1;

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Pairs of games in all, and between two steps.
    pub pairs: u32,
    pub pairs_a_step: u32,
    /// Soft node limit of a move.
    pub nodes: u64,
    /// The last step after a pair won, as a part of a number's reach.
    pub rate: f64,
    pub seed: u64,
    pub threads: usize,
}

#[derive(Debug, Error)]
pub enum SpsaError {
    #[error("there is no number of the search called {0}")]
    Unknown(String),
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    #[error("{path}: line {line} is not a name and a number")]
    Line { path: String, line: usize },
    #[error("no memory for the hash table: {0}")]
    Memory(#[source] io::Error),
}

/// A number on its way.
#[derive(Debug)]
pub struct Number {
    pub tunable: &'static Tunable,
    pub value: f64,
}

impl Number {
    /// How far it is moved to either side in the last steps.
    fn reach(&self) -> f64 {
        (f64::from(self.tunable.default.abs()) / 10.0).max(0.5)
    }

    /// To where `offset` leads, as far as the range allows. Between two whole
    /// numbers chance decides, so that small offsets count, too.
    fn moved(&self, offset: f64, chance: f64) -> i32 {
        let rounded = (self.value + offset + chance).floor() as i32;
        rounded.clamp(self.tunable.min, self.tunable.max)
    }
}

/// A tuning that can be interrupted.
#[derive(Debug)]
pub struct Spsa {
    settings: Settings,
    pub numbers: Vec<Number>,
    /// Pairs played so far.
    pub done: u32,
}

impl Spsa {
    /// Tunes the numbers called `names`, or all of them.
    pub fn new(settings: Settings, names: &[String]) -> Result<Spsa, SpsaError> {
        let known = |name: &String| params::ALL.iter().any(|tunable| tunable.name == name);
        if let Some(unknown) = names.iter().find(|name| !known(name)) {
            return Err(SpsaError::Unknown(unknown.clone()));
        }
        let wanted =
            |tunable: &&Tunable| names.is_empty() || names.iter().any(|name| name == tunable.name);
        let number = |tunable: &'static Tunable| Number { tunable, value: tunable.default.into() };
        let numbers = params::ALL.iter().filter(wanted).map(number).collect();
        Ok(Spsa { settings, numbers, done: 0 })
    }

    pub fn is_done(&self) -> bool {
        self.done >= self.settings.pairs
    }

    /// Plays some pairs and goes a step.
    pub fn step(&mut self) -> Result<(), SpsaError> {
        let Settings { pairs, pairs_a_step, nodes, rate, seed, threads } = self.settings;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(self.done) << 32);
        let (total, now) = (f64::from(pairs), f64::from(self.done + 1));
        let widening = (total / now).powf(REACH_DECAY);
        let settling = SETTLING * total;
        let hurry = ((settling + total) / (settling + now)).powf(STEP_DECAY) / widening.powi(2);
        let mut directions = Vec::with_capacity(self.numbers.len());
        for number in &self.numbers {
            let direction = if rng.next_u64() % 2 == 0 { 1.0 } else { -1.0 };
            let offset = direction * number.reach() * widening;
            let chance = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            number.tunable.set_for(0, number.moved(offset, chance));
            number.tunable.set_for(1, number.moved(-offset, chance));
            directions.push(direction);
        }
        let conditions = Conditions {
            openings: Openings::Random { chess960: 0 },
            pairs: pairs_a_step,
            sprt: None,
            limits: Limits {
                soft_nodes: Some(nodes),
                nodes: Some(nodes.saturating_mul(8)),
                ..Limits::default()
            },
            seed: rng.next_u64(),
            threads,
        };
        let net = nnue::embedded();
        let players = [net.clone(), net];
        let score = duel(&players, &conditions, &Results::new(), params::play_as, |_, _, _| Ok(()))
            .map_err(SpsaError::Memory)?;
        let won = f64::from(score.wins) - f64::from(score.losses);
        for (number, direction) in self.numbers.iter_mut().zip(directions) {
            let step = rate * hurry * number.reach() * widening * won * direction;
            let range = f64::from(number.tunable.min)..=f64::from(number.tunable.max);
            number.value = (number.value + step).clamp(*range.start(), *range.end());
        }
        self.done += pairs_a_step;
        Ok(())
    }

    /// The state as text: how many pairs are done, and each number.
    pub fn write(&self, path: &Path) -> Result<(), SpsaError> {
        let mut text = format!("pairs {}\n", self.done);
        for number in &self.numbers {
            text += &format!("{} {:.4}\n", number.tunable.name, number.value);
        }
        let file = |source| SpsaError::File { path: path.display().to_string(), source };
        // Whole or not at all.
        let new = path.with_extension("new");
        std::fs::write(&new, text).map_err(file)?;
        std::fs::rename(&new, path).map_err(file)
    }

    /// Goes on from a state, if there is one.
    pub fn resume(&mut self, path: &Path) -> Result<(), SpsaError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => {
                return Err(SpsaError::File { path: path.display().to_string(), source });
            }
        };
        for (index, line) in text.lines().enumerate() {
            let bad = || SpsaError::Line { path: path.display().to_string(), line: index + 1 };
            let (name, value) = line.split_once(' ').ok_or_else(bad)?;
            let value: f64 = value.trim().parse().map_err(|_| bad())?;
            if name == "pairs" {
                self.done = value as u32;
            } else if let Some(number) =
                self.numbers.iter_mut().find(|number| number.tunable.name == name)
            {
                number.value = value;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings { pairs: 4, pairs_a_step: 2, nodes: 60, rate: 0.01, seed: 3, threads: 2 }
    }

    #[test]
    fn goes_on_where_it_was_interrupted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let names = ["futility_base".to_owned(), "null_depth".to_owned()];
        let mut whole = Spsa::new(settings(), &names).expect("known names");
        let mut first = Spsa::new(settings(), &names).expect("known names");
        first.resume(&path).expect("no state is no error");
        while !whole.is_done() {
            whole.step().expect("games");
        }
        first.step().expect("games");
        first.write(&path).expect("a state");
        let mut second = Spsa::new(settings(), &names).expect("known names");
        second.resume(&path).expect("a state");
        assert_eq!(second.done, 2);
        second.step().expect("games");
        assert!(second.is_done());
        for (a, b) in whole.numbers.iter().zip(&second.numbers) {
            assert!((a.value - b.value).abs() < 1e-3, "{}", a.tunable.name);
        }
        std::fs::write(&path, "nonsense\n").expect("a file");
        assert!(matches!(second.resume(&path), Err(SpsaError::Line { line: 1, .. })));
        assert!(matches!(Spsa::new(settings(), &["x".to_owned()]), Err(SpsaError::Unknown(_))));
    }

    #[test]
    fn small_offsets_count_on_average() {
        let tunable = &params::ALL[0];
        let number = Number { tunable, value: f64::from(tunable.default) };
        let sum: i32 = (0..100).map(|step| number.moved(0.3, f64::from(step) / 100.0)).sum();
        assert_eq!(sum, 100 * tunable.default + 30);
        assert_eq!(number.moved(1e9, 0.0), tunable.max);
    }
}
