//! The inner loops once for all instruction sets: one text, compiled for the vectors of
//! each.

/// The loops in terms of `load`, `store`, `plus`, `minus` and `ClippedSquareDot`, which
/// the module around them defines.
macro_rules! loops {
    ($features:literal) => {
        /// # Safety
        /// The CPU must have the instructions.
        #[inline]
        #[target_feature(enable = $features)]
        pub fn update<const A: usize, const S: usize>(
            from: &[Row],
            to: &mut [Row],
            adds: [&[Row]; A],
            subtracts: [&[Row]; S],
        ) {
            let length = to.len();
            // Once for all, so that the loop has no bounds to check.
            let from = &from[..length];
            let adds = adds.map(|rows| &rows[..length]);
            let subtracts = subtracts.map(|rows| &rows[..length]);
            for index in 0..length {
                let mut sums = load(&from[index]);
                for rows in adds {
                    sums = plus(sums, load(&rows[index]));
                }
                for rows in subtracts {
                    sums = minus(sums, load(&rows[index]));
                }
                store(&mut to[index], sums);
            }
        }

        /// # Safety
        /// The CPU must have the instructions.
        #[target_feature(enable = $features)]
        pub fn change(sums: &mut [Row], adds: &[&[Row]], subtracts: &[&[Row]]) {
            for (index, row) in sums.iter_mut().enumerate() {
                let mut sums = load(row);
                for rows in adds {
                    sums = plus(sums, load(&rows[index]));
                }
                for rows in subtracts {
                    sums = minus(sums, load(&rows[index]));
                }
                store(row, sums);
            }
        }

        /// # Safety
        /// The CPU must have the instructions.
        #[inline]
        #[target_feature(enable = $features)]
        pub fn clipped_square_dot(values: &[Row], weights: &[Row], limit: i16) -> i64 {
            let mut dot = ClippedSquareDot::new(limit);
            for (value, weight) in values.iter().zip(weights) {
                dot.add(load(value), load(weight));
            }
            dot.total()
        }

        /// # Safety
        /// The CPU must have the instructions.
        #[inline]
        #[target_feature(enable = $features)]
        pub fn update_and_dot<const A: usize, const S: usize>(
            from: &[Row],
            to: &mut [Row],
            adds: [&[Row]; A],
            subtracts: [&[Row]; S],
            weights: &[Row],
            limit: i16,
        ) -> i64 {
            let length = to.len();
            // Once for all, so that the loop has no bounds to check.
            let (from, weights) = (&from[..length], &weights[..length]);
            let adds = adds.map(|rows| &rows[..length]);
            let subtracts = subtracts.map(|rows| &rows[..length]);
            let mut dot = ClippedSquareDot::new(limit);
            for index in 0..length {
                let mut sums = load(&from[index]);
                for rows in adds {
                    sums = plus(sums, load(&rows[index]));
                }
                for rows in subtracts {
                    sums = minus(sums, load(&rows[index]));
                }
                store(&mut to[index], sums);
                dot.add(sums, load(&weights[index]));
            }
            dot.total()
        }
    };
}

pub(super) use loops;
