//! Pruning margins and thresholds.

use super::params;

/// How far below alpha the evaluation must be for razoring.
pub(super) fn razoring(depth: i32) -> i32 {
    params::razor_base() + params::razor_slope() * depth * depth
}

/// How far above beta the evaluation must be for a cut-off.
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    let improving = i32::from(improving) * params::reverse_futility_improving();
    params::reverse_futility_slope() * depth - improving
}

/// By how many plies the search after a null move is reduced.
pub(super) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    let above = (above_beta / params::null_eval_divisor()).min(4);
    (params::null_base() + params::null_slope() * depth) / 1024 + above
}

/// How many moves are searched before quiet moves are skipped.
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    let moves = params::late_base() + 1024 * depth * depth;
    (if improving { moves } else { moves / 2 }) / 1024
}

/// How much a quiet move may gain at best.
pub(super) fn futility(depth: i32) -> i32 {
    params::futility_base() + params::futility_slope() * depth
}

/// The history below which a quiet move is pruned.
pub(super) fn history(depth: i32) -> i32 {
    -params::history_prune_slope() * depth
}

/// How much a quiet move may lose by static exchange evaluation.
pub(super) fn see_quiet(depth: i32) -> i32 {
    -params::see_quiet_slope() * depth * depth
}

/// How much a capture may lose by static exchange evaluation.
pub(super) fn see_noisy(depth: i32) -> i32 {
    -params::see_noisy_slope() * depth
}
