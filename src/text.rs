//! Other people's text in our messages.

/// At most `most` characters of a text. Whoever sends a megabyte of nonsense need not
/// read it again.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_characters_are_left() {
        for (text, expected) in [("", ""), ("♔♕♖", "♔♕♖"), ("♔♕♖♗", "♔♕♖...")]
        {
            assert_eq!(excerpt(text, 3), expected);
        }
    }
}
