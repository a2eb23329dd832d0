//! How fast the network learns and answers: samples a second for the trainer on one
//! thread, and the time of an evaluation after a move.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gambeson::board::Board;
use gambeson::eval::nnue::AccumulatorLine;
use gambeson::eval::{Evaluator, evaluate};
use gambeson::train::{Gradients, Model, Sample, Target};
use gambeson::types::Move;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

/// A random game: the boards, and the move played on each.
fn random_game(rng: &mut Xoshiro256PlusPlus) -> Vec<(Board, Move)> {
    let mut board = Board::startpos();
    let mut game = Vec::new();
    while board.outcome().is_none() && game.len() < 120 {
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
    let mut samples = Vec::new();
    while samples.len() < BATCH {
        for (board, _) in random_game(&mut rng) {
            samples.push(Sample::new(&board, evaluate(&board), 0.5));
        }
    }
    let batch: Vec<u32> = (0..BATCH as u32).collect();
    let target = Target { result_share: 0.5, scale: 300.0 };
    let mut group = criterion.benchmark_group("training, one thread");
    group.throughput(Throughput::Elements(BATCH as u64)).sample_size(10);
    for hidden in [64, 128, 256, 512] {
        let model = Model::random(hidden, 1);
        let mut gradients = Gradients::new(&model);
        group.bench_function(format!("{hidden} neurons"), |bencher| {
            bencher.iter(|| gradients.compute(&model, &samples, &batch, target, 1));
        });
    }
    group.finish();
}

fn inference(criterion: &mut Criterion) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let game = random_game(&mut rng);
    let mut group = criterion.benchmark_group("a move and its evaluation");
    group.throughput(Throughput::Elements(game.len() as u64 - 1));
    for hidden in [64, 128, 256, 512] {
        let network = Arc::new(Model::random(hidden, 1).quantised(300.0, String::new()));
        let mut line = AccumulatorLine::new(Arc::clone(&network), &game[0].0);
        group.bench_function(format!("{hidden} neurons"), |bencher| {
            bencher.iter(|| -> i32 {
                line.reset(&game[0].0);
                let steps = game.windows(2).map(|pair| {
                    line.push(&pair[0].0, pair[0].1);
                    line.evaluate(&pair[1].0)
                });
                steps.sum()
            });
        });
    }
    let mut evaluator = Evaluator::new(&game[0].0);
    evaluator.set_network(None, &game[0].0);
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| -> i32 {
            evaluator.reset(&game[0].0);
            let steps = game.windows(2).map(|pair| {
                evaluator.push(&pair[0].0, pair[0].1);
                evaluator.evaluate(&pair[1].0).0
            });
            steps.sum()
        });
    });
    group.finish();
}

criterion_group!(benches, training, inference);
criterion_main!(benches);
