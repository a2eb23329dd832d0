//! The perft suites in `perft/`, as deep as a quick test can go. The release
//! binary runs them to their full depth: `gambeson perft --suite perft/….epd`.

use gambeson::perft::{PerftOptions, Suite};
use std::path::Path;

/// Runs a suite up to a depth and demands that every count is right, and that
/// there were enough positions and counts for that to mean something.
fn run(name: &str, max_depth: u32, min_positions: usize, min_counts: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("perft").join(name);
    let suite = Suite::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let report = suite.run(max_depth, PerftOptions::default(), &|_| {});
    assert!(report.failures.is_empty(), "{name}: {:#?}", report.failures);
    println!("{name}: {} positions, {} counts", report.positions, report.counts);
    assert!(report.positions >= min_positions, "{name} has {} positions", report.positions);
    assert!(report.counts >= min_counts, "{name} has {} counts", report.counts);
}

#[test]
fn standard() {
    run("standard.epd", 4, 150, 600);
}

#[test]
fn chess960() {
    run("chess960.epd", 3, 960 + 200, 3 * (960 + 200));
}

#[test]
fn tricky() {
    run("tricky.epd", 4, 40, 160);
}
