//! Moodle's grading worksheet, filled with the marks of a final.

use std::collections::BTreeMap;

/// Words of Moodle for the columns of a worksheet, in English and French.
const NAME: [&str; 2] = ["full name", "nom complet"];
const GRADE: [&str; 2] = ["grade", "note"];
const MOST: [&str; 2] = ["maximum grade", "note maximale"];
/// Best mark of a final.
const BEST: f64 = 20.0;

/// Returns a worksheet with marks, and the number of rows that got one. `marks` has names in lower
/// case. Other rows and columns stay as they are.
///
/// # Errors
/// Returns the reason if it is no worksheet.
pub fn filled(sheet: &[u8], marks: &BTreeMap<String, f64>) -> Result<(Vec<u8>, usize), String> {
    let text = std::str::from_utf8(sheet).map_err(|_| "expected a CSV in UTF-8".to_owned())?;
    let mark = text.strip_prefix('\u{feff}').map_or("", |_| "\u{feff}");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let separator = match text.lines().next().unwrap_or_default() {
        head if head.matches(';').count() > head.matches(',').count() => b';',
        _ => b',',
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let rows: Result<Vec<csv::StringRecord>, _> = reader.records().collect();
    let mut rows = rows.map_err(|error| error.to_string())?.into_iter();
    let head = rows.next().unwrap_or_default();
    let column = |words: [&str; 2]| {
        head.iter().position(|cell| words.contains(&cell.trim().to_lowercase().as_str()))
    };
    let (Some(name), Some(grade)) = (column(NAME), column(GRADE)) else {
        return Err("expected the columns Full name and Grade, or Nom complet and Note".into());
    };
    let most = column(MOST);
    let mut writer =
        csv::WriterBuilder::new().delimiter(separator).flexible(true).from_writer(Vec::new());
    writer.write_record(&head).map_err(|error| error.to_string())?;
    let rows: Vec<csv::StringRecord> = rows.collect();
    let key = |row: &csv::StringRecord| plain(row.get(name).unwrap_or_default());
    let mut count = 0;
    for row in &rows {
        // Of two people of one name, a mark belongs to one at most.
        let is_alone = rows.iter().filter(|of| key(of) == key(row)).count() == 1;
        let found = marks.get(&key(row)).filter(|_| is_alone);
        let most = most.and_then(|most| row.get(most)).unwrap_or_default().trim();
        let has_comma = most.contains(',');
        let scale = most.replace(',', ".").parse().unwrap_or(BEST) / BEST;
        let cells = row.iter().enumerate().map(|(at, cell)| match found {
            Some(mark) if at == grade => {
                let text = format!("{:.2}", mark * scale);
                if has_comma {
                    text.replace('.', ",")
                } else {
                    text
                }
            }
            _ => cell.to_owned(),
        });
        count += usize::from(found.is_some());
        writer.write_record(cells).map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    Ok(([mark.as_bytes(), &bytes].concat(), count))
}

/// Returns a name as names are compared: in lower case, with single blanks.
pub fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns the marks in the CSV of a graded final by player.
pub fn marks(csv: &[u8]) -> BTreeMap<String, f64> {
    let mut reader = csv::Reader::from_reader(csv);
    let head = reader.headers().cloned().unwrap_or_default();
    let column = |word: &str| head.iter().position(|cell| cell == word);
    let (Some(player), Some(mark)) = (column("name"), column("mark")) else {
        return BTreeMap::new();
    };
    let rows = reader.records().filter_map(Result::ok);
    rows.filter_map(|row| Some((row.get(player)?.to_owned(), row.get(mark)?.parse().ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as Moodle 4.5 writes them, with its identifiers.
    #[test]
    fn marks_are_written_into_their_rows() {
        let marks = BTreeMap::from([("zoé de la cruz".to_owned(), 15.0), ("leo".into(), 7.333)]);
        let english = "\u{feff}Identifier,\"Full name\",Email address,Status,Grade,Maximum Grade,\"Last \
                       modified\"\r\n\"Participant 11\",\"Zoé de la Cruz\",z@x.example,\"Sub, 1\",,100.00,-\n\
                       \"Participant 12\",\"Ada\",a@x.example,,3.00,100.00,-\n";
        let (sheet, count) = filled(english.as_bytes(), &marks).unwrap();
        let sheet = String::from_utf8(sheet).unwrap();
        assert_eq!(count, 1);
        assert!(
            sheet.starts_with('\u{feff}') && sheet.contains("\"Sub, 1\",75.00,100.00,-"),
            "{sheet}"
        );
        assert!(sheet.contains("Participant 12,Ada,a@x.example,,3.00,100.00,-"), "{sheet}");
        let french = "Identifiant;Nom complet;Note;Note maximale\nP 1;LEO;;\"20,00\"\n";
        let twice = "Full name,Grade\nLeo ,\nleo,\nZoé  de la Cruz,\n";
        let (sheet, count) = filled(twice.as_bytes(), &marks).unwrap();
        let sheet = String::from_utf8(sheet).unwrap();
        assert_eq!((count, sheet.lines().nth(3)), (1, Some("Zoé  de la Cruz,15.00")), "{sheet}");
        let (sheet, count) = filled(french.as_bytes(), &marks).unwrap();
        assert_eq!(
            String::from_utf8(sheet).unwrap(),
            "Identifiant;Nom complet;Note;Note maximale\nP 1;LEO;7,33;20,00\n"
        );
        assert_eq!(count, 1);
        for bad in [&b"\xff\xfe"[..], b"", b"a,b\n1,2\n"] {
            assert!(filled(bad, &marks).unwrap_err().starts_with("expected"));
        }
    }

    #[test]
    fn marks_are_read_from_the_csv_of_a_final() {
        let csv = b"rank,name,mark,mark_error\n1,Leo,7.3,3.2\n2,\"A, B\",,\n,tron random,,\n";
        assert_eq!(marks(csv), BTreeMap::from([("Leo".to_owned(), 7.3)]));
        assert_eq!(marks(b""), BTreeMap::new());
    }
}
