//! The xboard protocol as clients speak it, well and badly, to the built program.

mod common {
    pub mod conversation;
}

use common::conversation::{Conversation, Manner, PATIENCE, Row, Scene, play_all};
use std::time::Duration;

/// A client of version 2 with a game begun, at a depth that takes no time.
const MANNER: Manner = Manner {
    prelude: "> xboard | > protover 2 | = feature done=1 | > accepted ping | > new | > easy | > sd 2",
    epilogue: "> force | > ping 99 | = pong 99",
    complaints: &["Error", "Illegal", "tellusererror"],
    review: nothing_strange,
};

/// Nothing sent beforehand.
const BARE: Manner = Manner { prelude: "", ..MANNER };

/// Clients read a meaning into how lines begin.
fn nothing_strange(scene: &mut Scene<'_>) {
    const BEGINNINGS: &[&str] = &[
        "feature ",
        "move ",
        "pong ",
        "Error (",
        "Illegal move",
        "tellusererror ",
        "Hint: ",
        "stat01: ",
        "#",
        "offer draw",
        "1-0 {",
        "0-1 {",
        "1/2-1/2 {",
    ];
    for line in &scene.heard {
        let is_thinking = || {
            let numbers = line.split_once('\t').unwrap_or_default().0;
            numbers.split(' ').count() == 7 && numbers.split(' ').all(|n| n.parse::<i64>().is_ok())
        };
        let is_known = line.is_empty() || BEGINNINGS.iter().any(|start| line.starts_with(start));
        assert!(is_known || is_thinking(), "what is this: {line:?}");
    }
}

const HANDSHAKES: &[Row] = &[
    ("version 2", "> xboard | > protover 2 | = feature done=0 | * ping=1 | = feature done=1"),
    ("protover alone", "> protover 2 | = feature done=1"),
    ("version 1", "> xboard | > new | > st 0.05 | > e2e4 | ^ move | ! feature"),
    ("version 1, White", "> xboard | > new | > st 0.05 | > white | > go | ^ move"),
    ("nothing before the first word", "~ 50  | > xboard | ~ 50  | > ping 1 | = pong 1"),
    (
        "UCI words",
        "> xboard | > uci | ^ Error (unknown command): uci | > isready | ^ Error (unknown command): isready",
    ),
];

const COMMANDS: &[Row] = &[
    ("ping", "> ping 7 | = pong 7 | < 500"),
    ("pings in order", "> ping 1 | > ping 2 | > ping 3 | = pong 1 | = pong 2 | = pong 3"),
    ("unknown command", "> xyzzy | = Error (unknown command): xyzzy"),
    (
        "what is said about the game",
        "> name Gary Kasparow | > rating 2800 2700 | > ics freechess.org | > ics - | > computer | > random | > ping 1 | = pong 1 | ! tell",
    ),
    ("memory", "> memory 4 | > go | ^ move"),
    ("memory 0", "> memory 0 | ^ Error"),
    ("cores", "> cores 2 | > go | ^ move"),
    ("option", "> option MultiPV=2 | > ping 1 | = pong 1"),
    ("check option", "> option Minimal=1 | > option Minimal=0 | > ping 1 | = pong 1"),
    ("unknown option", "> option Foo=1 | = Error (no such option): Foo"),
    ("post", "> post | > go | * \t | ^ move"),
    ("nopost", "> post | > nopost | > go | ^ move | ! \t"),
    ("posting is off at first", "> go | ^ move | ! \t"),
    (
        "mate scores",
        "> setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | > post | > go | * 100001 | = move a1a8",
    ),
    (
        "scores of the mated",
        "> setboard 1r5k/8/8/8/8/8/r7/7K w - - 0 1 | > post | > sd 6 | > go | * -100001 | ^ move",
    ),
    ("hint", "> usermove e2e4 | ^ move | > hint | ^ Hint: "),
    ("hint without an idea", "> hint | ~ 50 Hint"),
    ("bk", "> bk | = "),
    ("fen for people", "> fen | = # rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("perft", "> perft 2 | = # Nodes searched: 400"),
];

const MOVES: &[Row] = &[
    ("usermove", "> usermove e2e4 | ^ move"),
    ("bare move", "> e2e4 | ^ move"),
    (
        "SAN",
        "> force | > usermove e4 | > usermove e5 | > usermove Nf3 | > fen | ^ # rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP",
    ),
    (
        "null move",
        "> force | > usermove @@@@ | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b",
    ),
    ("illegal move", "> usermove e2e5 | = Illegal move: e2e5 | ~ 50 move"),
    ("illegal move in force mode", "> force | > usermove e7e5 | ^ Illegal move"),
    ("a move after an illegal one", "> usermove e2e5 | ^ Illegal move | > usermove e2e4 | ^ move"),
    (
        "a move while we think",
        "> sd 0 | > st 0.2 | > usermove e2e4 | > usermove d2d4 | ^ Illegal move | ^ move | # 1 move",
    ),
];

const GAMES: &[Row] = &[
    ("go as White", "> go | ^ move | > usermove a7a6 | ^ move | # 2 move"),
    ("new plays Black", "> usermove d2d4 | ^ move | # 1 move"),
    ("new leaves force mode", "> force | > new | > sd 1 | > usermove e2e4 | ^ move"),
    ("new clears the depth", "> sd 1 | > new | > st 0.3 | > usermove e2e4 | ~ 150 move | ^ move"),
    (
        "new clears the node rate",
        "> nps 100 | > new | > st 0.3 | > usermove e2e4 | ~ 150 move | ^ move",
    ),
    ("new while we think", "> sd 0 | > st 20 | > go | > new | > ping 1 | = pong 1 | ~ 100 move"),
    (
        "new after a bad board",
        "> setboard x | ^ tellusererror | > new | > sd 1 | > usermove e2e4 | ^ move",
    ),
    ("force", "> force | > usermove e2e4 | > usermove e7e5 | ~ 50 move"),
    (
        "force while we think",
        "> sd 0 | > st 20 | > go | > force | > ping 1 | = pong 1 | ~ 100 move | < 1000",
    ),
    ("force and go", "> force | > usermove e2e4 | > go | ^ move"),
    ("playother", "> force | > playother | ~ 50 move | > usermove e2e4 | ^ move"),
    ("playother for White", "> force | > usermove e2e4 | > playother | > usermove e7e5 | ^ move"),
    ("white and black", "> black | > go | ^ move | > new | > white | > sd 1 | > go | ^ move"),
    (
        "setboard",
        "> setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | > fen | = # 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | > go | ^ move",
    ),
    (
        "bad setboard",
        "> setboard 8/8/8 w - - 0 1 | ^ tellusererror Illegal position | > usermove e2e4 | ^ Illegal move | > usermove e7e5 | ^ Illegal move | > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | > force | > usermove e2e4 | > fen | ^ # 4k3/8/8/8/4P3",
    ),
    (
        "go on a bad board",
        "> setboard 8/8/8/8/8/8/8/8 w - - 0 1 | ^ tellusererror | > go | > ping 1 | = pong 1 | ~ 50 move",
    ),
    (
        "white on a bad board",
        "> setboard x | ^ tellusererror | > white | ^ Error (the last position was refused): white | > go | > ping 1 | = pong 1 | ~ 50 move | > usermove e2e4 | ^ Illegal move",
    ),
    (
        "no result of the board before a bad one",
        "> setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | > setboard x | ^ tellusererror | > go | > ping 1 | = pong 1 | ! 1-0",
    ),
    (
        "edit of a bad board",
        "> force | > setboard x | ^ tellusererror | > edit | > xe2 | > . | ^ Error (the last position was refused): edit | > edit | > # | > Ke1 | > Pe2 | > c | > Ke8 | > . | > e2e4 | > fen | ^ # 4k3/8/8/8/4P3",
    ),
    (
        "b2b3 before setboard",
        "> force | > new | > force | > b2b3 | > setboard 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1 | > fen | ^ # 4k3/8/8/8/8/8/4P3/4K3 b",
    ),
    (
        "edit",
        "> force | > edit | > # | > Ke1 | > Pe2 | > c | > Ke8 | > . | > fen | ^ # 4k3/8/8/8/8/8/4P3/4K3 w",
    ),
    (
        "edit with castling",
        "> force | > edit | > # | > Ke1 | > Rh1 | > c | > Ke8 | > . | > fen | ^ # 4k3/8/8/8/8/8/8/4K2R w K",
    ),
    (
        "edit removes",
        "> force | > edit | > xe2 | > . | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP",
    ),
    (
        "edit for Black",
        "> force | > a2a3 | > edit | > # | > Ke1 | > c | > Ke8 | > Pe7 | > . | > fen | ^ # 4k3/4p3/8/8/8/8/8/4K3 b",
    ),
    (
        "edit to nonsense",
        "> force | > edit | > # | > . | ^ tellusererror Illegal position | > usermove e2e4 | ^ Illegal move",
    ),
    (
        "nonsense in edit",
        "> force | > edit | > Zz9 | ^ Error | > ping 3 | = pong 3 | > . | > ping 4 | = pong 4",
    ),
    (
        "undo",
        "> force | > e2e4 | > e7e5 | > undo | > undo | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP",
    ),
    ("undo too much", "> force | > undo | ^ Error"),
    (
        "remove",
        "> usermove e2e4 | ^ move | > remove | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP",
    ),
    (
        "remove in force mode",
        "> force | > e2e4 | > e7e5 | > remove | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP",
    ),
    (
        "remove while pondering",
        "> hard | > usermove e2e4 | ^ move | > remove | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP | > usermove d2d4 | ^ move",
    ),
    ("remove too much", "> force | > e2e4 | > remove | ^ Error"),
    (
        "result",
        "> sd 0 | > st 20 | > go | > result 1-0 {White resigns} | > ping 1 | = pong 1 | ~ 50 move",
    ),
    (
        "a game after the result",
        "> result 1/2-1/2 {agreed} | > new | > sd 1 | > usermove e2e4 | ^ move",
    ),
    (
        "end of a game as cutechess has it",
        "> usermove e2e4 | ^ move | > ? | > force | > result 1-0 {adjudication} | > ping 5 | = pong 5",
    ),
    (
        "pause and resume",
        "> sd 0 | > st 0.2 | > pause | > usermove e2e4 | ~ 300 move | > resume | ^ move",
    ),
    ("pause while we think", "> sd 0 | > st 0.2 | > go | > pause | ~ 300 move | > resume | ^ move"),
    ("resume alone", "> resume | ~ 50 move | > usermove e2e4 | ^ move"),
];

const TIME: &[Row] = &[
    ("level in seconds", "> sd 0 | > level 0 0:02 0 | > go | ^ move | < 2000"),
    ("level with an increment", "> sd 0 | > level 0 0:01 0.1 | > go | ^ move | < 1500"),
    ("level with decimal minutes", "> sd 0 | > level 0 0.05 0 | > go | ^ move | < 3000"),
    ("st", "> sd 0 | > st 1 | > go | ~ 700 move | ^ move | < 2500"),
    ("st 0", "> sd 0 | > st 0 | > go | ^ move | < 1000"),
    ("sd", "> st 20 | > sd 3 | > post | > go | ^ 3  | ^ move | < 3000"),
    ("sd and st", "> st 0.1 | > sd 100 | > go | ^ move | < 2000"),
    ("sd 0", "> sd 1 | > sd 0 | > st 0.2 | > go | ~ 100 move | ^ move"),
    ("nps", "> sd 0 | > st 1 | > nps 2000 | > go | ^ move | < 3000"),
    ("nps 0 is the wall clock", "> sd 0 | > nps 0 | > st 0.2 | > go | ~ 100 move | ^ move"),
    ("nps -1", "> sd 0 | > nps 10 | > nps -1 | > st 0.2 | > go | ~ 100 move | ^ move"),
    ("time", "> sd 0 | > level 0 60 0 | > time 20 | > otim 360000 | > go | ^ move | < 1000"),
    (
        "time of zero and less",
        "> sd 0 | > time 0 | > go | ^ move | < 1000 | > time -50 | > otim -5 | > usermove a7a6 | ^ move | < 1000",
    ),
    (
        "otim is not ours",
        "> sd 0 | > level 0 0:12 0 | > time 1200 | > otim 1 | > go | ~ 150 move | > ? | ^ move",
    ),
    (
        "new level resets the clock",
        "> sd 0 | > time 1 | > level 0 0:12 0 | > go | ~ 150 move | > ? | ^ move",
    ),
    ("move now", "> sd 0 | > st 60 | > go | ~ 100 move | > ? | ^ move | < 1000 | # 1 move"),
    ("move now while idle", "> ? | > ping 1 | = pong 1 | ~ 50 move"),
    ("ping while we think", "> sd 0 | > st 0.3 | > go | > ping 8 | ^ move | = pong 8"),
    ("ping and move now", "> sd 0 | > st 60 | > go | > ping 8 | > ? | ^ move | = pong 8"),
    (
        "ping and force",
        "> sd 0 | > st 60 | > go | > ping 8 | ~ 50 pong | > force | = pong 8 | # 0 move",
    ),
    (
        "ping and undo",
        "> sd 0 | > st 60 | > usermove e2e4 | > ping 8 | > undo | = pong 8 | # 0 move",
    ),
    ("ping and result", "> sd 0 | > st 60 | > go | > ping 8 | > result * {abandoned} | = pong 8"),
    ("ping and new", "> sd 0 | > st 60 | > go | > ping 8 | > new | = pong 8"),
    (
        "ping and setboard",
        "> sd 0 | > st 60 | > go | > ping 8 | > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | > ping 9 | = pong 8 | = pong 9",
    ),
    (
        "ping and analyze",
        "> sd 0 | > st 60 | > go | > ping 8 | > analyze | > ping 9 | = pong 8 | = pong 9 | > exit",
    ),
    (
        "ping and edit",
        "> sd 0 | > st 60 | > go | > ping 8 | > edit | > . | > ping 9 | = pong 8 | = pong 9",
    ),
    (
        "ping and pause",
        "> sd 0 | > st 60 | > go | > ping 8 | > pause | > ping 9 | = pong 8 | = pong 9 | > force",
    ),
    (
        "option and force",
        "> sd 0 | > st 60 | > go | > option Foo=1 | > force | > ping 9 | ^ Error (no such option): Foo | = pong 9",
    ),
    (
        "new resets the clock",
        "> level 0 0:12 0 | > time 1 | > new | > go | ~ 150 move | > ? | ^ move",
    ),
    ("ping while pondering", "> hard | > usermove e2e4 | ^ move | > ping 8 | = pong 8 | < 500"),
    ("ponder and easy", "> hard | > usermove e2e4 | ^ move | > easy | > ping 8 | = pong 8"),
    (
        "hard while idle",
        "> hard | > ping 8 | = pong 8 | > easy | > hard | > usermove e2e4 | ^ move",
    ),
    ("new does not ponder", "> hard | > post | > new | > ping 1 | = pong 1 | ~ 50 "),
];

const ANALYSIS: &[Row] = &[
    ("analyze", "> post | > analyze | * \t | ~ 100 move | > exit | > ping 1 | = pong 1"),
    ("ping", "> analyze | > ping 3 | = pong 3 | < 500 | > exit"),
    (
        "moves",
        "> post | > analyze | > usermove e2e4 | * \t | > e7e5 | * \t | > fen | ^ # rnbqkbnr/pppp1ppp/8/4p3/4P3 | > exit | # 0 move",
    ),
    ("undo", "> analyze | > e2e4 | > undo | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8 | > exit"),
    (
        "remove",
        "> analyze | > e2e4 | > e7e5 | > remove | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8 | > exit",
    ),
    ("illegal move", "> analyze | > e2e5 | ^ Illegal move: e2e5 | > exit"),
    ("status", "> analyze | ~ 100 move | > . | ^ stat01:  | > exit"),
    ("status outside", "> . | ~ 50 stat01"),
    (
        "setboard",
        "> post | > analyze | > setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | * Ra8# | > exit",
    ),
    (
        "bad setboard",
        "> analyze | > setboard x | ^ tellusererror | > e2e4 | ^ Illegal move | > setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | > e2e4 | > fen | ^ # 4k3/8/8/8/4P3 | > exit",
    ),
    (
        "edit",
        "> analyze | > edit | > # | > Ke1 | > Pe2 | > c | > Ke8 | > . | > fen | ^ # 4k3/8/8/8/8/8/4P3/4K3 | > exit",
    ),
    (
        "new",
        "> analyze | > e2e4 | > new | > fen | ^ # rnbqkbnr/pppppppp/8/8/8/8 | > . | ^ stat01:  | > exit",
    ),
    ("hint and bk", "> analyze | ~ 100 move | > hint | > bk | = | > exit"),
    (
        "mate on the board",
        "> post | > analyze | > setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | ^ 0  | > ping 1 | = pong 1 | > exit | # 0 1-0",
    ),
    ("after exit", "> analyze | > exit | > usermove e2e4 | ~ 50 move | > go | ^ move"),
    (
        "flip",
        "> force | > e2e4 | > analyze | > flip | > exit | > fen | ^ # rnbqkbnr/pppp1ppp/8/4p3/8",
    ),
    ("exit outside", "> exit | > ping 1 | = pong 1"),
    ("options", "> analyze | > option MultiPV=2 | > ping 1 | = pong 1 | > . | ^ stat01:  | > exit"),
    (
        "exclude",
        "> post | > analyze | > setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | * Ra8# | > exclude a1a8 | > ping 1 | = pong 1 | > exit",
    ),
    (
        "exclude all, include one",
        "> post | > analyze | > exclude all | > include a2a3 | * \ta3 | > exit",
    ),
    ("include all", "> analyze | > exclude e2e4 | > include all | > ping 1 | = pong 1 | > exit"),
    ("exclude an illegal move", "> analyze | > exclude e2e5 | ^ Illegal move | > exit"),
    ("setscore", "> analyze | > setscore 50 | > ping 1 | = pong 1 | > exit"),
    ("pause", "> analyze | > pause | > ping 1 | = pong 1 | > resume | > . | ^ stat01:  | > exit"),
    ("quit from it", "> analyze | ~ 50 move"),
];

const RESULTS: &[Row] = &[
    (
        "we mate as White",
        "> setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | > go | = move a1a8 | = 1-0 {White mates}",
    ),
    (
        "we mate as Black",
        "> setboard r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1 | > go | = move a8a1 | = 0-1 {Black mates}",
    ),
    (
        "we are mated as Black",
        "> force | > setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | > playother | > usermove a1a8 | = 1-0 {White mates} | # 0 move",
    ),
    (
        "we are mated as White",
        "> force | > setboard r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1 | > playother | > usermove a8a1 | = 0-1 {Black mates} | # 0 move",
    ),
    (
        "stalemate",
        "> force | > setboard 7k/8/6K1/8/8/8/5Q2/8 w - - 0 1 | > playother | > usermove f2f7 | = 1/2-1/2 {Stalemate}",
    ),
    (
        "repetition",
        "> force | > setboard 4k3/8/8/8/8/8/3q4/6K1 b - - 0 1 | > d2e2 | > g1h1 | > e2d2 | > h1g1 | > d2e2 | > g1h1 | > e2d2 | > h1g1 | > d2e2 | > playother | > go | = 1/2-1/2 {Draw by repetition} | # 0 move",
    ),
    (
        "no claim of a repetition a queen up",
        "> force | > setboard 4k3/8/8/8/8/8/3q4/6K1 b - - 0 1 | > d2e2 | > g1h1 | > e2d2 | > h1g1 | > d2e2 | > g1h1 | > e2d2 | > h1g1 | > go | ^ move | ! 1/2",
    ),
    (
        "no claim of fifty moves with a mate on the board",
        "> setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 100 90 | > go | = move a1a8 | = 1-0 {White mates}",
    ),
    (
        "no claim of fifty moves a queen up",
        "> setboard 8/8/4k3/8/8/8/3Q4/3K4 w - - 100 90 | > go | ^ move",
    ),
    (
        "fifty moves by our move",
        "> setboard 4k3/8/8/8/8/8/3R4/4K3 w - - 99 80 | > go | = offer draw | ^ move | = 1/2-1/2 {Draw by fifty-move rule}",
    ),
    (
        "fifty moves by theirs",
        "> force | > setboard 4k3/8/8/8/8/8/3R4/4K3 w - - 99 80 | > playother | > usermove d2d3 | = 1/2-1/2 {Draw by fifty-move rule}",
    ),
    (
        "material by our move",
        "> setboard 4k3/8/8/8/8/8/4q3/4K3 w - - 0 1 | > go | = move e1e2 | = 1/2-1/2 {Draw by insufficient material}",
    ),
    (
        "material by theirs",
        "> force | > setboard 4k3/8/8/8/8/8/4q3/4K3 w - - 0 1 | > playother | > usermove e1e2 | = 1/2-1/2 {Draw by insufficient material}",
    ),
    (
        "bishops of two colours play on",
        "> setboard 4kb2/8/8/8/8/8/8/4KB2 w - - 0 1 | > go | ^ move | ! 1/2",
    ),
    (
        "knight against knight plays on",
        "> setboard 4kn2/8/8/8/8/8/8/4KN2 w - - 0 1 | > go | ^ move | ! 1/2",
    ),
    ("go when mated", "> setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | > go | = 1-0 {White mates}"),
    ("no claim in force mode", "> force | > f2f3 | > e7e5 | > g2g4 | > d8h4 | ~ 50 0-1"),
    ("moves after mate", "> force | > f2f3 | > e7e5 | > g2g4 | > d8h4 | > a2a3 | ^ Illegal move"),
    (
        "undo after mate",
        "> setboard 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1 | > go | = 1-0 {White mates} | > force | > undo | > fen | ^ # 6k1/5ppp/8/8/8/8/8/R3K3 w",
    ),
    (
        "draw when lost",
        "> setboard 4k3/pppp4/8/8/8/8/8/q3K2R w K - 0 1 | > sd 5 | > go | ^ move | > draw | = offer draw",
    ),
    (
        "draw when winning",
        "> setboard q3k3/pppp4/8/8/8/8/8/4K3 b - - 0 1 | > go | ^ move | > draw | ~ 50 offer | ! offer draw",
    ),
    (
        "draw while we think, lost",
        "> setboard 4k3/pppp4/8/8/8/8/8/qq2K2R w K - 0 1 | > sd 0 | > st 0.2 | > go | > draw | = offer draw | ^ move",
    ),
    (
        "draw while we think, winning",
        "> setboard qq2k3/pppp4/8/8/8/8/8/4K3 b - - 0 1 | > sd 3 | > go | > draw | ^ move | ! offer draw",
    ),
    (
        "draw in the opening",
        "> sd 6 | > force | > e2e4 | > go | ^ move | > draw | ~ 50 offer | > usermove f2f3 | > draw | ^ move | ! offer draw",
    ),
    (
        "draw after hardly a look",
        "> setboard 4k3/pppp4/8/8/8/8/8/q3K2R w K - 0 1 | > go | ^ move | > draw | ~ 50 offer",
    ),
    ("draw in force mode", "> force | > draw | > ping 1 | = pong 1"),
    (
        "never resigns unasked",
        "> setboard 4k3/pppp4/8/8/8/8/8/1q2K2R w K - 0 1 | > go | ^ move | ! resign",
    ),
];

const VARIANTS: &[Row] = &[
    (
        "castling as O-O",
        "> variant fischerandom | > force | > setboard 4k3/8/8/8/8/8/8/RK5R w HA - 0 1 | > usermove O-O | > fen | ^ # 4k3/8/8/8/8/8/8/R4RK1",
    ),
    (
        "castling as O-O-O",
        "> variant fischerandom | > force | > setboard 4k3/8/8/8/8/8/8/RK5R w HA - 0 1 | > O-O-O | > fen | ^ # 4k3/8/8/8/8/8/8/2KR3R",
    ),
    (
        "castling by KQ",
        "> variant fischerandom | > force | > setboard 4k3/8/8/8/8/8/8/RK5R w KQ - 0 1 | > O-O | > fen | ^ # 4k3/8/8/8/8/8/8/R4RK1",
    ),
    (
        "a game",
        "> variant fischerandom | > setboard bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1 | > go | ^ move",
    ),
    (
        "castling without the variant",
        "> variant normal | > setboard 4k3/8/8/8/8/8/8/RR4K1 b - - 0 1 | > setboard 8/8/8/8/8/5k2/6pp/R1K5 w Q - 0 1 | > exclude all | > include O-O-O | > go | = move O-O-O",
    ),
    ("new is normal again", "> variant fischerandom | > new | > sd 1 | > usermove e2e4 | ^ move"),
];

#[test]
fn transcripts() {
    let rows = [COMMANDS, MOVES, GAMES, TIME, ANALYSIS, RESULTS, VARIANTS].concat();
    let count = play_all(&rows, &MANNER) + play_all(HANDSHAKES, &BARE);
    println!("{count} rows of xboard");
    assert!(count >= 130, "{count}");
}

fn started() -> Conversation {
    let mut talk = Conversation::start();
    for line in ["xboard", "protover 2", "new"] {
        talk.send(line);
    }
    talk.expect_prefix("feature done=1");
    talk
}

/// We ponder on what `hint` names. If it is played the answer comes as fast as the
/// clock wants it; if not, a new search begins.
#[test]
fn pondering_right_and_wrong() {
    for right in [true, false] {
        let mut talk = started();
        for line in ["hard", "st 0.2", "usermove e2e4"] {
            talk.send(line);
        }
        talk.expect_prefix("move ");
        talk.expect_none(|line| line.starts_with("move"), Duration::from_millis(300));
        talk.send("hint");
        let hint = talk.expect_prefix("Hint: ");
        let expected = hint.trim_start_matches("Hint: ");
        let other = if expected == "a2a3" { "h2h3" } else { "a2a3" };
        talk.send(&format!("usermove {}", if right { expected } else { other }));
        talk.send("ping 4");
        talk.expect_prefix("move ");
        assert!(talk.since_sent() < Duration::from_secs(2));
        talk.expect_prefix("pong 4");
        talk.quit();
    }
}

#[test]
fn the_input_ends_or_quit_comes_whatever_it_does() {
    for lines in ["go", "analyze", "edit", "hard\nst 0.05\ne2e4", "force", "pause\ngo"] {
        let mut talk = started();
        talk.send(lines);
        std::thread::sleep(Duration::from_millis(100));
        talk.quit();
        let mut talk = started();
        talk.send(lines);
        std::thread::sleep(Duration::from_millis(100));
        talk.close();
        assert!(talk.expect_exit(Duration::from_secs(1)).success());
    }
}

/// xboard sends SIGINT before its commands in version 1 of the protocol, which has no
/// word to forbid it.
#[cfg(unix)]
#[test]
fn an_interrupt_is_ignored() {
    let mut talk = Conversation::start_interruptible();
    for line in ["xboard", "new", "st 60", "go", "?"] {
        talk.send(line);
    }
    talk.expect_prefix("move ");
    for _ in 0..3 {
        talk.interrupt();
    }
    talk.send("ping 1");
    talk.expect_prefix("pong 1");
    talk.quit();
}

#[test]
fn bytes_that_are_no_text() {
    let mut talk = started();
    talk.send_bytes(b"name J\xf6rg\nping 1\n");
    talk.expect_prefix("pong 1");
    talk.send_bytes(b"\xff\xfe\x01\x80\n\0\0\n\nping 2\n");
    talk.expect_prefix("Error (unknown command)");
    talk.expect_prefix("pong 2");
    for size in [100, 5_000, 1 << 20, 5 << 20] {
        for word in ["", "usermove ", "setboard ", "ping ", "option "] {
            let mut line = word.as_bytes().to_vec();
            line.resize(size, b'x');
            line.extend_from_slice(b"\nping 3\n");
            talk.send_bytes(&line);
            let complaint = talk.expect_line(|line| line != "pong 3", PATIENCE);
            assert!(complaint.len() < 600, "{complaint}");
            talk.expect_line(|line| line == "pong 3", PATIENCE);
        }
    }
    talk.quit();
}

#[test]
fn a_whole_game_against_itself() {
    let mut talk = started();
    for line in ["st 0.01", "sd 2", "go"] {
        talk.send(line);
    }
    for _ in 0..400 {
        let line = talk.expect_line(
            |line| ["move ", "1-0", "0-1", "1/2"].iter().any(|start| line.starts_with(start)),
            PATIENCE,
        );
        if !line.starts_with("move ") {
            talk.quit();
            return;
        }
        talk.send("go");
    }
    talk.fail("the game does not end");
}
