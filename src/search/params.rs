//! The numbers of the search, each declared once with its name, value and range.
//!
//! They are constants. With the `tune` feature they become UCI options, so that a
//! tuner can try other values without a rebuild.

#[cfg(feature = "tune")]
use std::cell::Cell;
#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering};

macro_rules! tunables {
    ($(
        $(#[$doc:meta])*
        $name:ident = $value:literal in $min:literal..=$max:literal $(/ $scale:literal)?;
    )*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return values::$name[PLAYER.get()].load(Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                $value
            }
        )*

        /// All of them, in the order of their declaration.
        #[cfg(feature = "tune")]
        pub(crate) const ALL: &[Tunable] = &[
            $(Tunable {
                name: stringify!($name),
                default: $value,
                min: $min,
                max: $max,
                scale: 1 $(* $scale)?,
                value: &values::$name,
            },)*
        ];

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals, reason = "named like the functions that read them")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(crate) static $name: [AtomicI32; 2] = [const { AtomicI32::new($value) }; 2];)*
        }

        #[cfg(test)]
        #[test]
        fn values_lie_within_their_ranges() {
            $(assert!(($min..=$max).contains(&$value), stringify!($name));)*
        }
    };
}

/// A number a tuner may change.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub(crate) struct Tunable {
    pub(crate) name: &'static str,
    pub(crate) default: i32,
    pub(crate) min: i32,
    pub(crate) max: i32,
    /// How many of its units make one of what it counts: small numbers are kept in
    /// 1024ths, so that a tuner can move them a little.
    pub(crate) scale: i32,
    /// One for each of two players.
    value: &'static [AtomicI32; 2],
}

#[cfg(feature = "tune")]
impl Tunable {
    pub(crate) fn set(&self, value: i32) {
        self.value.iter().for_each(|it| it.store(value, Ordering::Relaxed));
    }

    /// For one of the two players that a tuner lets play against each other.
    pub(crate) fn set_for(&self, player: usize, value: i32) {
        self.value[player].store(value, Ordering::Relaxed);
    }
}

#[cfg(feature = "tune")]
thread_local! {
    static PLAYER: Cell<usize> = const { Cell::new(0) };
}

/// Whose numbers this thread searches with from now on.
#[cfg(feature = "tune")]
pub(crate) fn play_as(player: usize) {
    PLAYER.set(player);
}

// Depths are in plies, margins in the unit of scores, reductions in 1024ths of a ply. Ranges reach
// as far as it takes to switch a step off, which is how docs/dev/search.md measures it.
tunables! {
    /// The first half-width of the aspiration window, and how it grows.
    aspiration_window = 14 in 5..=50;
    aspiration_growth = 60 in 20..=300;

    /// Razoring: so far below alpha that only captures could help.
    razor_depth = 4 in 0..=8;
    razor_base = 196 in 50..=600;
    razor_slope = 184 in 50..=400;

    /// Reverse futility: so far above beta that the opponent has nothing.
    reverse_futility_depth = 9 in 0..=14;
    reverse_futility_slope = 64 in 30..=150;
    reverse_futility_improving = 55 in 0..=150;

    /// Null move.
    null_depth = 3 in 1..=200;
    null_base = 4096 in 2048..=6144 / 1024;
    null_slope = 256 in 128..=512 / 1024;
    null_eval_divisor = 186 in 80..=400;
    null_verify_depth = 14 in 8..=200;

    /// Internal reductions where no move is known.
    iir_depth = 4 in 2..=200;

    /// Probcut: a capture that beats beta by a margin at a reduced depth.
    probcut_depth = 5 in 3..=200;
    probcut_margin = 184 in 80..=350;

    /// Late move pruning.
    late_base = 6144 in 1024..=102400 / 1024;
    late_depth = 9 in 0..=16;

    /// Futility of quiet moves.
    futility_depth = 9 in -1..=14;
    futility_base = 88 in 20..=250;
    futility_slope = 87 in 40..=180;

    /// Quiet moves with a bad record.
    history_prune_depth = 5 in -1..=10;
    history_prune_slope = 3701 in 1000..=8000;

    /// Losing exchanges.
    see_quiet_slope = 24 in 5..=100000;
    see_noisy_slope = 90 in 30..=100000;

    /// Singular extensions.
    singular_depth = 7 in 4..=200;
    singular_margin = 54 in 16..=160;
    double_margin = 16 in 0..=10000;
    triple_margin = 90 in 40..=10000;

    /// Late move reductions.
    reduction_base = 702 in 0..=1600;
    reduction_slope = 532 in 0..=800;
    reduction_noisy_base = 200 in -500..=1000;
    reduction_noisy_slope = 297 in 0..=600;
    reduction_cut_node = 1532 in 0..=3000;
    reduction_not_improving = 751 in 0..=1500;
    reduction_was_pv = 864 in 0..=2000;
    reduction_pv = 631 in 0..=2000;
    reduction_check = 653 in 0..=2000;
    reduction_noisy_tt_move = 699 in 0..=2000;
    reduction_cutoffs = 700 in 0..=2000;
    /// How much history makes a ply.
    reduction_history = 8026 in 3000..=100000000;
    deeper_margin = 41 in 10..=120;

    /// History bonuses.
    bonus_slope = 136 in 50..=400;
    bonus_offset = 80 in 0..=400;
    bonus_limit = 1737 in 0..=4000;
    bonus_previous_move = 60 in 0..=256;
    malus_slope = 195 in 50..=400;
    malus_limit = 1379 in 0..=4000;

    /// How much the previous quiet move's history follows the change of the evaluation, in
    /// eighths.
    eval_change_slope = 30 in 0..=1000;
    eval_change_limit = 800 in 0..=4000;

    /// Quiet moves that escape from something cheaper, for each 100 of the piece's value, and
    /// checks that lose nothing are tried sooner.
    order_escape = 1400 in 0..=8000;
    order_check = 8000 in 0..=32000;

    /// Corrections of the evaluation, in 1024ths.
    correct_pawns = 57 in 0..=160;
    correct_pieces = 52 in 0..=160;
    correct_minors = 45 in 0..=160;
    correct_majors = 33 in 0..=160;
    correct_continuation = 51 in 0..=160;

    /// Quiescence.
    quiesce_futility = 145 in 40..=100000;
}
