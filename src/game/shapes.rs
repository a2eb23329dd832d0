//! Arrows and marked squares that people draw on the board, as `%cal` and `%csl` in PGN
//! comments write them: `Ge2e4`, `Rd5`.

use crate::text::excerpt;
use crate::types::Square;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Green, red, yellow and blue, by their first letters.
const COLORS: [char; 4] = ['G', 'R', 'Y', 'B'];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// One of [`COLORS`].
    color: char,
    from: Square,
    /// Where an arrow points to.
    to: Option<Square>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is neither an arrow nor a square, such as \"Ge2e4\" and \"Rd5\"")]
pub(crate) struct ShapeError(String);

impl Shape {
    pub(crate) fn is_arrow(self) -> bool {
        self.to.is_some()
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Shape, ShapeError> {
        let error = || ShapeError(excerpt(text, 10));
        let color = text.chars().next().filter(|letter| COLORS.contains(letter));
        let color = color.ok_or_else(error)?;
        // The letters are ASCII: the squares begin right after them.
        let squares = &text[1..];
        let square = |text: Option<&str>| text.and_then(|text| text.parse().ok()).ok_or_else(error);
        let from = square(squares.get(..2))?;
        let to = match squares.get(2..) {
            None | Some("") => None,
            rest => Some(square(rest)?),
        };
        if to == Some(from) { Err(error()) } else { Ok(Shape { color, from, to }) }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color, self.from)?;
        self.to.map_or(Ok(()), |to| write!(f, "{to}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_nothing_else() {
        for text in ["Ge4", "Rh8", "Ya1b2", "Bh8a1"] {
            let shape: Shape = text.parse().unwrap();
            assert_eq!((shape.to_string().as_str(), shape.is_arrow()), (text, text.len() > 3));
        }
        for text in ["", "G", "Ge", "Ge9", "ge4", "Xe4", "Ge4e", "Ge4e4", "Ge4e55", "é", "Gé4"] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
    }
}
