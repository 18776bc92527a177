//! Encodings of the names in a zip file, which often does not state them.

/// Characters of the bytes from 128, in the encodings that are tried, in this order. Latin-1 is the
/// beginning of Unicode.
const ENCODINGS: [fn(u8) -> char; 3] =
    [|byte| upper(CP437, byte), |byte| char::from(byte), |byte| upper(CP850, byte)];
/// Upper half of code page 437, the encoding of the format.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
/// Upper half of code page 850, which Windows uses in western Europe.
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
     └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// Name of an entry.
pub struct RawName {
    /// Bytes as they are in the zip file.
    pub bytes: Vec<u8>,
    /// Whether the entry states that they are UTF-8.
    pub is_utf8: bool,
}

/// Decodes the names of a zip file: UTF-8 where it is stated or the bytes are valid. The others
/// have one encoding: the first of code page 437, Latin-1 and code page 850 with the most Latin
/// letters.
pub fn decode(names: &[RawName]) -> Vec<String> {
    let is_unknown = |name: &RawName| !name.is_utf8 && std::str::from_utf8(&name.bytes).is_err();
    let unknown = names.iter().filter(|name| is_unknown(name)).flat_map(|name| &name.bytes);
    let upper: Vec<u8> = unknown.copied().filter(|byte| !byte.is_ascii()).collect();
    let letters = |of: fn(u8) -> char| upper.iter().filter(|&&byte| is_latin(of(byte))).count();
    // The last of equal ones is the greatest.
    let chosen = ENCODINGS.into_iter().rev().max_by_key(|&of| letters(of));
    let of = chosen.unwrap_or(ENCODINGS[0]);
    let character = |&byte: &u8| if byte.is_ascii() { char::from(byte) } else { of(byte) };
    let text = |name: &RawName| match is_unknown(name) {
        true => name.bytes.iter().map(character).collect(),
        false => String::from_utf8_lossy(&name.bytes).into_owned(),
    };
    names.iter().map(text).collect()
}

fn upper(page: &str, byte: u8) -> char {
    page.chars().nth(usize::from(byte & 0x7f)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns `true` for Latin letters outside ASCII.
fn is_latin(c: char) -> bool {
    ('\u{c0}'..='\u{17f}').contains(&c) && c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a name, and whether they are UTF-8 for certain.
    type Case = (&'static [u8], bool);

    fn decoded(names: &[Case]) -> Vec<String> {
        let raw = names.iter().map(|&(bytes, is_utf8)| RawName { bytes: bytes.into(), is_utf8 });
        decode(&raw.collect::<Vec<_>>())
    }

    #[test]
    fn code_pages_have_a_character_per_byte() {
        for page in [CP437, CP850] {
            assert_eq!(page.chars().count(), 128);
            assert_eq!((upper(page, 0x82), upper(page, 0xff)), ('é', '\u{a0}'));
        }
    }

    /// Bytes as `str.encode` of Python gives them.
    #[test]
    fn names_are_decoded_by_their_letters() {
        let cases: [(&[Case], &[&str]); 8] = [
            (&[("Zoé".as_bytes(), true)], &["Zoé"]),
            (&[("Zoé".as_bytes(), false)], &["Zoé"]),
            (&[(b"Zo\x82", false)], &["Zoé"]),
            (&[(b"Zo\xe9", false)], &["Zoé"]),
            // Code page 850 alone has É and È, and Latin-1 has neither byte as a letter.
            (&[(b"H\x90L\xd4NE", false)], &["HÉLÈNE"]),
            // One name decides for the others: the byte alone could be Ô.
            (&[(b"L\xd4NE", false), (b"Zo\x82", false)], &["LÈNE", "Zoé"]),
            (&[(b"Zo\xff\xfe", true), (b"a", false)], &["Zo\u{fffd}\u{fffd}", "a"]),
            (&[(b"n\xf8 1", false)], &["nø 1"]),
        ];
        for (names, expected) in cases {
            assert_eq!(decoded(names), expected);
        }
    }
}
