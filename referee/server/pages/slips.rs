//! Links that were just made. The file of the people has only hashes of their tokens, so they are
//! kept in memory for a while, to be printed and saved.

use crate::people::Person;
use crate::token::Token;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time for which links are kept.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// People with their links.
pub type Links = Vec<(Person, Token)>;

/// Links by the number of the form that made them.
#[derive(Default)]
pub struct Slips(Mutex<Kept>);

/// Links with the moment at which they were made, and the number of the last ones.
#[derive(Default)]
struct Kept {
    last: u64,
    links: BTreeMap<u64, (Instant, Links)>,
}

impl Slips {
    /// Keeps links, and returns their number.
    pub fn add(&self, links: Links) -> u64 {
        let mut slips = self.0.lock().expect("no thread panics while it holds the lock");
        slips.last += 1;
        let number = slips.last;
        slips.links.insert(number, (Instant::now(), links));
        number
    }

    /// Returns the links of a number.
    pub fn get(&self, number: u64) -> Option<Links> {
        let slips = self.0.lock().expect("no thread panics while it holds the lock");
        slips.links.get(&number).filter(|(made, _)| made.elapsed() < KEPT).map(|(_, of)| of.clone())
    }

    /// Forgets old ones.
    pub fn tidy(&self) {
        let mut slips = self.0.lock().expect("no thread panics while it holds the lock");
        slips.links.retain(|_, (made, _)| made.elapsed() < KEPT);
    }
}

/// Returns the links as CSV.
pub fn csv(links: &Links, address: &str) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = [["name".to_owned(), "link".into()]].into_iter();
    let rows = rows.chain(
        links
            .iter()
            .map(|(person, token)| [text_cell(&person.name), format!("{address}/enter/{token}")]),
    );
    for row in rows {
        writer.write_record(row).expect("a vector takes all bytes");
    }
    String::from_utf8_lossy(&writer.into_inner().unwrap_or_default()).into_owned()
}

/// Returns a name as spreadsheets take it: as a text, and not as a formula.
fn text_cell(name: &str) -> String {
    match name.starts_with(['=', '+', '-', '@']) {
        true => format!("'{name}"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_kept_for_their_form() {
        let slips = Slips::default();
        let person = |name: &str| Person { id: 1, name: name.into(), is_disabled: false };
        let token = Token::draw();
        let number = slips.add(vec![(person("=A1, \"x\""), token.clone())]);
        let links = slips.get(number).unwrap();
        assert_eq!(slips.get(number + 1), None);
        let text = csv(&links, "http://h:1");
        assert_eq!(text, format!("name,link\n\"'=A1, \"\"x\"\"\",http://h:1/enter/{token}\n"));
        slips.tidy();
        assert!(slips.get(number).is_some());
    }
}
