//! A job: which games somebody else is to play, and with what. The text goes by any way
//! that carries files; its last line tells a program that plays otherwise before the work is
//! done.

use super::{DataError, SeriesPlayer, Settings};
use crate::eval::nnue::Network;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

const TITLE: &str = "gambeson job 1";

/// Games of a series, and who plays them: a network, and a program that is known by how
/// it plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The version of the program that wrote it and the node count of its `bench`: for
    /// people who have to build it.
    pub program: String,
    /// The checksum of the network, 0 for the hand-crafted evaluation.
    pub network: u32,
    pub settings: Settings,
    pub first: u32,
    pub games: u32,
    /// The checksum of the first game.
    pub check: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JobError {
    #[error("not a Gambeson job")]
    Foreign,
    #[error("line {line}: expected \"{expected}\" and its value")]
    Line { line: usize, expected: &'static str },
    #[error("it asks for no games, or for moves without a search")]
    Empty,
    #[error("the last game would have a number beyond {}", u32::MAX)]
    TooMany,
    #[error(
        "it is for network {wanted:08x}, but this is {found:08x}; name the right one with --net"
    )]
    Network { wanted: u32, found: u32 },
    #[error("it is for {wanted}, but this is {found}, which plays game {game} differently")]
    Program { wanted: String, found: String, game: u32 },
}

impl Job {
    /// The job of playing these games like this program.
    pub fn new(
        program: String,
        settings: Settings,
        network: Option<&Arc<Network>>,
        first: u32,
        games: u32,
    ) -> Result<Job, DataError> {
        let check = check(settings, network, first)?;
        let network = network.map_or(0, |network| network.checksum());
        Ok(Job { program, network, settings, first, games, check })
    }

    /// The numbers of its games.
    pub fn range(&self) -> Range<u32> {
        self.first..self.first + self.games
    }

    pub fn parse(text: &str) -> Result<Job, JobError> {
        let mut lines = (1..).zip(text.lines().map(str::trim_end));
        if lines.next().map(|(_, line)| line) != Some(TITLE) {
            return Err(JobError::Foreign);
        }
        let mut last = 1;
        let mut value = |expected: &'static str| {
            let (line, text) = lines.next().unwrap_or((last + 1, ""));
            last = line;
            let value = text.strip_prefix(expected).and_then(|rest| rest.strip_prefix(' '));
            value.ok_or(JobError::Line { line, expected }).map(|value| (line, value))
        };
        fn number<T: TryFrom<u64>>(
            (line, text): (usize, &str),
            radix: u32,
            expected: &'static str,
        ) -> Result<T, JobError> {
            let number = u64::from_str_radix(text, radix).ok().and_then(|it| T::try_from(it).ok());
            number.ok_or(JobError::Line { line, expected })
        }
        let job = Job {
            program: value("program")?.1.to_owned(),
            network: number(value("network")?, 16, "network")?,
            settings: Settings {
                seed: number(value("seed")?, 10, "seed")?,
                nodes: number(value("nodes")?, 10, "nodes")?,
                chess960: number(value("chess960")?, 10, "chess960")?,
            },
            first: number(value("first")?, 10, "first")?,
            games: number(value("games")?, 10, "games")?,
            check: number(value("check")?, 16, "check")?,
        };
        match job.first.checked_add(job.games) {
            _ if job.games == 0 || job.settings.nodes == 0 => Err(JobError::Empty),
            None => Err(JobError::TooMany),
            Some(_) => Ok(job),
        }
    }

    /// Whether this program with this network would play its games. `program` describes
    /// it, for the message.
    pub fn fits(
        &self,
        network: Option<&Arc<Network>>,
        program: impl FnOnce() -> String,
    ) -> Result<Result<(), JobError>, DataError> {
        let found = network.map_or(0, |network| network.checksum());
        if found != self.network {
            return Ok(Err(JobError::Network { wanted: self.network, found }));
        }
        if check(self.settings, network, self.first)? != self.check {
            let (wanted, game) = (self.program.clone(), self.first);
            return Ok(Err(JobError::Program { wanted, found: program(), game }));
        }
        Ok(Ok(()))
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { seed, nodes, chess960 } = self.settings;
        writeln!(f, "{TITLE}")?;
        writeln!(f, "program {}", self.program)?;
        writeln!(f, "network {:08x}", self.network)?;
        writeln!(f, "seed {seed}\nnodes {nodes}\nchess960 {chess960}")?;
        writeln!(f, "first {}\ngames {}\ncheck {:08x}", self.first, self.games, self.check)
    }
}

/// The checksum of a game as this program plays it.
fn check(settings: Settings, network: Option<&Arc<Network>>, game: u32) -> Result<u32, DataError> {
    let mut player = SeriesPlayer::new(settings, network).map_err(DataError::Memory)?;
    Ok(crc32fast::hash(&player.play(game).record.encode()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::random_network;

    const SETTINGS: Settings = Settings { seed: 5, nodes: 30, chess960: 100 };

    #[test]
    fn survives_as_text_and_knows_its_program() {
        let network = Arc::new(random_network(32, 1));
        let job = Job::new("0.1.0, bench 1".to_owned(), SETTINGS, Some(&network), 40, 10);
        let job = job.expect("memory");
        assert_eq!(Job::parse(&job.to_string()), Ok(job.clone()));
        assert_eq!(job.range(), 40..50);
        let fits = |job: &Job, network: &Arc<Network>| {
            job.fits(Some(network), || "another".to_owned()).expect("memory")
        };
        assert_eq!(fits(&job, &network), Ok(()));
        let other = Arc::new(random_network(32, 2));
        assert!(matches!(fits(&job, &other), Err(JobError::Network { .. })));
        let changed = Job { check: job.check ^ 1, ..job };
        let error = fits(&changed, &network).expect_err("another program").to_string();
        let expected =
            "it is for 0.1.0, bench 1, but this is another, which plays game 40 differently";
        assert_eq!(error, expected);
    }

    #[test]
    fn other_texts_say_what_is_wrong() {
        let good = "gambeson job 1\nprogram p\nnetwork 0000abcd\nseed 1\nnodes 300\n\
                    chess960 0\nfirst 5\ngames 7\ncheck 12345678\n";
        assert!(Job::parse(good).is_ok());
        let error = |from: &str, to: &str| {
            assert!(good.contains(from));
            Job::parse(&good.replace(from, to)).expect_err(to).to_string()
        };
        assert_eq!(Job::parse(""), Err(JobError::Foreign));
        assert_eq!(error("job 1", "job 2"), "not a Gambeson job");
        assert_eq!(error("seed 1", "sead 1"), "line 4: expected \"seed\" and its value");
        assert_eq!(error("nodes 300", "nodes -3"), "line 5: expected \"nodes\" and its value");
        assert!(error("games 7", "games 0").starts_with("it asks for no games"));
        assert!(error("nodes 300", "nodes 0").starts_with("it asks for no games"));
        assert_eq!(error("check 12345678\n", ""), "line 9: expected \"check\" and its value");
        assert!(error("first 5", "first 4294967290").starts_with("the last game"));
    }
}
