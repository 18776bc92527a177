//! A JSON parser (RFC 8259) that uses only the standard library.
//!
//! It is strict: input outside the grammar, or a name that an object has twice, is an error with
//! line and column. Strings without escapes are borrowed, so a document that is one long string
//! costs little more than a look at each byte.

use crate::game::ParseError;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;

/// Deepest nesting of arrays and objects. Not tuned.
pub const DEPTH_LIMIT: usize = 64;

/// A value. Its strings borrow from the text where they can.
#[derive(Clone, PartialEq, Debug)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// Names and values of an object, in their order.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Parses a document.
    ///
    /// # Errors
    /// Returns an error if `text` is not a document. The message begins with the line and the
    /// column, both counted from 1.
    ///
    /// ```
    /// use arbitre_games::games::hextris::json::Json;
    /// let json = Json::parse(r#"{"seeds": [0, 17]}"#).unwrap();
    /// assert_eq!(json.get("seeds").unwrap().array().unwrap()[1].integer(), Some(17));
    /// assert!(Json::parse("[1,]").unwrap_err().to_string().starts_with("line 1, column 4: "));
    /// ```
    pub fn parse(text: &'a str) -> Result<Json<'a>, ParseError> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let document = reader.value().and_then(|value| {
            reader.skip_blanks();
            if reader.at == text.len() {
                Ok(value)
            } else {
                Err("the end, as the document is complete")
            }
        });
        document.map_err(|expected| reader.error(expected))
    }

    /// Returns the value of this name, or `None` if it is missing or this is not an object.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// Returns the elements if this is an array.
    pub fn array(&self) -> Option<&[Json<'a>]> {
        match self {
            Json::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// Returns the text if this is a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a number without fraction and exponent, if it fits in 64 bits.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Returns a description for error messages: the number itself, `an array`, …
    pub fn kind(&self) -> String {
        match self {
            Json::Null => "null".into(),
            Json::Bool(value) => value.to_string(),
            Json::Number(digits) if digits.len() <= 20 => (*digits).into(),
            Json::Number(_) => "a long number".into(),
            Json::Text(_) => "a string".into(),
            Json::Array(_) => "an array".into(),
            Json::Object(_) => "an object".into(),
        }
    }
}

/// Description of the input that was expected where parsing stopped.
type Expected = &'static str;

struct Reader<'a> {
    text: &'a str,
    /// Byte offset, always at the border of a character.
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, expected: Expected) -> ParseError {
        let before = &self.text[..self.at];
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        let column = 1 + before[begin..].chars().count();
        let found = match self.text[self.at..].chars().next() {
            Some(c) => format!("{c:?}"),
            None => "the end".into(),
        };
        ParseError::new(format!("line {line}, column {column}: expected {expected}, got {found}"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skips `byte` if it is next. Returns `true` if it was.
    fn takes(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn value(&mut self) -> Result<Json<'a>, Expected> {
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => self.string().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Json<'a>, Expected> {
        let words =
            [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))];
        let rest = &self.text[self.at..];
        let found = words.into_iter().find(|(word, _)| rest.starts_with(word));
        let (word, value) = found.ok_or("a value")?;
        self.at += word.len();
        Ok(value)
    }

    /// Parses elements separated by commas, up to the bracket `close`.
    fn list(
        &mut self,
        close: u8,
        expected: Expected,
        mut element: impl FnMut(&mut Reader<'a>) -> Result<(), Expected>,
    ) -> Result<(), Expected> {
        if self.depth == DEPTH_LIMIT {
            // The parser recurses, so deep nesting would overflow the stack.
            return Err("no deeper nesting");
        }
        (self.at, self.depth) = (self.at + 1, self.depth + 1);
        self.skip_blanks();
        let mut is_complete = self.takes(close);
        while !is_complete {
            element(self)?;
            self.skip_blanks();
            is_complete = self.takes(close);
            if !is_complete && !self.takes(b',') {
                return Err(expected);
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn array(&mut self) -> Result<Json<'a>, Expected> {
        let mut elements = Vec::new();
        self.list(b']', "',' or ']'", |reader| {
            elements.push(reader.value()?);
            Ok(())
        })?;
        Ok(Json::Array(elements))
    }

    fn object(&mut self) -> Result<Json<'a>, Expected> {
        let mut members: Vec<(Cow<'a, str>, Json<'a>)> = Vec::new();
        let mut names = Names::default();
        self.list(b'}', "',' or '}'", |reader| {
            reader.skip_blanks();
            let begin = reader.at;
            let name = reader.string()?;
            if !names.add(name.clone(), &members) {
                // The error points at the beginning of the name.
                reader.at = begin;
                return Err("another name, as the object has this one already");
            }
            reader.skip_blanks();
            if !reader.takes(b':') {
                return Err("':'");
            }
            members.push((name, reader.value()?));
            Ok(())
        })?;
        Ok(Json::Object(members))
    }

    fn digits(&mut self) -> Result<(), Expected> {
        let begin = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        match self.at > begin {
            true => Ok(()),
            false => Err("a digit"),
        }
    }

    fn number(&mut self) -> Result<Json<'a>, Expected> {
        let begin = self.at;
        self.takes(b'-');
        // The grammar has no leading zeros: no digit follows a 0.
        if !self.takes(b'0') {
            self.digits()?;
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.takes(b'+') {
                self.takes(b'-');
            }
            self.digits()?;
        }
        Ok(Json::Number(&self.text[begin..self.at]))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Expected> {
        if !self.takes(b'"') {
            return Err("a string");
        }
        let mut unescaped: Option<String> = None;
        loop {
            let begin = self.at;
            let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"' && *byte != b'\\';
            let rest = &self.text.as_bytes()[begin..];
            self.at += rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
            let plain = &self.text[begin..self.at];
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match unescaped {
                        Some(text) => Cow::Owned(text + plain),
                        None => Cow::Borrowed(plain),
                    });
                }
                Some(b'\\') => {
                    let text = unescaped.get_or_insert_default();
                    text.push_str(plain);
                    self.at += 1;
                    text.push(self.escape()?);
                }
                Some(_) => return Err("no control character in a string"),
                None => return Err("'\"'"),
            }
        }
    }

    /// Parses an escape sequence after its backslash.
    fn escape(&mut self) -> Result<char, Expected> {
        let c = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.code_point();
            }
            _ => return Err("one of \" \\ / b f n r t u"),
        };
        self.at += 1;
        Ok(c)
    }

    /// Parses the four digits of a `\u` escape, and those of the other half of a surrogate pair.
    fn code_point(&mut self) -> Result<char, Expected> {
        let mut units = vec![self.four_digits()?];
        if (0xD800..0xDC00).contains(&units[0]) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            units.push(self.four_digits()?);
        }
        let decoded = char::decode_utf16(units).next().and_then(Result::ok);
        decoded.ok_or("a character other than half of a surrogate pair")
    }

    fn four_digits(&mut self) -> Result<u16, Expected> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            value = value * 16 + digit.ok_or("four hexadecimal digits")? as u16;
            self.at += 1;
        }
        Ok(value)
    }
}

/// Members of an object whose names are compared one by one. Not tuned.
const FEW_MEMBERS: usize = 16;

/// Names of the members of an object.
#[derive(Default)]
struct Names<'a> {
    /// Set of the names once there are many: an answer of megabytes may be one object.
    many: HashSet<Cow<'a, str>>,
}

impl<'a> Names<'a> {
    /// Adds a name to those of `members`. Returns `false` if it is one of them.
    fn add(&mut self, name: Cow<'a, str>, members: &[(Cow<'a, str>, Json<'a>)]) -> bool {
        if members.len() < FEW_MEMBERS {
            return members.iter().all(|(known, _)| *known != name);
        }
        if self.many.is_empty() {
            self.many.extend(members.iter().map(|(known, _)| known.clone()));
        }
        self.many.insert(name)
    }
}

/// A value of a document, with its place for messages.
#[derive(Clone, Copy)]
pub(super) struct Located<'j, 'a> {
    pub json: &'j Json<'a>,
    place: Place<'j>,
}

/// Path of a value from the root of a document.
#[derive(Clone, Copy)]
enum Place<'j> {
    /// The root, with a description of it.
    Root(&'static str),
    Member(&'j Place<'j>, &'j str),
    Element(&'j Place<'j>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Root(description) => f.write_str(description),
            Place::Member(Place::Root(_), name) => f.write_str(name),
            Place::Member(parent, name) => write!(f, "{parent}.{name}"),
            Place::Element(Place::Root(_), number) => write!(f, "[{number}]"),
            Place::Element(parent, number) => write!(f, "{parent}[{number}]"),
        }
    }
}

impl<'j, 'a> Located<'j, 'a> {
    pub fn root(json: &'j Json<'a>, description: &'static str) -> Located<'j, 'a> {
        Located { json, place: Place::Root(description) }
    }

    /// Returns the error `PLACE: WHY`.
    pub fn error(&self, why: impl fmt::Display) -> ParseError {
        ParseError::new(format!("{}: {why}", self.place))
    }

    /// Returns the error `PLACE: expected WHAT, not …`.
    pub fn wrong(&self, what: &str) -> ParseError {
        self.error(format_args!("expected {what}, got {}", self.json.kind()))
    }

    /// Returns the value of a name that the object must have.
    pub fn member<'s>(&'s self, name: &'s str) -> Result<Located<'s, 'a>, ParseError> {
        let found = self.json.get(name).map(|json| (json, Place::Member(&self.place, name)));
        let missing = || self.error(format_args!("expected an object with \"{name}\""));
        found.map(|(json, place)| Located { json, place }).ok_or_else(missing)
    }

    /// Reads each element of an array.
    pub fn each<T>(
        &self,
        read: impl Fn(Located<'_, 'a>) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let elements = self.json.array().ok_or_else(|| self.wrong("an array"))?;
        let place = |number| Place::Element(&self.place, number);
        let located = |(number, json)| Located { json, place: place(number) };
        elements.iter().enumerate().map(|element| read(located(element))).collect()
    }

    /// Returns an integer in a range.
    pub fn integer(&self, range: RangeInclusive<i64>) -> Result<i64, ParseError> {
        self.json.integer().filter(|number| range.contains(number)).ok_or_else(|| {
            self.wrong(&format!("a whole number from {} to {}", range.start(), range.end()))
        })
    }

    /// Returns an integer of 32 bits without a sign.
    pub fn u32(&self) -> Result<u32, ParseError> {
        self.integer(0..=u32::MAX.into()).map(|number| number as u32)
    }

    /// Returns a string.
    pub fn text(&self) -> Result<&'j Cow<'a, str>, ParseError> {
        match self.json {
            Json::Text(text) => Ok(text),
            _ => Err(self.wrong("a string")),
        }
    }
}
