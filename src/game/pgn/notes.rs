//! What comments say to programs, and what glyphs stand for.

use crate::game::{Eval, LONGEST_CLOCK, Notes, Shape};
use std::time::Duration;

/// Glyphs that stand for a number.
const GLYPHS: [(&str, u8); 24] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("~", 13),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("+--", 18),
    ("-+", 19),
    ("--+", 19),
];

/// The number of a glyph on its own: `$5` or `!?`.
pub(super) fn glyph(word: &str) -> Option<u8> {
    match word.strip_prefix('$') {
        Some(number) => number.parse().ok(),
        None => GLYPHS.iter().find(|(glyph, _)| *glyph == word).map(|&(_, nag)| nag),
    }
}

/// Adds a comment to text that may be there already.
pub(super) fn append(text: &mut String, comment: &str) {
    for word in comment.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
}

impl Notes {
    /// Takes the commands we know out of a comment and keeps the rest as text.
    pub(super) fn annotate(&mut self, comment: &str) {
        let mut rest = comment;
        while let Some((before, command)) = rest.split_once("[%") {
            let Some((command, after)) = command.split_once(']') else { break };
            append(&mut self.comment, before);
            let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            let known = match name {
                "eval" => parse_eval(value).map(|(eval, depth)| {
                    (self.eval, self.depth) = (Some(eval), depth);
                }),
                "clk" => parse_clock(value).map(|clock| self.clock = Some(clock)),
                "csl" | "cal" => {
                    parse_shapes(value, name == "cal").map(|shapes| self.shapes.extend(shapes))
                }
                _ => None,
            };
            if known.is_none() {
                append(&mut self.comment, &format!("[%{command}]"));
            }
            rest = after;
        }
        append(&mut self.comment, rest);
    }
}

/// `0.35`, `-1.20,18` (with the depth) or `#-3`.
fn parse_eval(text: &str) -> Option<(Eval, Option<u32>)> {
    let (value, depth) = match text.split_once(',') {
        Some((value, depth)) => (value.trim(), Some(depth.trim().parse().ok()?)),
        None => (text.trim(), None),
    };
    if let Some(moves) = value.strip_prefix('#') {
        return Some((Eval::Mate(moves.parse().ok()?), depth));
    }
    let pawns: f64 = value.parse().ok()?;
    (pawns.abs() < 1000.0).then(|| (Eval::Centipawns((pawns * 100.0).round() as i32), depth))
}

/// `1:23:45` or `0:00:07.3`.
fn parse_clock(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let value: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + value;
    }
    let millis = Duration::try_from_secs_f64(seconds).ok()?.as_secs_f64() * 1000.0;
    let clock = Duration::from_millis(millis.round() as u64);
    (clock <= LONGEST_CLOCK).then_some(clock)
}

/// `Ge2e4,Rd7d5`: arrows, or squares.
fn parse_shapes(text: &str, arrows: bool) -> Option<Vec<Shape>> {
    let shape =
        |part: &str| part.trim().parse().ok().filter(|shape: &Shape| shape.is_arrow() == arrows);
    text.split(',').map(shape).collect()
}

/// `[%csl Rd5]` and `[%cal Ge2e4]`.
pub(super) fn shapes_text(shapes: &[Shape]) -> Vec<String> {
    let commands = [("csl", false), ("cal", true)].map(|(name, arrows)| {
        let of_kind = shapes.iter().filter(|shape| shape.is_arrow() == arrows);
        let all: Vec<String> = of_kind.map(Shape::to_string).collect();
        (!all.is_empty()).then(|| format!("[%{name} {}]", all.join(",")))
    });
    commands.into_iter().flatten().collect()
}

/// Hours, minutes and seconds, with as many decimals as it has.
pub(super) fn clock_text(clock: Duration) -> String {
    let (seconds, millis) = (clock.as_secs(), clock.subsec_millis());
    let text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match millis {
        0 => text,
        _ => format!("{text}.{millis:03}").trim_end_matches('0').to_owned(),
    }
}
