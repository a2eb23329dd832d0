//! The weights, and the evaluation of a position from nothing: the slow way that
//! the fast one must agree with.

use super::simd::{self, LANES, Row};
use crate::board::Board;
use crate::eval::features;
use crate::types::{Color, Piece, Square};

/// A piece on the board.
pub(crate) type PlacedPiece = (Color, Piece, Square);

/// 1.0 in the hidden layer.
pub(crate) const QUANTUM: i16 = 255;
/// 1.0 among the weights of the output.
pub(crate) const WEIGHT_UNIT: i16 = 64;
/// 1.0 of the output.
pub(crate) const OUTPUT_UNIT: i32 = QUANTUM as i32 * WEIGHT_UNIT as i32;
/// Weights of the output stay within this, so that products fit into 16 bits.
pub(super) const LARGEST_OUTPUT_WEIGHT: i16 = 126;
const _: () = assert!(LARGEST_OUTPUT_WEIGHT as i32 * QUANTUM as i32 <= i16::MAX as i32);
/// A first layer that stays within this cannot overflow: 32 pieces and the bias.
pub(super) const LARGEST_INPUT_WEIGHT: i16 = 992;
const _: () = assert!(LARGEST_INPUT_WEIGHT as i32 * 33 <= i16::MAX as i32);

/// The score that 1.0 of the output stands for is at most this.
pub(super) const LARGEST_SCALE: i32 = 10_000;

/// The inputs of one side are the placements of the hand-crafted evaluation.
pub const INPUTS: usize = 2 * Piece::COUNT * Square::COUNT;
const _: () = assert!(features::PLACEMENT == 0 && features::BISHOP_PAIR == INPUTS);
pub const BUCKETS: usize = 8;
/// See [`simd::clipped_square_dot`].
pub(super) const MAX_HIDDEN: usize = 1024;

/// The output for a position with this many pieces.
#[inline(always)]
pub(crate) const fn bucket(pieces: u32) -> usize {
    let pieces = if pieces < 2 { 2 } else { pieces };
    let bucket = (pieces as usize - 2) / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// What is made of one side's hidden layer: each bucket has weights for that of the
/// side to move and for that of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputHalf {
    pub(crate) bucket: usize,
    pub(crate) to_move: bool,
}

/// A trained network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// Rows to a vector of the hidden layer.
    pub(super) width: usize,
    /// The score that 1.0 of the output stands for.
    pub(super) scale: i32,
    /// By input.
    pub(super) inputs: Vec<Row>,
    pub(super) bias: Vec<Row>,
    /// By bucket: for the side to move, then for the other.
    pub(super) outputs: Vec<Row>,
    pub(super) output_bias: [i32; BUCKETS],
    /// How the network came to be, for people.
    pub(super) record: String,
}

impl Network {
    /// A network from plain numbers: `inputs` by input and neuron, `outputs` by bucket,
    /// side and neuron. The number of neurons is that of the biases, a multiple of 32.
    pub fn new(
        inputs: &[i16],
        bias: &[i16],
        outputs: &[i16],
        output_bias: [i32; BUCKETS],
        scale: i32,
        record: String,
    ) -> Network {
        let hidden = bias.len();
        assert!(hidden > 0 && hidden <= MAX_HIDDEN && hidden.is_multiple_of(LANES));
        assert_eq!(inputs.len(), INPUTS * hidden);
        assert_eq!(outputs.len(), BUCKETS * 2 * hidden);
        Network {
            width: hidden / LANES,
            scale,
            inputs: rows(inputs),
            bias: rows(bias),
            outputs: rows(outputs),
            output_bias,
            record,
        }
    }

    /// Neurons in the hidden layer.
    pub(crate) fn hidden(&self) -> usize {
        self.width * LANES
    }

    /// How the network came to be.
    pub(crate) fn record(&self) -> &str {
        &self.record
    }

    /// The score that 1.0 of the output stands for.
    pub(crate) fn scale(&self) -> i32 {
        self.scale
    }

    /// The same network with values `factor` times as large, as nearly as the scale
    /// allows.
    pub fn rescaled(&self, factor: f64) -> Network {
        let scale = (f64::from(self.scale) * factor).round().clamp(1.0, LARGEST_SCALE.into());
        let record = format!("{}, rescaled from {} to {scale}", self.record, self.scale);
        Network { scale: scale as i32, record, ..self.clone() }
    }

    /// The weights of one input, by neuron.
    pub(crate) fn input_weights(&self, input: usize) -> impl Iterator<Item = i16> {
        numbers(self.input(input))
    }

    /// By neuron.
    pub(crate) fn bias_weights(&self) -> impl Iterator<Item = i16> {
        numbers(&self.bias)
    }

    /// By bucket, side (the side to move first) and neuron.
    pub(crate) fn output_weights(&self) -> impl Iterator<Item = i16> {
        numbers(&self.outputs)
    }

    pub(crate) fn output_bias(&self) -> [i32; BUCKETS] {
        self.output_bias
    }

    /// The weights of one input.
    #[inline(always)]
    pub(super) fn input(&self, feature: usize) -> &[Row] {
        &self.inputs[feature * self.width..(feature + 1) * self.width]
    }

    /// The hidden layer as `side` sees the pieces, before clipping.
    pub(super) fn accumulate(
        &self,
        side: Color,
        king: Square,
        pieces: &[PlacedPiece],
        to: &mut [Row],
    ) {
        to.copy_from_slice(&self.bias);
        for &(color, piece, square) in pieces {
            let row = self.input(features::placement(side, king, color, piece, square));
            for (sum, row) in to.iter_mut().zip(row) {
                for (sum, &term) in sum.0.iter_mut().zip(&row.0) {
                    *sum = sum.wrapping_add(term);
                }
            }
        }
    }

    /// The weights of an output.
    #[inline(always)]
    pub(super) fn output(&self, output: OutputHalf) -> &[Row] {
        let start = (2 * output.bucket + usize::from(!output.to_move)) * self.width;
        &self.outputs[start..start + self.width]
    }

    /// From the dot products of both sides to the value for the side to move.
    #[inline(always)]
    pub(super) fn value(&self, sum: i64, bucket: usize) -> i32 {
        // The square of the value brought in the quantum twice.
        let output = sum / i64::from(QUANTUM) + i64::from(self.output_bias[bucket]);
        (output * i64::from(self.scale) / i64::from(OUTPUT_UNIT)) as i32
    }

    /// The value of a position for the side to move, from nothing and without any fast
    /// loop.
    pub fn evaluate(&self, board: &Board) -> i32 {
        self.evaluate_pieces(board, &pieces(board), bucket(board.occupied().count()))
    }

    /// The value for the side to move of the inputs that are on, its own view first.
    pub(crate) fn evaluate_inputs(&self, views: [&[u16]; 2], bucket: usize) -> i32 {
        let mut sum = 0;
        for (view, to_move) in views.into_iter().zip([true, false]) {
            let mut hidden = self.bias.clone();
            let rows: Vec<_> = view.iter().map(|&input| self.input(usize::from(input))).collect();
            simd::change(&mut hidden, &rows, &[]);
            let weights = self.output(OutputHalf { bucket, to_move });
            sum += simd::clipped_square_dot(&hidden, weights, QUANTUM);
        }
        self.value(sum, bucket)
    }

    /// The value for the side to move of the kings of `board` with other pieces around
    /// them, by the output of any bucket.
    pub(crate) fn evaluate_pieces(
        &self,
        board: &Board,
        pieces: &[PlacedPiece],
        bucket: usize,
    ) -> i32 {
        let us = board.side_to_move();
        let mut sum = 0;
        for side in Color::ALL {
            let mut hidden = vec![Row::ZERO; self.width];
            self.accumulate(side, board.king(side), pieces, &mut hidden);
            let weights = self.output(OutputHalf { bucket, to_move: side == us });
            sum += simd::plain::clipped_square_dot(&hidden, weights, QUANTUM);
        }
        self.value(sum, bucket)
    }
}

/// All pieces of a position.
pub(super) fn pieces(board: &Board) -> Vec<PlacedPiece> {
    let piece = |square| Some((board.color_at(square)?, board.piece_at(square)?, square));
    board.occupied().into_iter().filter_map(piece).collect()
}

fn numbers(rows: &[Row]) -> impl Iterator<Item = i16> {
    rows.iter().flat_map(|row| row.0)
}

fn rows(numbers: &[i16]) -> Vec<Row> {
    let (chunks, _) = numbers.as_chunks::<LANES>();
    chunks.iter().map(|&chunk| Row(chunk)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// A network of random weights as large as any training gives.
    pub(crate) fn random_network(hidden: usize, seed: u64) -> Network {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut numbers = |count: usize, limit: i64| -> Vec<i16> {
            (0..count).map(|_| (rng.next_u64() as i64 % (limit + 1)) as i16).collect()
        };
        let inputs = numbers(INPUTS * hidden, 200);
        let bias = numbers(hidden, 100);
        let outputs = numbers(BUCKETS * 2 * hidden, 126);
        let output_bias = std::array::from_fn(|bucket| bucket as i32 * 500 - 2_000);
        Network::new(&inputs, &bias, &outputs, output_bias, 400, format!("random {seed}"))
    }

    #[test]
    fn buckets_follow_the_number_of_men() {
        assert_eq!((bucket(0), bucket(2), bucket(5), bucket(6)), (0, 0, 0, 1));
        assert_eq!((bucket(29), bucket(30), bucket(32), bucket(64)), (6, 7, 7, 7));
    }

    #[test]
    fn a_rescaled_network_changes_its_unit_and_nothing_else() {
        let network = random_network(64, 2);
        let larger = network.rescaled(1.25);
        assert_eq!((network.scale(), larger.scale()), (400, 500));
        for board in crate::board::testing::RandomGames::new(1).positions(200) {
            let (old, new) = (network.evaluate(&board), larger.evaluate(&board));
            assert!((f64::from(old) * 1.25 - f64::from(new)).abs() <= 2.25, "{old} {new}");
        }
        assert!(larger.record().ends_with("rescaled from 400 to 500"));
        let back = Network::from_bytes(&larger.to_bytes()).expect("a network");
        assert_eq!(back, larger);
        assert_eq!([1e-9, 1e9].map(|it| network.rescaled(it).scale()), [1, LARGEST_SCALE]);
    }

    #[test]
    fn both_sides_and_both_wings_are_treated_alike() {
        let network = random_network(64, 1);
        let value = |fen| network.evaluate(&Board::from_fen(fen).expect(fen));
        let white = value("r1b1k2r/pp3ppp/2n5/3p4/8/2N1B3/PPP2PPP/2KR3R w - - 0 1");
        let black = value("2kr3r/ppp2ppp/2n1b3/8/3P4/2N5/PP3PPP/R1B1K2R b - - 0 1");
        let mirrored = value("r2k1b1r/ppp3pp/5n2/4p3/8/3B1N2/PPP2PPP/R3RK2 w - - 0 1");
        assert_eq!(white, black);
        assert_eq!(white, mirrored);
        assert_ne!(white, value("r1b1k2r/pp3ppp/2n5/3p4/8/2N1B3/PPP2PPP/2KR3R b - - 0 1"));
    }
}
