//! How fast moves are generated, counted, made and judged, beside cozy-chess and
//! shakmaty where they have the same.

mod cozy;

use criterion::{Criterion, criterion_group, criterion_main};
use gambeson::board::{All, Board, Noisy};
use gambeson::perft::perft;
use gambeson::types::MoveList;
use shakmaty::Position;
use std::hint::black_box;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn perft_beside_others(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft of Kiwipete, depth 3");
    let mut board = Board::from_fen(KIWIPETE).expect("Kiwipete is legal");
    group.bench_function("gambeson", |bencher| bencher.iter(|| perft(&mut board, 3)));
    let cozy: cozy_chess::Board = KIWIPETE.parse().expect("Kiwipete is legal");
    group.bench_function("cozy-chess", |bencher| bencher.iter(|| cozy::perft(&cozy, 3)));
    let fen: shakmaty::fen::Fen = KIWIPETE.parse().expect("Kiwipete is a FEN");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).expect("Kiwipete is legal");
    group.bench_function("shakmaty", |bencher| bencher.iter(|| shakmaty::perft(&position, 3)));
    group.finish();
}

fn generation_beside_others(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("list all moves of Kiwipete");
    let board = Board::from_fen(KIWIPETE).expect("Kiwipete is legal");
    group.bench_function("gambeson", |bencher| {
        bencher.iter(|| {
            let mut moves = MoveList::new();
            black_box(&board).generate::<All>(&mut moves);
            moves.len()
        });
    });
    let fen: shakmaty::fen::Fen = KIWIPETE.parse().expect("Kiwipete is a FEN");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).expect("Kiwipete is legal");
    group.bench_function("shakmaty", |bencher| {
        bencher.iter(|| black_box(&position).legal_moves().len());
    });
    group.finish();
}

fn single_moves(criterion: &mut Criterion) {
    let mut board = Board::from_fen(KIWIPETE).expect("Kiwipete is legal");
    let moves = board.legal_moves();
    criterion.bench_function("make and unmake all moves of Kiwipete", |bencher| {
        bencher.iter(|| {
            for &mv in &moves {
                board.make(mv);
                black_box(board.key());
                board.unmake(mv);
            }
        });
    });
    criterion.bench_function("is_legal of all moves of Kiwipete", |bencher| {
        bencher.iter(|| moves.iter().filter(|&&mv| black_box(&board).is_legal(mv)).count());
    });
    let mut captures = MoveList::new();
    board.generate::<Noisy>(&mut captures);
    criterion.bench_function("see_at_least of all captures of Kiwipete", |bencher| {
        bencher
            .iter(|| captures.iter().filter(|&&mv| black_box(&board).see_at_least(mv, 0)).count());
    });
}

criterion_group!(benches, perft_beside_others, generation_beside_others, single_moves);
criterion_main!(benches);
