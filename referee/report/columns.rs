//! Tables by their columns, for a terminal, in Markdown and as CSV.

use crate::config::csv_dialect::CsvDialect;
use comfy_table::{presets, Cell, CellAlignment, Table};
use std::borrow::Borrow;

/// Columns of a table of rows of type `T`.
pub struct Columns<'a, T>(Vec<Column<'a, T>>);

struct Column<'a, T> {
    head: String,
    /// Whether its cells are aligned to the right.
    is_number: bool,
    cell: Box<dyn Fn(&T) -> String + 'a>,
}

impl<T> Default for Columns<'_, T> {
    fn default() -> Self {
        Columns(Vec::new())
    }
}

impl<'a, T> Columns<'a, T> {
    /// Adds a column of numbers.
    pub fn number(&mut self, head: &str, cell: impl Fn(&T) -> String + 'a) {
        self.0.push(Column { head: head.into(), is_number: true, cell: Box::new(cell) });
    }

    /// Adds a column of texts.
    pub fn text(&mut self, head: &str, cell: impl Fn(&T) -> String + 'a) {
        self.0.push(Column { head: head.into(), is_number: false, cell: Box::new(cell) });
    }

    fn heads(&self) -> Vec<&str> {
        self.0.iter().map(|column| column.head.as_str()).collect()
    }

    fn cells(&self, row: &T) -> Vec<String> {
        self.0.iter().map(|column| (column.cell)(row)).collect()
    }

    /// Returns the table for a terminal.
    pub fn plain(&self, rows: impl IntoIterator<Item = impl Borrow<T>>) -> String {
        let mut table = plain_table(self.heads());
        for row in rows {
            table.add_row(self.cells(row.borrow()));
        }
        let numbers = table.column_iter_mut().zip(&self.0).filter(|(_, of)| of.is_number);
        numbers.for_each(|(column, _)| column.set_cell_alignment(CellAlignment::Right));
        table.trim_fmt()
    }

    /// Returns the table in Markdown. Texts of others are escaped before.
    pub fn markdown(&self, rows: impl IntoIterator<Item = impl Borrow<T>>) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rules = self.0.iter().map(|column| if column.is_number { "--:|" } else { "---|" });
        let rows = rows.into_iter().map(|row| line(&self.cells(row.borrow())));
        let head = format!("| {} |\n|{}\n", self.heads().join(" | "), rules.collect::<String>());
        head + &rows.collect::<String>()
    }

    /// Returns the table as CSV.
    pub fn csv(&self, rows: impl IntoIterator<Item = impl Borrow<T>>, csv: CsvDialect) -> String {
        let rows = rows.into_iter().map(|row| csv.line(&self.cells(row.borrow())));
        csv.header(&self.heads()) + &rows.collect::<String>()
    }
}

/// Returns a table with this header and without borders.
pub fn plain_table<H: Into<Cell>>(heads: impl IntoIterator<Item = H>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(heads.into_iter().map(Into::into).collect::<Vec<Cell>>());
    table
}

/// Returns a value that a row may lack, as the text of a cell.
pub fn optional(value: Option<impl ToString>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}
