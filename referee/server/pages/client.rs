//! The client that the server makes for each person, and the command that starts it.

use crate::token::Token;

/// Source of the client, without address and link.
const JOIN: &str = include_str!("../assets/join.py");

/// Returns the client of a person, which connects to the server at this address.
pub fn join(address: &str, token: &Token) -> String {
    let url = format!("{}/join", address.replacen("http", "ws", 1));
    JOIN.replace("@URL@", &url).replace("@TOKEN@", &token.to_string())
}

/// Returns the address of this server as a browser reached it: the host of its request, unless a
/// proxy is in front, or that is no host; with the `root` of its room.
pub fn address(host: Option<&str>, root: &str, behind_proxy: bool, own: &[String]) -> String {
    let is_host = |host: &&str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || ".:-[]".contains(c);
        !host.is_empty() && host.len() < 256 && host.chars().all(is_part)
    };
    match host.filter(|_| !behind_proxy).filter(is_host) {
        Some(host) => format!("http://{host}{root}"),
        None => own.first().cloned().unwrap_or_default(),
    }
}

/// Returns the command that starts the client, for the system that a browser names.
pub fn command(user_agent: Option<&str>) -> &'static str {
    match user_agent.is_some_and(|agent| agent.contains("Windows")) {
        true => r#"py join.py "py my_bot.py""#,
        false => r#"python3 join.py "python3 my_bot.py""#,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_has_the_address_that_its_browser_reached() {
        let own = ["http://192.0.2.2:8000".to_owned()];
        for (host, behind_proxy, expected) in [
            (Some("class.example:8000"), false, "http://class.example:8000"),
            (Some("[::1]:8000"), false, "http://[::1]:8000"),
            (Some("class.example"), true, "http://192.0.2.2:8000"),
            (Some("x\"\nimport os"), false, "http://192.0.2.2:8000"),
            (Some(""), false, "http://192.0.2.2:8000"),
            (None, false, "http://192.0.2.2:8000"),
        ] {
            assert_eq!(address(host, "", behind_proxy, &own), expected, "{host:?}");
        }
        let below = address(Some("class.example"), "/tuesday", false, &own);
        assert_eq!(below, "http://class.example/tuesday");
        let token = Token::draw();
        let made = join("https://class.example", &token);
        assert!(made.contains("\"wss://class.example/join\""), "{made}");
        assert!(made.contains(&format!("\"{token}\"")) && !made.contains("@URL@"));
        assert!(JOIN.lines().count() <= 200, "it is short enough to be read");
    }
}
