//! Reading and writing FEN: tables of what is refused and why, of what is
//! accepted and how it is written back, and masses of damaged text.

mod common {
    pub mod broken_fens;
    pub mod damage;
    pub mod random;
}

use common::broken_fens::BROKEN_FENS;
use common::damage::damage_position;
use common::random::Dice;
use gambeson::board::chess960::{START_POSITIONS, start_fen};
use gambeson::board::{Board, CastlingStyle, FenError};
use gambeson::game::judge;
use std::collections::HashSet;
use std::mem::discriminant;

/// The ways to be broken that [`FenError`] tells apart.
const FEN_ERRORS: usize = 23;

/// How many damaged FENs each test that makes some reads.
const DAMAGED_FENS: usize = 150_000;

/// What is read, and what is written back.
const GOOD_FENS: &[(&str, &str)] = &[
    // Four, five and six fields.
    (Board::START_FEN, Board::START_FEN),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", Board::START_FEN),
    ("4k3/8/8/8/8/8/8/4K3 b - - 37", "4k3/8/8/8/8/8/8/4K3 b - - 37 1"),
    ("4k3/8/8/8/8/8/8/4K3 b - - 37 99", "4k3/8/8/8/8/8/8/4K3 b - - 37 99"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 65535 1000000", "4k3/8/8/8/8/8/8/4K3 w - - 65535 1000000"),
    ("4k3/8/8/8/8/8/8/4K3 b - - 007 012", "4k3/8/8/8/8/8/8/4K3 b - - 7 12"),
    (" \t4k3/8/8/8/8/8/8/4K3  w -\t-  3 4 \r\n", "4k3/8/8/8/8/8/8/4K3 w - - 3 4"),
    // EPD operations after four, five and six fields.
    ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("4k3/8/8/8/8/8/8/4K3 w - - am Kd2 Ke2; id \"a b\";", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 5 bm Kd2;", "4k3/8/8/8/8/8/8/4K3 w - - 5 1"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 5 6 bm Kd2;", "4k3/8/8/8/8/8/8/4K3 w - - 5 6"),
    ("4k3/8/8/8/8/8/8/4K3 w - - ;D1 5 ;D2 25", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 5 6 ;D1 5 ;D2 25", "4k3/8/8/8/8/8/8/4K3 w - - 5 6"),
    // Castling rights: X-FEN, Shredder-FEN, in any order; inner rooks by file.
    ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b aH - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1"),
    ("4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1"),
    ("4k3/8/8/8/8/8/8/R1R1K3 w A - 0 1", "4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1"),
    ("4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1"),
    ("1k1r1r2/8/8/8/8/8/8/1K1R1R2 w Dk - 0 1", "1k1r1r2/8/8/8/8/8/8/1K1R1R2 w Dk - 0 1"),
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
    ),
    (
        "rkbnrbnq/pppppppp/8/8/8/8/PPPPPPPP/BBRNKQNR w HCea - 0 1",
        "rkbnrbnq/pppppppp/8/8/8/8/PPPPPPPP/BBRNKQNR w KQkq - 0 1",
    ),
    // En passant: kept where a capture is legal.
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
    // The pawn that gives check is the one captured.
    ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"),
    // The capture goes along the pin.
    ("1b2k3/8/8/3pP3/8/6K1/8/8 w - d6 0 1", "1b2k3/8/8/3pP3/8/6K1/8/8 w - d6 0 1"),
    // One of the two pawns is pinned, the other is not.
    ("3rk3/8/8/3PpP2/8/8/8/3K4 w - e6 0 1", "3rk3/8/8/3PpP2/8/8/8/3K4 w - e6 0 1"),
    // Dropped where no pawn stands beside,
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
    // nor one across the edge of the board,
    ("4k3/8/8/p7/7P/8/8/4K3 w - a6 0 1", "4k3/8/8/p7/7P/8/8/4K3 w - - 0 1"),
    // where both pawns leave the king's rank,
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"),
    // where the pawn is pinned to its diagonal or file,
    ("1b2k3/8/8/4Pp2/8/6K1/8/8 w - f6 0 1", "1b2k3/8/8/4Pp2/8/6K1/8/8 w - - 0 1"),
    ("3rk3/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", "3rk3/8/8/3Pp3/8/8/8/3K4 w - - 0 1"),
    // and where it does not answer a check.
    ("4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/r3K3 w - - 0 1"),
    // Extreme but possible positions.
    ("4k3/8/8/8/8/8/8/NNNNKNNN w - - 0 1", "4k3/8/8/8/8/8/8/NNNNKNNN w - - 0 1"),
    ("4k3/8/8/8/4r3/8/8/4K2r w - - 0 1", "4k3/8/8/8/4r3/8/8/4K2r w - - 0 1"),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 149 200", "7k/5Q2/6K1/8/8/8/8/8 b - - 149 200"),
    (
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ),
];

#[test]
fn broken_fens_are_refused_with_the_reason() {
    let mut variants = HashSet::new();
    for &(fen, message) in BROKEN_FENS {
        match Board::from_fen(fen) {
            Ok(board) => panic!("{fen:?} is read as {}", board.fen()),
            Err(error) => {
                assert_eq!(error.to_string(), message, "{fen:?}");
                variants.insert(discriminant::<FenError>(&error));
            }
        }
    }
    assert_eq!(variants.len(), FEN_ERRORS);
}

#[test]
fn good_fens_are_read_and_written() {
    for &(fen, expected) in GOOD_FENS {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen:?}: {error}"));
        assert_eq!(board.fen(), expected, "{fen:?}");
        check_accepted(&board, fen);
    }
}

#[test]
fn shredder_style_names_every_rook_by_its_file() {
    for (fen, expected) in [
        (Board::START_FEN, "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "Ha"),
        ("4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "C"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-"),
    ] {
        let written = Board::from_fen(fen).expect(fen).fen_with(CastlingStyle::Shredder);
        assert_eq!(written.split(' ').nth(2), Some(expected), "{fen}");
    }
}

/// Whatever was accepted must hold every invariant, now and after every move,
/// and its own FEN must lead back to it.
fn check_accepted(board: &Board, text: &str) {
    assert_eq!(board.validate(), Ok(()), "{text:?}");
    for style in [CastlingStyle::XFen, CastlingStyle::Shredder] {
        let fen = board.fen_with(style);
        let again = Board::from_fen(&fen);
        assert_eq!(again.as_ref(), Ok(board), "{text:?} is written as {fen}");
    }
    let mut playing = board.clone();
    for mv in board.legal_moves() {
        playing.make(mv);
        assert_eq!(playing.validate(), Ok(()), "{mv:?} after {text:?}");
        playing.unmake(mv);
    }
    assert_eq!(playing, *board, "{text:?}");
}

/// Reads text that may be anything; tells whether it was accepted.
fn check_anything(text: &str) -> bool {
    match Board::from_fen(text) {
        Ok(board) => {
            check_accepted(&board, text);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Positions worth damaging, from the tables and from random Chess960 games.
fn undamaged_fens(dice: &mut Dice) -> Vec<String> {
    let mut fens: Vec<String> = GOOD_FENS.iter().map(|&(fen, _)| fen.to_owned()).collect();
    for _ in 0..20 {
        let start = start_fen(dice.below(START_POSITIONS), dice.below(START_POSITIONS));
        let mut board = Board::from_fen(&start).expect(&start);
        while judge::automatic(&board).is_none() && board.moves_made() < 100 {
            fens.push(board.fen());
            let moves = board.legal_moves();
            board.make(moves[dice.below(moves.len())]);
        }
    }
    fens
}

/// Damages the text in one place, with no regard for its meaning.
fn damage_text(text: &mut Vec<u8>, dice: &mut Dice) {
    const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/ -wbABCDEFGHabcdefgh09;";
    let letter = LETTERS[dice.below(LETTERS.len())];
    let (at, elsewhere) = (dice.below(text.len().max(1)), dice.below(text.len().max(1)));
    if text.is_empty() {
        text.push(letter);
        return;
    }
    match dice.below(7) {
        0 => text[at] ^= 1 << dice.below(8),
        1 => text[at] = letter,
        2 => text.insert(at, letter),
        3 => text.insert(at, text[at]),
        4 => text.swap(at, elsewhere),
        5 => {
            text.remove(at);
        }
        _ => text.truncate(at),
    }
}

/// Positions damaged in some way, some of which are still good.
fn check_damaged(seed: u64, damage: impl Fn(&str, &mut Dice) -> String) {
    let mut dice = Dice::new(seed);
    let fens = undamaged_fens(&mut dice);
    let mut accepted = 0;
    for _ in 0..DAMAGED_FENS {
        let fen = damage(&fens[dice.below(fens.len())], &mut dice);
        accepted += usize::from(check_anything(&fen));
    }
    assert_mixed(accepted, DAMAGED_FENS);
}

#[test]
fn damaged_text_never_does_harm() {
    check_damaged(4, |fen, dice| {
        let mut text = fen.as_bytes().to_vec();
        for _ in 0..=dice.below(4) {
            damage_text(&mut text, dice);
        }
        String::from_utf8_lossy(&text).into_owned()
    });
}

#[test]
fn damaged_positions_never_do_harm() {
    check_damaged(5, damage_position);
}

/// Damage that is always or never noticed would test only half of the code.
fn assert_mixed(accepted: usize, total: usize) {
    println!("{accepted} of {total} accepted");
    assert!(accepted > total / 50 && accepted < total * 49 / 50, "{accepted} of {total} accepted");
}

#[test]
fn garbage_is_refused() {
    const ALPHABETS: [&str; 3] = [
        "pnbrqkPNBRQK12345678/ ",
        "\0\t\r\n \"\\;-/%1wKQkq",
        "é♔ß中🦀\u{301}\u{a0}\u{3000}٣½ -/w8K",
    ];
    let mut dice = Dice::new(6);
    for round in 0..60_000 {
        let alphabet: Vec<char> = ALPHABETS[round % 3].chars().collect();
        let length = dice.below(100);
        let text: String = (0..length).map(|_| alphabet[dice.below(alphabet.len())]).collect();
        assert!(!check_anything(&text), "{text:?}");
    }
}
