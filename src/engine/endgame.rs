//! Tablebases in play: which ones there are and how they are used.

use super::{Engine, Problem};
use crate::tablebase::{Probe, Tablebases};
use std::sync::Arc;

impl Engine {
    /// Opens the tablebases in the folders the option names; none means no tablebases. Says
    /// what was found. If nothing was, those in use stay.
    pub(super) fn load_tables(&mut self) -> Result<Option<String>, Problem> {
        if self.options.syzygy_path.is_empty() {
            self.tables = None;
            return Ok(None);
        }
        let (tables, problems) = Tablebases::open(&self.options.syzygy_path).map_err(|error| {
            Problem::BadOption { name: "SyzygyPath".to_owned(), reason: error.to_string() }
        })?;
        let mut remark = tables.to_string();
        for problem in problems {
            remark += &format!("\nnot used: {problem}");
        }
        self.tables = Some(Arc::new(tables));
        Ok(Some(remark))
    }

    /// The tablebases as the options want them used, if they are.
    pub(super) fn probe(&self) -> Option<Probe> {
        let tables = self.tables.as_ref()?;
        Some(Probe {
            tables: Arc::clone(tables),
            depth: self.options.syzygy_depth,
            men: self.options.syzygy_limit.min(tables.men()),
            fifty_moves: self.options.syzygy_fifty_moves,
        })
    }

    /// What the tablebases say about the position on the board, for people.
    pub(super) fn describe_tables(&self) -> Option<String> {
        let board = self.position.board();
        let tables = self.tables.as_ref()?;
        let wdl = tables.wdl(board)?;
        let distance = match tables.dtz(board) {
            Some(plies) => format!(", DTZ {plies}"),
            None => String::new(),
        };
        Some(format!("Tablebase: {wdl:?}{distance}"))
    }
}
