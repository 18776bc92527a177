//! `referee join`: a program of this machine in a room elsewhere.

use super::args::JoinArgs;
use super::serve::server_of;
use arbitre_games::text::HELP;
use arbitre_process::program::Program;
use arbitre_referee::config::player_arg::CommandKind;
use arbitre_referee::failure::Failure;
use arbitre_referee::player::program;
use arbitre_referee::registry::Registry;
use arbitre_referee::run::room::{Joining, Server};
use std::path::Path;
use std::process::ExitCode;

/// Joins the room of a link.
pub fn run(
    args: &JoinArgs,
    server: Option<&Server>,
    registry: &Registry,
) -> Result<ExitCode, Failure> {
    let server = server_of(server, "join")?;
    let (url, token) = parse_link(&args.link)?;
    let program = find(&args.command, registry)?;
    let name = name_of(&program);
    let (tables, once, watch) = (usize::from(args.tables), args.once.clone(), args.watch);
    (server.join)(Joining { url, token, program, name, tables, once, watch })
}

/// Returns the address of the WebSocket and the secret of a link.
fn parse_link(link: &str) -> Result<(String, String), Failure> {
    let wrong = || {
        Failure::Usage(format!(
            "LINK: expected your link, such as http://192.0.2.2:8000/enter/t5vkDmspbqyS8s-thN8i7A, \
             got '{link}'{HELP}copy it from your slip, or from your page"
        ))
    };
    let (address, token) = link.rsplit_once("/enter/").ok_or_else(wrong)?;
    let is_token = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_web = address.starts_with("http://") || address.starts_with("https://");
    if !is_web || token.is_empty() || !token.chars().all(is_token) {
        return Err(wrong());
    }
    Ok((format!("{}/join", address.replacen("http", "ws", 1)), token.to_owned()))
}

/// Finds the program of a command.
fn find(command: &str, registry: &Registry) -> Result<Program, Failure> {
    match CommandKind::parse(command, registry)? {
        CommandKind::Bundled(name, arguments) => {
            let bot = registry.bot(&name).expect("a bundled command names a bundled bot");
            bot.console(&arguments)?;
            Ok(program::bundled(registry.executable, &name, &arguments))
        }
        CommandKind::External(words) => program::find(&words, &registry.bot_names())
            .map_err(|why| Failure::Player(format!("COMMAND: {why}"))),
        CommandKind::Human | CommandKind::Absent(_) => Err(Failure::Usage(format!(
            "COMMAND: expected a program, got a person{HELP}write the command of a bot"
        ))),
    }
}

/// Returns the file of a program that people know it by: of `python3 bot.py` the second.
fn name_of(program: &Program) -> String {
    let mut words = program.arguments.iter().map(Path::new);
    let file = words.find(|word| word.is_file());
    let file = file.unwrap_or(Path::new(&program.arg0));
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_leads_to_its_room() {
        for (link, url) in [
            ("http://192.0.2.2:8000/enter/abc-_9", Some("ws://192.0.2.2:8000/join")),
            ("https://class.example/enter/abc", Some("wss://class.example/join")),
            ("http://[::1]:8000/enter/abc", Some("ws://[::1]:8000/join")),
            ("http://192.0.2.2:8000/", None),
            ("http://192.0.2.2:8000/enter/", None),
            ("ftp://192.0.2.2/enter/abc", None),
            ("http://192.0.2.2/enter/a b", None),
        ] {
            let parsed = parse_link(link).ok().map(|(url, _)| url);
            assert_eq!(parsed.as_deref(), url, "{link}");
        }
    }
}
