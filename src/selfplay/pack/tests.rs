use super::*;
use crate::selfplay::survey::{Stats, unpack};
use crate::selfplay::{DataError, GameRecord, Origin};
use crate::selfplay::{GameReader, GameWriter, Goal, Settings, generate, usable};
use std::path::{Path, PathBuf};

const SETTINGS: Settings = Settings { seed: 31, nodes: 30, chess960: 300 };
/// Games in the tests' files.
const GAMES: usize = 20;

/// A game file and the same packed, seven games to a block.
fn files(folder: &Path) -> [PathBuf; 2] {
    let [games, packed] = ["games", "packed"].map(|name| folder.join(name));
    generate(&games, SETTINGS, None, Goal::Games(GAMES as u64), 2, |_| {}).expect("games");
    pack(&games, &packed);
    [games, packed]
}

fn pack(games: &Path, packed: &Path) {
    let reader = GameReader::open(games).expect("games");
    let writer = PackWriter::create(packed, reader.origin()).expect("a new file");
    let mut writer = writer.blocks_of(7);
    reader.for_each(|game| writer.add(game.expect("a game")).expect("room"));
    writer.finish().expect("room");
}

fn read(path: &Path) -> (Vec<GameRecord>, Vec<LostBlock>) {
    let mut reader = GameReader::open(path).expect("a file of games");
    let games = reader.by_ref().map(|game| game.expect("a game")).collect();
    (games, reader.lost().to_vec())
}

#[test]
fn all_but_the_exact_scores_survives() {
    let folder = tempfile::tempdir().expect("a folder");
    let [games, packed] = files(folder.path());
    let ((exact, _), (found, lost)) = (read(&games), read(&packed));
    assert!(lost.is_empty());
    assert_eq!(found.len(), GAMES);
    for (exact, found) in exact.iter().zip(&found) {
        let all = |game: &GameRecord| {
            let moves: Vec<_> = game.moves.iter().map(|it| it.mv).collect();
            (game.index, game.start, moves, game.result, game.ending)
        };
        assert_eq!(all(exact), all(found));
        let usable = |game: &GameRecord| {
            let mut positions = Vec::new();
            usable::for_each(game, |board, score, points| {
                positions.push((board.fen(), scores::level(score.0), points as u8));
            })
            .expect("legal moves");
            positions
        };
        assert_eq!(usable(exact), usable(found));
    }
    assert_ne!(exact, found, "rounded scores");
    assert!(std::fs::metadata(&packed).expect("a file").len() * 2 < 64 * 44 * GAMES as u64);

    let [unpacked, again] = ["unpacked", "again"].map(|name| folder.path().join(name));
    let done = unpack(&packed, &unpacked, |_| {}).expect("a sound file");
    assert_eq!(done, (GAMES as u64, Vec::new()));
    pack(&unpacked, &again);
    let bytes = |path: &Path| std::fs::read(path).expect("a file");
    assert_eq!(bytes(&again), bytes(&packed));
    let origin = |path: &Path| GameReader::open(path).expect("a file").origin();
    assert_eq!(origin(&packed), origin(&games));
    // A game file can be continued, a packed one cannot.
    let refused = generate(&packed, SETTINGS, None, Goal::Games(99), 1, |_| {});
    assert!(matches!(refused, Err(DataError::Packed { .. })), "{refused:?}");
}

#[test]
fn a_damaged_block_is_all_that_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, packed] = files(folder.path());
    let good = std::fs::read(&packed).expect("a file");
    let (all, _) = read(&packed);
    let starts: Vec<usize> =
        (0..good.len()).filter(|&place| good[place..].starts_with(&MARK)).collect();
    assert_eq!(starts.len(), 4, "three blocks and the end");
    let path = folder.path().join("damaged");
    let found = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        let (games, lost) = read(&path);
        let indices: Vec<usize> = games.iter().map(|game| game.index as usize).collect();
        assert!(games.iter().zip(&indices).all(|(game, &index)| *game == all[index]));
        let lost: Vec<_> = lost.iter().map(|it| (it.number, it.error)).collect();
        (indices, lost)
    };
    let flipped = |place: usize| {
        let mut bytes = good.clone();
        bytes[place] ^= 4;
        bytes
    };
    let without = |blocks: &[usize]| -> Vec<usize> {
        (0..GAMES).filter(|game| !blocks.contains(&(game / 7))).collect()
    };
    let [first, second, third, end] = starts[..] else { unreachable!("four") };
    let body = second + BLOCK_HEADER + 50;
    assert_eq!(found(&flipped(body)), (without(&[1]), vec![(1, BlockError::Checksum)]));
    for place in 0..BLOCK_HEADER {
        let (games, lost) = found(&flipped(second + place));
        assert_eq!((games, lost), (without(&[1]), vec![(1, BlockError::Missing)]), "{place}");
    }
    let hole = [&good[..body], &good[body + 9..]].concat();
    assert_eq!(found(&hole), (without(&[1]), vec![(1, BlockError::Checksum)]));
    let gone = [&good[..first], &good[third..]].concat();
    let missing = [0, 1].map(|number| (number, BlockError::Missing)).to_vec();
    assert_eq!(found(&gone), (without(&[0, 1]), missing));
    for length in third..end {
        let lost = vec![(2, BlockError::Truncated)];
        assert_eq!(found(&good[..length]), (without(&[2]), lost), "{length}");
    }
    for length in end..good.len() {
        let lost = vec![(3, BlockError::Truncated)];
        assert_eq!(found(&good[..length]), (without(&[]), lost), "{length}");
    }
    // What a block says of itself is not believed, even where its checksum is right.
    for extra in [1u32, 300] {
        let mut header = BlockHeader::decode(&good[second..]).expect("a header");
        header.games += extra;
        let bytes = [&good[..second], &header.encode(), &good[second + BLOCK_HEADER..]];
        let lost = vec![(1, BlockError::Nonsense)];
        assert_eq!(found(&bytes.concat()), (without(&[1]), lost));
    }
    let mut stats = Stats::default();
    std::fs::write(&path, flipped(body)).expect("a file");
    stats.add_file(&path, |_| {}).expect("the other blocks");
    assert_eq!((stats.games, stats.lost.len()), (13, 1));
}

#[test]
fn foreign_files_are_refused_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let [games, packed] = files(folder.path());
    let good = std::fs::read(&packed).expect("a file");
    let path = folder.path().join("other");
    let opened = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        GameReader::open(&path).map(|_| ()).expect_err("no packed file")
    };
    for length in 0..56 {
        let error = opened(&good[..length]);
        assert!(matches!(error, DataError::Foreign { .. }), "{length}: {error}");
    }
    for place in 8..56 {
        let mut bytes = good.clone();
        bytes[place] ^= 1;
        let error = opened(&bytes).to_string();
        assert!(error.contains("version") || error.contains("header") || error.contains("is not"));
    }
    let untouched = std::fs::read(&games).expect("a file");
    let origin = Origin::Collection;
    assert!(matches!(PackWriter::create(&games, origin), Err(DataError::Exists { .. })));
    let refused = unpack(&packed, &games, |_| {});
    assert!(matches!(refused, Err(DataError::Exists { .. })), "{refused:?}");
    assert_eq!(std::fs::read(&games).expect("a file"), untouched);
    // Killed, and begun anew.
    let new = folder.path().join("new");
    drop(PackWriter::create(&new, origin).expect("a new file"));
    assert!(!new.exists());
    drop(GameWriter::create(&unfinished(&new).expect("no such file"), origin));
    std::fs::remove_file(unfinished(&new).expect("no such file")).expect("the unfinished one");
    pack(&games, &new);
    assert_eq!(std::fs::read(&new).expect("a file"), good);
    assert!(std::fs::read_dir(folder.path()).expect("a folder").count() == 4);
}
