//! Tablebases. The tests need the 3- and 4-men Syzygy tables in the folder that
//! GAMBESON_SYZYGY names and are skipped where it names none; what happens without
//! tables is tested everywhere.

mod common {
    pub mod conversation;
    #[allow(dead_code)] // Only the dice are wanted here.
    pub mod random;
}

use common::conversation::{Conversation, Scene};
use common::random::Dice;
use gambeson::board::{Board, Setup};
use gambeson::game::Termination;
use gambeson::game::judge::automatic;
use gambeson::tablebase::{Probe, Tablebases, Wdl};
use gambeson::types::{Color, Move, Piece, Score};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const VARIABLE: &str = "GAMBESON_SYZYGY";

/// The folder with tables, if there is one.
fn folder() -> Option<String> {
    let folder = std::env::var(VARIABLE).ok();
    if folder.is_none() {
        eprintln!("skipped: {VARIABLE} names no folder with 3- and 4-men Syzygy tables");
    }
    folder
}

fn open(path: &str) -> Tablebases {
    let (tables, problems) = Tablebases::open(path).expect("tables");
    assert!(problems.is_empty(), "{problems:?}");
    tables
}

fn probe(tables: &Arc<Tablebases>) -> Probe {
    Probe { tables: Arc::clone(tables), depth: 1, men: tables.men(), fifty_moves: true }
}

/// A folder of this test's own with a blank in its name.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tables {name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// A random legal position of 3 or 4 men.
fn random_position(dice: &mut Dice) -> Board {
    loop {
        let mut setup = Setup::empty();
        let men = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let mut put = |color, piece, dice: &mut Dice| {
            setup.pieces[dice.below(64)] = Some((color, piece));
        };
        put(Color::White, Piece::King, dice);
        put(Color::Black, Piece::King, dice);
        for _ in 0..1 + dice.below(2) {
            let color = [Color::White, Color::Black][dice.below(2)];
            put(color, men[dice.below(men.len())], dice);
        }
        setup.side_to_move = [Color::White, Color::Black][dice.below(2)];
        if let Ok(board) = Board::try_from(&setup)
            && board.has_legal_moves()
        {
            return board;
        }
    }
}

#[test]
fn verdicts_follow_from_those_after_each_move() {
    let Some(folder) = folder() else { return };
    let tables = Arc::new(open(&folder));
    assert_eq!(tables.men(), 4);
    let mut dice = Dice::new(11);
    let mut seen = [0; 3];
    for _ in 0..3_000 {
        let board = random_position(&mut dice);
        let verdict = tables.wdl(&board).expect("a table for all of 4 men");
        let mut next = board.clone();
        let after = |mv: &Move| {
            next.make(*mv);
            let verdict = match automatic(&next).map(|end| end.termination) {
                Some(Termination::Checkmate) => Wdl::Win,
                Some(_) => Wdl::Draw,
                None => -tables.wdl(&next).expect("a table for what follows"),
            };
            next.unmake(*mv);
            verdict
        };
        let moves = board.legal_moves();
        let outcomes: Vec<Wdl> = moves.iter().map(after).collect();
        assert_eq!(outcomes.iter().copied().max(), Some(verdict), "{}", board.fen());
        seen[(verdict.signum() + 1) as usize] += 1;

        // Every move of the highest rank keeps the result.
        let ranking = probe(&tables).rank(&board, &moves).expect("all moves are known");
        assert!(ranking.by_distance);
        let best = ranking.moves.iter().map(|ranked| ranked.rank).max().expect("a move");
        for (ranked, outcome) in ranking.moves.iter().zip(&outcomes) {
            if ranked.rank == best {
                assert_eq!(*outcome, verdict, "{:?} in {}", ranked.mv, board.fen());
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

#[test]
fn known_positions() {
    let Some(folder) = folder() else { return };
    let tables = Arc::new(open(&folder));
    let scores = |fen: &str| {
        let board = Board::from_fen(fen).expect(fen);
        (tables.wdl(&board), probe(&tables).score(&board, 3))
    };
    let win = Score::tb_win(3);
    for (fen, verdict, score) in [
        ("8/8/8/8/8/4k3/8/QK6 w - - 0 1", Some(Wdl::Win), Some(win)),
        ("8/8/8/8/8/4k3/8/QK6 b - - 0 1", Some(Wdl::Loss), Some(-win)),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some(Wdl::Win), Some(win)),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Some(Wdl::Draw), Some(Score::DRAW)),
        // Only the en passant capture draws; without it the pawn queens.
        ("8/8/8/8/2pP4/8/8/k1K5 b - d3 0 1", Some(Wdl::Draw), Some(Score::DRAW)),
        // The tables do not know how far the 50-move rule has come,
        ("8/8/8/8/8/4k3/8/QK6 w - - 1 1", Some(Wdl::Win), None),
        // nor castling, nor more men.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None, None),
        (Board::START_FEN, None, None),
    ] {
        assert_eq!(scores(fen), (verdict, score), "{fen}");
    }
}

#[test]
fn the_fifty_move_rule_counts_at_the_root() {
    let Some(folder) = folder() else { return };
    let tables = Arc::new(open(&folder));
    let ranked = |fen: &str, fifty_moves: bool| {
        let board = Board::from_fen(fen).expect(fen);
        let probe = Probe { fifty_moves, ..probe(&tables) };
        let ranking = probe.rank(&board, &board.legal_moves()).expect("all moves are known");
        let best = ranking.moves.iter().map(|it| it.rank).max().expect("a move");
        let won = ranking.moves.iter().filter(|it| it.score == Score::tb_win(0));
        let is_best = |it: &&gambeson::tablebase::Ranked| it.rank == best;
        let mut won: Vec<String> = won.filter(is_best).map(|it| board.san(it.mv)).collect();
        won.sort();
        won
    };
    // White must capture at once, or the game is drawn.
    let last_chance = "7k/8/8/8/8/8/1r6/KQ6 w - - 99 90";
    assert_eq!(ranked(last_chance, true), ["Kxb2", "Qxb2+"]);
    let too_late = "8/8/8/8/8/4k3/8/QK6 w - - 99 90";
    assert_eq!(ranked(too_late, true), Vec::<String>::new());
    assert!(!ranked(too_late, false).is_empty());
}

#[test]
fn won_games_do_not_go_in_circles() {
    let Some(folder) = folder() else { return };
    let mut board = Board::from_fen("8/8/8/3k4/8/8/8/K1Q5 b - - 0 1").expect("a FEN");
    for word in ["d5e5", "c1b1", "e5d5"] {
        let mv = board.parse_move(word).expect("a legal move");
        board.make(mv);
    }
    let ranking = probe(&Arc::new(open(&folder))).rank(&board, &board.legal_moves());
    let moves = ranking.expect("all moves are known").moves;
    let back = board.parse_move("b1c1").expect("a legal move");
    let best = moves.iter().map(|it| it.rank).max().expect("a move");
    let it = moves.iter().find(|it| it.mv == back).expect("it is legal");
    assert!(it.rank < best && it.score == Score::tb_win(0), "{it:?}");
}

/// Going back may be the only progress: without distances nothing but the search can tell.
#[test]
fn without_distances_all_winning_moves_are_equal() {
    let Some(folder) = folder() else { return };
    let scratch = scratch("verdicts only");
    for file in ["KQvK.rtbw", "KRvK.rtbw"] {
        std::fs::copy(Path::new(&folder).join(file), scratch.join(file)).expect("a copy");
    }
    let mut board = Board::from_fen("8/8/8/3k4/8/8/8/K1Q5 b - - 0 1").expect("a FEN");
    for word in ["d5e5", "c1b1", "e5d5"] {
        let mv = board.parse_move(word).expect("a legal move");
        board.make(mv);
    }
    let tables = Arc::new(open(scratch.to_str().expect("UTF-8")));
    let ranking = probe(&tables).rank(&board, &board.legal_moves()).expect("all are known");
    assert!(!ranking.by_distance);
    let mut won = ranking.moves.iter().filter(|it| it.score == Score::tb_win(0));
    let best = ranking.moves.iter().map(|it| it.rank).max().expect("a move");
    assert!(won.all(|it| it.rank == best), "{ranking:?}");
    std::fs::remove_dir_all(scratch).expect("the folder is ours");
}

/// Whatever is in the files, nothing worse than no answer or a wrong one comes of it.
#[test]
fn damaged_tables_do_no_harm() {
    let Some(folder) = folder() else { return };
    let scratch = scratch("damaged");
    let mut dice = Dice::new(12);
    for round in 0..40 {
        for name in ["KQvK", "KPvK", "KQvKR", "KPvKP"] {
            for kind in ["rtbw", "rtbz"] {
                let file = format!("{name}.{kind}");
                let mut bytes = std::fs::read(Path::new(&folder).join(&file)).expect("a table");
                let reach = if round % 2 == 0 { 200 } else { bytes.len() };
                for _ in 0..1 + dice.below(8) {
                    bytes[4 + dice.below(reach - 4)] = dice.below(256) as u8;
                }
                std::fs::write(scratch.join(&file), bytes).expect("a file can be written");
            }
        }
        let tables = open(scratch.to_str().expect("UTF-8"));
        for _ in 0..200 {
            let board = random_position(&mut dice);
            let _ = (tables.wdl(&board), tables.dtz(&board));
        }
    }
    std::fs::write(scratch.join("KRvK.rtbw"), b"short").expect("a file can be written");
    let (_, problems) = Tablebases::open(scratch.to_str().expect("UTF-8")).expect("the others");
    assert_eq!(problems.len(), 1, "{problems:?}");
    std::fs::remove_dir_all(scratch).expect("the folder is ours");
}

/// How many answers from tables the last line of thinking reports.
fn hits(scene: &Scene<'_>) -> u64 {
    let line = scene.heard.iter().rev().find(|line| line.contains(" tbhits ")).expect("a line");
    let (_, rest) = line.split_once(" tbhits ").expect("hits");
    rest.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn the_engine_uses_tables() {
    let Some(folder) = folder() else { return };
    let scratch = scratch("with several blanks");
    for file in ["KQvK.rtbw", "KQvK.rtbz"] {
        std::fs::copy(Path::new(&folder).join(file), scratch.join(file)).expect("a copy");
    }
    let folders = [scratch.as_os_str(), folder.as_ref()];
    let path = std::env::join_paths(folders).expect("no separators in the names");
    let path = path.to_str().expect("UTF-8");
    let mut talk = Conversation::start();
    let mut scene = Scene::new(&mut talk);
    scene.run(&format!(
        "> uci | = uciok | > setoption name SyzygyPath value {path} \
        | ^ info string Syzygy tables up to 4 men: \
        | > position fen 8/8/8/8/8/4k3/8/QK6 w - - 0 1 | > d | ^ Tablebase: Win, DTZ "
    ));
    // At the root: a win is a win from the first line on, and no mate before there is.
    scene.run("> go depth 2 | * score cp 20000 | ^ bestmove");
    assert!(hits(&scene) > 10);
    scene.run("> setoption name SyzygyProbeLimit value 2 | > go depth 2 | ^ bestmove");
    assert_eq!(hits(&scene), 0);
    // A level is measured without.
    scene.run(
        "> setoption name SyzygyProbeLimit value 7 \
        | > setoption name UCI_LimitStrength value true | > go depth 2 | ^ bestmove",
    );
    assert_eq!(hits(&scene), 0);
    // Below the root, by two threads: after a capture there are few enough men.
    scene.run(
        "> setoption name UCI_LimitStrength value false | > setoption name Threads value 2 \
        | > position fen 8/8/8/3k4/8/2r5/1n6/QK6 w - - 0 1 | > go depth 8 | ^ bestmove",
    );
    assert!(hits(&scene) > 0);
    // The only drawing move, and the others behind it.
    scene.run(
        "> setoption name MultiPV value 3 | > position fen 8/8/8/3K4/8/3P4/2k5/8 b - - 0 1 \
        | > go depth 5 | * multipv 1 score cp 0 | * multipv 3 score cp -20000 \
        | ^ bestmove c2d3",
    );
    scene.run(
        "> setoption name MultiPV value 1 | > setoption name UCI_ShowWDL value true | > go depth 5 \
        | * wdl 0 1000 0 | ^ bestmove c2d3",
    );
    talk.quit();
    std::fs::remove_dir_all(scratch).expect("the folder is ours");

    let mut talk = Conversation::start();
    let script = "> xboard | > protover 2 | ^ feature done=1 | > new | > force | > post \
        | > egtpath syzygy FOLDER | ^ # Syzygy tables \
        | > setboard 8/8/8/8/8/4k3/8/QK6 w - - 0 1 | > sd 2 | > go | * 20000 | ^ move";
    Scene::new(&mut talk).run(&script.replace("FOLDER", &folder));
    talk.quit();
}

#[test]
fn without_tables_the_engine_says_so_and_plays() {
    let mut talk = Conversation::start();
    Scene::new(&mut talk).run(
        "> uci | ^ option name SyzygyPath type string | = uciok \
        | > setoption name SyzygyPath value /no such folder | * /no such folder \
        | > setoption name SyzygyPath value src | * no Syzygy tables \
        | > position fen 8/8/8/8/8/4k3/8/QK6 w - - 0 1 | > go depth 3 | ^ bestmove",
    );
    talk.quit();
    let mut talk = Conversation::start();
    Scene::new(&mut talk).run(
        "> xboard | > protover 2 | * egt=\"syzygy\" | ^ feature done=1 | > new \
        | > egtpath syzygy /no such folder | * /no such folder | > st 0.1 | > go | ^ move",
    );
    talk.quit();
}
