//! The inner loops in plain Rust: the definition that the twins must agree with.

use super::Row;

#[inline(always)]
fn plus(row: &mut Row, terms: &Row) {
    for (sum, &term) in row.0.iter_mut().zip(&terms.0) {
        *sum = sum.wrapping_add(term);
    }
}

#[inline(always)]
fn minus(row: &mut Row, terms: &Row) {
    for (sum, &term) in row.0.iter_mut().zip(&terms.0) {
        *sum = sum.wrapping_sub(term);
    }
}

pub fn update<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
) {
    to.copy_from_slice(&from[..to.len()]);
    change(to, &adds, &subtracts);
}

pub fn change(sums: &mut [Row], adds: &[&[Row]], subtracts: &[&[Row]]) {
    for (index, row) in sums.iter_mut().enumerate() {
        adds.iter().for_each(|rows| plus(row, &rows[index]));
        subtracts.iter().for_each(|rows| minus(row, &rows[index]));
    }
}

pub fn clipped_square_dot(values: &[Row], weights: &[Row], limit: i16) -> i64 {
    let pairs = values.iter().zip(weights).flat_map(|(v, w)| v.0.iter().zip(&w.0));
    pairs
        .map(|(&value, &weight)| {
            let clipped = i64::from(value.clamp(0, limit));
            clipped * clipped * i64::from(weight)
        })
        .sum()
}

pub fn update_and_dot<const A: usize, const S: usize>(
    from: &[Row],
    to: &mut [Row],
    adds: [&[Row]; A],
    subtracts: [&[Row]; S],
    weights: &[Row],
    limit: i16,
) -> i64 {
    update(from, to, adds, subtracts);
    clipped_square_dot(to, weights, limit)
}
