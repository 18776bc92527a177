//! Secrets of links and cookies.

use base64::prelude::{Engine, BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use std::fmt;

/// Bytes of a token: 128 bits.
const BYTES: usize = 16;

/// Hash of a token, as it is stored.
pub type Hash = [u8; 32];

/// Secret by which a browser shows who is there.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; BYTES]);

impl Token {
    /// Draws a token.
    pub fn draw() -> Token {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).expect("Linux has random numbers");
        Token(bytes)
    }

    /// Reads a token; `None` if the text is none.
    pub fn parse(text: &str) -> Option<Token> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Token)
    }

    /// Returns its hash. A token is random, so the hash needs no salt.
    pub fn hash(&self) -> Hash {
        Sha256::digest(self.0).into()
    }

    /// Returns the key that forms of this browser carry, which another site cannot know.
    pub fn form_key(&self) -> String {
        let digest = Sha256::new().chain_update(b"form").chain_update(self.0).finalize();
        BASE64_URL_SAFE_NO_PAD.encode(&digest[..BYTES])
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64_URL_SAFE_NO_PAD.encode(self.0))
    }
}

/// Shows nothing, so that no log has a token.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_read_as_it_is_written_and_nothing_else_is() {
        let token = Token::draw();
        assert_eq!(Token::parse(&token.to_string()), Some(token.clone()));
        assert_ne!(token, Token::draw());
        assert_eq!(format!("{token:?}"), "Token(…)");
        for bad in ["", "a", "../../etc/passwd", &format!("{token}A"), &"A".repeat(1000)] {
            assert_eq!(Token::parse(bad), None, "{bad}");
        }
        assert_ne!(token.form_key(), token.to_string());
    }
}
