//! Games from many machines: honest files pass `verify`, forged ones do not.
//! `GAMBESON_FORGERIES` says how many files of each kind to try.

use gambeson::board::Board;
use gambeson::game::GameResult;
use gambeson::selfplay::verify::{Check, Verified, VerifyError, verify};
use gambeson::selfplay::{
    GameReader, GameRecord, GameWriter, Goal, Origin, RecordError, SeriesPlayer, Settings,
    generate_from, survey, usable,
};
use gambeson::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::path::Path;
use std::process::{Command, Output};

const GAMES: u32 = 3;
const NODES: u32 = 4;

fn files() -> u64 {
    std::env::var("GAMBESON_FORGERIES").map_or(4, |text| text.parse().expect("a number"))
}

fn settings(seed: u64) -> Settings {
    Settings { seed, nodes: NODES, chess960: 200 }
}

fn series(settings: Settings) -> Origin {
    Origin::Series { settings, network: Some(0) }
}

fn write(path: &Path, origin: Origin, games: &[GameRecord]) {
    let _ = std::fs::remove_file(path);
    let mut writer = GameWriter::create(path, origin).expect("a file");
    games.iter().for_each(|game| writer.write(game).expect("room"));
}

fn check(path: &Path, sample: usize, seed: u64) -> Result<Verified, VerifyError> {
    let check = Check { network: None, job: None, sample, seed, threads: 1 };
    verify(path, check, || {})
}

fn read(path: &Path) -> Vec<GameRecord> {
    GameReader::open(path).expect("a file").map(|game| game.expect("a game")).collect()
}

/// The games of a series that begins anywhere.
fn games(path: &Path, settings: Settings, first: u32) -> Vec<GameRecord> {
    let goal = Goal::Games(u64::from(GAMES));
    generate_from(first, path, settings, None, goal, 1, |_| {}).expect("games");
    read(path)
}

fn below(rng: &mut Xoshiro256PlusPlus, end: usize) -> usize {
    (rng.next_u64() % end as u64) as usize
}

/// Another legal move somewhere, and the game ends with it.
fn other_move(game: &GameRecord, rng: &mut Xoshiro256PlusPlus) -> GameRecord {
    let mut forged = game.clone();
    let from = below(rng, game.moves.len());
    let mut boards = Vec::new();
    game.replay(|board, _| boards.push(board.clone())).expect("legal moves");
    let other =
        |board: &Board, played: Move| board.legal_moves().iter().copied().find(|&mv| mv != played);
    let plies = (from..game.moves.len()).chain(0..from);
    let (ply, mv) = plies
        .filter_map(|ply| Some((ply, other(&boards[ply], game.moves[ply].mv)?)))
        .next()
        .expect("a position with a choice");
    forged.moves[ply].mv = mv;
    forged.moves.truncate(ply + 1);
    forged
}

/// What a forger may do to one game, and what he cannot do without being caught whatever
/// is drawn.
const KINDS: [&str; 9] = [
    "score",
    "move",
    "result",
    "another seed",
    "more nodes",
    "shorter",
    "dropped",
    "twice",
    "swapped",
];

fn forge(kind: &str, games: &mut Vec<GameRecord>, seed: u64, rng: &mut Xoshiro256PlusPlus) {
    let place = below(rng, games.len());
    let game = &mut games[place];
    let index = game.index;
    let play = |settings| SeriesPlayer::new(settings, None).expect("memory").play(index).record;
    match kind {
        "score" => {
            let ply = below(rng, game.moves.len());
            game.moves[ply].score ^= 1 << below(rng, 8);
        }
        "move" => *game = other_move(game, rng),
        "result" => {
            let other = (game.result.index() + 1 + below(rng, 2)) % GameResult::COUNT;
            game.result = GameResult::from_index(other).expect("a result");
        }
        "another seed" => *game = play(settings(seed ^ 1 << 40)),
        "more nodes" => *game = play(Settings { nodes: 40 * NODES, ..settings(seed) }),
        "shorter" => {
            game.moves.pop();
        }
        "dropped" => {
            games.remove(below(rng, GAMES as usize - 1));
        }
        "twice" => {
            let copy = games[place].clone();
            games.insert(place, copy);
        }
        _ => games.swap(0, 1 + below(rng, GAMES as usize - 1)),
    }
}

/// Moves the score of a usable position from one side to the other, if there is one that
/// matters.
fn spoil_usable(game: &mut GameRecord) -> bool {
    let mut ply = 0;
    let mut found = None;
    game.replay(|board, scored| {
        let score = usable::usable_score(board, scored).map_or(0, |score| score.0);
        if (50..1_000).contains(&score.abs()) {
            found = found.or(Some(ply));
        }
        ply += 1;
    })
    .expect("legal moves");
    if let Some(ply) = found {
        game.moves[ply].score = -game.moves[ply].score;
    }
    found.is_some()
}

#[test]
fn honest_files_pass_and_each_forgery_is_caught() {
    let folder = tempfile::tempdir().expect("a folder");
    let (honest, forged) = (folder.path().join("honest"), folder.path().join("forged"));
    let packed = folder.path().join("packed");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(28);
    for seed in 0..files() {
        let _ = std::fs::remove_file(&honest);
        let first = 1_000 * seed as u32;
        let original = games(&honest, settings(seed), first);
        let verified = check(&honest, GAMES as usize, seed).expect("a series");
        assert_eq!(verified.forged, [], "seed {seed}");
        assert_eq!((verified.games, verified.replayed), (3, 3));
        // Packed, it is as good; and a score that packing keeps is a forgery, too.
        let _ = std::fs::remove_file(&packed);
        survey::pack(&honest, &packed, |_| {}).expect("room");
        let verified = check(&packed, GAMES as usize, seed).expect("a series");
        assert_eq!((verified.forged.len(), verified.replayed), (0, 3), "seed {seed}");
        let mut games = original.clone();
        if spoil_usable(&mut games[1]) {
            write(&forged, series(settings(seed)), &games);
            let _ = std::fs::remove_file(&packed);
            survey::pack(&forged, &packed, |_| {}).expect("room");
            let forged = check(&packed, GAMES as usize, seed).expect("a series").forged;
            assert_eq!(forged.len(), 1, "seed {seed}");
        }
        for kind in KINDS {
            let mut games = original.clone();
            forge(kind, &mut games, seed, &mut rng);
            assert_ne!(games, original, "{kind}");
            write(&forged, series(settings(seed)), &games);
            let found = check(&forged, GAMES as usize, seed);
            match kind {
                // To drop the first game is to claim fewer, which the job tells.
                "dropped" if games[0].index != first => {
                    assert!(found.is_ok_and(|verified| verified.forged.is_empty()));
                }
                "dropped" | "twice" | "swapped" => {
                    let misplaced = matches!(
                        found,
                        Err(VerifyError::Data(gambeson::selfplay::DataError::Record {
                            source: RecordError::Misplaced { .. },
                            ..
                        }))
                    );
                    assert!(misplaced, "{kind}: seed {seed}");
                }
                _ => {
                    let forged = found.expect("a series").forged;
                    assert_eq!(forged.len(), 1, "{kind}: seed {seed}");
                }
            }
        }
        // Other settings in the header: every game differs.
        let lie = Settings { nodes: 40 * NODES, ..settings(seed) };
        write(&forged, series(lie), &original);
        let caught = check(&forged, GAMES as usize, seed).expect("a series").forged;
        assert!(!caught.is_empty(), "settings: seed {seed}");
    }
}

/// The table in docs/volunteers.md counts on this.
#[test]
fn a_sample_catches_as_often_as_its_size_says() {
    const ALL: usize = 12;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let goal = Goal::Games(ALL as u64);
    generate_from(0, &path, settings(1), None, goal, 1, |_| {}).expect("games");
    let mut games = read(&path);
    for game in &mut games[4..7] {
        game.moves[0].score ^= 1;
    }
    write(&path, series(settings(1)), &games);
    let trials = 10 * files();
    let caught = (0..trials)
        .filter(|&seed| !check(&path, 4, seed).expect("a series").forged.is_empty())
        .count() as f64;
    // All four drawn from the nine honest ones: 126 of 495.
    let (expected, trials) = (1.0 - 126.0 / 495.0, trials as f64);
    let deviation = (expected * (1.0 - expected) / trials).sqrt();
    assert!((caught / trials - expected).abs() < 4.0 * deviation, "{caught} of {trials}");
}

fn gambeson(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_gambeson")).args(arguments).output();
    output.expect("the program runs")
}

#[test]
fn a_job_is_done_verified_and_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let text = |output: &Output| {
        String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
    };
    for (name, first) in [("alice", "0"), ("bob", "4")] {
        let job = path(&format!("{name}.job"));
        let common = ["job", "--seed", "9", "--nodes", "5", "--games", "4", "--first", first];
        let written = gambeson(&[&common[..], &["-o", &job]].concat());
        assert!(written.status.success(), "{}", text(&written));
        let done = gambeson(&["contribute", "--job", &job, "--threads", "2"]);
        assert!(text(&done).contains(".games: 4 games, "), "{}", text(&done));
    }
    let [alice, bob, job] = ["alice.games", "bob.games", "bob.job"].map(path);
    let verified = gambeson(&["data", "verify", &bob, "--job", &job, "--sample", "4"]);
    let expected = "4 games, 4 played again, all the same; with 95 % confidence at most 0.00 %";
    assert!(text(&verified).starts_with(expected), "{}", text(&verified));
    let other = gambeson(&["data", "verify", &alice, "--job", &job]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other).contains("is not what the job asks for: other games"), "{}", text(&other));

    let all = path("all.games");
    let twice = gambeson(&["data", "merge", &alice, &bob, &alice, "-o", &all]);
    assert!(text(&twice).contains("both hold game 0 of seed 9"), "{}", text(&twice));
    let merged = gambeson(&["data", "merge", &alice, &bob, "-o", &all]);
    assert!(text(&merged).starts_with("8 games, "), "{}", text(&merged));
    let verified = gambeson(&["data", "verify", &all, "--sample", "8"]);
    assert!(text(&verified).starts_with("8 games, 8 played again, all the same"));

    // Bob's third game, forged before the files were merged.
    let mut games = read(Path::new(&bob));
    games[2].moves[0].score += 1;
    let origin = GameReader::open(Path::new(&bob)).expect("a file").origin();
    write(Path::new(&bob), origin, &games);
    std::fs::remove_file(&all).expect("the file");
    assert!(gambeson(&["data", "merge", &alice, &bob, "-o", &all]).status.success());
    let verified = gambeson(&["data", "verify", &all, "--sample", "8"]);
    assert_eq!(verified.status.code(), Some(1));
    let found = text(&verified);
    assert!(found.starts_with("game 6 of bob.games: score "), "{found}");

    // A job of a program that plays otherwise.
    let foreign = std::fs::read_to_string(&job).expect("a job");
    let (rest, _) = foreign.rsplit_once("check ").expect("its last line");
    std::fs::write(&job, format!("{rest}check 00000000\n")).expect("room");
    let refused = gambeson(&["contribute", "--job", &job]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("which plays game 4 differently"), "{}", text(&refused));
}
