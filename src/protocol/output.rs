//! The lines we write, with a copy of the whole conversation in a file on request.

use crate::files;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub(super) struct LineOutput {
    out: Box<dyn Write + Send>,
    log: Option<File>,
    /// The line being written, kept whole so that the log has whole lines.
    line: Vec<u8>,
}

impl LineOutput {
    pub(super) fn new(out: Box<dyn Write + Send>) -> LineOutput {
        LineOutput { out, log: None, line: Vec::new() }
    }

    /// Copies everything from now on to a file; an empty name ends that.
    pub(super) fn log_to(&mut self, path: &str) -> io::Result<()> {
        self.log = match path {
            "" => None,
            path => Some(files::append(Path::new(path))?),
        };
        Ok(())
    }

    pub(super) fn note_input(&mut self, line: &str) {
        self.note(">>", line);
    }

    fn note(&mut self, mark: &str, line: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = writeln!(log, "{mark} {line}")
        {
            log::warn!("the log file cannot be written: {error}");
            self.log = None;
        }
    }
}

impl Write for LineOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Sends what was written, in one piece.
    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.line);
        if text.is_empty() {
            return Ok(());
        }
        self.out.write_all(&text)?;
        self.out.flush()?;
        if self.log.is_some() {
            for line in String::from_utf8_lossy(&text).lines() {
                self.note("<<", line);
            }
        }
        Ok(())
    }
}
