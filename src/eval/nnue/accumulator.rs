//! The hidden layers along a line of play. A move only notes which pieces it changes;
//! the sums follow when somebody wants an evaluation, from the nearest position
//! above that has them. Many positions are never evaluated.

use super::network::{Network, OutputHalf, QUANTUM, bucket};
use super::simd::{self, Row};
use crate::board::{Board, Observer};
use crate::eval::features;
use crate::types::{Bitboard, Color, Move, Piece, Square};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// The inputs that stand for a piece, one for each side's view, not mirrored.
type Inputs = [u16; Color::COUNT];

/// What changes in the number of an input if its side sees the board mirrored.
#[inline(always)]
fn mirror(mirrored: bool) -> usize {
    if mirrored { 7 } else { 0 }
}

/// One position of the line.
#[derive(Debug, Clone, Default)]
struct Frame {
    /// What the move that led here changed: no move sets down or takes up more than
    /// two pieces.
    put: ArrayVec<Inputs, 2>,
    removed: ArrayVec<Inputs, 2>,
    /// Whether each side sees the board mirrored.
    mirrored: [bool; Color::COUNT],
    /// Whether each side's sums are there.
    known: [bool; Color::COUNT],
}

impl Observer for Frame {
    #[inline(always)]
    fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.put.push(inputs(color, piece, square));
        if piece == Piece::King {
            self.mirrored[color.index()] = features::is_mirrored(square);
        }
    }

    #[inline(always)]
    fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.removed.push(inputs(color, piece, square));
    }
}

#[inline(always)]
fn inputs(color: Color, piece: Piece, square: Square) -> Inputs {
    // Any king on the left half will do.
    Color::ALL.map(|side| features::placement(side, Square::A1, color, piece, square) as u16)
}

/// The last position a side's sums were not stepped to but added up for, with its
/// king on one half of the board. The next such position has most pieces in common.
#[derive(Debug)]
struct Refreshed {
    pieces: [[Bitboard; Piece::COUNT]; Color::COUNT],
    sums: Vec<Row>,
}

impl Refreshed {
    /// The empty board.
    fn new(network: &Network) -> Refreshed {
        Refreshed { pieces: Default::default(), sums: network.bias.clone() }
    }

    /// Brings the sums to `board` as `side` sees it.
    fn follow(&mut self, network: &Network, board: &Board, side: Color) {
        let king = board.king(side);
        let mut put = ArrayVec::<&[Row], 32>::new();
        let mut removed = ArrayVec::<&[Row], 32>::new();
        for color in Color::ALL {
            for piece in Piece::ALL {
                let now = board.colored_pieces(color, piece);
                let then = std::mem::replace(&mut self.pieces[color.index()][piece.index()], now);
                let row =
                    |square| network.input(features::placement(side, king, color, piece, square));
                put.extend(now.without(then).into_iter().map(row));
                removed.extend(then.without(now).into_iter().map(row));
            }
        }
        simd::change(&mut self.sums, &put, &removed);
    }
}

/// Steps from sums to sums, and from there to an output if its weights are given.
#[inline(always)]
fn update<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
    weights: Option<&[Row]>,
) -> i64 {
    if let Some(weights) = weights {
        return simd::update_and_dot(from, to, adds, subtracts, weights, QUANTUM);
    }
    simd::update(from, to, adds, subtracts);
    0
}

/// Follows a line and evaluates positions of it.
#[derive(Debug)]
pub(crate) struct AccumulatorLine {
    network: Arc<Network>,
    /// By side and whether it sees the board mirrored.
    refreshed: [[Refreshed; 2]; Color::COUNT],
    /// The current position is at `last`; frames beyond are left over.
    frames: Vec<Frame>,
    last: usize,
    /// The sums of all frames, White's view and then Black's.
    sums: Vec<Row>,
}

impl AccumulatorLine {
    pub(crate) fn new(network: Arc<Network>, board: &Board) -> AccumulatorLine {
        let refreshed = || std::array::from_fn(|_| Refreshed::new(&network));
        let mut line = AccumulatorLine {
            refreshed: [refreshed(), refreshed()],
            network,
            frames: Vec::new(),
            last: 0,
            sums: Vec::new(),
        };
        line.grow();
        line.reset(board);
        line
    }

    /// Goes back to a line that begins with `board`.
    pub(crate) fn reset(&mut self, board: &Board) {
        self.last = 0;
        self.frames[0] = Frame::default();
        self.frames[0].mirrored = Color::ALL.map(|side| features::is_mirrored(board.king(side)));
        for side in Color::ALL {
            self.refresh(board, side);
        }
    }

    fn grow(&mut self) {
        self.frames.push(Frame::default());
        self.sums.resize(self.frames.len() * 2 * self.network.width, Row::ZERO);
    }

    /// To be called before `mv` is made on `board`.
    #[inline(always)]
    pub(crate) fn push(&mut self, board: &Board, mv: Move) {
        if self.last + 1 == self.frames.len() {
            self.grow();
        }
        let mirrored = self.frames[self.last].mirrored;
        self.last += 1;
        let frame = &mut self.frames[self.last];
        frame.put.clear();
        frame.removed.clear();
        frame.mirrored = mirrored;
        frame.known = [false; 2];
        board.announce(mv, frame);
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.last > 0);
        self.last -= 1;
    }

    /// The value of `board`, to which the moves pushed have led, for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, board: &Board) -> i32 {
        let us = board.side_to_move();
        let bucket = bucket(board.occupied().count());
        let sum = self.dot(board, us, bucket) + self.dot(board, !us, bucket);
        self.network.value(sum, bucket)
    }

    /// One side's part of the output, for which its sums are brought to the last frame.
    #[inline(always)]
    fn dot(&mut self, board: &Board, side: Color, bucket: usize) -> i64 {
        let output = OutputHalf { bucket, to_move: side == board.side_to_move() };
        if !self.frames[self.last].known[side.index()] {
            if self.catch_up_with_parent(side) {
                return self.step(self.last, side, Some(output));
            }
            self.refresh(board, side);
        }
        let width = self.network.width;
        let start = (2 * self.last + side.index()) * width;
        let weights = self.network.output(output);
        simd::clipped_square_dot(&self.sums[start..start + width], weights, QUANTUM)
    }

    /// Brings one side's sums to the frame before the last, if the last can be reached
    /// from there.
    #[inline(always)]
    fn catch_up_with_parent(&mut self, side: Color) -> bool {
        let index = side.index();
        let mirrored = self.frames[self.last].mirrored[index];
        let mut base = self.last;
        while !self.frames[base].known[index] {
            // The first frame is always known.
            base -= 1;
            if self.frames[base].mirrored[index] != mirrored {
                // The king changed halves on the way: nothing above is of use.
                return false;
            }
        }
        for frame in base + 1..self.last {
            self.step(frame, side, None);
        }
        true
    }

    /// From the frame above to this one. If there is an `output`, what it makes of the
    /// side's sums.
    #[inline(always)]
    fn step(&mut self, frame: usize, side: Color, output: Option<OutputHalf>) -> i64 {
        let width = self.network.width;
        let changes = &self.frames[frame];
        let mirror = mirror(changes.mirrored[side.index()]);
        let rows = |inputs: &Inputs| self.network.input(usize::from(inputs[side.index()]) ^ mirror);
        let (above, below) = self.sums.split_at_mut(2 * frame * width);
        let from = &above[(2 * (frame - 1) + side.index()) * width..][..width];
        let to = &mut below[side.index() * width..][..width];
        let weights = output.map(|output| self.network.output(output));
        let dot = match (&changes.put[..], &changes.removed[..]) {
            ([a], [b]) => update(from, to, [rows(a)], [rows(b)], weights),
            ([a], [b, c]) => update(from, to, [rows(a)], [rows(b), rows(c)], weights),
            ([a, b], [c, d]) => update(from, to, [rows(a), rows(b)], [rows(c), rows(d)], weights),
            _ => unreachable!("no move changes pieces like this: {changes:?}"),
        };
        self.frames[frame].known[side.index()] = true;
        dot
    }

    /// One side's sums of the last frame, without those above.
    fn refresh(&mut self, board: &Board, side: Color) {
        let width = self.network.width;
        let start = (2 * self.last + side.index()) * width;
        let mirrored = features::is_mirrored(board.king(side));
        let refreshed = &mut self.refreshed[side.index()][usize::from(mirrored)];
        refreshed.follow(&self.network, board, side);
        self.sums[start..start + width].copy_from_slice(&refreshed.sums);
        self.frames[self.last].known[side.index()] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::RandomGames;
    use crate::eval::nnue::network::tests::random_network;

    /// Walks the whole tree and compares at every node, or, if `sparse`, only at some,
    /// so that several moves are caught up with at once.
    fn walk(board: &mut Board, line: &mut AccumulatorLine, depth: u32, sparse: bool) -> u64 {
        if !sparse || board.key().is_multiple_of(5) {
            let exact = line.network.evaluate(board);
            assert_eq!(line.evaluate(board), exact, "{}", board.fen());
        }
        if depth == 0 {
            return 1;
        }
        let mut nodes = 1;
        for mv in board.legal_moves() {
            line.push(board, mv);
            board.make(mv);
            nodes += walk(board, line, depth - 1, sparse);
            board.unmake(mv);
            line.pop();
        }
        nodes
    }

    #[test]
    fn following_moves_gives_what_counting_from_nothing_does() {
        for (hidden, fen, depth) in [
            (32, Board::START_FEN, 3),
            (64, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 2),
            (32, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4),
            (64, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 3),
            (32, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", 3),
            (32, "1r1k2r1/8/8/8/8/8/8/1R2K1R1 w GBgb -", 3),
        ] {
            let mut board = Board::from_fen(fen).expect(fen);
            let network = Arc::new(random_network(hidden, 5));
            let depth = if cfg!(miri) { 1 } else { depth };
            for sparse in [false, true] {
                let mut line = AccumulatorLine::new(Arc::clone(&network), &board);
                let nodes = walk(&mut board, &mut line, depth, sparse);
                assert!(cfg!(miri) || nodes > 1_000);
            }
        }
    }

    #[test]
    fn random_positions_agree_too() {
        let network = Arc::new(random_network(if cfg!(miri) { 32 } else { 256 }, 6));
        let mut line = AccumulatorLine::new(Arc::clone(&network), &Board::startpos());
        for board in RandomGames::new(21).positions(1_000) {
            line.reset(&board);
            assert_eq!(line.evaluate(&board), network.evaluate(&board), "{}", board.fen());
        }
    }
}
