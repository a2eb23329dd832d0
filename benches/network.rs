//! How fast the network learns and answers: samples a second for the trainer on one
//! thread, and the time of an evaluation after a move.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gambeson::bench::POSITIONS;
use gambeson::board::Board;
use gambeson::eval::nnue::Network;
use gambeson::eval::nnue::simd::{self, Row};
use gambeson::eval::{Evaluator, evaluate};
use gambeson::game::judge;
use gambeson::memory::LargeVec;
use gambeson::train::{Batch, Gradients, InstructionSet, Model, Sample, Target};
use gambeson::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

/// A random game: the boards, and the move played on each.
fn random_game(rng: &mut Xoshiro256PlusPlus) -> Vec<(Board, Move)> {
    let mut board = Board::startpos();
    let mut game = Vec::new();
    while judge::automatic(&board).is_none() && game.len() < 120 {
        let moves = board.legal_moves();
        let mv = moves[(rng.next_u64() % moves.len() as u64) as usize];
        game.push((board.clone(), mv));
        board.make(mv);
    }
    game
}

fn training(criterion: &mut Criterion) {
    const BATCH: usize = 16_384;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut samples = LargeVec::default();
    while samples.len() < BATCH {
        for (board, _) in random_game(&mut rng) {
            samples.push(Sample::new(&board, evaluate(&board), 0.5)).expect("memory");
        }
    }
    let indices: Vec<u32> = (0..BATCH as u32).collect();
    let target = Target { result_share: 0.5, scale: 300.0 };
    let mut group = criterion.benchmark_group("training, one thread");
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(10);
    for hidden in [64, 128, 256, 512] {
        let model = Model::random(hidden, 1);
        let batch = Batch { samples: &samples, indices: &indices, target };
        for instructions in InstructionSet::available() {
            let mut gradients = Gradients::with_instructions(&model, instructions);
            group.bench_function(format!("{hidden} neurons, {instructions:?}"), |bencher| {
                bencher.iter(|| gradients.compute(&model, batch, 1));
            });
        }
    }
    group.finish();
}

/// What a search does most: from a position, each of its moves is made, evaluated and
/// taken back.
fn inference(criterion: &mut Criterion) {
    let nodes: Vec<(Board, Vec<(Move, Board)>)> = POSITIONS
        .iter()
        .map(|fen| {
            let board = Board::from_fen(fen).expect("a legal position");
            let after = |mv: Move| {
                let mut after = board.clone();
                after.make(mv);
                (mv, after)
            };
            let moves = board.legal_moves().into_iter().map(after).collect();
            (board, moves)
        })
        .collect();
    let moves: usize = nodes.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("a move and its evaluation");
    group.throughput(Throughput::Elements(moves as u64));
    let mut measure = |name: String, network: Option<Arc<Network>>| {
        let mut evaluators: Vec<Evaluator> = nodes
            .iter()
            .map(|(board, _)| {
                let mut evaluator = Evaluator::new(board);
                evaluator.set_network(network.clone(), board);
                evaluator
            })
            .collect();
        group.bench_function(name, |bencher| {
            bencher.iter(|| -> i32 {
                let mut sum = 0;
                for ((board, moves), evaluator) in nodes.iter().zip(&mut evaluators) {
                    for (mv, after) in moves {
                        evaluator.push(board, *mv);
                        sum += evaluator.evaluate(after).0;
                        evaluator.pop();
                    }
                }
                sum
            });
        });
    };
    for hidden in [64, 128, 256, 512] {
        let network = Model::random(hidden, 1).quantised(300.0, String::new());
        measure(format!("{hidden} neurons"), Some(Arc::new(network)));
    }
    measure("hand-crafted".to_owned(), None);
    group.finish();
}

/// The innermost step, a quiet move followed by one side's half of the output, with
/// each instruction set.
fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("update and output, one side");
    for hidden in [128, 256, 512] {
        let width = hidden / simd::LANES;
        let row = |value: i16| vec![Row([value; simd::LANES]); width];
        let (from, added, removed, weights) = (row(90), row(7), row(-3), row(11));
        let mut to = row(0);
        let mut measure = |name: &str, run: &dyn Fn(&mut [Row]) -> i64| {
            group.bench_function(format!("{hidden} neurons, {name}"), |bencher| {
                bencher.iter(|| run(&mut to));
            });
        };
        measure("plain", &|to| {
            simd::plain::update_and_dot(&from, to, [&added], [&removed], &weights, 255)
        });
        #[cfg(target_arch = "x86_64")]
        {
            use simd::x86::{avx2, avx512};
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the CPU has AVX2.
                measure("AVX2", &|to| unsafe {
                    avx2::update_and_dot(&from, to, [&added], [&removed], &weights, 255)
                });
            }
            if std::arch::is_x86_feature_detected!("avx512bw") {
                // SAFETY: the CPU has AVX-512BW.
                measure("AVX-512", &|to| unsafe {
                    avx512::update_and_dot(&from, to, [&added], [&removed], &weights, 255)
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, training, inference, kernels);
criterion_main!(benches);
