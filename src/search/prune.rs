//! When a position or a move needs no closer look: margins, each in one place.

use super::params;

/// How far below alpha the evaluation must be for a position to be left to
/// quiescence.
pub fn razor(depth: i32) -> i32 {
    params::razor_base() + params::razor_slope() * depth * depth
}

/// How far above beta the evaluation must be for the opponent to have nothing.
pub fn reverse_futility(depth: i32, improving: bool) -> i32 {
    let improving = i32::from(improving) * params::reverse_futility_improving();
    params::reverse_futility_slope() * depth - improving
}

/// How much less deeply the position is searched after a null move.
pub fn null_move(depth: i32, above_beta: i32) -> i32 {
    let above = (above_beta / params::null_eval_divisor()).min(4);
    params::null_base() + depth / params::null_divisor() + above
}

/// How many quiet moves are tried before the rest is left out.
pub fn late_moves(depth: i32, improving: bool) -> i32 {
    let moves = params::late_base() + depth * depth;
    if improving { moves } else { moves / 2 }
}

/// What a quiet move may at best add to the evaluation.
pub fn futility(depth: i32) -> i32 {
    params::futility_base() + params::futility_slope() * depth
}

/// The record below which a quiet move is not tried.
pub fn history(depth: i32) -> i32 {
    -params::history_prune_slope() * depth
}

/// What a quiet move may lose in exchanges.
pub fn see_quiet(depth: i32) -> i32 {
    -params::see_quiet_slope() * depth * depth
}

/// What a capture may lose in exchanges.
pub fn see_noisy(depth: i32) -> i32 {
    -params::see_noisy_slope() * depth
}
