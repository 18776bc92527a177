//! JSON as RFC 8259 has it, read and written with the standard library alone.
//!
//! Strict: what the grammar does not allow is refused with its line and column, and so is a name that
//! an object has twice. Strings without escapes are borrowed, so that a document that is one long string
//! costs little more than a look at each byte.

use crate::game::ParseError;
use std::borrow::Cow;

/// Arrays and objects may be nested so deep.
pub const DEPTH_LIMIT: usize = 64;

/// A value; its strings borrow from the text where they can.
#[derive(Clone, PartialEq, Debug)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written.
    Number(&'a str),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// The names and values of an object, in their order.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Reads a document.
    ///
    /// # Errors
    /// If it is none; the message begins with the line and the column, both counted from 1.
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

    /// The value of this name; none if it is missing, or this is no object.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn array(&self) -> Option<&[Json<'a>]> {
        match self {
            Json::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// A string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number written without fraction and exponent.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// What it is, for messages: `a number`, `an array`, …
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

/// What was expected where reading stopped.
type Expected = &'static str;

struct Reader<'a> {
    text: &'a str,
    /// Always at the border of a character.
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
        ParseError::new(format!("line {line}, column {column}: expected {expected}, not {found}"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past this byte if it is the next one.
    fn takes(&mut self, byte: u8) -> bool {
        let is_it = self.peek() == Some(byte);
        self.at += usize::from(is_it);
        is_it
    }

    fn value(&mut self) -> Result<Json<'a>, Expected> {
        self.skip_blanks();
        match self.peek() {
            Some(b'{') => self.nested(Reader::object),
            Some(b'[') => self.nested(Reader::array),
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

    fn nested(
        &mut self,
        read: fn(&mut Reader<'a>) -> Result<Json<'a>, Expected>,
    ) -> Result<Json<'a>, Expected> {
        if self.depth == DEPTH_LIMIT {
            return Err("no deeper nesting");
        }
        self.at += 1;
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Result<Json<'a>, Expected> {
        let mut elements = Vec::new();
        self.skip_blanks();
        if self.takes(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            self.skip_blanks();
            if self.takes(b']') {
                return Ok(Json::Array(elements));
            }
            if !self.takes(b',') {
                return Err("',' or ']'");
            }
        }
    }

    fn object(&mut self) -> Result<Json<'a>, Expected> {
        let mut members: Vec<(Cow<'a, str>, Json<'a>)> = Vec::new();
        self.skip_blanks();
        if self.takes(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_blanks();
            let begin = self.at;
            let name = self.string()?;
            if members.iter().any(|(known, _)| *known == name) {
                self.at = begin;
                return Err("another name, as the object has this one already");
            }
            self.skip_blanks();
            if !self.takes(b':') {
                return Err("':'");
            }
            members.push((name, self.value()?));
            self.skip_blanks();
            if self.takes(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.takes(b',') {
                return Err("',' or '}'");
            }
        }
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

    /// What stands behind a backslash.
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

    /// A character by its four hexadecimal digits, or by twice four.
    fn code_point(&mut self) -> Result<char, Expected> {
        const ALONE: Expected = "a character, not half of a surrogate pair";
        let high = self.four_digits()?;
        if let Some(c) = char::from_u32(high) {
            return Ok(c);
        }
        if !(0xD800..0xDC00).contains(&high) || !self.text[self.at..].starts_with("\\u") {
            return Err(ALONE);
        }
        self.at += 2;
        let low = self.four_digits()?;
        let low = low.checked_sub(0xDC00).filter(|&low| low < 0x400).ok_or(ALONE)?;
        char::from_u32(0x10000 + ((high - 0xD800) << 10) + low).ok_or(ALONE)
    }

    fn four_digits(&mut self) -> Result<u32, Expected> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            value = value * 16 + digit.ok_or("four hexadecimal digits")?;
            self.at += 1;
        }
        Ok(value)
    }
}
