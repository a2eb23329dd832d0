//! Who plays a side, and how strongly: what the dialog for a new game asks, and
//! what is saved with a game.

use super::message::RequestError;
use crate::engine::options::{self, Kind};
use crate::search::MAX_DEPTH;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum Player {
    Human {
        clock: Option<GameClock>,
    },
    Engine {
        level: ThinkingLimit,
        /// Play no stronger than this, if the engine can be told so.
        #[serde(default)]
        #[cfg_attr(test, ts(type = "number | null"))]
        elo: Option<i64>,
    },
}

/// What limits the engine's thinking about a move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) enum ThinkingLimit {
    Depth { depth: u32 },
    Seconds { seconds: f64 },
    Clock { clock: GameClock },
}

/// A clock for the whole game, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct GameClock {
    pub base: f64,
    pub increment: f64,
}

/// The range of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Range {
    #[cfg_attr(test, ts(type = "number"))]
    pub min: i64,
    #[cfg_attr(test, ts(type = "number"))]
    pub max: i64,
}

pub(super) const HUMAN: Player = Player::Human { clock: None };
/// A club player's opponent: whoever comes for the first time wants a game.
pub(super) const ENGINE: Player =
    Player::Engine { level: ThinkingLimit::Seconds { seconds: 1.0 }, elo: Some(1_500) };

impl Player {
    pub(super) fn is_engine(&self) -> bool {
        matches!(self, Player::Engine { .. })
    }

    pub(super) fn clock(&self) -> Option<GameClock> {
        match *self {
            Player::Human { clock } => clock,
            Player::Engine { level: ThinkingLimit::Clock { clock }, .. } => Some(clock),
            Player::Engine { .. } => None,
        }
    }

    /// Whether the numbers make sense. They come from outside.
    pub(super) fn check(&self) -> Result<(), RequestError> {
        let within = |what, value: f64, min: f64, max: f64| {
            // Not a number is not within either.
            if (min..=max).contains(&value) {
                Ok(())
            } else {
                Err(RequestError::OutOfRange { what, min, max })
            }
        };
        if let Some(clock) = self.clock() {
            within("the time for the game in seconds", clock.base, 1.0, 86_400.0)?;
            within("the increment in seconds", clock.increment, 0.0, 3_600.0)?;
        }
        let Player::Engine { level, elo } = self else { return Ok(()) };
        match *level {
            ThinkingLimit::Depth { depth } => {
                within("the depth", f64::from(depth), 1.0, f64::from(MAX_DEPTH))?;
            }
            ThinkingLimit::Seconds { seconds } => {
                within("the time for a move in seconds", seconds, 0.01, 3_600.0)?;
            }
            ThinkingLimit::Clock { .. } => {}
        }
        match (elo, elo_range()) {
            (Some(elo), Some(Range { min, max })) => {
                within("the strength in Elo", *elo as f64, min as f64, max as f64)
            }
            (Some(_), None) => Err(RequestError::NoStrengthLimit),
            (None, _) => Ok(()),
        }
    }

    /// As PGN tags and the page name it.
    pub(super) fn name(&self) -> String {
        match *self {
            Player::Human { .. } => "Player".to_owned(),
            Player::Engine { level, elo } => {
                let level = match level {
                    ThinkingLimit::Depth { depth } => format!("depth {depth}"),
                    ThinkingLimit::Seconds { seconds } => format!("{seconds} s a move"),
                    ThinkingLimit::Clock { clock } => clock.to_string(),
                };
                match elo {
                    Some(elo) => format!("Gambeson ({level}, {elo} Elo)"),
                    None => format!("Gambeson ({level})"),
                }
            }
        }
    }
}

impl GameClock {
    pub(super) fn base(&self) -> Duration {
        Duration::try_from_secs_f64(self.base).unwrap_or_default()
    }

    pub(super) fn increment(&self) -> Duration {
        Duration::try_from_secs_f64(self.increment).unwrap_or_default()
    }

    /// As the PGN tag `TimeControl` writes it.
    pub(super) fn tag(&self) -> String {
        format!("{}+{}", self.base, self.increment)
    }
}

impl std::fmt::Display for GameClock {
    /// Minutes and seconds, as players say it: 5+3.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}+{}", self.base / 60.0, self.increment)
    }
}

/// How far the engine's strength can be limited, if it can.
pub(super) fn elo_range() -> Option<Range> {
    match options::find("UCI_Elo").ok()?.kind {
        Kind::Spin { min, max, .. } => Some(Range { min, max }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_from_outside_are_checked() {
        let engine = |level| Player::Engine { level, elo: None };
        let clock = |base, increment| GameClock { base, increment };
        assert!(HUMAN.check().is_ok() && ENGINE.check().is_ok());
        assert!(engine(ThinkingLimit::Depth { depth: 0 }).check().is_err());
        assert!(engine(ThinkingLimit::Depth { depth: MAX_DEPTH + 1 }).check().is_err());
        assert!(engine(ThinkingLimit::Seconds { seconds: f64::NAN }).check().is_err());
        assert!(engine(ThinkingLimit::Seconds { seconds: 0.0 }).check().is_err());
        assert!(engine(ThinkingLimit::Clock { clock: clock(60.0, -1.0) }).check().is_err());
        assert!(Player::Human { clock: Some(clock(1e300, 0.0)) }.check().is_err());
        assert!(Player::Human { clock: Some(clock(180.0, 2.0)) }.check().is_ok());
        assert_eq!(clock(180.0, 2.0).to_string(), "3+2");
    }
}
