//! What earlier searches taught about moves and about the evaluation.
//!
//! Every number in here is a [`Gravity`]: it moves towards the bonuses it gets and
//! the less the nearer it is to its limit.

use super::params;
use crate::board::Board;
use crate::memory;
use crate::types::{Color, Move, Piece, Square};

/// A bounded average of bonuses.
#[derive(Debug, Clone, Copy, Default)]
struct Gravity<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Gravity<LIMIT> {
    #[inline(always)]
    fn get(self) -> i32 {
        i32::from(self.0)
    }

    #[inline(always)]
    fn push(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        self.0 += (bonus - self.get() * bonus.abs() / LIMIT) as i16;
    }
}

type MoveScore = Gravity<16_384>;
type Correction = Gravity<1_024>;

/// A piece and where it went: how a move is remembered by those that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceTo(u16);

const PIECE_TOS: usize = Color::COUNT * Piece::COUNT * Square::COUNT;

impl PieceTo {
    /// No move at all: before the root, and a null move.
    pub const NONE: PieceTo = PieceTo(PIECE_TOS as u16);

    #[inline(always)]
    pub fn new(color: Color, piece: Piece, to: Square) -> PieceTo {
        PieceTo(
            ((color.index() * Piece::COUNT + piece.index()) * Square::COUNT + to.index()) as u16,
        )
    }

    #[inline(always)]
    pub fn of(board: &Board, mv: Move) -> PieceTo {
        board
            .piece_at(mv.from())
            .map_or(PieceTo::NONE, |piece| PieceTo::new(board.side_to_move(), piece, mv.to()))
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How far back the moves lie that a quiet move is judged as a follow-up to.
pub const FOLLOWED: [usize; 3] = [1, 2, 4];

/// Where a quiet move is played, as far as its history depends on it.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    side: Color,
    pawn_row: usize,
    /// The moves [`FOLLOWED`] plies back.
    before: [PieceTo; 3],
}

impl Context {
    pub fn new(board: &Board, before: [PieceTo; 3]) -> Context {
        let pawn_row = board.pawn_key() as usize % PAWN_ROWS;
        Context { side: board.side_to_move(), pawn_row, before }
    }

    /// The same with the other side to move.
    pub fn of_opponent(self) -> Context {
        Context { side: !self.side, ..self }
    }
}

const FROM_TOS: usize = Square::COUNT * Square::COUNT;
const PAWN_ROWS: usize = 512;
const CORRECTIONS: usize = 16_384;

type ByPieceTo = [MoveScore; PIECE_TOS];

/// The parts of the histories that judge quiet moves in one [`Context`].
pub struct QuietRows<'a> {
    quiets: &'a [MoveScore; FROM_TOS],
    pawns: &'a ByPieceTo,
    followed: [&'a ByPieceTo; FOLLOWED.len()],
}

impl QuietRows<'_> {
    /// What is known about a quiet move.
    #[inline(always)]
    pub fn score(&self, mv: Move, moved: PieceTo) -> i32 {
        let [first, second, fourth] = self.followed.map(|row| row[moved.index()].get());
        self.quiets[from_to(mv)].get()
            + self.pawns[moved.index()].get()
            + first
            + second
            + fourth / 2
    }
}

/// Origin and destination as one number.
#[inline(always)]
fn from_to(mv: Move) -> usize {
    mv.from().index() * Square::COUNT + mv.to().index()
}

#[derive(Debug)]
pub struct Histories {
    /// By side, origin and destination.
    quiets: Vec<[MoveScore; FROM_TOS]>,
    /// By pawn structure, piece and destination.
    pawns: Vec<ByPieceTo>,
    /// By an earlier move, piece and destination.
    continuations: Vec<ByPieceTo>,
    /// By piece, destination and victim.
    captures: Vec<MoveScore>,
    /// By side to move and a hash of what [`Corrected`] says.
    corrections: Vec<[Correction; Color::COUNT * CORRECTIONS]>,
    /// By the last move and the one before it.
    continuation_corrections: Vec<Correction>,
}

/// What the corrections of the evaluation are kept by.
#[derive(Debug, Clone, Copy)]
enum Corrected {
    Pawns,
    WhitePieces,
    BlackPieces,
    Minors,
    Majors,
}

impl Corrected {
    const COUNT: usize = 5;
    const ALL: [Corrected; Corrected::COUNT] = [
        Corrected::Pawns,
        Corrected::WhitePieces,
        Corrected::BlackPieces,
        Corrected::Minors,
        Corrected::Majors,
    ];

    #[inline(always)]
    fn row(self, board: &Board) -> usize {
        let key = match self {
            Corrected::Pawns => board.pawn_key(),
            Corrected::WhitePieces => board.non_pawn_key(Color::White),
            Corrected::BlackPieces => board.non_pawn_key(Color::Black),
            Corrected::Minors => placement(board, [Piece::Knight, Piece::Bishop]),
            Corrected::Majors => placement(board, [Piece::Rook, Piece::Queen]),
        };
        board.side_to_move().index() * CORRECTIONS + key as usize % CORRECTIONS
    }

    #[inline(always)]
    fn weight(self) -> i32 {
        match self {
            Corrected::Pawns => params::correct_pawns(),
            Corrected::WhitePieces | Corrected::BlackPieces => params::correct_pieces(),
            Corrected::Minors => params::correct_minors(),
            Corrected::Majors => params::correct_majors(),
        }
    }
}

/// A hash of where two kinds of pieces stand. Cheaper than keeping a key for it.
#[inline(always)]
fn placement(board: &Board, pieces: [Piece; 2]) -> u64 {
    // Odd constants with bits well spread; the high bits of a product depend on all.
    const MIX: [u64; 4] = [
        0x9E37_79B9_7F4A_7C15,
        0xC2B2_AE3D_27D4_EB4F,
        0x1656_67B1_9E37_79F9,
        0xD6E8_FEB8_6659_FD93,
    ];
    let [first, second] = pieces;
    let squares = [
        board.colored_pieces(Color::White, first),
        board.colored_pieces(Color::Black, first),
        board.colored_pieces(Color::White, second),
        board.colored_pieces(Color::Black, second),
    ];
    // Each product by itself, so that none waits for another.
    let products = squares.iter().zip(MIX).map(|(squares, factor)| squares.0.wrapping_mul(factor));
    products.fold(0, |hash, product| hash ^ product) >> 50
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiets: vec![[MoveScore::default(); FROM_TOS]; Color::COUNT],
            pawns: vec![[MoveScore::default(); PIECE_TOS]; PAWN_ROWS],
            continuations: vec![[MoveScore::default(); PIECE_TOS]; PIECE_TOS + 1],
            captures: vec![MoveScore::default(); PIECE_TOS * (Piece::COUNT + 1)],
            corrections: vec![
                [Correction::default(); Color::COUNT * CORRECTIONS];
                Corrected::COUNT
            ],
            continuation_corrections: vec![
                Correction::default();
                (PIECE_TOS + 1) * (PIECE_TOS + 1)
            ],
        }
    }
}

impl Histories {
    /// As new, in the memory it has: asking the system for as much would take longer.
    pub fn clear(&mut self) {
        self.quiets.as_flattened_mut().fill(MoveScore::default());
        self.pawns.as_flattened_mut().fill(MoveScore::default());
        self.continuations.as_flattened_mut().fill(MoveScore::default());
        self.captures.fill(MoveScore::default());
        self.corrections.as_flattened_mut().fill(Correction::default());
        self.continuation_corrections.fill(Correction::default());
    }

    /// What judges quiet moves here, looked up once for all of them.
    #[inline(always)]
    pub fn quiet_rows(&self, context: &Context) -> QuietRows<'_> {
        QuietRows {
            quiets: &self.quiets[context.side.index()],
            pawns: &self.pawns[context.pawn_row],
            followed: context.before.map(|before| &self.continuations[before.index()]),
        }
    }

    pub fn update_quiet(&mut self, context: &Context, mv: Move, moved: PieceTo, bonus: i32) {
        self.pawns[context.pawn_row][moved.index()].push(bonus);
        self.update_from_afar(context, mv, moved, bonus);
    }

    /// The same for a move made earlier, of which the pawn structure is forgotten.
    pub fn update_from_afar(&mut self, context: &Context, mv: Move, moved: PieceTo, bonus: i32) {
        self.quiets[context.side.index()][from_to(mv)].push(bonus);
        for before in context.before {
            if before != PieceTo::NONE {
                self.continuations[before.index()][moved.index()].push(bonus);
            }
        }
    }

    #[inline(always)]
    fn capture_index(moved: PieceTo, victim: Option<Piece>) -> usize {
        moved.index() * (Piece::COUNT + 1) + victim.map_or(Piece::COUNT, Piece::index)
    }

    /// What is known about a capture, or a promotion without victim.
    #[inline(always)]
    pub fn capture(&self, moved: PieceTo, victim: Option<Piece>) -> i32 {
        self.captures[Histories::capture_index(moved, victim)].get()
    }

    pub fn update_capture(&mut self, moved: PieceTo, victim: Option<Piece>, bonus: i32) {
        self.captures[Histories::capture_index(moved, victim)].push(bonus);
    }

    /// By how much searches of similar positions differed from their
    /// evaluation. `last` are the last move and the one before it.
    #[inline]
    pub fn correction(&self, board: &Board, last: [PieceTo; 2]) -> i32 {
        let mut sum = self.continuation_corrections[Histories::correction_index(last)].get()
            * params::correct_continuation();
        for (kind, table) in Corrected::ALL.into_iter().zip(&self.corrections) {
            sum += table[kind.row(board)].get() * kind.weight();
        }
        sum / 1024
    }

    /// Fetches the entries of [`Histories::correction`] while something else is going on.
    #[inline(always)]
    pub fn prefetch_correction(&self, board: &Board, last: [PieceTo; 2]) {
        memory::prefetch(&self.continuation_corrections[Histories::correction_index(last)]);
        for (kind, table) in Corrected::ALL.into_iter().zip(&self.corrections) {
            memory::prefetch(&table[kind.row(board)]);
        }
    }

    /// Learns that a search of `depth` found the position worth `difference` more
    /// than its corrected evaluation.
    pub fn update_correction(
        &mut self,
        board: &Board,
        last: [PieceTo; 2],
        depth: i32,
        difference: i32,
    ) {
        let bonus = (difference * depth / 8).clamp(-256, 256);
        self.continuation_corrections[Histories::correction_index(last)].push(bonus);
        for (kind, table) in Corrected::ALL.into_iter().zip(&mut self.corrections) {
            table[kind.row(board)].push(bonus);
        }
    }

    #[inline(always)]
    fn correction_index(last: [PieceTo; 2]) -> usize {
        last[1].index() * (PIECE_TOS + 1) + last[0].index()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_stays_within_its_limit() {
        let mut score = MoveScore::default();
        for _ in 0..1_000 {
            score.push(1_700);
        }
        assert!(score.get() > 16_000 && score.get() <= 16_384);
        for _ in 0..1_000 {
            score.push(-100_000);
        }
        assert_eq!(score.get(), -16_384);
    }

    #[test]
    fn corrections_follow_what_was_found() {
        let board = Board::startpos();
        let mut histories = Histories::default();
        let last = [PieceTo::NONE; 2];
        assert_eq!(histories.correction(&board, last), 0);
        for _ in 0..20 {
            histories.update_correction(&board, last, 8, 60);
        }
        assert!(histories.correction(&board, last) > 20);
    }
}
