//! The sequential probability ratio test: play until the results tell two
//! hypotheses about the Elo difference apart.
//!
//! The statistic is the generalised log-likelihood ratio of the pentanomial
//! results (Van den Bergh, "Comparing the approximations for the generalized log
//! likelihood ratio of a multinomial distribution"), both hypotheses in logistic
//! Elo: what fastchess computes with `model=logistic report_penta=true`.

use std::str::FromStr;
use thiserror::Error;

/// Two hypotheses: the difference is `elo0`, or it is `elo1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    H1,
}

/// The chance to take one hypothesis for the other.
const ERROR: f64 = 0.05;
/// What a count of zero is taken for: no result is impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// The log-likelihood ratio at which H1 is accepted; H0 is at its negative.
    pub(crate) fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
    }

    /// How much likelier H1 makes these results than H0 does, as a logarithm.
    /// `pairs` counts the pairs of games by the half points scored in them.
    pub(crate) fn llr(&self, pairs: &[u32; 5]) -> f64 {
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
        log_likelihood(&counts, expected_score(self.elo1))
            - log_likelihood(&counts, expected_score(self.elo0))
    }

    pub(crate) fn verdict(&self, pairs: &[u32; 5]) -> Option<Verdict> {
        let llr = self.llr(pairs);
        if llr >= Sprt::bound() {
            Some(Verdict::H1)
        } else if llr <= -Sprt::bound() {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logarithm of the likelihood of `counts` under the likeliest distribution
/// with mean `score`, up to a constant of the counts.
///
/// That distribution divides the observed frequencies by `1 + theta (value - score)`
/// with the theta that makes the mean come out right.
fn log_likelihood(counts: &[f64; 5], score: f64) -> f64 {
    let deviations = [0.0, 0.25, 0.5, 0.75, 1.0].map(|value| value - score);
    let terms = || counts.iter().zip(deviations);
    let excess = |theta: f64| -> f64 {
        terms().map(|(count, deviation)| count * deviation / (1.0 + theta * deviation)).sum()
    };
    // Falls from infinity to minus infinity between the poles.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = f64::midpoint(low, high);
    -terms().map(|(count, deviation)| count * (1.0 + theta * deviation).ln()).sum::<f64>()
}

#[derive(Debug, Error, PartialEq, Eq)]
#[error("bounds are two Elo differences, the smaller one first, like 0:10")]
pub(crate) struct SprtError;

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let (elo0, elo1) = text.split_once(':').ok_or(SprtError)?;
        let [elo0, elo1] = [elo0, elo1].map(|elo| elo.trim().parse::<f64>().unwrap_or(f64::NAN));
        let possible = elo0.abs() <= 1_000.0 && elo1.abs() <= 1_000.0 && elo0 < elo1;
        possible.then_some(Sprt { elo0, elo1 }).ok_or(SprtError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_fastchess() {
        // What SPRT::getLLR of fastchess 74deac23 gives with its logistic model.
        let cases: [([u32; 5], [f64; 4]); 7] = [
            ([3, 20, 50, 25, 4], [0.327316, 0.222465, 0.338225, 0.243033]),
            ([100, 480, 950, 520, 120], [1.167100, 1.621552, 3.690407, 2.457202]),
            ([0, 1, 5, 2, 0], [0.119285, 0.068163, 0.084462, 0.063737]),
            ([250, 1200, 2400, 1100, 230], [-20.318567, -7.562060, -2.312673, -3.113162]),
            ([10, 90, 400, 140, 20], [5.568282, 3.285319, 4.234206, 3.165787]),
            ([0, 0, 10, 0, 0], [-0.285796, -0.139428, 0.139428, 0.056812]),
            ([40, 300, 700, 330, 52], [1.074327, 1.377262, 3.049848, 2.040015]),
        ];
        for (pairs, ratios) in cases {
            for (bounds, fastchess) in ["0:10", "0:5", "-5:0", "-3:1"].iter().zip(ratios) {
                let llr = bounds.parse::<Sprt>().expect("bounds").llr(&pairs);
                // Its solver stops at a theta within 0.001.
                let tolerance = 1e-3 + 1e-6 * f64::from(pairs.iter().sum::<u32>());
                assert!((llr - fastchess).abs() < tolerance, "{pairs:?} {bounds}: {llr}");
            }
        }
    }

    #[test]
    fn verdicts_come_at_the_bounds() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0 };
        assert!((Sprt::bound() - 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.verdict(&[0; 5]), None);
        assert_eq!(sprt.verdict(&[3, 20, 50, 25, 4]), None);
        assert_eq!(sprt.verdict(&[10, 90, 400, 140, 20]), Some(Verdict::H1));
        assert_eq!(sprt.verdict(&[20, 140, 400, 90, 10]), Some(Verdict::H0));
    }

    #[test]
    fn bounds_are_read_or_refused() {
        assert_eq!("-3:1.5".parse(), Ok(Sprt { elo0: -3.0, elo1: 1.5 }));
        for bad in ["", "5", "5:0", "0:0", "0:x", "nan:5", "0:inf", "0:1:2"] {
            assert_eq!(bad.parse::<Sprt>(), Err(SprtError), "{bad}");
        }
    }
}
