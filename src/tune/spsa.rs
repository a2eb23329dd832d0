//! Tunes the search parameters by playing: SPSA, simultaneous perturbation stochastic
//! approximation.
//!
//! All parameters are moved a little at once, each up or down by chance. Those who
//! moved play against those who moved the other way, and every parameter goes a small
//! step towards the side that won. A single match says next to nothing; thousands
//! of them do. The end of the path wanders around the best values, so the result is its
//! average.

use crate::eval::nnue;
use crate::plot::{Plot, PlotError};
use crate::search::params::{self, Tunable};
use crate::selfplay::duel::{Conditions, Openings, Results, duel};
use crate::selfplay::journal::{self, Journal, JournalError};
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
/// The part of the path, at its end, that is averaged.
const AVERAGED: f64 = 0.2;

#[derive(Debug, Clone)]
pub(crate) struct SpsaSettings {
    /// Pairs of games in all, and between two steps.
    pub(crate) pairs: u32,
    pub(crate) pairs_a_step: u32,
    /// Soft node limit of a move.
    pub(crate) nodes: u64,
    /// How far parameters are moved in the last steps, as a part of their value.
    pub(crate) reach: f64,
    /// The last step after a pair won, as a part of a parameter's reach.
    pub(crate) rate: f64,
    pub(crate) seed: u64,
    pub(crate) openings: Openings,
    pub(crate) threads: usize,
}

#[derive(Debug, Error)]
pub(crate) enum SpsaError {
    #[error("unknown search parameter: {0}")]
    Unknown(String),
    #[error("{0} is named twice")]
    Twice(String),
    #[error(transparent)]
    State(#[from] JournalError),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error("{0}")]
    Failed(#[from] io::Error),
}

/// A parameter on its way.
#[derive(Debug)]
pub(crate) struct Number {
    pub(crate) tunable: &'static Tunable,
    pub(crate) value: f64,
}

impl Number {
    /// How far it is moved to either side in the last steps.
    fn reach(&self, share: f64) -> f64 {
        (f64::from(self.tunable.default.abs()) * share).max(0.5)
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
pub(crate) struct Spsa {
    settings: SpsaSettings,
    pub(crate) numbers: Vec<Number>,
    /// Pairs played so far.
    pub(crate) done: u32,
    /// After each step: pairs played, and the values of all numbers.
    path: Vec<(u32, Vec<f64>)>,
    journal: Journal,
}

impl Spsa {
    /// Tunes the parameters called `names`, or all of them, and keeps its path in the file
    /// `state`: goes on from there if it was interrupted.
    pub(crate) fn open(
        settings: SpsaSettings,
        names: &[String],
        state: &Path,
    ) -> Result<Spsa, SpsaError> {
        let mut numbers: Vec<Number> = Vec::new();
        for name in names {
            let find = |tunable: &&Tunable| tunable.name == name;
            let tunable =
                params::ALL.iter().find(find).ok_or_else(|| SpsaError::Unknown(name.clone()))?;
            if numbers.iter().any(|number| number.tunable.name == name) {
                return Err(SpsaError::Twice(name.clone()));
            }
            numbers.push(Number { tunable, value: tunable.default.into() });
        }
        if names.is_empty() {
            let number = |tunable| Number { tunable, value: f64::from(tunable.default) };
            numbers = params::ALL.iter().map(number).collect();
        }
        let mut columns = vec!["pairs"];
        columns.extend(numbers.iter().map(|number| number.tunable.name));
        let header = Spsa::header(&settings)?;
        let (journal, rows) = Journal::open(state, "spsa", &header, &columns.join(","))?;
        let mut spsa = Spsa { settings, numbers, done: 0, path: Vec::new(), journal };
        for (index, row) in rows.iter().enumerate() {
            // Before the rows are the title, the settings and the names of the columns.
            let line = header.len() + 3 + index;
            let damaged = || JournalError::Damaged { path: state.display().to_string(), line };
            spsa.path.push(spsa.parse_row(row).ok_or_else(damaged)?);
        }
        if let Some((done, values)) = spsa.path.last() {
            spsa.done = *done;
            for (number, &value) in spsa.numbers.iter_mut().zip(values) {
                number.value = value;
            }
        }
        Ok(spsa)
    }

    /// All that the path depends on.
    fn header(settings: &SpsaSettings) -> Result<Vec<String>, SpsaError> {
        let SpsaSettings { pairs, pairs_a_step, nodes, reach, rate, seed, openings, threads: _ } =
            settings;
        Ok(vec![
            journal::program()?,
            format!("pairs {pairs}, {pairs_a_step} a step"),
            format!("nodes {nodes}"),
            format!("reach {reach}, rate {rate}"),
            openings.identity(),
            format!("seed {seed}"),
        ])
    }

    fn parse_row(&self, row: &str) -> Option<(u32, Vec<f64>)> {
        let (done, values) = row.split_once(',')?;
        let values: Option<Vec<f64>> = values
            .split(',')
            .map(|value| value.parse().ok().filter(|value: &f64| value.is_finite()))
            .collect();
        let values = values.filter(|values| values.len() == self.numbers.len())?;
        Some((done.parse().ok()?, values))
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done >= self.settings.pairs
    }

    /// Plays some pairs and goes a step.
    pub(crate) fn step(&mut self) -> Result<(), SpsaError> {
        let SpsaSettings { pairs, pairs_a_step, nodes, reach, rate, seed, threads, .. } =
            self.settings;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(self.done) << 32);
        let (total, now) = (f64::from(pairs), f64::from(self.done + 1));
        let widening = (total / now).powf(REACH_DECAY);
        let settling = SETTLING * total;
        let hurry = ((settling + total) / (settling + now)).powf(STEP_DECAY) / widening.powi(2);
        let mut directions = Vec::with_capacity(self.numbers.len());
        for number in &self.numbers {
            let direction = if rng.next_u64() % 2 == 0 { 1.0 } else { -1.0 };
            let offset = direction * number.reach(reach) * widening;
            let chance = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            number.tunable.set_for(0, number.moved(offset, chance));
            number.tunable.set_for(1, number.moved(-offset, chance));
            directions.push(direction);
        }
        let conditions = Conditions {
            openings: self.settings.openings.clone(),
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
        let score =
            duel(&players, &conditions, &Results::new(), params::play_as, |_, _, _| Ok(()))?;
        let won = f64::from(score.wins) - f64::from(score.losses);
        for (number, direction) in self.numbers.iter_mut().zip(directions) {
            let step = rate * hurry * number.reach(reach) * widening * won * direction;
            let range = f64::from(number.tunable.min)..=f64::from(number.tunable.max);
            number.value = (number.value + step).clamp(*range.start(), *range.end());
        }
        self.done += pairs_a_step;
        let values: Vec<f64> = self.numbers.iter().map(|number| number.value).collect();
        let cells: Vec<String> = values.iter().map(f64::to_string).collect();
        self.journal.add(&format!("{},{}", self.done, cells.join(",")))?;
        self.path.push((self.done, values));
        Ok(())
    }

    /// The values averaged over the end of the path so far.
    pub(crate) fn averages(&self) -> Vec<f64> {
        let from = f64::from(self.done) * (1.0 - AVERAGED);
        let end: Vec<&Vec<f64>> = self
            .path
            .iter()
            .filter(|(done, _)| f64::from(*done) > from)
            .map(|(_, values)| values)
            .collect();
        let average = |(index, number): (usize, &Number)| {
            let sum: f64 = end.iter().map(|values| values[index]).sum();
            if end.is_empty() { number.value } else { sum / end.len() as f64 }
        };
        self.numbers.iter().enumerate().map(average).collect()
    }

    /// Draws the path of each number into a file of its own in `folder`.
    pub(crate) fn plot(&self, folder: &Path) -> Result<(), SpsaError> {
        std::fs::create_dir_all(folder)?;
        for (index, (number, average)) in self.numbers.iter().zip(self.averages()).enumerate() {
            let start = (0.0, f64::from(number.tunable.default));
            let steps = self.path.iter().map(|(done, values)| (f64::from(*done), values[index]));
            let points: Vec<(f64, f64)> = std::iter::once(start).chain(steps).collect();
            let end = points.last().map_or(0.0, |(pairs, _)| *pairs);
            let name = number.tunable.name;
            let plot = Plot {
                title: name,
                x_label: "pairs",
                curves: [
                    ("path".to_owned(), points),
                    (
                        format!("average at the end {average:.1}"),
                        vec![(0.0, average), (end, average)],
                    ),
                ],
                decimals: 1,
                room: 0.5,
            };
            plot.write(&folder.join(format!("{name}.svg")))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> SpsaSettings {
        SpsaSettings {
            pairs: 6,
            pairs_a_step: 2,
            nodes: 60,
            reach: 0.15,
            rate: 0.01,
            seed: 3,
            openings: Openings::Random { chess960: 0 },
            threads: 2,
        }
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn goes_on_where_it_was_interrupted() {
        let folder = tempfile::tempdir().expect("a folder");
        let [once, twice] = ["once.csv", "twice.csv"].map(|name| folder.path().join(name));
        let names = names(&["futility_base", "null_depth"]);
        let mut whole = Spsa::open(settings(), &names, &once).expect("known names");
        while !whole.is_done() {
            whole.step().expect("games");
        }
        let mut first = Spsa::open(settings(), &names, &twice).expect("known names");
        first.step().expect("games");
        drop(first);
        // Killed while it wrote.
        let text = std::fs::read_to_string(&twice).expect("a state");
        std::fs::write(&twice, format!("{text}4,9")).expect("a state");
        let mut second = Spsa::open(settings(), &names, &twice).expect("a state");
        assert_eq!(second.done, 2);
        while !second.is_done() {
            second.step().expect("games");
        }
        assert_eq!(whole.path, second.path);
        assert_eq!(std::fs::read(&once).ok(), std::fs::read(&twice).ok());
    }

    #[test]
    fn foreign_states_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.csv");
        let one = names(&["futility_base"]);
        let open = |settings, names: &[String]| Spsa::open(settings, names, &path).map(|_| ());
        open(settings(), &one).expect("a new state");
        let error = open(settings(), &names(&["null_depth"])).expect_err("other numbers");
        assert!(error.to_string().contains("\"pairs,futility_base\""), "{error}");
        let error = open(SpsaSettings { nodes: 70, ..settings() }, &one).expect_err("other nodes");
        assert!(error.to_string().contains("\"nodes 60\", not \"nodes 70\""), "{error}");
        open(SpsaSettings { threads: 1, ..settings() }, &one).expect("threads do not matter");
        let text = std::fs::read_to_string(&path).expect("a state");
        std::fs::write(&path, format!("{text}2,many\n")).expect("a state");
        let error = open(settings(), &one).expect_err("a damaged row");
        assert!(error.to_string().ends_with("line 9 is damaged"), "{error}");
        assert!(matches!(open(settings(), &names(&["x"])), Err(SpsaError::Unknown(_))));
        let twice = names(&["null_depth", "null_depth"]);
        assert!(matches!(open(settings(), &twice), Err(SpsaError::Twice(_))));
    }

    #[test]
    fn the_end_of_the_path_is_averaged_and_drawn() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state.csv");
        let mut spsa =
            Spsa::open(settings(), &names(&["futility_base"]), &path).expect("known names");
        assert_eq!(spsa.averages(), [f64::from(spsa.numbers[0].tunable.default)]);
        spsa.path = (1..=10).map(|step| (10 * step, vec![f64::from(step)])).collect();
        spsa.done = 100;
        assert_eq!(spsa.averages(), [9.5]);
        spsa.plot(folder.path()).expect("plots");
        let text = std::fs::read_to_string(folder.path().join("futility_base.svg"));
        let text = text.expect("a plot");
        assert!(text.starts_with("<svg") && text.contains("futility_base"), "{text}");
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
