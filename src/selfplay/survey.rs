//! What is in files of games: counting, checking, copying without duplicates, and
//! drawing positions at random.

use super::pack::{self, LostBlock, PackWriter};
use super::{DataError, GameReader, GameRecord, GameWriter, NO_SCORE, usable};
use crate::board::Board;
use crate::game::{GameResult, Termination};
use crate::types::{Color, Score};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::ErrorKind;
use std::path::Path;

/// Figures about a number of games. Reading them proves that every checksum is
/// right and every move legal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Stats {
    pub(crate) games: u64,
    pub(crate) plies: u64,
    /// Positions worth learning from.
    pub(crate) usable: u64,
    pub(crate) bytes: u64,
    pub(crate) results: [u64; GameResult::COUNT],
    pub(crate) endings: [u64; Termination::RECORDED],
    /// Usable positions by score, from the side to move's point of view.
    pub(crate) scores: [u64; SCORE_STEPS.len() + 1],
    /// Usable positions by the number of pieces: up to 4, 8, and so on up to 32.
    pub pieces: [u64; 8],
    /// Blocks of packed files that were left out.
    pub lost: Vec<LostBlock>,
}

/// The bounds between the columns of the histogram of scores.
const SCORE_STEPS: [i32; 10] = [-1000, -500, -200, -100, -30, 30, 100, 200, 500, 1000];

impl Stats {
    /// Counts the games of a file, calling `report` with the bytes read so far.
    pub(crate) fn add_file(
        &mut self,
        path: &Path,
        mut report: impl FnMut(u64),
    ) -> Result<(), DataError> {
        let mut reader = GameReader::open(path)?;
        while let Some(record) = reader.read()? {
            self.add(&record).map_err(|error| reader.damaged(error))?;
            report(reader.offset());
        }
        self.bytes += reader.offset();
        self.lost.extend_from_slice(reader.lost());
        Ok(())
    }

    fn add(&mut self, record: &GameRecord) -> Result<(), super::RecordError> {
        usable::for_each(record, |board, score, _| {
            self.usable += 1;
            self.scores[SCORE_STEPS.partition_point(|&step| step <= score.0)] += 1;
            self.pieces[(board.occupied().count() as usize - 1) / 4] += 1;
        })?;
        self.games += 1;
        self.plies += record.moves.len() as u64;
        self.results[record.result.index()] += 1;
        self.endings[record.ending.index()] += 1;
        Ok(())
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let games = self.games.max(1) as f64;
        writeln!(f, "games       {}", self.games)?;
        writeln!(f, "plies       {} ({:.1} a game)", self.plies, self.plies as f64 / games)?;
        writeln!(f, "usable      {} ({:.1} a game)", self.usable, self.usable as f64 / games)?;
        let each = self.bytes as f64 / self.usable.max(1) as f64;
        writeln!(f, "bytes       {} ({each:.1} a usable position)", self.bytes)?;
        let [black, draw, white] = self.results.map(|count| percent(count, self.games));
        writeln!(f, "results     White {white:.1} %, drawn {draw:.1} %, Black {black:.1} %")?;
        for &ending in &Termination::ALL[..Termination::RECORDED] {
            let count = self.endings[ending.index()];
            writeln!(
                f,
                "{:<24}{count:>10} {:5.1} %",
                format!("{ending:?}"),
                percent(count, self.games)
            )?;
        }
        writeln!(f, "usable positions by score:")?;
        for (index, &count) in self.scores.iter().enumerate() {
            let step = |index: usize| SCORE_STEPS[index].to_string();
            let from = if index == 0 { String::new() } else { step(index - 1) };
            let to = if index == SCORE_STEPS.len() { String::new() } else { step(index) };
            writeln!(f, "{from:>10} .. {to:<10}{count:>10} {:5.1} %", percent(count, self.usable))?;
        }
        write!(f, "usable positions by piece count:")?;
        for (index, &count) in self.pieces.iter().enumerate() {
            let (from, to) = (4 * index + 1, 4 * index + 4);
            write!(f, "\n{from:>10} .. {to:<10}{count:>10} {:5.1} %", percent(count, self.usable))?;
        }
        Ok(())
    }
}

/// What copying games came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Copied {
    pub(crate) games: u64,
    pub(crate) usable: u64,
    /// Left out because everything in them was there already.
    pub(crate) dropped_games: u64,
    /// Deprived of their score because they were there already.
    pub(crate) dropped_positions: u64,
}

/// Keys are as good as random already.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Copies games into `writer`. With `dedup`, a position that came before, in any
/// game copied, loses its score, and games without any usable position are left
/// out: some nine bytes of memory for each position.
#[derive(Debug)]
pub(crate) struct Copier {
    writer: GameWriter,
    seen: Option<HashSet<u64, BuildHasherDefault<KeyHasher>>>,
    copied: Copied,
}

impl Copier {
    pub(crate) fn new(writer: GameWriter, dedup: bool) -> Copier {
        Copier { writer, seen: dedup.then(HashSet::default), copied: Copied::default() }
    }

    pub(crate) fn copied(&self) -> Copied {
        self.copied
    }

    pub(crate) fn copy_file(
        &mut self,
        path: &Path,
        mut report: impl FnMut(u64),
    ) -> Result<(), DataError> {
        let mut reader = GameReader::open(path)?;
        while let Some(mut record) = reader.read()? {
            let usable = self.strip(&mut record).map_err(|error| reader.damaged(error))?;
            self.copied.usable += usable;
            if self.seen.is_some() && usable == 0 {
                self.copied.dropped_games += 1;
            } else {
                self.copied.games += 1;
                self.writer.write(&record)?;
            }
            report(reader.offset());
        }
        Ok(())
    }

    /// Takes the score of usable positions that came before; counts those that stay.
    fn strip(&mut self, record: &mut GameRecord) -> Result<u64, super::RecordError> {
        let Some(seen) = &mut self.seen else {
            return usable::count(record);
        };
        let mut usable = 0;
        let mut repeated = Vec::new();
        let mut ply = 0;
        record.replay(|board, scored| {
            if usable::usable_score(board, scored).is_some() {
                if seen.insert(board.key()) {
                    usable += 1;
                } else {
                    repeated.push(ply);
                }
            }
            ply += 1;
        })?;
        self.copied.dropped_positions += repeated.len() as u64;
        for ply in repeated {
            record.moves[ply].score = NO_SCORE;
        }
        Ok(usable)
    }
}

/// Packs the games of a file.
pub fn pack(from: &Path, to: &Path, mut report: impl FnMut(u64)) -> Result<Copied, DataError> {
    let mut reader = GameReader::open(from)?;
    let mut writer = PackWriter::create(to, reader.origin())?;
    let mut copied = Copied::default();
    while let Some(record) = reader.read()? {
        copied.games += 1;
        copied.usable += usable::count(&record).map_err(|error| reader.damaged(error))?;
        writer.add(record)?;
        report(reader.offset());
    }
    writer.finish()?;
    Ok(copied)
}

/// Writes the games of a packed file as a game file. Says how many there were, and which
/// blocks were lost.
pub(crate) fn unpack(
    from: &Path,
    to: &Path,
    mut report: impl FnMut(u64),
) -> Result<(u64, Vec<LostBlock>), DataError> {
    let mut reader = GameReader::open(from)?;
    let unfinished = pack::unfinished(to)?;
    match std::fs::remove_file(&unfinished) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            return Err(DataError::Io { path: unfinished, source });
        }
        _ => {}
    }
    let mut writer = GameWriter::create(&unfinished, reader.origin())?;
    let mut games = 0;
    while let Some(record) = reader.read()? {
        games += 1;
        writer.write(&record)?;
        report(reader.offset());
    }
    pack::put_in_place(&unfinished, to)?;
    Ok((games, reader.lost().to_vec()))
}

/// A position drawn from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SampledPosition {
    pub(crate) board: Board,
    pub(crate) score: Score,
    /// The move played, in algebraic notation.
    pub(crate) played: String,
    pub(crate) result: GameResult,
    pub(crate) game: u32,
}

impl fmt::Display for SampledPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.board.side_to_move() == Color::White { 1 } else { -1 };
        let white = Score(sign * self.score.0);
        let (fen, played, game) = (self.board.fen(), &self.played, self.game);
        let result = self.result;
        write!(f, "{fen} | White {white} | {result} | {played} | game {game}")
    }
}

/// Draws a usable position from each of `count` games of a file, every game with
/// the same chance.
pub(crate) fn sample(
    path: &Path,
    count: usize,
    seed: u64,
) -> Result<Vec<SampledPosition>, DataError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut reader = GameReader::open(path)?;
    let mut samples = Vec::new();
    let mut games = 0;
    while let Some(record) = reader.read()? {
        // Reservoir sampling: each game takes a place with the chance that leaves all
        // games so far equal.
        games += 1;
        let place = (rng.next_u64() % games) as usize;
        if samples.len() >= count && place >= count {
            continue;
        }
        let drawn = draw(&record, &mut rng).map_err(|error| reader.damaged(error))?;
        if samples.len() < count {
            samples.extend(drawn);
        } else if let Some(drawn) = drawn {
            samples[place] = drawn;
        }
    }
    Ok(samples)
}

/// One of the usable positions of a game, if it has any.
fn draw(
    record: &GameRecord,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Option<SampledPosition>, super::RecordError> {
    let mut found = 0;
    let mut sample = None;
    record.replay(|board, scored| {
        let Some(score) = usable::usable_score(board, scored) else {
            return;
        };
        found += 1;
        if rng.next_u64().is_multiple_of(found) {
            let (board, played) = (board.clone(), board.san(scored.mv));
            let (result, game) = (record.result, record.index);
            sample = Some(SampledPosition { board, score, played, result, game });
        }
    })?;
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Goal, Origin, Settings, generate};

    #[test]
    fn duplicates_lose_their_score_and_samples_are_real() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let settings = Settings { seed: 9, nodes: 40, chess960: 0 };
        let made = generate(&path, settings, None, Goal::Games(6), 1, |_| {}).expect("games");
        let mut stats = Stats::default();
        stats.add_file(&path, |_| {}).expect("sound games");
        assert_eq!((stats.games, stats.usable), (6, made.positions));
        assert_eq!(stats.results.iter().sum::<u64>(), 6);
        assert_eq!(stats.scores.iter().sum::<u64>(), stats.usable);

        let (twice, once) = (folder.path().join("twice"), folder.path().join("once"));
        let copy = |target: &Path, dedup| {
            let writer = GameWriter::create(target, Origin::Collection).expect("a file");
            let mut copier = Copier::new(writer, dedup);
            for _ in 0..2 {
                copier.copy_file(&path, |_| {}).expect("a copy");
            }
            copier.copied()
        };
        assert_eq!(copy(&twice, false).games, 12);
        let deduplicated = copy(&once, true);
        assert!(deduplicated.dropped_games >= 6);
        assert!(deduplicated.dropped_positions >= made.positions);
        assert_eq!(deduplicated.usable + deduplicated.dropped_positions, 2 * made.positions);
        let mut stats = Stats::default();
        stats.add_file(&once, |_| {}).expect("sound games");
        assert_eq!(stats.usable, deduplicated.usable);

        let samples = sample(&path, 3, 1).expect("samples");
        assert_eq!(samples.len(), 3);
        assert_eq!(sample(&path, 3, 1).expect("samples"), samples);
        assert!(samples.iter().all(|sample| sample.game < 6));
    }
}
