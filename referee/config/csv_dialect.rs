//! Dialects of CSV, one for each kind of spreadsheet.

/// Dialect of CSV files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CsvDialect {
    /// Commas and decimal points.
    #[default]
    Plain,
    /// A byte order mark, semicolons and decimal commas, as Excel with French settings reads them.
    ExcelFr,
}

impl CsvDialect {
    /// Words of the command line.
    pub const WORDS: [(&'static str, CsvDialect); 2] =
        [("plain", CsvDialect::Plain), ("excel-fr", CsvDialect::ExcelFr)];
}
