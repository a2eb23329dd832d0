//! Everything a user can set, declared once. UCI's `option` lines and xboard's
//! `feature option` lines are both rendered from [`SPECS`].

use super::command::Problem;
use crate::search::{STRONGEST, WEAKEST};
use crate::types::Score;
use std::time::Duration;

/// What kind of value an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Text { default: &'static str },
    Button,
}

/// One option as clients see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) id: Id,
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether xboard is offered it too. It has commands of its own for some.
    pub(crate) xboard: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Id {
    Hash,
    ClearHash,
    Threads,
    Ponder,
    MultiPv,
    MoveOverhead,
    Chess960,
    ShowWdl,
    ShowLine,
    AnalyseMode,
    Opponent,
    EngineAbout,
    Minimal,
    LogFile,
    ResignBelow,
    Contempt,
    EvalNoise,
    LimitStrength,
    Elo,
    OwnBook,
    BookFile,
    BookDepth,
    BookBest,
    SyzygyPath,
    SyzygyProbeDepth,
    SyzygyProbeLimit,
    Syzygy50MoveRule,
    EvalFile,
    UseNetwork,
    /// A number of the search, by its place in the list of tunables.
    #[cfg(feature = "tune")]
    Tunable(usize),
}

pub(crate) const MAX_HASH: i64 = 1 << 20;
pub(crate) const MAX_THREADS: i64 = 1024;
pub(crate) const ABOUT: &str = concat!(
    "Gambeson ",
    env!("CARGO_PKG_VERSION"),
    ", free software under the GNU GPL, version 3 or later"
);

const fn spec(id: Id, name: &'static str, kind: Kind, xboard: bool) -> Spec {
    Spec { id, name, kind, xboard }
}

const OFF: Kind = Kind::Check { default: false };

/// All options, in the order they are shown.
pub(crate) const SPECS: [Spec; 29] = [
    spec(Id::Hash, "Hash", Kind::Spin { default: 16, min: 1, max: MAX_HASH }, false),
    spec(Id::ClearHash, "Clear Hash", Kind::Button, true),
    spec(Id::Threads, "Threads", Kind::Spin { default: 1, min: 1, max: MAX_THREADS }, false),
    spec(Id::Ponder, "Ponder", OFF, false),
    spec(Id::MultiPv, "MultiPV", Kind::Spin { default: 1, min: 1, max: 256 }, true),
    spec(Id::MoveOverhead, "Move Overhead", Kind::Spin { default: 10, min: 0, max: 5_000 }, true),
    spec(Id::Chess960, "UCI_Chess960", OFF, false),
    spec(Id::ShowWdl, "UCI_ShowWDL", OFF, false),
    spec(Id::ShowLine, "UCI_ShowCurrLine", OFF, false),
    spec(Id::AnalyseMode, "UCI_AnalyseMode", OFF, false),
    spec(Id::Opponent, "UCI_Opponent", Kind::Text { default: "" }, false),
    spec(Id::EngineAbout, "UCI_EngineAbout", Kind::Text { default: ABOUT }, false),
    spec(Id::Minimal, "Minimal", OFF, true),
    spec(Id::LogFile, "Debug Log File", Kind::Text { default: "" }, true),
    // In pawns/100 below zero; 0 means never to resign.
    spec(Id::ResignBelow, "Resign Below", Kind::Spin { default: 0, min: 0, max: 10_000 }, true),
    // Centipawns by which a draw is worse than an even position.
    spec(Id::Contempt, "Contempt", Kind::Spin { default: 0, min: -200, max: 200 }, true),
    // Centipawns by which evaluations are off at random, for variety.
    spec(Id::EvalNoise, "Eval Noise", Kind::Spin { default: 0, min: 0, max: 200 }, true),
    spec(Id::LimitStrength, "UCI_LimitStrength", OFF, true),
    spec(
        Id::Elo,
        "UCI_Elo",
        Kind::Spin { default: 1_500, min: WEAKEST as i64, max: STRONGEST as i64 },
        true,
    ),
    spec(Id::OwnBook, "OwnBook", OFF, true),
    spec(Id::BookFile, "BookFile", Kind::Text { default: "" }, true),
    // In moves.
    spec(Id::BookDepth, "BookDepth", Kind::Spin { default: 256, min: 0, max: 1_000 }, true),
    spec(Id::BookBest, "BestBookMove", OFF, true),
    // xboard has its own `egtpath` for this one.
    spec(Id::SyzygyPath, "SyzygyPath", Kind::Text { default: "" }, false),
    spec(
        Id::SyzygyProbeDepth,
        "SyzygyProbeDepth",
        Kind::Spin { default: 1, min: 1, max: 100 },
        true,
    ),
    spec(Id::SyzygyProbeLimit, "SyzygyProbeLimit", Kind::Spin { default: 7, min: 0, max: 7 }, true),
    spec(Id::Syzygy50MoveRule, "Syzygy50MoveRule", Kind::Check { default: true }, true),
    // Empty means the network the program was built with.
    spec(Id::EvalFile, "EvalFile", Kind::Text { default: "" }, true),
    spec(Id::UseNetwork, "Use Network", Kind::Check { default: true }, true),
];

/// The options of this build: [`SPECS`] and, with the `tune` feature, the numbers of
/// the search.
pub(crate) fn specs() -> impl Iterator<Item = Spec> {
    #[cfg(feature = "tune")]
    let tunables = crate::search::params::ALL.iter().enumerate().map(|(index, tunable)| {
        let [default, min, max] = [tunable.default, tunable.min, tunable.max].map(i64::from);
        spec(Id::Tunable(index), tunable.name, Kind::Spin { default, min, max }, false)
    });
    #[cfg(not(feature = "tune"))]
    let tunables = std::iter::empty();
    SPECS.into_iter().chain(tunables)
}

/// Other engines' names for the same thing.
const ALIASES: [(&str, Id); 1] = [("MoveOverhead", Id::MoveOverhead)];

/// The values in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) hash: usize,
    pub(crate) threads: usize,
    pub(crate) ponder: bool,
    pub(crate) multi_pv: usize,
    pub(crate) move_overhead: Duration,
    pub(crate) chess960: bool,
    pub(crate) show_wdl: bool,
    pub(crate) show_line: bool,
    pub(crate) analyse_mode: bool,
    pub(crate) opponent: String,
    pub(crate) minimal: bool,
    /// Resign when the score stays this much below zero.
    pub(crate) resign_below: Option<Score>,
    pub(crate) contempt: Score,
    pub(crate) eval_noise: Score,
    /// Play no better than `elo`.
    pub(crate) limit_strength: bool,
    pub(crate) elo: i32,
    /// Play by the book in `book_file` for this many moves.
    pub(crate) own_book: bool,
    pub(crate) book_file: String,
    pub(crate) book_depth: u32,
    /// Always its best move instead of any one by weight.
    pub(crate) book_best: bool,
    /// Folders with tablebases.
    pub(crate) syzygy_path: String,
    /// The least depth at which the largest tablebases are probed.
    pub(crate) syzygy_depth: i32,
    /// The most men for which tablebases are probed.
    pub(crate) syzygy_limit: u32,
    /// Whether the 50-move rule counts in what tablebases say.
    pub(crate) syzygy_fifty_moves: bool,
    /// A network to use instead of the built-in one; empty for that.
    pub(crate) eval_file: String,
    /// Without it, the hand-crafted evaluation.
    pub(crate) use_network: bool,
}

impl Default for Options {
    fn default() -> Options {
        let mut options = Options {
            hash: 0,
            threads: 0,
            ponder: false,
            multi_pv: 0,
            move_overhead: Duration::ZERO,
            chess960: false,
            show_wdl: false,
            show_line: false,
            analyse_mode: false,
            opponent: String::new(),
            minimal: false,
            resign_below: None,
            contempt: Score::DRAW,
            eval_noise: Score::DRAW,
            limit_strength: false,
            elo: 0,
            own_book: false,
            book_file: String::new(),
            book_depth: 0,
            book_best: false,
            syzygy_path: String::new(),
            syzygy_depth: 0,
            syzygy_limit: 0,
            syzygy_fifty_moves: false,
            eval_file: String::new(),
            use_network: false,
        };
        for spec in &SPECS {
            match spec.kind {
                Kind::Check { default } => options.set_check(spec.id, default),
                Kind::Spin { default, .. } => options.set_spin(spec.id, default),
                Kind::Text { default } => options.set_text(spec.id, default),
                Kind::Button => {}
            }
        }
        options
    }
}

/// The option of this name, in any case.
pub(crate) fn find(name: &str) -> Result<Spec, Problem> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(&name));
    specs()
        .find(|spec| {
            spec.name.eq_ignore_ascii_case(&name) || alias.is_some_and(|&(_, id)| id == spec.id)
        })
        .ok_or(Problem::UnknownOption(name))
}

impl Options {
    /// Sets an option by name and says which one it was, so that the engine can act
    /// on it. Leaves everything as it was if the value does not fit.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Id, Problem> {
        let spec = find(name)?;
        let bad = |reason: String| Problem::BadOption { name: spec.name.to_owned(), reason };
        let value = value.map(str::trim);
        match spec.kind {
            Kind::Button => {}
            Kind::Check { .. } => {
                let on = match value.map(str::to_ascii_lowercase).as_deref() {
                    Some("true" | "1" | "on") => true,
                    Some("false" | "0" | "off") => false,
                    Some(other) => {
                        return Err(bad(format!("\"{other}\" is neither true nor false")));
                    }
                    None => return Err(bad("the value is missing".to_owned())),
                };
                self.set_check(spec.id, on);
            }
            Kind::Spin { min, max, .. } => {
                let text = value.ok_or_else(|| bad("the value is missing".to_owned()))?;
                let number: i64 =
                    text.parse().map_err(|_| bad(format!("\"{text}\" is not a whole number")))?;
                if !(min..=max).contains(&number) {
                    return Err(bad(format!("{number} is not between {min} and {max}")));
                }
                self.set_spin(spec.id, number);
            }
            Kind::Text { .. } => {
                let text = value.unwrap_or_default();
                self.set_text(spec.id, if text == "<empty>" { "" } else { text });
            }
        }
        Ok(spec.id)
    }

    fn set_check(&mut self, id: Id, on: bool) {
        match id {
            Id::Ponder => self.ponder = on,
            Id::Chess960 => self.chess960 = on,
            Id::ShowWdl => self.show_wdl = on,
            Id::ShowLine => self.show_line = on,
            Id::AnalyseMode => self.analyse_mode = on,
            Id::Minimal => self.minimal = on,
            Id::LimitStrength => self.limit_strength = on,
            Id::OwnBook => self.own_book = on,
            Id::BookBest => self.book_best = on,
            Id::Syzygy50MoveRule => self.syzygy_fifty_moves = on,
            Id::UseNetwork => self.use_network = on,
            _ => debug_assert!(false, "{id:?} is no check option"),
        }
    }

    fn set_spin(&mut self, id: Id, number: i64) {
        let centipawns = || Score::from_centipawns(number as i32);
        match id {
            Id::Hash => self.hash = number as usize,
            Id::Threads => self.threads = number as usize,
            Id::MultiPv => self.multi_pv = number as usize,
            Id::MoveOverhead => self.move_overhead = Duration::from_millis(number as u64),
            Id::ResignBelow => self.resign_below = (number > 0).then(centipawns),
            Id::Contempt => self.contempt = centipawns(),
            Id::EvalNoise => self.eval_noise = centipawns(),
            Id::Elo => self.elo = number as i32,
            Id::BookDepth => self.book_depth = number as u32,
            Id::SyzygyProbeDepth => self.syzygy_depth = number as i32,
            Id::SyzygyProbeLimit => self.syzygy_limit = number as u32,
            #[cfg(feature = "tune")]
            Id::Tunable(index) => crate::search::params::ALL[index].set(number as i32),
            _ => debug_assert!(false, "{id:?} is no spin option"),
        }
    }

    fn set_text(&mut self, id: Id, text: &str) {
        match id {
            Id::Opponent => self.opponent = text.to_owned(),
            Id::BookFile => self.book_file = text.to_owned(),
            Id::SyzygyPath => self.syzygy_path = text.to_owned(),
            Id::EvalFile => self.eval_file = text.to_owned(),
            // Only there to be read, or the conversation's.
            Id::EngineAbout | Id::LogFile => {}
            _ => debug_assert!(false, "{id:?} is not a text option"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_any_case_and_by_alias() {
        let mut options = Options::default();
        assert_eq!(options.set("hash", Some("64")), Ok(Id::Hash));
        assert_eq!(options.hash, 64);
        assert_eq!(options.set("moveoverhead", Some("33")), Ok(Id::MoveOverhead));
        assert_eq!(options.set("move  OVERHEAD", Some("34")), Ok(Id::MoveOverhead));
        assert_eq!(options.move_overhead, Duration::from_millis(34));
        assert_eq!(options.set("Clear Hash", None), Ok(Id::ClearHash));
        assert!(matches!(options.set("Foo", Some("1")), Err(Problem::UnknownOption(_))));
    }

    #[test]
    fn bad_values_change_nothing() {
        let mut options = Options::default();
        let before = options.clone();
        for (name, value) in [
            ("Hash", Some("abc")),
            ("Hash", Some("0")),
            ("Hash", Some("99999999999999999999")),
            ("Hash", None),
            ("Ponder", Some("perhaps")),
            ("Ponder", None),
            ("MultiPV", Some("-1")),
            ("MultiPV", Some("257")),
            ("Threads", Some("0")),
        ] {
            let result = options.set(name, value);
            assert!(matches!(result, Err(Problem::BadOption { .. })), "{name} {value:?}");
        }
        assert_eq!(options, before);
    }
}
