//! A series of games on several threads. The file holds them in the order of their
//! numbers, so that it is the same, byte for byte, however many threads played and
//! however often they were interrupted.

use super::{DataError, GameWriter, PlayedGame, RecordError, SeriesPlayer, Settings, usable};
use crate::eval::nnue::Network;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

/// When there is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    Games(u64),
    /// Positions worth learning from.
    Positions(u64),
}

/// How far the series has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub games: u64,
    /// Positions worth learning from.
    pub positions: u64,
    /// How many of them were there already.
    pub positions_before: u64,
    pub games_before: u64,
}

impl Goal {
    pub fn is_reached(self, progress: &Progress) -> bool {
        match self {
            Goal::Games(games) => progress.games >= games,
            Goal::Positions(positions) => progress.positions >= positions,
        }
    }
}

/// Plays games until `goal` is reached, going on with what is in the file already.
/// Calls `report` at the beginning and after each game.
pub fn generate(
    path: &Path,
    settings: Settings,
    network: Option<&Arc<Network>>,
    goal: Goal,
    threads: usize,
    report: impl FnMut(&Progress),
) -> Result<Progress, DataError> {
    generate_from(0, path, settings, network, goal, threads, report)
}

/// The same for the part of a series that begins with game `first`.
pub fn generate_from(
    first: u32,
    path: &Path,
    settings: Settings,
    network: Option<&Arc<Network>>,
    goal: Goal,
    threads: usize,
    mut report: impl FnMut(&Progress),
) -> Result<Progress, DataError> {
    let mut progress = Progress::default();
    let mut last = None;
    let checksum = network.map_or(0, |network| network.checksum());
    let number = |games: u64| first.saturating_add(games as u32);
    let mut writer = GameWriter::resume(path, settings, checksum, |record| {
        let expected = number(progress.games);
        if record.index != expected {
            return Err(RecordError::Misplaced { index: record.index, expected });
        }
        last = Some(record.clone());
        progress.games += 1;
        progress.positions += usable::count(record)?;
        Ok(())
    })?;
    progress.games_before = progress.games;
    progress.positions_before = progress.positions;
    report(&progress);
    if let Some(last) = last {
        // A series is one player's: whoever goes on with it must play like the first.
        let mut player = SeriesPlayer::new(settings, network).map_err(DataError::Memory)?;
        if player.play(last.index).record != last {
            return Err(DataError::OtherProgram { path: path.to_path_buf(), game: last.index });
        }
    }

    let next = AtomicU32::new(number(progress.games));
    let enough = AtomicBool::new(goal.is_reached(&progress));
    let wanted = |index: u32| {
        index >= first && !matches!(goal, Goal::Games(games) if u64::from(index - first) >= games)
    };
    let (sender, games) = mpsc::channel::<(u32, PlayedGame)>();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, enough) = (&next, &enough);
            let mut player = SeriesPlayer::new(settings, network).map_err(DataError::Memory)?;
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if !wanted(index) || sender.send((index, player.play(index))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Games that are done before an earlier one is.
        let mut waiting = BTreeMap::new();
        let mut result = Ok(());
        for (index, played) in games {
            waiting.insert(index, played);
            while result.is_ok()
                && !goal.is_reached(&progress)
                && let Some(played) = waiting.remove(&number(progress.games))
            {
                result = writer.write(&played.record);
                if result.is_ok() {
                    progress.games += 1;
                    progress.positions += played.usable;
                    report(&progress);
                }
            }
            if result.is_err() || goal.is_reached(&progress) {
                enough.store(true, Ordering::Relaxed);
            }
        }
        result
    })?;
    Ok(progress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::random_network;
    use crate::selfplay::{GameReader, GameRecord};

    const SETTINGS: Settings = Settings { seed: 5, nodes: 40, chess960: 100 };

    fn run(path: &Path, goal: Goal, threads: usize) -> Progress {
        generate(path, SETTINGS, None, goal, threads, |_| {}).expect("games")
    }

    #[test]
    fn threads_and_interruptions_do_not_show_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        let whole = run(&one, Goal::Games(8), 1);
        assert_eq!((whole.games, whole.games_before), (8, 0));
        run(&two, Goal::Games(3), 2);
        let bytes = std::fs::read(&two).expect("a file");
        // Killed while the third game was written.
        std::fs::write(&two, &bytes[..bytes.len() - 5]).expect("a file");
        let resumed = run(&two, Goal::Games(8), 3);
        assert_eq!((resumed.games, resumed.games_before), (8, 2));
        assert_eq!(resumed.positions, whole.positions);
        assert_eq!(std::fs::read(&one).expect("a file"), std::fs::read(&two).expect("a file"));
        // Killed while the header was written.
        std::fs::write(&two, &bytes[..35]).expect("a file");
        assert_eq!(run(&two, Goal::Games(1), 1).games_before, 0);

        let more = run(&one, Goal::Positions(whole.positions + 1), 2);
        assert!(more.games > 8 && more.positions > whole.positions);
        let numbers: Vec<u32> = GameReader::open(&one)
            .expect("a file")
            .map(|record| record.expect("a game").index)
            .collect();
        assert!(numbers.iter().copied().eq(0..more.games as u32));
    }

    #[test]
    fn refuses_other_settings_and_real_damage() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        run(&path, Goal::Games(20), 2);
        let other = Settings { seed: 6, ..SETTINGS };
        let refused = generate(&path, other, None, Goal::Games(30), 1, |_| {});
        assert!(matches!(refused, Err(DataError::OtherSettings { .. })), "{refused:?}");
        let network = Arc::new(random_network(64, 1));
        let refused = generate(&path, SETTINGS, Some(&network), Goal::Games(30), 1, |_| {});
        assert!(matches!(refused, Err(DataError::OtherNetwork { .. })), "{refused:?}");
        // A last game that this program would play otherwise.
        let whole = std::fs::read(&path).expect("a file");
        let first = GameReader::open(&path).expect("a file").next().expect("a game");
        let strange = GameRecord { index: 20, ..first.expect("a game") };
        std::fs::write(&path, [&whole[..], &strange.encode()].concat()).expect("a file");
        let refused = generate(&path, SETTINGS, None, Goal::Games(30), 1, |_| {});
        assert!(matches!(refused, Err(DataError::OtherProgram { game: 20, .. })), "{refused:?}");
        std::fs::write(&path, &whole).expect("a file");
        let mut bytes = std::fs::read(&path).expect("a file");
        assert!(bytes.len() > 6_000);
        bytes[100] ^= 1;
        std::fs::write(&path, &bytes).expect("a file");
        let refused = generate(&path, SETTINGS, None, Goal::Games(30), 1, |_| {});
        assert!(matches!(refused, Err(DataError::Record { .. })), "{refused:?}");
        std::fs::write(&path, "too short").expect("a file");
        let refused = generate(&path, SETTINGS, None, Goal::Games(30), 1, |_| {});
        assert!(matches!(refused, Err(DataError::Foreign { .. })), "{refused:?}");
        std::fs::write(&path, "1. e4 e5 and other things that are no records").expect("a file");
        let refused = generate(&path, SETTINGS, None, Goal::Games(30), 1, |_| {});
        assert!(matches!(refused, Err(DataError::Foreign { .. })), "{refused:?}");
    }

    #[test]
    fn files_of_version_1_are_read_and_continued() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        run(&path, Goal::Games(2), 1);
        let new = std::fs::read(&path).expect("a file");
        let mut old = new[..28].to_vec();
        old[8] = 1;
        old.extend_from_slice(&crc32fast::hash(&old).to_le_bytes());
        old.extend_from_slice(&new[40..]);
        std::fs::write(&path, old).expect("a file");
        assert_eq!(run(&path, Goal::Games(3), 1).games_before, 2);
    }
}
