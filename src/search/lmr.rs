//! Late move reductions, in 1024ths of a ply.

use super::params;

/// What a reduction depends on besides depth and move number.
#[derive(Debug, Clone, Copy)]
pub(super) struct LmrFactors {
    pub(crate) quiet: bool,
    pub(crate) is_pv: bool,
    /// This position, or an earlier search of it, was on a principal variation.
    pub(crate) was_pv: bool,
    pub(crate) cut_node: bool,
    pub(crate) improving: bool,
    pub(crate) gives_check: bool,
    pub(crate) noisy_tt_move: bool,
    /// How often the positions after this one's moves failed high.
    pub(crate) cutoffs: u32,
    pub(crate) history: i32,
}

/// The reduction of the `number`th move at `depth`, which grows with the logarithm of
/// both.
#[inline]
pub(super) fn base_reduction(quiet: bool, depth: i32, number: usize) -> i32 {
    let product = logarithm(depth.max(1) as usize) * logarithm(number) / 1024;
    if quiet {
        params::reduction_base() + product * params::reduction_slope() / 1024
    } else {
        params::reduction_noisy_base() + product * params::reduction_noisy_slope() / 1024
    }
}

/// The base reduction adjusted by what is known about the node and the move.
#[inline]
pub(super) fn reduction(depth: i32, number: usize, factors: &LmrFactors) -> i32 {
    let mut reduction = base_reduction(factors.quiet, depth, number);
    let mut add = |condition: bool, amount: i32| reduction += i32::from(condition) * amount;
    add(factors.cut_node, params::reduction_cut_node());
    add(!factors.improving, params::reduction_not_improving());
    add(factors.noisy_tt_move, params::reduction_noisy_tt_move());
    add(factors.cutoffs > 3, params::reduction_cutoffs());
    add(factors.was_pv, -params::reduction_was_pv());
    add(factors.is_pv, -params::reduction_pv());
    add(factors.gives_check, -params::reduction_check());
    reduction - factors.history * 1024 / params::reduction_history()
}

#[inline(always)]
fn logarithm(value: usize) -> i32 {
    LOGARITHMS[value.min(LOGARITHMS.len() - 1)]
}

/// Natural logarithms, times 1024.
static LOGARITHMS: [i32; 128] = {
    let mut table = [0; 128];
    let mut sum = 0.0;
    let mut value = 1;
    while value < 127 {
        // The integral of 1/x from one value to the next, in small steps: constant
        // functions have no logarithm.
        let mut step = 0;
        while step < 64 {
            sum += 1.0 / (64.0 * value as f64 + step as f64 + 0.5);
            step += 1;
        }
        value += 1;
        table[value] = (sum * 1024.0 + 0.5) as i32;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for value in [1, 2, 20, 127] {
            let exact = (value as f64).ln() * 1024.0;
            assert!((f64::from(logarithm(value)) - exact).abs() < 1.0, "{value}");
        }
        assert_eq!(logarithm(5_000), logarithm(127));
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert!(base_reduction(true, 10, 20) > base_reduction(true, 5, 20));
        assert!(base_reduction(true, 10, 20) > base_reduction(true, 10, 4));
        assert!(base_reduction(true, 10, 20) > base_reduction(false, 10, 20));
    }
}
