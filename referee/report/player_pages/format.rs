//! Forms of the pages of the players.

/// Form of the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum PageFormat {
    /// Pages for a browser, with games.
    #[default]
    Html,
    /// Markdown.
    #[value(name = "md")]
    Markdown,
}

impl PageFormat {
    /// All forms.
    pub const ALL: [PageFormat; 2] = [PageFormat::Html, PageFormat::Markdown];

    /// Returns the ending of the names of its files.
    pub fn ending(self) -> &'static str {
        match self {
            PageFormat::Html => "html",
            PageFormat::Markdown => "md",
        }
    }
}
