//! Genes: the numbers of a command that are tuned.

use arbitre_games::game::ParseError;
use arbitre_games::rng::Rng;
use arbitre_games::text::{join, unknown};

/// Maximum number of values of one gene. Not tuned.
const MOST: usize = 1000;
/// Largest absolute value of a bound of a range. Not tuned.
const FURTHEST: i64 = 1_000_000_000;

/// Numbers for the placeholders of a command, in the order of its genes.
pub type Genome = Vec<i64>;

/// A placeholder of a command with the range of its values: `w=6x0..10` is six numbers from 0 to
/// 10, joined by commas in place of `{w}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gene {
    name: String,
    count: usize,
    range: GeneRange,
}

/// Range of a number of a genome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GeneRange {
    /// Smallest number.
    pub low: i64,
    /// Largest number.
    pub high: i64,
}

impl GeneRange {
    /// Draws a number of the range, uniformly.
    pub fn draw(&self, rng: &mut Rng) -> i64 {
        self.low + rng.below((self.high - self.low) as usize + 1) as i64
    }

    /// Returns the middle of the range, rounded down.
    pub fn middle(&self) -> i64 {
        (self.low + self.high).div_euclid(2)
    }
}

impl Gene {
    /// Parses `NAME=LOW..HIGH` or `NAME=COUNTxLOW..HIGH`.
    ///
    /// # Errors
    /// Returns an error if the text has neither form, or the count or the range is not allowed.
    pub fn parse(text: &str) -> Result<Gene, ParseError> {
        let expected =
            || ParseError::new(format!("expected NAME=6x0..10 or NAME=1..8, got '{text}'"));
        let (name, values) = text.split_once('=').ok_or_else(expected)?;
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c)) {
            return Err(expected());
        }
        let (count, range) = match values.split_once('x') {
            Some((count, range)) => (count.parse().map_err(|_| expected())?, range),
            None => (1, values),
        };
        let (low, high) = range.split_once("..").ok_or_else(expected)?;
        let bound = |word: &str| word.parse().map_err(|_| expected());
        let (low, high): (i64, i64) = (bound(low)?, bound(high)?);
        let refuse = |why: &str| Err(ParseError::new(format!("gene '{text}': {why}")));
        if low > high {
            return refuse("expected the lower end first");
        }
        if low < -FURTHEST || high > FURTHEST {
            return refuse("expected a range within -1000000000..1000000000");
        }
        if !(1..=MOST).contains(&count) {
            return refuse("expected 1 to 1000 numbers");
        }
        Ok(Gene { name: name.into(), count, range: GeneRange { low, high } })
    }

    /// Returns the placeholder as it is written in a command.
    fn place(&self) -> String {
        format!("{{{}}}", self.name)
    }

    /// Parses the values of this gene.
    fn numbers(&self, text: &str) -> Result<Genome, ParseError> {
        let (name, count) = (&self.name, self.count);
        let bad = |what: &str| {
            let s = if count == 1 { "" } else { "s joined by commas" };
            ParseError::new(format!("gene {name}: expected {count} whole number{s}, got {what}"))
        };
        let number = |word: &str| word.trim().parse().map_err(|_| bad(&format!("'{text}'")));
        let numbers: Genome = text.split(',').map(number).collect::<Result<_, ParseError>>()?;
        // The range is not checked: an ancestor may lie outside.
        match numbers.len() == count {
            true => Ok(numbers),
            false => Err(bad(&format!("the {} of '{text}'", numbers.len()))),
        }
    }
}

/// A command with placeholders for numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandTemplate {
    text: String,
    genes: Vec<Gene>,
}

impl CommandTemplate {
    /// Creates a template in which each of these genes has a placeholder.
    ///
    /// # Errors
    /// Returns an error if there is no gene, two have the same name, or one has no placeholder.
    pub fn new(text: &str, genes: Vec<Gene>) -> Result<CommandTemplate, ParseError> {
        if genes.is_empty() {
            return Err(ParseError::new(
                "--gene: expected a range such as w=6x0..10 for {w} in the command, got none",
            ));
        }
        for (i, gene) in genes.iter().enumerate() {
            let (name, place) = (&gene.name, gene.place());
            if genes[..i].iter().any(|other| other.name == *name) {
                return Err(ParseError::new(format!("--gene {name}: expected once, got twice")));
            }
            if !text.contains(&place) {
                return Err(ParseError::new(format!(
                    "gene {name}: expected {place} in the command, got '{text}'"
                )));
            }
        }
        Ok(CommandTemplate { text: text.into(), genes })
    }

    /// Returns the command as written, with placeholders.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the range of each number of a genome.
    pub fn gene_ranges(&self) -> Vec<GeneRange> {
        let of = |gene: &Gene| std::iter::repeat_n(gene.range, gene.count);
        self.genes.iter().flat_map(of).collect()
    }

    /// Returns the name of each number of a genome: `w1`, `w2` and so on for a gene with several
    /// numbers.
    pub fn names(&self) -> Vec<String> {
        let of = |gene: &Gene| match gene.count {
            1 => vec![gene.name.clone()],
            count => (1..=count).map(|number| format!("{}{number}", gene.name)).collect(),
        };
        self.genes.iter().flat_map(of).collect()
    }

    /// Returns the command with the numbers of a genome in its placeholders.
    pub fn fill(&self, genome: &[i64]) -> String {
        let mut text = self.text.clone();
        for (gene, values) in self.parts(genome) {
            // A placeholder may occur more than once.
            text = text.replace(&gene.place(), &values);
        }
        text
    }

    /// Returns a genome as text for people: its numbers, with the names of the genes if there are
    /// several.
    pub fn describe(&self, genome: &[i64]) -> String {
        let parts = self.parts(genome).into_iter();
        let parts = parts.map(|(gene, values)| match self.genes.len() {
            1 => values,
            _ => format!("{}={values}", gene.name),
        });
        join(parts, " ")
    }

    /// Returns each gene with its numbers, joined by commas.
    fn parts(&self, genome: &[i64]) -> Vec<(&Gene, String)> {
        let mut rest = genome;
        let part = |gene: &Gene| {
            let (mine, others) = rest.split_at(gene.count);
            rest = others;
            join(mine, ",")
        };
        let texts: Vec<String> = self.genes.iter().map(part).collect();
        self.genes.iter().zip(texts).collect()
    }

    /// Parses a genome from words such as `w=3,2,1` or `m=10,s=4`, or `3,2,1` if there is only one
    /// gene. Genes that are not given have the middle of their range.
    ///
    /// # Errors
    /// Returns an error if a word names no gene, a gene is given twice, or its numbers are invalid.
    pub fn genome(&self, words: &[String]) -> Result<Genome, ParseError> {
        let mut given: Vec<Option<Genome>> = vec![None; self.genes.len()];
        for word in words.iter().flat_map(|word| genes_of(word)) {
            let (name, numbers) = match (word.split_once('='), &self.genes[..]) {
                (Some((name, numbers)), _) => (name.trim(), numbers),
                (None, [only]) => (only.name.as_str(), word),
                (None, _) => {
                    return Err(ParseError::new(format!(
                        "--ancestor: expected NAME={word} for one of several genes, got '{word}'"
                    )));
                }
            };
            let names = || self.genes.iter().map(|gene| gene.name.as_str());
            let at = names().position(|known| known == name);
            let at = at.ok_or_else(|| unknown("gene", name, names()))?;
            if given[at].replace(self.genes[at].numbers(numbers)?).is_some() {
                return Err(ParseError::new(format!(
                    "--ancestor {name}: expected once, got twice"
                )));
            }
        }
        let middle = |gene: &Gene| vec![gene.range.middle(); gene.count];
        let genes = given.into_iter().zip(&self.genes);
        Ok(genes.flat_map(|(numbers, gene)| numbers.unwrap_or_else(|| middle(gene))).collect())
    }
}

/// Splits a word before each name: `w=3,2,d=7` into `w=3,2` and `d=7`.
fn genes_of(word: &str) -> Vec<&str> {
    let (mut genes, mut begin) = (Vec::new(), 0);
    for (at, _) in word.match_indices(',') {
        let next = word[at + 1..].split(',').next().unwrap_or_default();
        if next.contains('=') {
            genes.push(&word[begin..at]);
            begin = at + 1;
        }
    }
    genes.push(&word[begin..]);
    genes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str, genes: &[&str]) -> Result<CommandTemplate, ParseError> {
        let genes: Result<Vec<Gene>, ParseError> =
            genes.iter().map(|gene| Gene::parse(gene)).collect();
        CommandTemplate::new(text, genes?)
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn numbers_fill_their_placeholders() {
        let bot = template("bot -w {w} -d {d} ${x} {w}", &["w=3x0..10", "d=-3..8"]).unwrap();
        assert_eq!(bot.gene_ranges().len(), 4);
        assert_eq!(bot.gene_ranges()[3], GeneRange { low: -3, high: 8 });
        assert_eq!(bot.fill(&[1, -2, 30, 4]), "bot -w 1,-2,30 -d 4 ${x} 1,-2,30");
        assert_eq!(bot.describe(&[1, -2, 30, 4]), "w=1,-2,30 d=4");
        assert_eq!(template("{d}", &["d=1..8"]).unwrap().describe(&[4]), "4");
    }

    #[test]
    fn ancestor_defaults_to_the_middle_of_its_ranges() {
        let bot = template("{w} {d}", &["w=3x0..10", "d=-4..-1"]).unwrap();
        assert_eq!(bot.genome(&[]).unwrap(), [5, 5, 5, -3]);
        assert_eq!(bot.genome(&words(&["w=3,2,100"])).unwrap(), [3, 2, 100, -3]);
        assert_eq!(bot.genome(&words(&["d=7", "w=3, 2, 1"])).unwrap(), [3, 2, 1, 7]);
        assert_eq!(bot.genome(&words(&["d=7,w=3,2,1"])).unwrap(), [3, 2, 1, 7]);
        assert_eq!(bot.genome(&words(&["w=3,2,1, d=7"])).unwrap(), [3, 2, 1, 7]);
        let one = template("{w}", &["w=2x0..10"]).unwrap();
        assert_eq!(one.genome(&words(&["3,2"])).unwrap(), [3, 2]);
    }

    #[test]
    fn draws_include_both_bounds() {
        let (range, mut rng) = (GeneRange { low: -2, high: 3 }, Rng::new(1));
        let drawn: std::collections::BTreeSet<i64> =
            (0..200).map(|_| range.draw(&mut rng)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2, 3]);
    }

    #[test]
    fn malformed_genes_are_refused() {
        for (text, genes, part) in [
            ("bot {w}", &[][..], "--gene: expected a range"),
            ("bot {w}", &["w"], "expected NAME=6x0..10"),
            ("bot {w}", &["w=6x0-10"], "expected NAME=6x0..10"),
            ("bot {w}", &["w=ax0..10"], "expected NAME=6x0..10"),
            ("bot {w}", &["=0..10"], "expected NAME=6x0..10"),
            ("bot {w}", &["w=10..0"], "expected the lower end first"),
            ("bot {w}", &["w=0x0..10"], "1 to 1000 numbers"),
            ("bot {w}", &["w=0..9000000000000000000"], "a range within"),
            ("bot {w}", &["v=0..10"], "gene v: expected {v} in the command, got 'bot {w}'"),
            ("bot {w}", &["w=0..10", "w=0..3"], "--gene w: expected once"),
        ] {
            let error = template(text, genes).unwrap_err().to_string();
            assert!(error.contains(part), "{text} {genes:?}: {error}");
        }
        let bot = template("{weight} {d}", &["weight=3x0..10", "d=0..3"]).unwrap();
        for (ancestor, part) in [
            (&["1,2,3"][..], "expected NAME=1,2,3"),
            (&["wight=1,2,3"], "did you mean weight?"),
            (&["weight=1,2"], "expected 3 whole numbers joined by commas, got the 2 of '1,2'"),
            (&["d=x"], "expected 1 whole number, got 'x'"),
            (&["d=1", "d=1"], "expected once, got twice"),
            (&["d=1,d=1"], "expected once, got twice"),
            (&["d=1,2,weight=1,2,3"], "expected 1 whole number, got the 2 of '1,2'"),
        ] {
            let error = bot.genome(&words(ancestor)).unwrap_err().to_string();
            assert!(error.contains(part), "{ancestor:?}: {error}");
        }
    }
}
