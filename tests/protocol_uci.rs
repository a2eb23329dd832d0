//! UCI as clients speak it, well and badly, to the built program.

mod common {
    pub mod conversation;
}

use common::conversation::{Conversation, Manner, PATIENCE, Row, Scene, engine, play_all};
use std::process::Command;
use std::time::Duration;

const MANNER: Manner = Manner {
    prelude: "> uci | = uciok | > isready | = readyok",
    epilogue: "> stop | > isready | = readyok",
    complaints: &["info string"],
    review: one_answer_for_each_search,
};

/// Every `go` that was not refused or forsaken is answered once, and nothing else is.
fn one_answer_for_each_search(scene: &mut Scene<'_>) {
    let is_go =
        |line: &&String| line.split_whitespace().next() == Some("go") && !line.contains("perft");
    let refused = scene.count("info string go: a search is running");
    let forsaken = scene.count("info string pondering ended");
    let wanted = scene.sent.iter().filter(is_go).count() - refused - forsaken;
    while scene.count("bestmove") < wanted {
        scene.run("^ bestmove");
    }
    scene.run("> isready | = readyok | ~ 5 bestmove");
    let found = scene.count("bestmove");
    if found != wanted {
        scene.talk.fail(&format!("{found} answers to {wanted} searches"));
    }
}

const HANDSHAKE: &[Row] = &[
    ("uci", "> uci | ^ id name Gambeson | ^ id author | ^ option name | = uciok"),
    ("isready", "> isready | = readyok"),
    ("unknown line", "> xyzzy plugh | ^ info string unknown command: xyzzy plugh"),
    ("xboard words after uci", "> protover 2 | ^ info string unknown command"),
    ("two lines in one", "> isready\nisready | = readyok | = readyok"),
    ("stop while idle", "> stop | > stop | > isready | = readyok | > go depth 2 | ^ bestmove"),
    ("ponderhit while idle", "> ponderhit | ^ info string ponderhit:"),
];

const LIMITS: &[Row] = &[
    ("depth", "> go depth 4 | ^ info depth 4 | ^ bestmove | ! info depth 5"),
    ("depth 0", "> go depth 0 | ^ info depth 1 | ^ bestmove | < 2000"),
    (
        "depth abc",
        "> go depth abc | = info string go: not a number: depth abc | = bestmove (none) | > go depth 1 | ^ bestmove | # 2 bestmove",
    ),
    (
        "depth abc after a stop",
        "> go infinite | > stop | > go depth abc | ^ bestmove | ^ info string go: | = bestmove (none) | # 2 bestmove",
    ),
    ("nodes", "> go nodes 2000 | * nodes | ^ bestmove | < 3000"),
    ("nodes 1", "> go nodes 1 | ^ info depth 1 | ^ bestmove | < 2000"),
    ("nodes 0", "> go nodes 0 | ^ bestmove | < 2000"),
    ("movetime", "> go movetime 200 | ~ 120 bestmove | ^ bestmove | < 2000"),
    ("movetime 0", "> go movetime 0 | ^ bestmove | < 1000"),
    ("movetime of years", "> go movetime 999999999999999 | ~ 100 bestmove | > stop | ^ bestmove"),
    ("both clocks", "> go wtime 1000 btime 1000 winc 0 binc 0 | ^ bestmove | < 2000"),
    ("wtime alone", "> go wtime 100 | ^ bestmove | < 1000"),
    ("btime alone", "> go btime 100 | ^ bestmove | < 1000"),
    ("btime alone for Black", "> position startpos moves e2e4 | > go btime 100 | ^ bestmove"),
    ("increments alone", "> go winc 100 binc 100 depth 3 | ^ bestmove"),
    ("movestogo", "> go wtime 500 btime 500 movestogo 1 | ^ bestmove | < 1500"),
    ("movestogo 0", "> go wtime 300 btime 300 movestogo 0 | ^ bestmove | < 1500"),
    ("zero clocks", "> go wtime 0 btime 0 | ^ bestmove | < 1000"),
    ("huge clocks", "> go wtime 99999999999999 btime 1 depth 3 | ^ bestmove"),
    ("mate not there", "> go mate 1 nodes 3000 | ^ bestmove | ! score mate"),
    ("depth before nodes", "> go depth 2 nodes 100000000 | ^ bestmove | ! info depth 3 | < 2000"),
    ("nodes before depth", "> go depth 100 nodes 1000 | ^ bestmove | < 2000"),
    ("movetime before depth", "> go depth 100 movetime 50 | ^ bestmove | < 2000"),
    ("depth before movetime", "> go depth 2 movetime 60000 | ^ bestmove | < 2000"),
    ("movetime before clock", "> go wtime 600000 btime 600000 movetime 50 | ^ bestmove | < 2000"),
    ("clock before movetime", "> go wtime 100 btime 100 movetime 60000 | ^ bestmove | < 2000"),
    (
        "mate before depth",
        "> position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1 | > go mate 2 depth 60 | * score mate 2 | ^ bestmove a1a6 | < 5000",
    ),
    ("searchmoves", "> go searchmoves a2a3 depth 3 | * pv a2a3 | ^ bestmove a2a3"),
    (
        "searchmoves illegal",
        "> go searchmoves e2e5 a2a3 depth 2 | ^ info string illegal move: e2e5 | ^ bestmove a2a3",
    ),
];

const SEARCHES: &[Row] = &[
    ("bare go is infinite", "> go | ~ 150 bestmove | > stop | ^ bestmove | < 1000"),
    ("infinite holds", "> go infinite | ~ 150 bestmove | > stop | ^ bestmove | < 1000"),
    ("infinite holds at depth", "> go infinite depth 1 | ~ 150 bestmove | > stop | ^ bestmove"),
    (
        "infinite holds with movetime",
        "> go movetime 20 infinite | ~ 150 bestmove | > stop | ^ bestmove",
    ),
    (
        "infinite holds when mated",
        "> position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | > go infinite | ^ info depth 0 | ~ 150 bestmove | > stop | = bestmove (none)",
    ),
    (
        "infinite holds a forced mate",
        "> position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1 | > go infinite | * score mate 2 | ~ 150 bestmove | > stop | ^ bestmove a1a6",
    ),
    ("ponder holds", "> go ponder wtime 50 btime 50 | ~ 150 bestmove | > stop | ^ bestmove"),
    (
        "ponder holds at depth",
        "> go ponder depth 1 | ~ 100 bestmove | > ponderhit | ^ bestmove | < 1000",
    ),
    (
        "ponderhit starts the clock",
        "> go ponder movetime 150 | ~ 200 bestmove | > ponderhit | ~ 90 bestmove | ^ bestmove | < 1500",
    ),
    (
        "ponderhit with clocks",
        "> position startpos moves e2e4 e7e5 | > go ponder wtime 300 btime 300 | ~ 100 bestmove | > ponderhit | ^ bestmove | < 1500",
    ),
    (
        "ponder infinite",
        "> go ponder infinite | > ponderhit | ~ 100 bestmove | > stop | ^ bestmove",
    ),
    ("ponder alone", "> go ponder | ~ 100 bestmove | > stop | ^ bestmove"),
    (
        "second ponderhit",
        "> go ponder movetime 200 | > ponderhit | > ponderhit | ^ info string ponderhit: | ^ bestmove",
    ),
    (
        "isready while searching",
        "> go infinite | > isready | = readyok | < 500 | > stop | ^ bestmove",
    ),
    (
        "isready while pondering",
        "> go ponder | > isready | = readyok | < 500 | > stop | ^ bestmove",
    ),
    (
        "another search while pondering",
        "> go ponder movetime 50 | > setoption name Hash value 2 | > position fen 7k/8/8/8/8/8/8/KQ6 b - - 0 1 | > go depth 3 | ^ info string pondering ended | ^ bestmove h8 | # 1 bestmove",
    ),
    (
        "another search after pondering was done",
        "> go ponder depth 1 | ~ 100 bestmove | > position fen 7k/8/8/8/8/8/8/KQ6 b - - 0 1 | > go depth 3 | ^ info string pondering ended | ^ bestmove h8 | # 1 bestmove",
    ),
    (
        "isready three times",
        "> go movetime 100 | > isready | > isready | > isready | = readyok | = readyok | = readyok | ^ bestmove",
    ),
    ("uci while searching", "> go infinite | > uci | = uciok | > stop | ^ bestmove"),
    (
        "debug while searching",
        "> go infinite | > debug on | > isready | = readyok | > stop | ^ bestmove",
    ),
    (
        "setoption while searching",
        "> go infinite | > setoption name MultiPV value 2 | ~ 100 bestmove | > stop | ^ bestmove | > go depth 2 | * multipv 2 | ^ bestmove",
    ),
    (
        "hash while searching",
        "> go infinite | > setoption name Hash value 2 | > isready | = readyok | > stop | ^ bestmove",
    ),
    (
        "bad option while searching",
        "> go infinite | > setoption name Hash value x | > stop | ^ bestmove | ^ info string option Hash",
    ),
    (
        "ucinewgame while searching",
        "> go infinite | > ucinewgame | > stop | ^ bestmove | > go depth 2 | ^ bestmove",
    ),
    (
        "second go",
        "> go infinite | > go depth 1 | ^ info string go: a search is running | ~ 100 bestmove | > stop | ^ bestmove | # 1 bestmove",
    ),
    (
        "many second goes",
        "> go infinite | > go | > go ponder | > go depth 3 | > stop | ^ bestmove | # 1 bestmove | # 3 info string go: a search is running",
    ),
    (
        "perft while searching",
        "> go infinite | > perft 1 | ^ info string perft: | > stop | ^ bestmove",
    ),
    (
        "bench while searching",
        "> go infinite | > bench 1 | ^ info string bench: | > stop | ^ bestmove",
    ),
    (
        "showing while searching",
        "> position startpos | > go infinite | > fen | ^ rnbqkbnr/pppppppp/8/8/8/8 | > stop | ^ bestmove",
    ),
    (
        "stop, position, go at once",
        "> go infinite | > stop | > position startpos moves e2e4 | > go depth 2 searchmoves a7a6 | ^ bestmove | ^ bestmove a7a6 | # 2 bestmove",
    ),
    (
        "position, go without stop",
        "> go depth 3 | > position startpos moves e2e4 | > go depth 2 searchmoves a7a6 | ^ bestmove | ^ bestmove a7a6 | # 2 bestmove",
    ),
    (
        "go and stop over and over",
        "> go infinite | > stop | > go infinite | > stop | > position startpos moves e2e4 | > go infinite | > stop | ^ bestmove | ^ bestmove | ^ bestmove | # 3 bestmove",
    ),
    (
        "stop, go ponder, ponderhit at once",
        "> go infinite | > stop | > go ponder movetime 50 | > ponderhit | ^ bestmove | ^ bestmove | # 2 bestmove",
    ),
    (
        "setoption, go, stop",
        "> go infinite | > setoption name MultiPV value 2 | > go depth 1 | > stop | ^ bestmove | ? info string",
    ),
    (
        "position, go, stop",
        "> go infinite | > position startpos moves e2e4 | > go infinite | > stop | ^ bestmove | > stop | ? info string",
    ),
    (
        "stop, go, position, stop",
        "> go infinite | > stop | > go infinite | > position startpos moves e2e4 | > stop | ^ bestmove | ^ bestmove | # 2 bestmove",
    ),
    ("two stops", "> go infinite | > stop | > stop | ^ bestmove | # 1 bestmove"),
    (
        "stop does not hit the next",
        "> go infinite | > stop | ^ bestmove | > stop | > go movetime 150 | ~ 80 bestmove | ^ bestmove",
    ),
    (
        "stop at once",
        "> go infinite | > stop | ^ bestmove | > go infinite | > stop | ^ bestmove | > go ponder | > stop | ^ bestmove | # 3 bestmove",
    ),
    (
        "info has everything",
        "> go depth 6 | * seldepth | * nps | * hashfull | * tbhits | * score cp | ^ bestmove",
    ),
    (
        "currmove after 3 s",
        "> go infinite | ~ 2500 info depth 99 | * currmovenumber | > stop | ^ bestmove",
    ),
    (
        "UCI_ShowCurrLine",
        "> setoption name UCI_ShowCurrLine value true | > go infinite | * info currline 1 | > stop | ^ bestmove",
    ),
    ("no currmove before", "> go movetime 300 | ^ bestmove | ! currmove"),
    ("two searches of one position", "> go depth 4 | ^ bestmove | > go depth 4 | ^ bestmove"),
];

const POSITIONS: &[Row] = &[
    (
        "fen with moves",
        "> position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8e7 | > fen | ^ 8/4k3/8/8/4P3/8/8/4K3 w",
    ),
    (
        "castling is written e1g1",
        "> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | > go depth 1 searchmoves e1h1 | ^ bestmove e1g1",
    ),
    (
        "castling in 960",
        "> setoption name UCI_Chess960 value true | > position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 | > go depth 1 searchmoves e1h1 | ^ bestmove e1h1",
    ),
    (
        "castling in 960 the other way",
        "> setoption name UCI_Chess960 value true | > position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 | > fen | ^ r3k2r/8/8/8/8/8/8/R4RK1 b",
    ),
    (
        "960 by Shredder FEN",
        "> setoption name UCI_Chess960 value true | > position fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1 moves b1h1 | > fen | ^ 4k3/8/8/8/8/8/8/R4RK1 b",
    ),
    (
        "960 without the option",
        "> position fen 4k3/8/8/8/8/8/8/RK5R w HA - 0 1 | > go depth 1 searchmoves b1a1 | ^ bestmove b1a1",
    ),
    (
        "960 start position",
        "> setoption name UCI_Chess960 value true | > position fen bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1 | > go depth 3 | ^ bestmove",
    ),
    (
        "illegal move",
        "> position startpos moves e2e4 e7e4 d2d4 | ^ info string illegal move: e7e4 | > go depth 1 | ^ info string go: | = bestmove (none) | > perft 1 | ^ info string perft: | > flip | ^ info string flip: | > position startpos moves e2e4 | > go depth 1 | ^ bestmove | # 1 bestmove (none)",
    ),
    (
        "bad FEN",
        "> position fen 8/8/8 w - - 0 1 | ^ info string illegal position | > go depth 3 | ^ info string go: | = bestmove (none)",
    ),
    (
        "no kings",
        "> position fen 8/8/8/8/8/8/8/8 w - - 0 1 | ^ info string illegal position | > go infinite | = bestmove (none)",
    ),
    (
        "recovery",
        "> position fen x | ^ info string | > go depth 1 | = bestmove (none) | > position startpos | > go depth 2 | ^ bestmove | # 1 bestmove (none)",
    ),
    (
        "recovery by ucinewgame",
        "> position fen x/ | ^ info string | > ucinewgame | > position startpos | > go depth 2 | ^ info depth 2 | ^ bestmove",
    ),
    (
        "mated",
        "> position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | > go depth 3 | * score mate 0 | = bestmove (none)",
    ),
    (
        "stalemate",
        "> position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1 | > go movetime 100 | * score cp 0 | = bestmove (none)",
    ),
    (
        "mated after moves",
        "> position startpos moves f2f3 e7e5 g2g4 d8h4 | > go wtime 1000 btime 1000 | * score mate 0 | = bestmove (none)",
    ),
    (
        "mate in one",
        "> position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | > go depth 3 | * score mate 1 | = bestmove a1a8",
    ),
    (
        "to be mated",
        "> position fen 6k1/5ppp/8/8/8/8/r7/1r4K1 w - - 0 1 | > go depth 3 | * score | ^ bestmove",
    ),
    (
        "one legal move",
        "> position fen 7k/8/6K1/8/8/8/8/8 b - - 0 1 | > go depth 3 | ^ bestmove h8g8",
    ),
    (
        "repetition before the root",
        "> position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 | > go depth 4 | ^ bestmove | ! bestmove (none)",
    ),
    (
        "fifty moves before the root",
        "> position fen 4k3/8/8/8/8/8/4R3/4K3 w - - 100 90 | * info string | > go depth 3 | ^ bestmove",
    ),
    (
        "bare kings",
        "> position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1 | > go depth 4 | * score cp 0 | ^ bestmove",
    ),
];

const OPTIONS: &[Row] = &[
    ("hash", "> setoption name Hash value 4 | > go depth 3 | ^ bestmove"),
    (
        "hash abc",
        "> setoption name Hash value abc | ^ info string option Hash | > go depth 2 | ^ bestmove",
    ),
    ("threads", "> setoption name Threads value 2 | > go depth 4 | ^ bestmove"),
    (
        "clear hash",
        "> go depth 3 | ^ bestmove | > setoption name Clear Hash | > isready | = readyok | > go depth 3 | ^ bestmove",
    ),
    ("ponder", "> setoption name Ponder value true | > go depth 3 | * ponder"),
    (
        "MultiPV",
        "> setoption name MultiPV value 3 | > go depth 4 | * depth 4 seldepth | * multipv 2 | * multipv 3 | ^ bestmove | ! multipv 4",
    ),
    (
        "MultiPV beyond the legal moves",
        "> setoption name MultiPV value 256 | > position fen 7k/8/5K2/8/8/8/8/8 b - - 0 1 | > go depth 3 | * multipv 2 | ^ bestmove | ! multipv 3",
    ),
    (
        "MultiPV with searchmoves",
        "> setoption name MultiPV value 5 | > go depth 2 searchmoves a2a3 h2h3 | * multipv 2 | ^ bestmove | ! multipv 3",
    ),
    (
        "MultiPV when mated",
        "> setoption name MultiPV value 5 | > position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | > go depth 2 | = bestmove (none)",
    ),
    (
        "Move Overhead",
        "> setoption name Move Overhead value 50 | > go wtime 200 btime 200 | ^ bestmove | < 1000",
    ),
    (
        "overhead beyond the clock",
        "> setoption name Move Overhead value 5000 | > go wtime 100 btime 100 | ^ bestmove | < 1000",
    ),
    (
        "wdl",
        "> setoption name UCI_ShowWDL value true | > go depth 2 | * wdl | ^ bestmove | > setoption name UCI_ShowWDL value false | > isready | = readyok",
    ),
    ("no wdl", "> go depth 3 | ^ bestmove | ! wdl"),
    ("UCI_AnalyseMode", "> setoption name UCI_AnalyseMode value true | > go depth 2 | ^ bestmove"),
    (
        "UCI_Opponent",
        "> setoption name UCI_Opponent value GM 2800 human Gary Kasparow | > isready | = readyok",
    ),
    ("UCI_EngineAbout", "> setoption name UCI_EngineAbout value x | > isready | = readyok"),
    (
        "minimal",
        "> setoption name Minimal value true | > go depth 4 | ^ info depth 4 | ^ bestmove | # 1 info",
    ),
    (
        "log file nowhere",
        "> setoption name Debug Log File value /no/such/place/x.log | ^ info string option Debug Log File",
    ),
    (
        "files that are none",
        "> setoption name EvalFile value /dev/zero | ^ info string option EvalFile | > setoption name BookFile value /dev/zero | ^ info string option BookFile | > setoption name Debug Log File value /dev/full | ^ info string option Debug Log File",
    ),
    ("unknown option", "> setoption name Xyzzy value 1 | ^ info string no such option: Xyzzy"),
    // Whether offered or not, these must do no harm.
    (
        "tablebases",
        "> setoption name SyzygyPath value /a b/c:/d | > setoption name SyzygyProbeDepth value 2 | > setoption name SyzygyProbeLimit value 5 | > setoption name Syzygy50MoveRule value false | > go depth 2 | ^ bestmove | ? info string",
    ),
    (
        "strength",
        "> setoption name UCI_LimitStrength value true | > setoption name UCI_Elo value 1500 | > go depth 2 | ^ bestmove | ? info string",
    ),
    (
        "book and contempt",
        "> setoption name OwnBook value true | > setoption name Contempt value 10 | > setoption name UCI_ShowCurrLine value true | > go depth 2 | ^ bestmove | ? info string",
    ),
];

const CONSOLE: &[Row] = &[
    ("d", "> d | ^ Fen: rnbqkbnr/"),
    ("eval", "> eval | ^ Evaluation:"),
    ("moves", "> moves | ^ 20 moves: "),
    ("fen", "> fen | ^ rnbqkbnr/"),
    (
        "flip",
        "> position startpos moves e2e4 | > flip | > fen | = rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    ("help", "> help | * position startpos"),
    ("license", "> license | * GNU General Public License"),
    ("compiler", "> compiler | ^ Gambeson "),
    ("bench", "> bench 2 | * nodes"),
    ("bench x", "> bench x | ^ info string bench:"),
    ("perft", "> perft 3 | * a2a3: 380 | = Nodes searched: 8902"),
    ("perft 0", "> perft 0 | = Nodes searched: 1"),
    ("perft stopped", "> perft 12 | > stop | ^ perft was stopped | < 2000"),
    ("isready in a bench", "> bench 5 | > isready | = readyok | < 500 | > stop | * nodes"),
    ("go after perft", "> perft 3 | = Nodes searched: 8902 | > go depth 2 | ^ bestmove"),
];

#[test]
fn transcripts() {
    let rows = [HANDSHAKE, LIMITS, SEARCHES, POSITIONS, OPTIONS, CONSOLE].concat();
    let count = play_all(&rows, &MANNER);
    println!("{count} rows of UCI");
    assert!(count >= 130, "{count}");
}

fn started() -> Conversation {
    let mut talk = Conversation::start();
    talk.send("uci");
    talk.expect_prefix("uciok");
    talk
}

fn word_after<'a>(line: &'a str, word: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|&other| other != word).skip(1);
    words.next().unwrap_or_default()
}

fn searched(talk: &mut Conversation, line: &str) -> Vec<String> {
    talk.send(line);
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line: &String| !line.starts_with("bestmove")) {
        lines.push(talk.expect_line(|_| true, PATIENCE));
    }
    lines
}

#[test]
fn a_mate_is_shown_to_its_end() {
    let mut talk = started();
    talk.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let lines = searched(&mut talk, "go mate 2");
    let line = lines.iter().rfind(|line| line.contains("score mate 2")).expect("a mate");
    let (_, pv) = line.split_once(" pv ").expect(line);
    assert_eq!(pv.split(' ').count(), 3, "{line}");
    talk.quit();
}

#[test]
fn several_lines_come_in_order_and_at_every_depth() {
    let mut talk = started();
    talk.send("setoption name MultiPV value 4");
    talk.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let lines = searched(&mut talk, "go depth 5");
    for depth in 1..=5 {
        let start = format!("info depth {depth} ");
        let group: Vec<&String> = lines.iter().filter(|line| line.starts_with(&start)).collect();
        let last = &group[group.len() - 4..];
        let scores: Vec<i32> =
            last.iter().map(|line| word_after(line, "cp").parse().expect(line)).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{last:#?}");
        for (index, line) in (1..).zip(last) {
            assert_eq!(word_after(line, "multipv"), format!("{index}"));
        }
    }
    let first = lines.iter().rfind(|line| line.contains("multipv 1 ")).expect("lines");
    let best = lines.last().expect("lines");
    assert_eq!(word_after(best, "bestmove"), word_after(first, "pv"));
    talk.quit();
}

#[test]
fn nodes_are_reported_as_searched() {
    for limit in [1, 50, 1_000, 20_000] {
        let mut talk = started();
        let lines = searched(&mut talk, &format!("go nodes {limit}"));
        let info = &lines[lines.len() - 2];
        let nodes: u64 = word_after(info, "nodes").parse().expect(info);
        assert!(nodes <= limit + 2_000, "{info}");
        talk.quit();
    }
}

/// A program that has played before plays a new game as one just started.
#[test]
fn nothing_is_remembered_in_a_new_game() {
    let nodes = |talk: &mut Conversation, line| {
        let lines = searched(talk, line);
        word_after(&lines[lines.len() - 2], "nodes").to_owned()
    };
    let mut talk = started();
    let fresh = nodes(&mut talk, "go depth 9");
    for forget in
        ["ucinewgame", "setoption name Clear Hash", "setoption name Hash value 16", "isready"]
    {
        talk.send("position startpos moves e2e4");
        nodes(&mut talk, "go depth 9");
        talk.send("position startpos");
        talk.send(forget);
        let forgot = nodes(&mut talk, "go depth 9") == fresh;
        assert_eq!(forgot, forget != "isready", "{forget}");
    }
    talk.quit();
}

#[test]
fn the_input_ends_or_quit_comes_while_it_searches() {
    for search in ["go infinite", "go ponder", "go depth 200", "bench 4"] {
        let mut talk = started();
        talk.send(search);
        std::thread::sleep(Duration::from_millis(30));
        talk.quit();
    }
    for search in ["go infinite", "go ponder wtime 1000 btime 1000", "isready", ""] {
        let mut talk = started();
        talk.send(search);
        std::thread::sleep(Duration::from_millis(30));
        talk.close();
        assert!(talk.expect_exit(Duration::from_secs(1)).success());
    }
    // Nothing was said at all, or half a line.
    let mut talk = Conversation::start();
    talk.expect_silence(Duration::from_millis(50));
    talk.close();
    assert!(talk.expect_exit(Duration::from_secs(1)).success());
    let mut talk = Conversation::start();
    talk.send_bytes(b"uc");
    talk.close();
    assert!(talk.expect_exit(Duration::from_secs(1)).success());
}

/// A search that was asked for has its answer, at once, however the conversation ends.
#[test]
fn every_search_is_answered_before_the_end() {
    for (lines, answers) in [
        ("position startpos\ngo depth 50\nquit\n", 1),
        ("go depth 50\n", 1),
        ("go infinite\nquit\n", 1),
        ("go ponder wtime 1000 btime 1000\n", 1),
        ("go infinite\nstop\nquit\n", 1),
        ("go infinite\nstop\ngo infinite\nquit\n", 2),
        ("go depth 50\nposition startpos moves e2e4\ngo infinite\n", 2),
        ("perft 12\nstop\ngo depth 50\nquit\n", 1),
        ("position fen x\ngo\nquit\n", 1),
        ("perft 3\n", 0),
        ("uci\nquit\ngo depth 1\n", 0),
    ] {
        let mut talk = Conversation::start();
        talk.send_bytes(lines.as_bytes());
        talk.close();
        assert!(talk.expect_exit(Duration::from_secs(2)).success());
        let heard = talk.rest();
        let found = heard.iter().filter(|line| line.starts_with("bestmove")).count();
        assert_eq!(found, answers, "{lines:?} {heard:#?}");
        assert_eq!(lines == "perft 3\n", heard.iter().any(|line| line.contains("8902")));
    }
}

/// More workers than processors must not keep each other from looking at the clock.
#[test]
fn many_threads_answer_in_time() {
    let mut talk = started();
    talk.send("setoption name Threads value 512");
    talk.send("isready");
    talk.expect_line(|line| line == "readyok", 6 * PATIENCE);
    talk.send("go movetime 500");
    talk.expect_prefix("bestmove");
    assert!(talk.since_sent() < Duration::from_millis(1_000), "{:?}", talk.since_sent());
    // Giving back 512 threads may take longer than a second.
    talk.send("quit");
    assert!(talk.expect_exit(PATIENCE).success());
}

/// As in a container with little memory.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_had_are_refused() {
    let mut talk = Conversation::run(Command::new("sh").args([
        "-c",
        "ulimit -v 1500000 && exec \"$0\"",
        env!("CARGO_BIN_EXE_gambeson"),
    ]));
    talk.send("uci");
    talk.expect_prefix("uciok");
    talk.send("setoption name Threads value 2");
    for count in [1024, 300] {
        talk.send(&format!("setoption name Threads value {count}"));
        talk.expect_prefix("info string option Threads");
        searched(&mut talk, "go depth 4");
    }
    talk.quit();
}

/// What threads have reserved once is missing later, however few there are then.
#[cfg(target_os = "linux")]
#[test]
fn other_numbers_of_threads_fit_into_what_is_left() {
    for limit in [430_000, 500_000, 700_000, 1_300_000] {
        let limit = format!("ulimit -v {limit} && exec \"$0\"");
        let engine = env!("CARGO_BIN_EXE_gambeson");
        let mut talk = Conversation::run(Command::new("sh").args(["-c", &limit, engine]));
        talk.send("uci");
        talk.expect_prefix("uciok");
        for (name, value) in
            [("Threads", 32), ("Hash", 16), ("Threads", 4), ("Threads", 256), ("Threads", 100)]
        {
            talk.send(&format!("setoption name {name} value {value}"));
        }
        searched(&mut talk, "go depth 4");
        talk.send("setoption name Hash value 2000");
        talk.expect_prefix("info string option Hash");
        searched(&mut talk, "go depth 4");
        talk.quit();
    }
}

/// SIGINT ends a conversation in UCI as it ends any program.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    let mut talk = Conversation::start_interruptible();
    talk.send("uci");
    talk.expect_prefix("uciok");
    talk.interrupt();
    assert!(!talk.expect_exit(Duration::from_secs(1)).success());
}

#[test]
fn bytes_that_are_no_text() {
    let mut talk = Conversation::start();
    talk.send_bytes(b"\xef\xbb\xbfuci\r\n");
    talk.expect_prefix("uciok");
    talk.send_bytes(b"setoption name UCI_Opponent value none none computer J\xf6rg\nisready\n");
    talk.expect_prefix("readyok");
    talk.send_bytes(b"\xff\xfe\x00\x01\x80 stop\x07\n\0\0\0\n\nisready\n");
    talk.expect_prefix("readyok");
    for size in [100, 5_000, 1 << 20, 5 << 20] {
        let mut line = vec![b'x'; size];
        line.extend_from_slice(b"\nisready\n");
        talk.send_bytes(&line);
        let complaint = talk.expect_prefix("info string");
        assert!(complaint.len() < 300, "{complaint}");
        talk.expect_prefix("readyok");
    }
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(1_000);
    talk.send(&format!("position startpos moves {moves}"));
    talk.send("go depth 2");
    assert_ne!(talk.expect_prefix("bestmove"), "bestmove (none)");
    talk.quit();
}

#[test]
fn the_conversation_is_logged() {
    let folder = std::env::temp_dir().join(format!("gambeson log {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let file = folder.join("the log.txt");
    let mut talk = started();
    talk.send(&format!("setoption name Debug Log File value {}", file.display()));
    searched(&mut talk, "go depth 2");
    talk.quit();
    let log = std::fs::read_to_string(&file).expect("a log");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(log.contains(">> go depth 2\n"), "{log}");
    assert!(log.contains("<< bestmove "), "{log}");
}

fn output(arguments: &[&str]) -> (bool, String) {
    let output = engine()
        .args(arguments)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program starts");
    (output.status.success(), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn what_cannot_be_done_is_an_error_and_says_why() {
    for (arguments, reason) in [
        (&["perf", "5"][..], "there is no command perf; did you mean perft?"),
        (&["playy"], "there is no command playy; did you mean play?"),
        (&["xyzzy"], "there is no command xyzzy; gambeson --help lists all commands"),
        (&["go", "depth", "abc"], "go: not a number: depth abc"),
        (&["go", "dept", "3"], "go: unknown word: dept"),
        (&["position", "fen", "8/8"], "illegal position: the FEN ends before"),
        (&["position", "startpos", "moves", "e9"], "illegal move: e9"),
        (&["manual", "/nowhere"], "cannot write /nowhere: "),
        (&["--log", "/nowhere/log", "perft", "1"], "cannot write /nowhere/log: "),
        (&["epd", "/nowhere/suite"], "cannot read /nowhere/suite: "),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_gambeson"));
        let done = program.args(arguments).output().expect("a program");
        let text = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(reason), "{arguments:?}: {text}");
    }
}

#[test]
fn the_command_line() {
    for (arguments, good, expected) in [
        (&["-V"][..], true, concat!("gambeson ", env!("CARGO_PKG_VERSION"), "\n")),
        (&["--version"], true, " bitboards, "),
        (&["--help"], true, "UCI and xboard"),
        (&["go", "depth", "5"], true, "bestmove "),
        (&["go", "perft", "3"], true, "Nodes searched: 8902"),
        (&["perft", "2"], true, "Nodes searched: 400"),
        (&["bench", "2"], true, " nps"),
        (&["completions", "bash"], true, "complete"),
        (&["completions", "zsh"], true, "#compdef gambeson"),
        (&["uci"], true, "uciok"),
        (&["d"], true, "Fen: rnbqkbnr/"),
        (&["xyzzy"], false, ""),
        (&["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"], true, "bestmove "),
        (&["4k3/8/8/8/8/8/4P3/8", "w", "-", "-", "0", "1"], false, ""),
        (&["no-such-file.pgn"], false, ""),
        (&["epd", "/no/such/file.epd"], false, ""),
        (&["manual", "/no/such/folder"], false, ""),
        (&["completions", "xyzzy"], false, ""),
    ] {
        let (success, text) = output(arguments);
        assert_eq!(success, good, "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

/// A game to look at is kept as if the board had made it, under the name in the address.
#[cfg(feature = "play")]
#[test]
fn a_game_opens_on_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("two.pgn"), "1. e4 *\n\n1. d4 d5 *\n").expect("a file");
    let arguments = ["play", &path("two.pgn"), "--number", "2", "--no-open", "--port", "0"];
    let games = path("games");
    let mut talk = Conversation::with_arguments(&[&arguments[..], &["--games", &games]].concat());
    let line = talk.expect_prefix("The board is at http://127.0.0.1:");
    let (_, name) = line.split_once('#').expect("the name of the game");
    let kept = std::fs::read_to_string(path(&format!("games/{name}.pgn"))).expect("the game");
    assert!(kept.contains("1. d4 d5"), "{kept}");
}

/// Opening a pipe waits for its other end, and a device may have none.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (pipe, new) = (path("pipe"), path("new"));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for name in [&pipe, "/dev/zero"] {
        let series = ["datagen", "--games", "1", "--nodes", "1", "--out", name];
        for arguments in [
            &["epd", name][..],
            &["perft", "--suite", name],
            &["book", "make", "-o", &new, name],
            &["book", "show", "--book", name],
            &["data", "stats", name],
            &["data", "check", name],
            &["data", "merge", "--out", &new, name],
            &["tune", "--out", &new, name],
            &["train", "--out", &new, name],
            &["duel", name],
            &["duel", "--openings", name],
            &["duel", "--pairs", "1", "--nodes", "1", "--state", name],
            &["--log", name, "bench", "1"],
            &series,
        ] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_gambeson"));
            let program = program.args(arguments).stdin(std::process::Stdio::null());
            let run = program.output().expect("the program starts");
            let told = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
            assert!(
                !run.status.success() && told.contains("not a regular file"),
                "{arguments:?}: {told}"
            );
        }
    }
}

#[test]
fn files_on_the_command_line() {
    let folder = std::env::temp_dir().join(format!("gambeson files {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = |name: &str| folder.join(name).display().to_string();
    let epd = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";\n\
               7k/8/8/8/8/8/1R6/R5K1 w - - bm Ra7 Rb7; id \"two\";\n";
    std::fs::write(path("mates.epd"), epd).expect("a file");
    let (success, text) = output(&["epd", &path("mates.epd"), "--depth", "14"]);
    assert!(success && text.contains("2 of 2 solved"), "{text}");
    std::fs::write(path("bad.epd"), "nonsense bm e4;\n").expect("a file");
    assert!(!output(&["epd", &path("bad.epd"), "--depth", "1"]).0);
    assert!(output(&["manual", &folder.display().to_string()]).0);
    for (page, expected) in [("gambeson.1", "gambeson\\-perft(1)"), ("gambeson-perft.1", "--suite")]
    {
        let text = std::fs::read_to_string(path(page)).expect("a page");
        assert!(text.replace("\\-\\-", "--").contains(expected), "{page}: {text}");
    }

    let log = path("diagnostics.log");
    let mut talk = Conversation::with_arguments(&["--log", &log]);
    talk.send("uci");
    talk.send("setoption name Xyzzy value 1");
    talk.expect_prefix("info string no such option");
    talk.quit();
    let text = std::fs::read_to_string(&log).expect("a log");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(text.contains("no such option: Xyzzy"), "{text}");
}
