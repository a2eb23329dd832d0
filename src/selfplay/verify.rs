//! Games from somebody else, played again: a game follows from settings, network and
//! number, byte for byte and on every machine, so a few of them, drawn at random after
//! the file is there, show whether all are what they say.

use super::sources::{self, Series, Source, SourcesError};
use super::{DataError, GameReader, GameRecord, Job, RecordError, SeriesPlayer, pack};
use crate::eval::nnue::Network;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    pub games: u64,
    /// Games whose maker, network or settings are another's, so that this program and
    /// network cannot play them.
    pub others: u64,
    pub replayed: u64,
    /// By their place in the file.
    pub forged: Vec<Forgery>,
}

/// A game that is not what its settings and its number say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgery {
    /// How many games are before it in the file.
    pub place: u64,
    pub index: u32,
    /// The file it came in.
    pub file: String,
    pub difference: Difference,
}

/// Where a game parts from the one played again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    Start,
    Move { ply: usize },
    Score { ply: usize, found: i16, played: i16 },
    Length { found: usize, played: usize },
    End,
}

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Sources(#[from] SourcesError),
    #[error("{} does not say how its games were made", path.display())]
    Unknown { path: PathBuf },
    #[error("{} lists {listed} games, but there are {found}", path.display())]
    Count { path: PathBuf, listed: u64, found: u64 },
    #[error("{} is not what the job asks for: {what}", path.display())]
    OtherJob { path: PathBuf, what: &'static str },
}

/// How to look at a file.
#[derive(Debug, Clone, Copy)]
pub struct Check<'a> {
    pub network: Option<&'a Arc<Network>>,
    /// What the file has to be.
    pub job: Option<&'a Job>,
    /// How many games to play again.
    pub sample: usize,
    /// Decides which; whoever made the file must not know it.
    pub seed: u64,
    pub threads: usize,
}

/// Reads the whole file and plays a sample of its games again. Calls `report` after each
/// of these.
pub fn verify(
    path: &Path,
    check: Check<'_>,
    report: impl Fn() + Sync,
) -> Result<Verified, VerifyError> {
    let sources = sources::of_file(path)?;
    if let Some(job) = check.job {
        require(path, job, &sources)?;
    }
    let ours = check.network.map_or(0, |network| network.checksum());
    let network = |source: &Source| source.series.map(|series| series.network);
    if !sources.iter().any(|source| network(source) == Some(ours)) {
        let found = sources.iter().find_map(network);
        let path = path.to_path_buf();
        return Err(match found {
            Some(found) => DataError::OtherNetwork { path, found }.into(),
            None => VerifyError::Unknown { path },
        });
    }
    let (mut verified, drawn) = draw(path, &sources, ours, check)?;
    verified.replayed = drawn.len() as u64;
    let next = AtomicUsize::new(0);
    let forged = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..check.threads.clamp(1, drawn.len().max(1)))
            .map(|_| scope.spawn(|| replay(&drawn, check.network, &next, &forged, &report)))
            .collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    verified.forged = forged.into_inner().unwrap_or_else(PoisonError::into_inner);
    verified.forged.sort_by_key(|forgery| forgery.place);
    Ok(verified)
}

fn require(path: &Path, job: &Job, sources: &[Source]) -> Result<(), VerifyError> {
    let wrong = |what| Err(VerifyError::OtherJob { path: path.to_path_buf(), what });
    let [Source { games, series: Some(series), .. }] = sources else {
        return wrong("no part of a series");
    };
    if series.settings != job.settings {
        wrong("other settings")
    } else if series.network != job.network {
        wrong("another network")
    } else if series.first != job.first || *games != u64::from(job.games) {
        wrong("other games")
    } else {
        Ok(())
    }
}

/// A game to be played again.
struct Drawn<'a> {
    place: u64,
    series: Series,
    source: &'a Source,
    record: GameRecord,
}

/// Reads all games, every one of which must be where its number says, and draws from
/// those that can be played again, each with the same chance.
fn draw<'a>(
    path: &Path,
    sources: &'a [Source],
    ours: u32,
    check: Check<'_>,
) -> Result<(Verified, Vec<Drawn<'a>>), VerifyError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(check.seed);
    let mut reader = GameReader::open(path)?;
    let packed = reader.is_packed();
    let mut verified = Verified::default();
    let mut drawn = Vec::new();
    for source in sources {
        for number in 0..source.games {
            let Some(record) = reader.read()? else { break };
            let place = verified.games;
            verified.games += 1;
            let Some(mut series) = source.series else {
                verified.others += 1;
                continue;
            };
            // A merged file may have been packed after its list was written.
            series.packed |= packed;
            let (index, expected) = (record.index, series.first.saturating_add(number as u32));
            if index != expected {
                return Err(reader.damaged(RecordError::Misplaced { index, expected }).into());
            }
            if series.network != ours {
                verified.others += 1;
                continue;
            }
            let candidates = verified.games - verified.others;
            let seat = (rng.next_u64() % candidates) as usize;
            if drawn.len() < check.sample {
                drawn.push(Drawn { place, series, source, record });
            } else if let Some(seat) = drawn.get_mut(seat) {
                *seat = Drawn { place, series, source, record };
            }
        }
    }
    let listed = sources.iter().map(|source| source.games).fold(0, u64::saturating_add);
    let left = std::iter::from_fn(|| reader.read().transpose()).count() as u64;
    if left > 0 || listed != verified.games {
        let found = verified.games + left;
        return Err(VerifyError::Count { path: path.to_path_buf(), listed, found });
    }
    // Neighbours are often of the same series, and their player can stay.
    drawn.sort_by_key(|game| game.place);
    Ok((verified, drawn))
}

fn replay(
    drawn: &[Drawn<'_>],
    network: Option<&Arc<Network>>,
    next: &AtomicUsize,
    forged: &Mutex<Vec<Forgery>>,
    report: &impl Fn(),
) -> Result<(), DataError> {
    let mut player: Option<(Series, SeriesPlayer)> = None;
    while let Some(game) = drawn.get(next.fetch_add(1, Ordering::Relaxed)) {
        let mut current = match player.take().filter(|(series, _)| *series == game.series) {
            Some((_, player)) => player,
            None => SeriesPlayer::new(game.series.settings, network).map_err(DataError::Memory)?,
        };
        let index = game.record.index;
        let mut played = current.play(index).record;
        if game.series.packed {
            played = as_packed(played);
        }
        if let Some(difference) = compare(&game.record, &played) {
            let file = game.source.file.clone();
            let forgery = Forgery { place: game.place, index, file, difference };
            forged.lock().unwrap_or_else(PoisonError::into_inner).push(forgery);
        }
        player = Some((game.series, current));
        report();
    }
    Ok(())
}

/// A game as a packed file keeps it: scores rounded, or dropped where nothing learns from
/// them.
fn as_packed(played: GameRecord) -> GameRecord {
    let bytes = pack::encode(std::slice::from_ref(&played)).unwrap_or_default();
    pack::decode(&bytes, 1).ok().and_then(|mut games| games.pop()).unwrap_or(played)
}

/// The first difference between a game and the same game as played here.
fn compare(found: &GameRecord, played: &GameRecord) -> Option<Difference> {
    if found.encode() == played.encode() {
        return None;
    }
    if found.start != played.start {
        return Some(Difference::Start);
    }
    let pairs = found.moves.iter().zip(&played.moves).enumerate();
    for (index, (found, played)) in pairs {
        let ply = index + 1;
        if found.mv != played.mv {
            return Some(Difference::Move { ply });
        }
        if found.score != played.score {
            let (found, played) = (found.score, played.score);
            return Some(Difference::Score { ply, found, played });
        }
    }
    let (found, played) = (found.moves.len(), played.moves.len());
    Some(if found == played { Difference::End } else { Difference::Length { found, played } })
}

impl Verified {
    /// With 95 % confidence no larger share of the games is forged, if none was found: a
    /// larger one would have shown in 19 of 20 samples of this size.
    pub fn largest_share(&self) -> f64 {
        let games = self.games - self.others;
        if self.replayed >= games {
            return 0.0;
        }
        // The smallest number that would be caught so often, by bisection.
        let (mut low, mut high) = (0, games);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if chance_to_miss(games, middle, self.replayed) < 0.05 {
                high = middle;
            } else {
                low = middle;
            }
        }
        low as f64 / games as f64
    }
}

/// How likely a sample contains none of the `forged` among `games`.
fn chance_to_miss(games: u64, forged: u64, sample: u64) -> f64 {
    (0..sample)
        .map(|drawn| {
            let honest = games.saturating_sub(forged).saturating_sub(drawn);
            honest as f64 / games.saturating_sub(drawn).max(1) as f64
        })
        .product()
}

impl fmt::Display for Forgery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} of {}: {}", self.index, self.file, self.difference)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Difference::Start => f.write_str("another start position"),
            Difference::Move { ply } => write!(f, "another move at ply {ply}"),
            Difference::Score { ply, found, played } => {
                write!(f, "score {found} at ply {ply} instead of {played}")
            }
            Difference::Length { found, played } => {
                write!(f, "{found} plies instead of {played}")
            }
            Difference::End => f.write_str("another result or termination"),
        }
    }
}
