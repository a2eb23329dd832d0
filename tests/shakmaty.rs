//! Random games played side by side with the shakmaty crate, which shares no
//! code with this one: after every move both must agree on everything the rules
//! say. `GAMBESON_TEST_POSITIONS` sets how many positions to compare in all.

mod common {
    pub mod damage;
    pub mod random;
}

use common::damage::damage_position;
use common::random::Dice;
use gambeson::board::Board;
use gambeson::board::chess960::{START_POSITIONS, start_fen};
use gambeson::game::{Termination, judge};
use gambeson::types::{Move, Piece};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

const DEFAULT_POSITIONS: usize = 600_000;
/// The start position of orthodox chess among those of Chess960.
const ORTHODOX: usize = 518;
const MAX_PLIES: usize = 200;

/// The same move in both programs, and in coordinates with castling as king
/// takes rook.
struct MovePair {
    ours: Move,
    theirs: shakmaty::Move,
    text: String,
}

/// What a random player likes, so that games go to different places.
#[derive(Debug, Clone, Copy)]
enum Taste {
    Anything,
    Captures,
    Pawns,
    /// Castles as soon as possible and then shuffles king and rooks.
    Castling,
}

impl Taste {
    const ALL: [Taste; 4] = [Taste::Anything, Taste::Captures, Taste::Pawns, Taste::Castling];

    /// How much likelier a move is to be chosen than the least liked one.
    fn weight(self, board: &Board, mv: Move) -> usize {
        let mover = board.piece_at(mv.from());
        match self {
            Taste::Anything => 1,
            Taste::Captures if board.is_capture(mv) => 20,
            Taste::Pawns if mv.is_en_passant() => 200,
            Taste::Pawns if mv.promoted().is_some() => 30,
            Taste::Pawns if mover == Some(Piece::Pawn) => 10,
            Taste::Captures | Taste::Pawns => 1,
            Taste::Castling if mv.is_castle() => 500,
            Taste::Castling if matches!(mover, Some(Piece::King | Piece::Rook)) => {
                let may_castle = board.castling().rooks(board.side_to_move()).is_nonempty();
                if may_castle { 1 } else { 15 }
            }
            Taste::Castling => 5,
        }
    }

    fn choose<'a>(self, board: &Board, moves: &'a [MovePair], dice: &mut Dice) -> &'a MovePair {
        let weights: Vec<usize> = moves.iter().map(|pair| self.weight(board, pair.ours)).collect();
        let mut ticket = dice.below(weights.iter().sum());
        for (pair, weight) in moves.iter().zip(weights) {
            if ticket < weight {
                return pair;
            }
            ticket -= weight;
        }
        unreachable!("a ticket is below the sum of the weights")
    }
}

/// What was compared, to prove that the games went where bugs hide.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    checks: usize,
    castlings: usize,
    en_passants: usize,
    promotions: usize,
    checkmates: usize,
    stalemates: usize,
    dead_draws: usize,
    /// Positions where `is_legal` was asked about every possible bit pattern.
    exhausted: usize,
}

impl Tally {
    fn note_move(&mut self, mv: Move) {
        self.castlings += usize::from(mv.is_castle());
        self.en_passants += usize::from(mv.is_en_passant());
        self.promotions += usize::from(mv.promoted().is_some());
    }

    fn note_position(&mut self, board: &Board) {
        self.positions += 1;
        self.checks += usize::from(board.in_check());
        self.dead_draws += usize::from(board.has_insufficient_material());
        match judge(board).map(|end| end.termination) {
            Some(Termination::Checkmate) => self.checkmates += 1,
            Some(Termination::Stalemate) => self.stalemates += 1,
            _ => {}
        }
    }

    /// Demands that nothing interesting was missing. The rates are well below what
    /// the games really give, so that a new seed does not fail.
    fn assert_varied(&self) {
        for (name, count, one_in) in [
            ("checks", self.checks, 50),
            ("castlings", self.castlings, 1_000),
            ("en passant captures", self.en_passants, 4_000),
            ("promotions", self.promotions, 300),
            ("checkmates", self.checkmates, 5_000),
            ("stalemates", self.stalemates, 40_000),
            ("dead draws", self.dead_draws, 4_000),
            ("exhausted positions", self.exhausted, 1_000),
        ] {
            assert!(count >= self.positions / one_in, "too few {name}: {self:?}");
        }
    }
}

/// How many positions to compare in all tests together.
fn positions_wanted() -> usize {
    std::env::var("GAMBESON_TEST_POSITIONS").map_or(DEFAULT_POSITIONS, |text| {
        text.parse().expect("GAMBESON_TEST_POSITIONS must be a number")
    })
}

/// Plays games from the positions `start` gives until a quarter of all
/// positions wanted are compared.
fn compare_games(seed: u64, mode: CastlingMode, start: impl Fn(&mut Dice) -> String) {
    let wanted = positions_wanted().div_ceil(4);
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    while tally.positions < wanted {
        let fen = start(&mut dice);
        for taste in Taste::ALL {
            compare_game(&fen, mode, taste, &mut dice, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.positions >= wanted, "{tally:?}");
    tally.assert_varied();
}

fn compare_game(fen: &str, mode: CastlingMode, taste: Taste, dice: &mut Dice, tally: &mut Tally) {
    let start = Board::from_fen(fen).expect(fen);
    let mut board = start.clone();
    let setup: Fen = fen.parse().expect(fen);
    let mut position: Chess = setup.into_position(mode).expect(fen);
    let mut played = Vec::new();
    loop {
        let moves = examine(&mut board, &position, tally);
        if moves.is_empty() || board.has_insufficient_material() || played.len() == MAX_PLIES {
            break;
        }
        let MovePair { ours, theirs, .. } = taste.choose(&board, &moves, dice);
        tally.note_move(*ours);
        board.make(*ours);
        position.play_unchecked(*theirs);
        played.push(*ours);
    }
    for &mv in played.iter().rev() {
        board.unmake(mv);
    }
    assert_eq!(board, start, "taken back to the start of a game from {fen}");
}

/// Compares a position and, now and then, checks what takes longer; gives the
/// legal moves.
fn examine(board: &mut Board, position: &Chess, tally: &mut Tally) -> Vec<MovePair> {
    let moves = compare_position(board, position);
    tally.note_position(board);
    if tally.positions.is_multiple_of(8) {
        check_unmake(board);
    }
    if tally.positions.is_multiple_of(250) {
        check_every_bit_pattern(board);
        tally.exhausted += 1;
    }
    moves
}

/// Compares everything both programs can say about a position; gives the legal
/// moves.
fn compare_position(board: &Board, position: &Chess) -> Vec<MovePair> {
    let fen = board.fen();
    assert_eq!(fen, Fen::from_position(position, EnPassantMode::Legal).to_string());
    assert_eq!(board.validate(), Ok(()), "{fen}");
    let reread = Board::from_fen(&fen).expect(&fen);
    assert_eq!(reread.key(), board.key(), "{fen}");

    let moves = pair_moves(board, position, &fen);
    for pair in &moves {
        let san = SanPlus::from_move(position.clone(), pair.theirs).to_string();
        assert_eq!(board.san(pair.ours), san, "{fen}");
        for text in [&san, &pair.text] {
            assert_eq!(board.parse_move(text), Ok(pair.ours), "{text} in {fen}");
        }
        if position.castles().mode() == CastlingMode::Standard {
            let text = UciMove::from_standard(pair.theirs).to_string();
            assert_eq!(pair.ours.coordinates(false), text, "{fen}");
            assert_eq!(board.parse_move(&text), Ok(pair.ours), "{text} in {fen}");
        }
    }

    assert_eq!(board.count_legal_moves() as usize, moves.len(), "{fen}");
    assert_eq!(board.in_check(), position.is_check(), "{fen}");
    let is_dead = board.has_insufficient_material();
    assert_eq!(is_dead, position.is_insufficient_material(), "{fen}");
    let end = judge(board).map(|end| end.termination);
    let is_checkmate = end == Some(Termination::Checkmate);
    assert_eq!(is_checkmate, moves.is_empty() && position.is_check(), "{fen}");
    let is_stalemate = end == Some(Termination::Stalemate);
    assert_eq!(is_stalemate, moves.is_empty() && !position.is_check(), "{fen}");
    moves
}

/// The legal moves of both, matched by their text.
fn pair_moves(board: &Board, position: &Chess, fen: &str) -> Vec<MovePair> {
    let mut ours: Vec<(String, Move)> =
        board.legal_moves().into_iter().map(|mv| (mv.coordinates(true), mv)).collect();
    let mut theirs: Vec<(String, shakmaty::Move)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| (UciMove::from_chess960(mv).to_string(), mv))
        .collect();
    ours.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    theirs.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    assert!(
        ours.iter().map(|entry| &entry.0).eq(theirs.iter().map(|entry| &entry.0)),
        "{ours:?} instead of {theirs:?} in {fen}"
    );
    let pairs = ours.into_iter().zip(theirs);
    pairs.map(|((text, ours), (_, theirs))| MovePair { ours, theirs, text }).collect()
}

/// Every legal move, made and taken back, leaves no trace.
fn check_unmake(board: &mut Board) {
    let before = board.clone();
    for mv in board.legal_moves() {
        board.make(mv);
        board.unmake(mv);
        assert_eq!(*board, before, "{mv:?} made and taken back in {}", before.fen());
    }
}

/// Of all 16-bit patterns, `is_legal` must accept the generated moves only.
fn check_every_bit_pattern(board: &Board) {
    let mut generated: Vec<u16> = board.legal_moves().iter().map(|mv| mv.to_bits()).collect();
    generated.sort_unstable();
    let accepted: Vec<u16> = (0..=u16::MAX)
        .filter(|&bits| Move::from_bits(bits).is_some_and(|mv| board.is_legal(mv)))
        .collect();
    assert_eq!(accepted, generated, "{}", board.fen());
}

#[test]
fn start_positions_are_numbered_right() {
    let orthodox = Board::from_fen(&start_fen(ORTHODOX, ORTHODOX)).expect("legal");
    assert_eq!(orthodox, Board::startpos());
    let mut all: Vec<String> = (0..START_POSITIONS).map(|n| start_fen(n, n)).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), START_POSITIONS);
}

#[test]
fn orthodox_games() {
    compare_games(1, CastlingMode::Standard, |_| Board::START_FEN.to_owned());
}

#[test]
fn chess960_games() {
    compare_games(2, CastlingMode::Chess960, |dice| {
        let number = dice.below(START_POSITIONS);
        start_fen(number, number)
    });
}

#[test]
fn double_fischer_random_games() {
    compare_games(3, CastlingMode::Chess960, |dice| {
        start_fen(dice.below(START_POSITIONS), dice.below(START_POSITIONS))
    });
}

/// Positions that no game leads to: crowded with checks, pins and promoted
/// pieces, with odd castling rights and en passant squares.
#[test]
fn damaged_positions() {
    let wanted = positions_wanted().div_ceil(4);
    let mut dice = Dice::new(7);
    let mut tally = Tally::default();
    while tally.positions < wanted {
        let start = start_fen(dice.below(START_POSITIONS), dice.below(START_POSITIONS));
        let mut board = Board::from_fen(&start).expect(&start);
        for _ in 0..dice.below(MAX_PLIES) {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[dice.below(moves.len())]);
        }
        for _ in 0..20 {
            let fen = damage_position(&board.fen(), &mut dice);
            let setup: Fen = fen.parse().expect(&fen);
            let theirs: Result<Chess, _> = setup.into_position(CastlingMode::Chess960);
            // Each refuses positions that the other accepts.
            if let (Ok(mut ours), Ok(theirs)) = (Board::from_fen(&fen), theirs) {
                examine(&mut ours, &theirs, &mut tally);
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.positions >= wanted && tally.checks > wanted / 20, "{tally:?}");
}
