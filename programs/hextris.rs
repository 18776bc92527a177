//! Entry point of the program `hextris`.

fn main() -> std::process::ExitCode {
    arbitre::bots::main(&arbitre::bots::hextris::BOT)
}
